"""A data source for Spark 4 and later.

    import chemopen.spark

    chemopen.spark.register(spark)
    frame = spark.read.format("chemopen").load("compounds/*.sdf.gz")

Uncompressed SD and RD files are divided into byte ranges at record boundaries. Any other file is a single partition. There
is a row for each record, including unreadable ones; the column `problem` contains the reason. If no schema is specified,
all files are read to determine the column types.

Options: `structure` ("molblock", the default, "rxnblock", "smiles", several separated by commas, or "none"),
`partition_bytes` (the approximate size of a range, by default 32 MiB), `where` (a condition), `format`. An unknown option
raises an error. A condition on a field that no record has raises a warning.

If field names differ only in case, set spark.sql.caseSensitive to true.

In Spark 4.1 and later, `register` enables spark.sql.python.filterPushdown.enabled. Comparisons of fields with numbers or simple
text then skip records before they become rows. Spark still applies its filters to the remaining rows.
"""

from __future__ import annotations

import difflib
import glob
import math
import os
import re
from typing import Any, Iterable, Iterator, NamedTuple, Optional

from pyspark.sql import datasource
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DoubleType,
    LongType,
    StringType,
    StructField,
    StructType,
)

from . import partitions, scan

_TYPES: dict[str, DataType] = {
    "string": StringType(), "integer": LongType(), "real": DoubleType(), "boolean": BooleanType(),
    "list": ArrayType(StringType()),
}
_USUAL_BYTES = 32 << 20
_OPTIONS = ("format", "partition_bytes", "path", "paths", "structure", "where")


class _Range(InputPartition):
    """The records of a file that start in a byte range."""

    def __init__(self, path: str, start: int, end: int) -> None:
        super().__init__(None)
        self.path, self.start, self.end = path, start, end


class _Wish(NamedTuple):
    paths: list[str]
    structure: Optional[str]
    where: list[str]
    format: Optional[str]
    partition_bytes: int


def _wish(options: Any) -> _Wish:
    given = options.get("path") or options.get("paths") or ""
    paths: list[str] = []
    for pattern in given.split(",") if isinstance(given, str) else given:
        pattern = pattern.strip()
        pattern = pattern[len("file:"):] if pattern.startswith("file:") else pattern
        if os.path.isdir(pattern):
            pattern = os.path.join(pattern, "*")
        found = sorted(path for path in glob.glob(pattern) if os.path.isfile(path))
        if not found:
            raise FileNotFoundError(f"{pattern}: no such file")
        paths += found
    for name in options:
        # The names of Spark's own options start with "__" or contain a dot.
        if name.lower() not in _OPTIONS and "." not in name and not name.startswith("_"):
            near = difflib.get_close_matches(name.lower(), _OPTIONS, 1)
            hint = f'; did you mean "{near[0]}"?' if near else ""
            raise ValueError(f'there is no option "{name}"{hint}')
    structure = options.get("structure", "molblock")
    return _Wish(
        paths, None if structure == "none" else structure, [options["where"]] if options.get("where") else [], options.get("format"),
        int(options.get("partition_bytes", _USUAL_BYTES)))


class ChemopenDataSource(DataSource):
    """The data source for chemical structure files."""

    @classmethod
    def name(cls) -> str:
        """Returns the name for `spark.read.format`."""
        return "chemopen"

    def schema(self) -> StructType:
        """Returns the columns of all files; reads the files once."""
        wish = _wish(self.options)
        # This also warns of unknown fields in `where`, because only here are all files read.
        columns = scan(wish.paths, structure=wish.structure, where=wish.where, format=wish.format).columns
        return StructType([StructField(name, _TYPES[kind], True) for name, kind in columns.items()])

    def reader(self, schema: StructType) -> DataSourceReader:
        """Returns a reader for the files and this schema."""
        return _Reader(_wish(self.options), schema)


