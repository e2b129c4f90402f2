"""Records and readers."""

from __future__ import annotations

import ctypes
import functools
import io
import threading
import warnings
from ctypes import byref, c_char_p, c_size_t, c_void_p
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Iterable,
    Iterator,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    TypeVar,
    Union,
    overload,
)

from . import _library as c
from ._library import ChemopenError, LossWarning, PathLike, RecordError, UnreadableWarning, lib, locked

if TYPE_CHECKING:
    import numpy


class Fields(Mapping[str, Union[str, list[str]]]):
    """The data fields of a record by name: text, or a list if the record repeats the field."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        #: All fields in file order, including repeated ones.
        self.pairs = pairs
        self._values: dict[str, Union[str, list[str]]] = {}
        for name, value in pairs:
            known = self._values.get(name)
            if known is None:
                self._values[name] = value
            elif isinstance(known, list):
                known.append(value)
            else:
                self._values[name] = [known, value]

    def __getitem__(self, name: str) -> Union[str, list[str]]:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


class Atom(NamedTuple):
    """An atom: symbol or label, coordinates, charge, isotope, and other properties."""

    symbol: str
    x: float
    y: float
    z: float
    charge: int
    isotope: int
    radical: int
    hydrogens: int
    map_number: int


class Bond(NamedTuple):
    """A bond: the indices of its atoms, its order and its stereo mark."""

    #: Indices in the list of atoms, from 0.
    start: int
    end: int
    #: 0 to 6, or 7 for an aromatic bond. For higher values see chemopen.h.
    order: int
    #: 0 none, 1 up, 2 down, 3 either.
    mark: int


class Loss(NamedTuple):
    """A feature of a record that a format cannot represent."""

    #: The record, from 1. In a summary, the first record with this loss; for the text of a single record, 0.
    record: int
    #: The name of the feature: "sgroups".
    feature: str
    #: The keyword in the original format; may be empty.
    detail: str
    times: int


def losses_of(first: Any, count: int) -> list[Loss]:
    """Converts losses from the library."""
    return [
        Loss(loss.record, loss.feature.decode(), loss.detail.decode("utf-8", "replace"), loss.count)
        for loss in first[:count]
    ]


def summary_of(losses: Iterable[Loss]) -> str:
    """Summarizes losses in a line, with each kind once: `left out: sgroups (2), fields (3)`."""
    counts: dict[str, int] = {}
    for loss in losses:
        counts[loss.feature] = counts.get(loss.feature, 0) + loss.times
    return "left out: " + ", ".join(f"{feature} ({count})" for feature, count in counts.items())


#: Features that are not part of the structure and therefore not of a molfile.
_BESIDE = {"fields", "field headers", "repeated fields", "registry numbers", "structures in fields", "empty lines in values"}

Item = TypeVar("Item")


class Parts(Sequence[Item]):
    """The atoms or bonds of a record. Each is created when you access it.

    `numpy.asarray(parts)` returns a view of all of them without a copy: a read-only structured array. The array keeps the
    record alive.
    """

    def __init__(self, record: Record, first: Any, count: int, kind: Any, make: Callable[[Any], Item]) -> None:
        self._record, self._first, self._count, self._kind, self._make = record, first, count, kind, make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Item: ...

    @overload
    def __getitem__(self, place: slice) -> list[Item]: ...

    def __getitem__(self, place: Union[int, slice]) -> Union[Item, list[Item]]:
        if isinstance(place, slice):
            return [self._make(self._first[i]) for i in _places(self._count)[place]]
        return self._make(self._first[_places(self._count)[place]])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> "numpy.ndarray[Any, Any]":
        import numpy

        if self._count == 0:
            view = numpy.empty(0, dtype=self._kind)
        else:
            memory = (self._kind * self._count).from_address(ctypes.addressof(self._first.contents))
            memory.record = self._record
            view = numpy.frombuffer(memory, dtype=self._kind)
        view.flags.writeable = False
        return numpy.array(view, dtype=dtype) if copy or dtype is not None else view

    def __repr__(self) -> str:
        return repr(list(self))


_places = range


class Place(NamedTuple):
    #: Counted from 1.
    """The position of a record in its file: number, line, and byte range."""

    record: int
    line: int
    #: The offset in the decompressed file, and the length in bytes.
    offset: int
    length: int
    #: "V2000", or "".
    version: str


class Drawing:
    """A picture of a record as SVG. Notebooks display it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg


