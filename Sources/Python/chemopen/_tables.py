"""Files as a table."""

from __future__ import annotations

import ctypes
import itertools
import threading
import warnings
from ctypes import byref, c_char_p, c_size_t, c_uint64, c_void_p
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _library as c
from ._library import PathLike, lib, locked

_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_malloc = ctypes.CFUNCTYPE(c_void_p, c_size_t)(("malloc", ctypes.CDLL(None)))
_release = ctypes.cast(lib.chemopen_release_capsule, c_void_p)
#: A capsule stores the address of its name, which must therefore stay valid.
_stream_name = c_char_p(b"arrow_array_stream")


#: The warnings of scans that are being opened, by key. Later warnings are raised immediately.
_opening: dict[int, list[tuple[type[c.ChemopenWarning], str]]] = {}
_keys = itertools.count(1)


def _hear(key: Optional[int], told: Any) -> int:
    """Receives a warning from the library. If a warning filter turns it into an error, the stream stops."""
    try:
        event = told.contents
        message = event.message.decode("utf-8", "replace")
        if event.input:
            message = f"{event.input.decode('utf-8', 'replace')}: {message}"
        kind = c.WARNINGS.get(event.kind)
        if kind is not None:
            opening = _opening.get(key or 0)
            if opening is None:
                warnings.warn(message, kind, stacklevel=2)
            else:
                opening.append((kind, message))
        return 0
    except BaseException:
        return 1


#: The callback of all scans. It must stay valid as long as any stream exists.
_ear = c.EventFunction(_hear)


class Scan:
    """Files as a table with a row for each record, including unreadable records.

    Use it with any library that accepts Arrow streams: `pyarrow.table(scan)`, `polars.DataFrame(scan)`,
    `duckdb.sql("select * from scan")`, `pandas.DataFrame.from_arrow(scan)`.
    """

    def __init__(
        self, paths: Union[PathLike, Sequence[PathLike]], *, columns: Optional[Iterable[str]] = None,
        types: Optional[Mapping[str, str]] = None, where: Union[str, Iterable[str], None] = None,
        structure: Optional[str] = "molblock", format: Optional[str] = None, range: Optional[tuple[int, int]] = None,
        batch_bytes: int = 0, encoding: Optional[str] = None,
    ) -> None:
        several = isinstance(paths, Sequence) and not isinstance(paths, (str, bytes))
        files = [c.path_bytes(path) for path in (paths if several else [paths])]  # type: ignore[union-attr,arg-type]
        self._handle = c_void_p()
        self._lock = threading.RLock()
        options = c.ScanOptions(ctypes.sizeof(c.ScanOptions))
        options.format = c.name_bytes(format, "a format")
        options.structure = c.name_bytes(structure, "structure")
        options.batch_bytes = batch_bytes
        options.encoding = c.text_bytes(encoding)
        names = None if columns is None else list(columns)
        if isinstance(columns, str):
            raise TypeError(f"columns must be a list of names: [{columns!r}]")
        if types is not None and (names is None or not set(types) <= set(names)):
            stray = ", ".join(repr(name) for name in types if names is None or name not in names)
            raise ValueError(f"types contains names that are not in columns: {stray}")
        if names is not None:
            options.columns = c.array_of([c.name_bytes(name, "a column") for name in names])
            options.column_count = len(names)
            if types is not None:
                options.types = c.array_of([c.name_bytes(types.get(name), "a type") for name in names])
        conditions = c.conditions_of(where)
        options.conditions = c.array_of(conditions)
        options.condition_count = len(conditions)
        if range is not None:
            options.range_from, options.range_to = range
        key = next(_keys)
        heard = _opening[key] = []
        options.event, options.context = _ear, key
        try:
            status = lib.chemopen_scan_open(byref(self._handle), c.array_of(files), len(files), byref(options))
        finally:
            del _opening[key]
        if status != c.OK:
            error = c.error_of("scan", self._handle, status)
            self.close()
            raise error
        for kind, message in heard:
            warnings.warn(message, kind, stacklevel=3)

    @property
    @locked
    def columns(self) -> dict[str, str]:
        """The columns with their types: "string", "integer", "real", "boolean" or "list"."""
        first, count = ctypes.POINTER(c.Column)(), c_size_t()
        lib.chemopen_scan_columns(self._handle, byref(first), byref(count))
        columns: dict[str, str] = {}
        for place in _indices(count.value):
            columns[c.decode(first[place].name.raw())] = c.decode(first[place].type.raw())
        return columns

    @locked
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns the table as a stream of Arrow's C interface. Each call reads the files again."""
        place = _malloc(ctypes.sizeof(c.ArrowArrayStream))
        if not place:
            raise MemoryError
        stream = ctypes.cast(place, ctypes.POINTER(c.ArrowArrayStream))
        status = lib.chemopen_scan_stream(self._handle, stream)
        # The capsule now owns the memory, whether or not it contains a stream.
        capsule = _new_capsule(place, _stream_name, _release)
        if status != c.OK:
            raise c.error_of("scan", self._handle, status)
        return capsule

    @locked
    def close(self) -> None:
        """Closes the scan. Open streams stay valid."""
        if self._handle:
            lib.chemopen_scan_close(byref(self._handle))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    def __repr__(self) -> str:
        return f"<chemopen.Scan of {len(self.columns)} columns>"