class _Reader(DataSourceReader):
    def __init__(self, wish: _Wish, schema: StructType) -> None:
        self.wish = wish
        # Reject an invalid condition here, not in the workers.
        scan(wish.paths[:1], columns=[], types={}, where=wish.where, format=wish.format).close()
        words = {type(kind): word for word, kind in _TYPES.items()}
        self.types = {field.name: words.get(type(field.dataType), "string") for field in schema.fields}

    def partitions(self) -> list[InputPartition]:
        """Returns byte ranges of the files, one for each task."""
        ranges: list[InputPartition] = []
        for path in self.wish.paths:
            pieces = max(1, os.path.getsize(path) // max(1, self.wish.partition_bytes))
            ranges += [_Range(path, start, end) for start, end in partitions(path, pieces)]
        return ranges

    def read(self, partition: Any) -> Iterator[Any]:
        """Reads the records of a range as Arrow batches."""
        import pyarrow  # type: ignore[import-untyped,unused-ignore]

        names = list(self.types)
        wanted = [name for name in names if name != "file"]
        table = scan(
            partition.path, columns=wanted, types={name: self.types[name] for name in wanted}, where=self.wish.where,
            structure=self.wish.structure, format=self.wish.format, range=(partition.start, partition.end))
        for batch in pyarrow.RecordBatchReader.from_stream(table):
            if "file" not in names:
                yield batch
                continue
            columns = {name: column for name, column in zip(batch.schema.names, batch.columns)}
            columns["file"] = pyarrow.array([partition.path] * batch.num_rows, pyarrow.string())
            yield pyarrow.RecordBatch.from_arrays([columns[name] for name in names], names=names)


_COMPARISONS = {
    "EqualTo": "=", "EqualNullSafe": "=", "GreaterThan": ">", "GreaterThanOrEqual": ">=", "LessThan": "<", "LessThanOrEqual": "<=",
}
_OWN_COLUMNS = ("record", "line", "title", "molblock", "rxnblock", "smiles", "problem", "file")


def _literal(value: Any, kind: str) -> Optional[str]:
    """Returns a value in the syntax of conditions, or None if a condition could interpret it differently from Spark."""
    if kind in ("integer", "real"):
        # Conditions compare doubles. Below 2**53, doubles represent all integers, so the order is the same as in Spark.
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return repr(value) if is_number and math.isfinite(value) and abs(value) < 2**53 else None
    if kind == "string" and isinstance(value, str) and re.fullmatch(r"[A-Za-z](?:[\w .+-]*[\w.+-])?", value, re.ASCII):
        return f"'{value}'"
    return None


def _condition(filter: Any, types: dict[str, str]) -> Optional[str]:
    """Returns a condition that is true for every record that passes the filter, or None if no such condition exists."""
    name = ".".join(getattr(filter, "attribute", ()))
    kind = types.get(name)
    if kind is None or name in _OWN_COLUMNS or '"' in name or not name.isprintable():
        return None
    sign = _COMPARISONS.get(type(filter).__name__)
    if sign is not None:
        value = _literal(filter.value, kind)
        return None if value is None or (kind == "string" and sign != "=") else f'"{name}" {sign} {value}'
    if type(filter).__name__ == "In":
        values = [_literal(value, kind) for value in filter.value if value is not None]
        if values and None not in values:
            return f'"{name}" in ({", ".join(value for value in values if value is not None)})'
    return None


class _PushingReader(_Reader):
    """Skips records with the filters of a query. Spark applies the filters again to the remaining rows."""

    def pushFilters(self, filters: Any) -> Iterable[Any]:
        """Applies the filters that Chemopen supports, and returns the filters to Spark."""
        found = (_condition(filter, self.types) for filter in filters)
        self.wish = self.wish._replace(where=self.wish.where + [condition for condition in found if condition is not None])
        return list(filters)


class _PushingDataSource(ChemopenDataSource):
    def reader(self, schema: StructType) -> DataSourceReader:
        """Returns a reader that applies filters while it reads."""
        return _PushingReader(_wish(self.options), schema)


def register(session: Any) -> None:
    """Registers the format "chemopen" in a session."""
    if hasattr(datasource, "Filter"):
        session.conf.set("spark.sql.python.filterPushdown.enabled", "true")
        session.dataSource.register(_PushingDataSource)
    else:
        session.dataSource.register(ChemopenDataSource)