class Record:
    """A molecule, a reaction or neither, with its data fields. It does not change when its reader continues."""

    def __init__(self) -> None:
        self._handle = c_void_p()
        self._lock = threading.RLock()
        lib.chemopen_record_new(byref(self._handle))
        #: The position of the record in its file; None for a new record.
        self.place: Optional[Place] = None
        #: The file that contains the record.
        self.file: Optional[str] = None
        #: Warnings about the record.
        self.issues: list[str] = []

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.chemopen_record_close(byref(self._handle))

    @classmethod
    def parse(cls, content: Union[str, bytes, bytearray, memoryview], format: Optional[str] = None) -> Record:
        """Parses a text and returns its first record: `Record.parse("CCO", "smi")`.

        If no format is specified, it is detected from the content. Raises RecordError if the record cannot be read.
        """
        reader = Reader.of_memory(content, format=format)
        try:
            return next(reader)
        except StopIteration:
            raise ChemopenError("the text contains no record") from None
        finally:
            reader.close()

    @locked
    def copy(self) -> Record:
        """Returns an independent copy of the record."""
        other = Record.__new__(Record)
        other._handle = c_void_p()
        other._lock = threading.RLock()
        lib.chemopen_record_copy(byref(other._handle), self._handle)
        other.place, other.file, other.issues = self.place, self.file, list(self.issues)
        return other

    @locked
    def _text(self, function: Callable[..., int], *arguments: Any) -> Optional[str]:
        text = c.Text()
        status = function(self._handle, *arguments, byref(text))
        if status == c.ABSENT:
            return None
        if status != c.OK:
            raise c.error_of("record", self._handle, status)
        return c.decode(text.raw())

    @property
    @locked
    def kind(self) -> str:
        """ "molecule", "reaction" or "data"."""
        kind = ctypes.c_int()
        lib.chemopen_record_kind(self._handle, byref(kind))
        return ("data", "molecule", "reaction")[kind.value]

    @property
    @locked
    def title(self) -> Optional[str]:
        """The name of the molecule or reaction; None if the record is neither."""
        return self._text(lib.chemopen_record_title)

    @title.setter
    @locked
    def title(self, title: str) -> None:
        """Sets the title of the molecule or reaction."""
        raw = title.encode()
        status = lib.chemopen_record_set_title(self._handle, raw, len(raw))
        if status != c.OK:
            raise ChemopenError("the record is neither a molecule nor a reaction")

    @property
    @locked
    def fields(self) -> Fields:
        """The data fields."""
        places, count = ctypes.POINTER(c.Field)(), c_size_t()
        lib.chemopen_record_fields(self._handle, byref(places), byref(count))
        return Fields([(c.decode(places[i].name.raw()), c.decode(places[i].value.raw())) for i in range(count.value)])

    @locked
    def set_field(self, name: str, value: str) -> None:
        """Sets the first field with a name and removes the others. Adds the field if it does not exist."""
        key, text = name.encode(), value.encode()
        lib.chemopen_record_set_field(self._handle, key, len(key), text, len(text))

    @locked
    def add_field(self, name: str, value: str) -> None:
        """Appends a field."""
        key, text = name.encode(), value.encode()
        lib.chemopen_record_add_field(self._handle, key, len(key), text, len(text))

    @locked
    def remove_field(self, name: str) -> bool:
        """Removes all fields with a name. Returns False if no such field exists."""
        key = name.encode()
        return bool(lib.chemopen_record_remove_field(self._handle, key, len(key)) == c.OK)

    def _list(self, function: Callable[..., int], kind: Any) -> tuple[Any, int]:
        first, count = ctypes.POINTER(kind)(), c_size_t()
        status = function(self._handle, byref(first), byref(count))
        return first, count.value if status == c.OK else 0

    @property
    @locked
    def labels(self) -> list[str]:
        """The labels of atoms that differ from the symbols of their elements."""
        first, count = self._list(lib.chemopen_record_labels, c.Text)
        return [c.decode(first[i].raw()) for i in range(count)]

    @property
    @locked
    def atoms(self) -> Parts[Atom]:
        """The atoms of the molecule."""
        first, count = self._list(lib.chemopen_record_atoms, c.Atom)
        labels: list[str] = []

        def make(atom: Any) -> Atom:
            """Creates an atom from that of the library."""
            if atom.label >= 0 and not labels:
                labels.extend(self.labels)
            symbol = labels[atom.label] if atom.label >= 0 else _symbol(atom.element)
            return Atom(
                symbol, atom.x, atom.y, atom.z, atom.charge, atom.isotope, atom.radical, atom.hydrogens, atom.map_number)

        return Parts(self, first, count, c.Atom, make)

    @property
    @locked
    def bonds(self) -> Parts[Bond]:
        """The bonds of the molecule."""
        first, count = self._list(lib.chemopen_record_bonds, c.Bond)
        return Parts(self, first, count, c.Bond, lambda bond: Bond(bond.from_, bond.to, bond.order, bond.mark))

    def atom_array(self) -> "numpy.ndarray[Any, Any]":
        """Returns a view of the atoms as a structured NumPy array, without a copy: `record.atom_array()["x"]`."""
        return self.atoms.__array__()

    def bond_array(self) -> "numpy.ndarray[Any, Any]":
        """Returns a view of the bonds as a structured NumPy array, with `from_`, `to`, `order` and `mark`."""
        return self.bonds.__array__()

    @property
    def formula(self) -> Optional[str]:
        """The formula of a molecule in Hill order, including implicit hydrogens."""
        return self._text(lib.chemopen_record_formula)

    @locked
    def _text_and_losses(self, format: str, version: int) -> tuple[str, list[Loss]]:
        text = self._text(lib.chemopen_record_text, c.name_bytes(format, "a format"), version) or ""
        first, count = self._list(lib.chemopen_record_losses, c.Loss)
        return text, losses_of(first, count) if count else []

    def text(self, format: str, version: int = 0) -> str:
        """Returns the record as text in a format such as "mol" or "sdf".

        `version` is 2000, 3000, or 0 to use the version that the content requires. If the format cannot represent the
        complete record, raises a single `LossWarning`; use `losses` for a list.
        """
        text, lost = self._text_and_losses(format, version)
        if lost:
            warnings.warn(summary_of(lost), LossWarning, stacklevel=2)
        return text

    def losses(self, format: str, version: int = 0) -> list[Loss]:
        """Returns the losses of the record as text in a format."""
        return self._text_and_losses(format, version)[1]

    @property
    def molblock(self) -> str:
        """The molecule as a molfile, without fields. Raises a `LossWarning` if it cannot represent the complete structure."""
        text, lost = self._text_and_losses("mol", 0)
        lost = [loss for loss in lost if loss.feature not in _BESIDE]
        if lost:
            warnings.warn(summary_of(lost), LossWarning, stacklevel=2)
        return text

    def depict(
        self, width: float = 0, height: float = 0, *, colors: bool = True, dark: bool = False, expand: bool = False
    ) -> Optional[Drawing]:
        """Draws the record. Returns None if it has no structure."""
        options = c.DrawOptions(ctypes.sizeof(c.DrawOptions), width, height, colors, dark, expand)
        svg = self._text(lib.chemopen_record_svg, byref(options))
        return None if svg is None else Drawing(svg)

    def _repr_svg_(self) -> Optional[str]:
        drawing = self.depict()
        return None if drawing is None else drawing.svg

    def __repr__(self) -> str:
        where = f" {self.place.record}" if self.place else ""
        return f"<chemopen.Record{where} {self.kind} {self.title!r}>"


