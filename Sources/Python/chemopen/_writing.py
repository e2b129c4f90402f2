"""Writing records and tables."""

from __future__ import annotations

import ctypes
import os
import threading
import warnings
from ctypes import byref, c_size_t, c_void_p
from typing import Any, Iterable, Optional, Union

from . import _library as c
from ._arrow import stream_in
from ._library import BinaryOutput, LossWarning, PathLike, lib, locked
from ._records import Loss, Reader, Record, losses_of as _losses, summary_of
from ._reports import Report


class Writer:
    """Writes records to a file, or to an open binary file. A file appears after `finish`, or when a `with` block ends
    without an error.

        with chemopen.Writer("b.sdf") as writer:
            for record in chemopen.read("a.sdf"):
                record.fields["SEEN"] = "yes"
                writer.write(record)
    """

    def __init__(
        self, target: Union[PathLike, BinaryOutput], *, to: Optional[str] = None, version: int = 0, replace: bool = False
    ) -> None:
        self._handle = c_void_p()
        self._lock = threading.RLock()
        self._output: Optional[BinaryOutput] = None
        options = c.WriteOptions(ctypes.sizeof(c.WriteOptions), version, 0, replace)
        format = c.name_bytes(to, "a format")
        if isinstance(target, (str, os.PathLike)):
            status = lib.chemopen_writer_open(byref(self._handle), c.path_bytes(target), format, byref(options))
        elif hasattr(target, "write"):
            if format is None:
                raise ValueError("specify a format if you write to a file object: to=\"sdf\"")
            self._output = target
            status = lib.chemopen_writer_open_memory(byref(self._handle), format, byref(options))
        else:
            raise TypeError(f"expected a path or a file object, not {type(target).__name__}")
        self._check(status)

    def _check(self, status: int) -> None:
        if status != c.OK:
            raise c.error_of("writer", self._handle, status)

    def _lost(self) -> list[Loss]:
        first, count = ctypes.POINTER(c.Loss)(), c_size_t()
        lib.chemopen_writer_losses(self._handle, byref(first), byref(count))
        return _losses(first, count.value) if count.value else []

    def write(self, record: Record) -> list[Loss]:
        """Writes a record and returns its losses."""
        # The library would interpret the handle of another object as a record.
        if not isinstance(record, Record):
            raise TypeError(f"expected a Record, not {type(record).__name__}")
        with record._lock, self._lock:
            self._check(lib.chemopen_writer_write(self._handle, record._handle))
            return self._lost()

    def copy(self, reader: Reader) -> None:
        """Copies the unchanged bytes of a reader's last record. Raises FormatError if the formats differ."""
        if not isinstance(reader, Reader):
            raise TypeError(f"expected a Reader, not {type(reader).__name__}")
        with reader._lock, self._lock:
            self._check(lib.chemopen_writer_copy(self._handle, reader._handle))

    def write_table(self, table: Any, *, title: Optional[str] = None, structure: Optional[str] = None) -> Report:
        """Writes each row of a table as a record; see `write`."""
        return self._write_table(table, title, structure, 3)

    @locked
    def _write_table(self, table: Any, title: Optional[str], structure: Optional[str], level: int) -> Report:
        capsule = _stream_of(table)
        stream = stream_in(capsule)
        unreadable: list[str] = []
        found: list[tuple[type[c.ChemopenWarning], str]] = []
        losses: list[Loss] = []
        notes: list[str] = []

        def hear(_: Any, told: Any) -> int:
            """Receive a loss or a warning of the library."""
            event = told.contents
            message = event.message.decode("utf-8", "replace")
            if event.losses:
                losses.extend(_losses(event.losses, event.loss_count))
            if event.kind == c.EVENT_UNREADABLE:
                unreadable.append(message)
            elif event.kind == c.EVENT_DOUBT:
                found.append((c.RowWarning, message))
            elif event.kind in c.WARNINGS:
                found.append((c.WARNINGS[event.kind], message))
            else:
                notes.append(message)
            return 0

        options = c.TableOptions(ctypes.sizeof(c.TableOptions))
        options.title, options.structure = c.name_bytes(title, "a column"), c.name_bytes(structure, "a column")
        options.event = c.EventFunction(hear)
        summary = c.TableSummary(ctypes.sizeof(c.TableSummary))
        status = lib.chemopen_writer_write_table(self._handle, stream, byref(options), byref(summary))
        error = c.error_of("writer", self._handle, status) if status != c.OK else None
        for kind, messages in ((c.UnreadableWarning, unreadable), *((kind, [text]) for kind, text in found[:20])):
            for message in messages[:20]:
                warnings.warn(message, kind, stacklevel=level)
        for rest, kind in ((len(unreadable) - 20, c.UnreadableWarning), (len(found) - 20, c.RowWarning)):
            if rest > 0:
                warnings.warn(f"{rest} more messages of this kind", kind, stacklevel=level)
        if error is not None:
            raise error
        return Report(
            summary.written, summary.written + summary.rejected, summary.rejected, losses, False, notes)

    def finish(self) -> None:
        """Completes the file. Raises a `LossWarning` for the losses of a table, which are known only now."""
        self._finish(4)

    @locked
    def _finish(self, level: int) -> list[Loss]:
        self._check(lib.chemopen_writer_finish(self._handle))
        lost = self._lost()
        if self._output is not None:
            text = c.Text()
            self._check(lib.chemopen_writer_bytes(self._handle, byref(text)))
            write_all(self._output, text.raw())
        if lost:
            warnings.warn(summary_of(lost), LossWarning, stacklevel=level)
        return lost

    @locked
    def close(self) -> None:
        """Closes the writer. If `finish` was not called, no file is created."""
        if self._handle:
            lib.chemopen_writer_close(byref(self._handle))

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], *_: object) -> None:
        try:
            if kind is None:
                self._finish(4)
        finally:
            self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()


