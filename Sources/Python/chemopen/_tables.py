"""Files as a table."""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
import warnings
from ctypes import byref, c_char_p, c_size_t, c_uint64, c_void_p
from typing import Any, Iterable, Iterator, Literal, Mapping, Optional, Sequence, Union

from . import _library as c
from ._arrow import Batches, new_stream
from ._library import PathLike, lib, locked
from ._sources import Memory, Sources, all_of, written_to

#: A notation of structures.
Structure = Literal["auto", "molblock", "rxnblock", "smiles", "canonical_smiles", "svg"]
#: A type of columns.
ColumnType = Literal["string", "integer", "real", "boolean", "list"]

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
        self, source: Sources, *, columns: Optional[Iterable[str]] = None,
        types: Optional[Mapping[str, ColumnType]] = None, where: Union[str, Iterable[str], None] = None,
        structure: Union[Structure, Sequence[Structure], str, None] = "auto", compute: Iterable[str] = (),
        format: Optional[str] = None, range: Optional[tuple[int, int]] = None, batch_bytes: int = 0,
        encoding: Optional[str] = None,
    ) -> None:
        self._handle = c_void_p()
        self._lock = threading.RLock()
        self._count: Optional[int] = None
        if isinstance(columns, str):
            raise TypeError(f"columns must be a list of names: [{columns!r}]")
        sources = all_of(source)
        self._sources = sources
        self._given: dict[str, Any] = {
            "columns": None if columns is None else list(columns), "types": None if types is None else dict(types),
            "where": where if where is None or isinstance(where, str) else list(where),
            "structure": structure if structure is None or isinstance(structure, str) else list(structure),
            "compute": [compute] if isinstance(compute, str) else list(compute), "format": format, "range": range,
            "batch_bytes": batch_bytes, "encoding": encoding,
        }
        names: Optional[list[str]] = self._given["columns"]
        where, types = self._given["where"], self._given["types"]
        options = c.ScanOptions(ctypes.sizeof(c.ScanOptions))
        options.format = c.name_bytes(format, "a format")
        notations = structure if structure is None or isinstance(structure, str) else ",".join(structure) or None
        options.structure = c.name_bytes(notations, "structure")
        computed = [c.name_bytes(name, "a value") for name in self._given["compute"]]
        options.computed, options.computed_count = c.array_of(computed), len(computed)
        # With larger batches, a table that is written takes more than 64 MiB.
        options.batch_bytes = batch_bytes or 4 << 20
        options.encoding = c.text_bytes(encoding)
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
            if len(sources) == 1 and isinstance(sources[0], Memory):
                content, name = sources[0].content, os.fsencode(sources[0].name).replace(b"\0", b"?")
                status = lib.chemopen_scan_open_memory(
                    byref(self._handle), content, len(content), name, byref(options))
            else:
                if any(isinstance(one, Memory) for one in sources):
                    raise TypeError("bytes and file objects can only be read one at a time; use paths for several files")
                files = list(written_to("", sources))
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
        capsule, stream = new_stream()
        status = lib.chemopen_scan_stream(self._handle, stream)
        if status != c.OK:
            raise c.error_of("scan", self._handle, status)
        return capsule

    def __arrow_c_schema__(self) -> Any:
        """Returns the columns as a schema of Arrow's C interface."""
        with Batches(self) as batches:
            return batches.schema_capsule()

    def _again(self, **changes: Any) -> Scan:
        """Opens the same files with other options."""
        sources: Any = [one.content if isinstance(one, Memory) else one for one in self._sources]
        return Scan(sources[0] if len(sources) == 1 else sources, **{**self._given, **changes})

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopened, (self._sources, self._given)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yields each row as a dictionary. For large tables, use a library for tables, which is faster."""
        with Batches(self) as batches:
            for batch in batches:
                yield from batch.rows()

    def __len__(self) -> int:
        """Counts the rows. This reads the files once."""
        if self._count is None:
            narrow = self._again(columns=["record"], types={"record": "integer"}, structure=None, compute=())
            with warnings.catch_warnings(), Batches(narrow) as batches:
                warnings.simplefilter("ignore")
                self._count = sum(batch.length for batch in batches)
        return self._count

    def __bool__(self) -> bool:
        return True

    def head(self, count: int = 5) -> list[dict[str, Any]]:
        """Returns the first rows as dictionaries."""
        # Small batches avoid reading more than necessary.
        return list(itertools.islice(self._again(batch_bytes=1 << 16), count))

    def to_arrow(self) -> Any:
        """Returns the table as a table of pyarrow."""
        import pyarrow  # type: ignore[import-untyped,unused-ignore]

        return pyarrow.table(self)

    def to_pandas(self) -> Any:
        """Returns the table as a data frame of pandas."""
        return self.to_arrow().to_pandas()

    def to_polars(self, lazy: bool = False) -> Any:
        """Returns the table as a data frame of Polars, or with lazy=True as a LazyFrame; see `lazy`."""
        import polars

        return self.lazy() if lazy else polars.DataFrame(self)

    def lazy(self) -> Any:
        """Returns a LazyFrame of Polars. A query reads only the columns that it uses, and stops after the rows that it needs.

            chemopen.scan("a.sdf").lazy().filter(polars.col("MASS") < 500).select("title").collect()
        """
        import polars
        from polars.io.plugins import register_io_source

        def batches(
            columns: Optional[list[str]], predicate: Any, rows: Optional[int], size: Optional[int]
        ) -> Iterator[Any]:
            """Yield the batches of the table."""
            wanted = list(self.columns) if columns is None else columns
            known = self.columns
            # A table without columns still has rows.
            chosen = wanted or ["record"]
            fields = {name: known[name] for name in chosen if name in known}
            left = rows
            narrow = self._again(columns=chosen, types=fields, structure=self._given["structure"])
            with Batches(narrow) as found:
                for batch in found:
                    frame = polars.DataFrame(batch)
                    if predicate is not None:
                        frame = frame.filter(predicate)
                    if left is not None:
                        frame = frame.head(left)
                        left -= frame.height
                    yield frame.select(wanted)
                    if left is not None and left <= 0:
                        return

        kinds: dict[str, Any] = {
            "string": polars.String, "integer": polars.Int64, "real": polars.Float64, "boolean": polars.Boolean,
            "list": polars.List(polars.String),
        }
        schema = {name: kinds[kind] for name, kind in self.columns.items()}
        return register_io_source(batches, schema=schema, is_pure=True)

    def _repr_html_(self) -> str:
        import html

        rows = self.head()
        # Long values make a table unreadable.
        names = [name for name in self.columns if name not in ("molblock", "rxnblock")]

        def cell(name: str, value: Any) -> str:
            """Return the text of a cell."""
            if value is None:
                return ""
            return str(value) if name == "svg" else html.escape(str(value)[:100])

        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join("<tr>" + "".join(f"<td>{cell(name, row.get(name))}</td>" for name in names) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>The first {len(rows)} rows</p>"

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


def _reopened(sources: list[Any], given: dict[str, Any]) -> Scan:
    """Restores a pickled scan."""
    contents = [one.content if isinstance(one, Memory) else one for one in sources]
    return Scan(contents[0] if len(contents) == 1 else contents, **given)


def scan(
    source: Sources, columns: Optional[Iterable[str]] = None,
    where: Union[str, Iterable[str], None] = None,
    structure: Union[Structure, Sequence[Structure], str, None] = "auto", *,
    compute: Iterable[str] = (), types: Optional[Mapping[str, ColumnType]] = None, format: Optional[str] = None,
    range: Optional[tuple[int, int]] = None, batch_bytes: int = 0, encoding: Optional[str] = None,
) -> Scan:
    """Opens files as a table with one row per record.

        import chemopen, polars
        polars.DataFrame(chemopen.scan("a.sdf.gz", where="MASS < 500"))

    `source` is a path, a pattern such as "data/*.sdf", several of them, bytes, or an open binary file.

    The columns are:

    - `record` and `line`: the position of the record
    - `file`: the file, if there are several
    - `title`
    - a column for each notation in `structure`: "molblock", "rxnblock", "smiles", "canonical_smiles" or "svg"; None for no
      column. By default, `molblock`, and also `rxnblock` if the format of a file can contain reactions.
    - a column for each value in `compute`: "formula", "mass", "inchikey" and so on; see `facts`. For a reaction, a text has
      a line for each component, and a number is None unless it counts steps or components.
    - a column for each data field
    - `problem`: None if the row contains the complete record. Otherwise a message, if the record cannot be read or none of
      the notations can represent its structure; for example, a molblock cannot represent a reaction.

    A field's column contains numbers or Booleans only if this preserves the exact text of every value in all files.
    Otherwise it contains text, or lists of texts if a record repeats the field.

    If `where` uses a field that no record has, a `ConditionWarning` is raised. If structures lose features, a `LossWarning` is
    raised after all records have been read.

    `columns` selects columns; it can contain the names of values to compute. `types` specifies the types of some of them; if it contains all of them, the files need not
    be read to determine the types. `where` is one or more conditions: "MASS < 500". `range` selects the records that start
    in a byte range, as `partitions` returns it.
    """
    return Scan(
        source, columns=columns, types=types, where=where, structure=structure, compute=compute, format=format, range=range,
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