@functools.lru_cache(maxsize=None)
def _symbol(number: int) -> str:
    symbol = c_char_p()
    return (symbol.value or b"").decode() if lib.chemopen_element_symbol(number, byref(symbol)) == c.OK else "*"


class Reader(Iterator[Record]):
    """The records of a file. An unreadable record raises RecordError; the next call continues after it."""

    def __init__(
        self, source: Union[PathLike, Any], *, format: Optional[str] = None, range: Optional[tuple[int, int]] = None,
        structures: bool = True, errors: Literal["raise", "skip"] = "raise",
        encoding: Optional[str] = None,
    ) -> None:
        self._lock = threading.RLock()
        self._skips = c.choice_of(errors, ("raise", "skip"), "errors") == 1
        self._handle = c_void_p()
        options = c.ReadOptions(
            ctypes.sizeof(c.ReadOptions), c.text_bytes(format), 0 if structures else 1, 0, c.text_bytes(encoding))
        self._callback: Any = None
        self._failures: list[BaseException] = []
        if hasattr(source, "read"):
            status = self._open_stream(source, options)
        elif range is not None:
            path = c.path_bytes(source)
            status = lib.chemopen_reader_open_range(byref(self._handle), path, range[0], range[1], byref(options))
        else:
            status = lib.chemopen_reader_open(byref(self._handle), c.path_bytes(source), byref(options))
        if status != c.OK:
            error = self._error(status)
            self.close()
            raise error
        first = ctypes.POINTER(c.Format)()
        lib.chemopen_reader_format(self._handle, byref(first))
        #: The ID of the format: "sdf".
        self.format = first.contents.id.decode()
        self._name = getattr(source, "name", None) if hasattr(source, "read") else source

    @classmethod
    def of_memory(
        cls, content: Union[str, bytes, bytearray, memoryview], *, format: Optional[str] = None,
        errors: Literal["raise", "skip"] = "raise",
    ) -> Reader:
        """Opens text or bytes in memory. Text is encoded as UTF-8."""
        if not isinstance(content, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"expected text or bytes, not {type(content).__name__}")
        raw = content.encode() if isinstance(content, str) else bytes(content)
        return cls(io.BytesIO(raw), format=format, errors=errors)

    def _open_stream(self, source: Any, options: c.ReadOptions) -> int:
        # The function must not refer to the reader, because a reference cycle would delay closing the reader.
        failures = self._failures

        def bring(_: Any, place: int, room: int) -> int:
            """Reads bytes from the Python stream for the library."""
            try:
                taken, count = _bytes_of(source.read(room), room)
                ctypes.memmove(place, taken, count)
                return count
            except BaseException as failure:
                failures.append(failure)
                return -1

        self._callback = c.ReadFunction(bring)
        name = str(getattr(source, "name", "stream")).encode()
        return int(lib.chemopen_reader_open_function(byref(self._handle), self._callback, None, name, byref(options)))

    def _error(self, status: int) -> BaseException:
        """Returns the error of a call, or the original exception if the file object raised one."""
        if self._failures:
            return self._failures.pop()
        return c.error_of("reader", self._handle, status)

    def __iter__(self) -> Reader:
        return self

    @locked
    def __next__(self) -> Record:
        record = Record()
        status = lib.chemopen_reader_next(self._handle, record._handle)
        while status == c.BROKEN and self._skips:
            warnings.warn(str(c.error_of("reader", self._handle, status)), UnreadableWarning, stacklevel=3)
            status = lib.chemopen_reader_next(self._handle, record._handle)
        if status == c.END or not self._handle:
            raise StopIteration
        if status != c.OK:
            raise self._error(status)
        record.place = self.place
        record.file = str(self._name) if self._name is not None else None
        record.issues = self.issues
        return record

    @property
    @locked
    def place(self) -> Optional[Place]:
        """The position of the last record, whether or not it could be read."""
        place = c.Place(ctypes.sizeof(c.Place))
        if lib.chemopen_reader_place(self._handle, byref(place)) != c.OK:
            return None
        return Place(place.record, place.line, place.offset, place.length, (place.version or b"").decode())

    @property
    @locked
    def issues(self) -> list[str]:
        """Warnings about the last record, whether or not it could be read."""
        first, count = ctypes.POINTER(c.Issue)(), c_size_t()
        if lib.chemopen_reader_issues(self._handle, byref(first), byref(count)) != c.OK:
            return []
        return [first[i].message.decode() for i in range(count.value) if first[i].severity > 0]

    @property
    @locked
    def record_bytes(self) -> bytes:
        """The unchanged bytes of the last record, whether or not it could be read."""
        text = c.Text()
        lib.chemopen_reader_bytes(self._handle, byref(text))
        return text.raw()

    @locked
    def close(self) -> None:
        """Closes the file."""
        if self._handle:
            lib.chemopen_reader_close(byref(self._handle))

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()