_indices = range


def scan(
    paths: Union[PathLike, Sequence[PathLike]], columns: Optional[Iterable[str]] = None,
    where: Union[str, Iterable[str], None] = None, structure: Optional[str] = "molblock", *,
    types: Optional[Mapping[str, str]] = None, format: Optional[str] = None,
    range: Optional[tuple[int, int]] = None, batch_bytes: int = 0, encoding: Optional[str] = None,
) -> Scan:
    """Opens files as a table with one row per record.

        import chemopen, polars
        polars.DataFrame(chemopen.scan("a.sdf.gz", where="MASS < 500"))

    The columns are:

    - `record` and `line`: the position of the record
    - `file`: the file, if there are several
    - `title`
    - a column for each notation in `structure`: "molblock", "rxnblock", "smiles", several separated by commas, or None
    - a column for each data field
    - `problem`: None if the row contains the complete record. Otherwise a message, if the record cannot be read or none of
      the notations can represent its structure; for example, a molblock cannot represent a reaction.

    A field's column contains numbers or Booleans only if this preserves the exact text of every value in all files.
    Otherwise it contains text, or lists of texts if a record repeats the field.

    If `where` uses a field that no record has, a `ConditionWarning` is raised. If structures lose features, a `LossWarning` is
    raised after all records have been read.

    `columns` selects columns. `types` specifies the types of some of them; if it contains all of them, the files need not
    be read to determine the types. `where` is one or more conditions: "MASS < 500". `range` selects the records that start
    in a byte range, as `partitions` returns it.
    """
    return Scan(
        paths, columns=columns, types=types, where=where, structure=structure, format=format, range=range,
        batch_bytes=batch_bytes, encoding=encoding)


def partitions(path: PathLike, count: int) -> list[tuple[int, int]]:
    """Divides a file into about `count` byte ranges, for Dask, Ray and similar libraries.

    Pass each range to `scan(path, range=…)` or `read(path, range=…)`. Together, the ranges contain each record exactly once.
    A compressed file, or one that cannot be divided, is a single range.
    """
    ends, found = (c_uint64 * max(1, count))(), c_size_t()
    status = lib.chemopen_partitions(c.path_bytes(path), max(1, count), ends, byref(found))
    if status != c.OK:
        raise c.make_error(status, "", file=str(path))
    bounds = [0] + [int(end) for end in ends[: found.value]]
    return list(zip(bounds, bounds[1:]))
