"""A data source for Spark 4 and later.

    import chemopen.spark

    chemopen.spark.register(spark)
    frame = spark.read.format("chemopen").load("compounds/*.sdf.gz")
    frame.write.format("chemopen").mode("overwrite").save("selected")

Uncompressed SD and RD files are divided into byte ranges at record boundaries. Any other file is a single partition. There
is a row for each record, including unreadable ones; the column `problem` contains the reason. If no schema is specified,
all files are read to determine the column types.

Options for reading: `structure` ("molblock", the default, "rxnblock", "smiles", several separated by commas, or "none"),
`partition_bytes` (the approximate size of a range, by default 32 MiB), `where` (a condition), `format`, `sampling_ratio` (the
part of the files to read for the schema, from 0 to 1). An unknown option raises an error. A condition on a field that no
record has raises a warning. With `sampling_ratio`, the schema has no column for a field that occurs only in other records; a
value that does not fit its column is null, and `problem` contains it.

Frames are written as a directory with a file for each partition; see `chemopen.write` for the columns. The modes are
"append" and "overwrite", which replaces the files of the directory after all others have been written. Options for writing:
`format` ("sdf", the default, or another format), `structure` and `title` (columns). Losses raise a single warning.

If field names differ only in case, set spark.sql.caseSensitive to true.

Use `where` to skip records before they become rows; Spark applies its own filters afterwards.
"""

from __future__ import annotations

import difflib
import glob
import os
import uuid
import warnings
from dataclasses import dataclass
from typing import Any, Iterator, NamedTuple, Optional

from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceReader,
    DataSourceWriter,
    InputPartition,
    WriterCommitMessage,
)
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

from . import FormatError, LossWarning, formats, partitions, scan, write
from ._records import Loss, summary_of

_TYPES: dict[str, DataType] = {
    "string": StringType(), "integer": LongType(), "real": DoubleType(), "boolean": BooleanType(),
    "list": ArrayType(StringType()),
}
_USUAL_BYTES = 32 << 20
_OPTIONS = ("format", "partition_bytes", "path", "paths", "sampling_ratio", "structure", "where")
_WRITE_OPTIONS = ("format", "path", "structure", "title")
#: The approximate size of the ranges that a sample consists of.
_SAMPLE_BYTES = 1 << 20


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
    sampling_ratio: float


def _check(options: Any, known: tuple[str, ...]) -> None:
    """Raises an error for an unknown option."""
    for name in options:
        # The names of Spark's own options start with "__" or contain a dot.
        if name.lower() not in known and "." not in name and not name.startswith("_"):
            near = difflib.get_close_matches(name.lower(), known, 1)
            hint = f'; did you mean "{near[0]}"?' if near else ""
            raise ValueError(f'there is no option "{name}"{hint}')


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
    _check(options, _OPTIONS)
    ratio = float(options.get("sampling_ratio", 1))
    if not 0 < ratio <= 1:
        raise ValueError(f"sampling_ratio must be greater than 0 and at most 1, not {ratio}")
    structure = options.get("structure", "molblock")
    return _Wish(
        paths, None if structure == "none" else structure, [options["where"]] if options.get("where") else [], options.get("format"),
        int(options.get("partition_bytes", _USUAL_BYTES)), ratio)