def _bytes_of(taken: Any, room: int) -> tuple[bytes, int]:
    """Returns the data from a file object and its length, after checking its type and size."""
    if isinstance(taken, str):
        raise TypeError("the file object returns text; open the file in binary mode, as in open(path, \"rb\")")
    if taken is None:
        raise BlockingIOError("the file object has no data yet; use a blocking file object")
    if not isinstance(taken, (bytes, bytearray, memoryview)):
        raise TypeError(f"the file object returns {type(taken).__name__} instead of bytes")
    raw = bytes(taken)
    # A subclass of bytes can override `__len__`.
    count = bytes.__len__(raw)
    if count > room:
        raise ValueError(f"the file object returns {count} bytes, but at most {room} were requested")
    return raw, count


def read(
    source: Union[PathLike, Any], *, format: Optional[str] = None, range: Optional[tuple[int, int]] = None,
    errors: Literal["raise", "skip"] = "raise",
    encoding: Optional[str] = None,
) -> Reader:
    """Opens a file, or reads from an open binary file. The format is detected from the content.

        for record in chemopen.read("a.sdf.gz"):
            print(record.title, record.fields["ID"])

    An unreadable record raises `RecordError`; call `next` to continue after it. With errors="skip", it raises an
    `UnreadableWarning`, and the loop continues. `encoding` is the text encoding as iconv names it, such as "shift_jis". If a
    file declares its own encoding, that is used instead.
    """
    return Reader(source, format=format, range=range, errors=errors, encoding=encoding)