def write_all(output: BinaryOutput, content: bytes) -> None:
    """Writes bytes to a file object, which may accept only a part of them at a time."""
    rest = memoryview(content)
    while len(rest):
        taken = output.write(bytes(rest))
        if not isinstance(taken, int) or isinstance(taken, bool) or taken >= len(rest):
            return
        if taken <= 0:
            raise BlockingIOError("the file object accepts no data; use a blocking file object")
        rest = rest[taken:]


def _stream_of(table: Any) -> Any:
    """Returns a table as a capsule with an Arrow stream."""
    if not hasattr(table, "__arrow_c_stream__") and hasattr(table, "collect"):
        # A LazyFrame of Polars.
        table = table.collect()
    if not hasattr(table, "__arrow_c_stream__"):
        raise TypeError(f"expected a table that supports Arrow streams, or records, not {type(table).__name__}")
    return table.__arrow_c_stream__()


def is_table(value: Any) -> bool:
    """Returns whether a value is a table that `write` accepts."""
    return hasattr(value, "__arrow_c_stream__") or (hasattr(value, "collect") and hasattr(value, "columns"))


def write(
    source: Union[Record, Iterable[Record], Any], target: Union[PathLike, BinaryOutput], *, to: Optional[str] = None,
    version: int = 0, replace: bool = False, title: Optional[str] = None, structure: Optional[str] = None,
) -> Report:
    """Writes a record, several records, or a table to a file.

        chemopen.write(records, "a.sdf")
        chemopen.write(frame, "b.sdf")        # a table of pandas, Polars, pyarrow or DuckDB

    In a table, each row is a record, and each value a field with the name of its column. A null value becomes no field, and a
    list several fields. `title` is the column with the titles (default: "title"), and `structure` the column with the
    structures in any format. By default, these are `molblock` and `rxnblock`, or `smiles`. The columns `record`, `line`,
    `file` and `problem` of a table from `scan` become no fields.

    Raises a `LossWarning` for features that the format cannot represent, an `UnreadableWarning` for a row that was not written
    because its structure cannot be read, and a `RowWarning` for a row that was not written completely.
    """
    with_table = is_table(source)
    writer = Writer(target, to=to, version=version, replace=replace)
    try:
        if with_table:
            report = writer._write_table(source, title, structure, 4)
            losses, count, rejected, notes = report.losses, report.written, report.unreadable, report.notes
        else:
            losses, count, rejected, notes = [], 0, 0, []
            for record in [source] if isinstance(source, Record) else source:
                count += 1
                losses += [loss._replace(record=count) for loss in writer.write(record)]
            if losses:
                warnings.warn(summary_of(losses), LossWarning, stacklevel=2)
        losses = losses + writer._finish(4)
        return Report(count, count + rejected, rejected, losses, False, notes)
    finally:
        writer.close()