def _columns(wish: _Wish) -> dict[str, str]:
    """Returns the columns of all files with their types, from a sample of the records if that is requested."""
    # A scan of all files also warns of unknown fields in `where`.
    if wish.sampling_ratio == 1:
        return scan(wish.paths, structure=wish.structure, where=wish.where, format=wish.format).columns
    ranges = [
        (path, part) for path in wish.paths for part in partitions(path, max(1, os.path.getsize(path) // _SAMPLE_BYTES))]
    step = len(ranges) / max(1, round(len(ranges) * wish.sampling_ratio))
    columns: dict[str, str] = {}
    for path, part in (ranges[int(place * step)] for place in range(int(len(ranges) / step + 0.5))):
        found = scan(path, structure=wish.structure, format=wish.format, range=part).columns
        for name, kind in found.items():
            known = columns.setdefault(name, kind)
            if known != kind:
                columns[name] = "list" if "list" in (known, kind) else "string"
    if len(wish.paths) > 1:
        columns["file"] = "string"
    columns["problem"] = columns.pop("problem", "string")
    return columns


class ChemopenDataSource(DataSource):
    """The data source for chemical structure files."""

    @classmethod
    def name(cls) -> str:
        """Returns the name for `spark.read.format`."""
        return "chemopen"

    def schema(self) -> StructType:
        """Returns the columns of all files; reads the files once, or a part of them with `sampling_ratio`."""
        return StructType([StructField(name, _TYPES[kind], True) for name, kind in _columns(_wish(self.options)).items()])

    def reader(self, schema: StructType) -> DataSourceReader:
        """Returns a reader for the files and this schema."""
        return _Reader(_wish(self.options), schema)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        """Returns a writer for a frame with this schema."""
        _check(self.options, _WRITE_OPTIONS)
        return _Writer(dict(self.options), schema, overwrite)


class _Reader(DataSourceReader):
    def __init__(self, wish: _Wish, schema: StructType) -> None:
        self.wish = wish
        # Reject an invalid condition here, not in the workers.
        scan(wish.paths[:1], columns=[], types={}, where=wish.where, format=wish.format).close()
        words = {type(kind): word for word, kind in _TYPES.items()}
        self.types: dict[str, Any] = {field.name: words.get(type(field.dataType), "string") for field in schema.fields}

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


@dataclass
class _Written(WriterCommitMessage):
    """The result of a partition. A partition without rows has no file."""

    name: Optional[str]
    losses: list[Loss]
    messages: list[str]


class _Writer(DataSourceArrowWriter):
    def __init__(self, options: dict[str, str], schema: StructType, overwrite: bool) -> None:
        path = options.get("path", "")
        self.folder = path[len("file:"):] if path.startswith("file:") else path
        if not self.folder:
            raise ValueError("specify a directory to write to")
        self.format = options.get("format", "sdf")
        known = {one.id: one for one in formats() if one.writable}
        if self.format not in known:
            raise FormatError(f'there is no format "{self.format}" that can be written')
        self.ending = known[self.format].extension.lstrip(".")
        self.columns = {name: options[name] for name in ("structure", "title") if name in options}
        self.schema, self.overwrite = schema, overwrite
        # Files of a failed task have another attempt in their name.
        self.run = uuid.uuid4().hex
        os.makedirs(self.folder, exist_ok=True)

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        """Writes the rows of a partition to a file."""
        import itertools

        import pyarrow
        from pyspark import TaskContext

        first = next((batch for batch in iterator if batch.num_rows), None)
        if first is None:
            return _Written(None, [], [])
        context = TaskContext.get()
        number, attempt = (context.partitionId(), context.taskAttemptId()) if context is not None else (0, 0)
        name = f"part-{number:05}-{self.run}-{attempt}.{self.ending}"
        table = pyarrow.RecordBatchReader.from_batches(first.schema, itertools.chain([first], iterator))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            report = write(table, os.path.join(self.folder, name), to=self.format, **self.columns)  # type: ignore[arg-type]
        messages = [str(one.message) for one in told if not issubclass(one.category, LossWarning)]
        return _Written(name, report.losses, messages)

    def _remove(self, is_removed: Any) -> None:
        for name in os.listdir(self.folder):
            if name.startswith("part-") and is_removed(name):
                os.unlink(os.path.join(self.folder, name))

    def commit(self, messages: list[Optional[WriterCommitMessage]]) -> None:
        """Removes other files if they are replaced, and warns of losses."""
        results = [one for one in messages if isinstance(one, _Written)]
        names = {one.name for one in results}
        self._remove(lambda name: name not in names and (self.overwrite or self.run in name))
        losses = [loss for one in results for loss in one.losses]
        if losses:
            warnings.warn(summary_of(losses), LossWarning, stacklevel=2)
        for text in [text for one in results for text in one.messages][:20]:
            warnings.warn(text, stacklevel=2)

    def abort(self, messages: list[Optional[WriterCommitMessage]]) -> None:
        """Removes the files of this run."""
        self._remove(lambda name: self.run in name)


def register(session: Any) -> None:
    """Registers the format "chemopen" in a session.

    Filters are not pushed down to the reader: Spark 4.1 to 4.3 reuse the reader of a filtered query for the next query of
    the same frame, which then lacks rows. Use the option `where`.
    """
    session.dataSource.register(ChemopenDataSource)