def rdkit_mols(
    path: PathLike, *, sanitize: bool = True, remove_hydrogens: bool = True
) -> Iterator[tuple[Optional[Record], Any, Optional[str]]]:
    """Yields a tuple for each record of a file, in the order of `scan`: the record, RDKit's molecule, and a reason.

    The record is None if it cannot be read. The molecule is None if the record contains none or RDKit rejects it; the
    reason then explains this. Otherwise the reason is None.
    """
    from rdkit import Chem, rdBase

    reader = Reader(path)
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except RecordError as error:
            yield None, None, str(error)
            continue
        if record.kind != "molecule":
            yield record, None, f"the record is a {record.kind}" if record.kind != "data" else "no structure"
            continue
        try:
            block = record.molblock
        except ChemopenError as error:
            yield record, None, str(error)
            continue
        with rdBase.BlockLogs():
            try:
                molecule = Chem.MolFromMolBlock(block, sanitize=False, removeHs=False)
                reason = None if molecule is not None else "RDKit cannot read the molfile"
                if molecule is not None and sanitize:
                    if remove_hydrogens:
                        molecule = Chem.RemoveHs(molecule, sanitize=False)
                    Chem.SanitizeMol(molecule)
                    Chem.AssignStereochemistry(molecule, cleanIt=True, force=True)
            except Exception as error:
                molecule, reason = None, f"RDKit rejects it: {error}"
        yield record, molecule, reason
