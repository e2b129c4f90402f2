"""Substructure search."""

from __future__ import annotations

import ctypes
import threading
import warnings
from ctypes import byref, c_int32, c_size_t, c_void_p
from typing import Iterator, Literal, Optional, Union

from . import _library as c
from ._library import SearchWarning, Source, lib, locked
from ._records import Record, read


class Pattern:
    """A substructure pattern.

        ester = chemopen.Pattern("[CX3](=O)[OX2H0][#6]")
        ester.finds(record)              # True or False
        ester.matches(record)            # the atom indices of each match
        chemopen.Pattern("[C:1]O>>[C:1]=O").finds(reaction)
    """

    def __init__(self, smarts: str) -> None:
        self._handle, self._lock = c_void_p(), threading.RLock()
        #: The SMARTS, or an empty text if the pattern is a molecule or reaction.
        self.smarts = smarts
        self._check(lib.chemopen_pattern_new(byref(self._handle), c.name_bytes(smarts, "a pattern")))

    @classmethod
    def of(cls, molecule: Union[Record, str], exact: bool = False) -> Pattern:
        """Creates a pattern from a molecule or reaction.

        With exact=True, it matches only molecules without other atoms and bonds, or reactions of the same components.
        """
        record = Record.parse(molecule) if isinstance(molecule, str) else molecule
        if not isinstance(record, Record):
            raise TypeError(f"expected a Record or text, not {type(record).__name__}")
        pattern = cls.__new__(cls)
        pattern._handle, pattern._lock, pattern.smarts = c_void_p(), threading.RLock(), ""
        with record._lock:
            pattern._check(lib.chemopen_pattern_of_record(byref(pattern._handle), record._handle, int(exact)))
        return pattern

    def _check(self, status: int) -> None:
        if status != c.OK:
            raise c.error_of("pattern", self._handle, status)

    def finds(self, record: Record) -> Optional[bool]:
        """Checks whether the pattern is found in a molecule, a reaction or its components, or a structure in a field.

        Returns None with a `SearchWarning` if the search reached its limit.
        """
        if not isinstance(record, Record):
            raise TypeError(f"expected a Record, not {type(record).__name__}")
        found = c_int32()
        with record._lock, self._lock:
            status = lib.chemopen_pattern_finds(self._handle, record._handle, byref(found))
            if status == c.IMPOSSIBLE:
                where = f"record {record.place.record}" if record.place else "the record"
                warnings.warn(f"{where} may contain the pattern, but the search reached its limit", SearchWarning, stacklevel=2)
                return None
            self._check(status)
        return bool(found.value)

    def matches(self, record: Record, most: int = 1000) -> list[tuple[int, ...]]:
        """Returns the atom indices of each match, in the order of the pattern's atoms; -1 for a hydrogen that is not drawn.

        Different orders of the same atoms count as one match. The list is empty if the record is not a molecule. A
        pattern of a reaction has no matches of atoms: this raises an error. If the search reaches its limit, a `SearchWarning` is raised, and the list is incomplete.
        """
        if not isinstance(record, Record):
            raise TypeError(f"expected a Record, not {type(record).__name__}")
        if most < 1:
            raise ValueError("most must be at least 1")
        first, size, count = ctypes.POINTER(c_int32)(), c_size_t(), c_size_t()
        with record._lock, self._lock:
            status = lib.chemopen_pattern_matches(
                self._handle, record._handle, most, byref(first), byref(size), byref(count))
            if status == c.IMPOSSIBLE:
                warnings.warn("the list of matches is incomplete, because the search reached its limit", SearchWarning, stacklevel=2)
            elif status != c.ABSENT:
                self._check(status)
            width = size.value
            return [tuple(first[i * width:(i + 1) * width]) for i in range(count.value)]

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.chemopen_pattern_close(byref(self._handle))

    def __reduce__(self) -> tuple[type[Pattern], tuple[str]]:
        if not self.smarts:
            raise TypeError("only patterns from SMARTS can be pickled")
        return (Pattern, (self.smarts,))

    def __repr__(self) -> str:
        return f"<chemopen.Pattern {self.smarts!r}>"


def grep(
    pattern: Union[str, Pattern], source: Source, *, format: Optional[str] = None, errors: Literal["raise", "skip"] = "skip",
    encoding: Optional[str] = None, invert: bool = False,
) -> Iterator[Record]:
    """Yields the records that contain a substructure, as `chemopen grep` does.

        for record in chemopen.grep("C(=O)[OH]", "a.sdf"):
            print(record.title)
    """
    search = pattern if isinstance(pattern, Pattern) else Pattern(pattern)
    with read(source, format=format, errors=errors, encoding=encoding) as reader:
        for record in reader:
            if search.finds(record) is (not invert):
                yield record
