"""Conversion and identification of files."""

from __future__ import annotations

import ctypes
import os
import threading
import warnings
from ctypes import byref, c_size_t, c_void_p
from typing import Any, Callable, Iterable, Literal, NamedTuple, Optional, Sequence, Union

from . import _library as c
from ._library import LossWarning, PathLike, UnreadableWarning, lib, locked
from ._records import Drawing, Loss, Reader, Record, losses_of as _losses, summary_of


class Identity(NamedTuple):
    """The detected format of a file."""

    format: str
    name: str
    mime_type: str
    #: "content", "content and name" or "name".
    evidence: str
    #: "possible", "likely" or "certain".
    confidence: str
    compressed: bool
    #: The format that the file name suggests, if it is a different one.
    named_as: Optional[str]


class Progress(NamedTuple):
    """The progress of a conversion: input file, bytes done, total size (0 if unknown), records."""

    input: str
    #: The number of bytes read, and the size of the input or 0 if it is unknown.
    done: int
    size: int
    records: int


class Report(NamedTuple):
    """The result of a conversion."""

    written: int
    read: int
    unreadable: int
    #: The losses by kind.
    losses: list[Loss]
    #: Whether an input ended with an error.
    cut_short: bool
    #: Further messages, such as records written in a version that differs from the default.
    notes: list[str] = []


def identify(source: Union[PathLike, bytes], name: Optional[str] = None) -> Identity:
    """Detects the format of a file or of bytes; the first 64 KiB are sufficient. Raises FormatError if it is unknown."""
    identity = c.Identity(ctypes.sizeof(c.Identity))
    if isinstance(source, (bytes, bytearray, memoryview)):
        content = bytes(source)
        status = lib.chemopen_identify_memory(content, len(content), c.text_bytes(name), byref(identity))
    else:
        status = lib.chemopen_identify(c.path_bytes(source), byref(identity))
    if status == c.FILE and not isinstance(source, (bytes, bytearray, memoryview)):
        try:
            os.stat(source)
        except OSError as failure:
            raise c.make_error(
                status, identity.message.decode("utf-8", "replace"), file=os.fsdecode(source),
                number=failure.errno or 0) from None
    if status != c.OK:
        raise c.make_error(status, identity.message.decode("utf-8", "replace"))
    format = identity.format.contents
    return Identity(
        format.id.decode(), format.name.decode(), format.mime_type.decode(), identity.evidence.decode(),
        ("", "possible", "likely", "certain")[identity.confidence], bool(identity.is_compressed),
        identity.named_as.contents.id.decode() if identity.named_as else None)


def _run(
    inputs: Union[PathLike, Sequence[PathLike]], output: Optional[PathLike], options: c.ConvertOptions,
    where: Union[str, Iterable[str], None], progress: Optional[Callable[[Progress], Optional[bool]]],
    tell: Callable[[c.Event], None],
) -> tuple[Report, list[tuple[type[c.ChemopenWarning], str]]]:
    """Runs a conversion. Returns the result and the warnings."""
    several = isinstance(inputs, Sequence) and not isinstance(inputs, (str, bytes))
    files = [c.path_bytes(path) for path in (inputs if several else [inputs])]  # type: ignore[union-attr,arg-type]
    conditions = c.conditions_of(where)
    options.conditions = c.array_of(conditions)
    options.condition_count = len(conditions)
    raised: list[BaseException] = []

    def hear_progress(_: Any, told: Any) -> int:
        """Receives the progress from the library."""
        try:
            state = told.contents
            answer = progress(Progress(state.input.decode(), state.done, state.size, state.records)) if progress else None
            return 1 if answer is False else 0
        except BaseException as error:
            raised.append(error)
            return 1

    def hear_event(_: Any, told: Any) -> int:
        """Receives an event from the library."""
        try:
            tell(told.contents)
            return 0
        except BaseException as error:
            raised.append(error)
            return 1

    # Without a progress function, the library makes no call for each record.
    if progress is not None:
        options.progress = c.ProgressFunction(hear_progress)
    options.event = c.EventFunction(hear_event)
    handle = c_void_p()
    target = None if output is None else c.path_bytes(output)
    status = lib.chemopen_convert(byref(handle), c.array_of(files), len(files), target, byref(options))
    try:
        if raised:
            raise raised[0]
        if status != c.OK:
            raise c.error_of("report", handle, status)
        summary = c.Summary(ctypes.sizeof(c.Summary))
        lib.chemopen_report_summary(handle, byref(summary))
        first, count = ctypes.POINTER(c.Loss)(), c_size_t()
        lib.chemopen_report_losses(handle, byref(first), byref(count))
        report = Report(
            summary.written, summary.read, summary.unreadable, _losses(first, count.value), bool(summary.is_cut_short), [])
        found = []
        remarks = ctypes.POINTER(c.Remark)()
        lib.chemopen_report_remarks(handle, byref(remarks), byref(count))
        for remark in remarks[: count.value]:
            message = remark.message.decode("utf-8", "replace")
            if remark.input and len(files) > 1:
                message = f"{remark.input.decode('utf-8', 'replace')}: {message}"
            kind = c.WARNINGS.get(remark.kind)
            if kind is None:
                report.notes.append(message)
            else:
                found.append((kind, message))
        return report, found
    finally:
        lib.chemopen_report_close(byref(handle))


def convert(
    inputs: Union[PathLike, Sequence[PathLike]], output: PathLike, *, to: Optional[str] = None,
    format: Optional[str] = None, records: Optional[str] = None, where: Union[str, Iterable[str], None] = None,
    version: int = 0, errors: Literal["skip", "stop", "keep"] = "skip", threads: int = 1, replace: bool = False,
    rewrite: bool = False, expand: bool = False, progress: Optional[Callable[[Progress], Optional[bool]]] = None,
    encoding: Optional[str] = None,
) -> Report:
    """Converts one or more files to a single file. An incomplete output is not created.

        chemopen.convert("a.sdf.gz", "a.ds")

    The input format is detected from the content, and the output's extension determines the output format; use `format` and
    `to` to specify them. These warnings are raised:

    - a `LossWarning` for each kind of loss
    - a `ConditionWarning` for a condition on a field that no record has
    - an `UnreadableWarning` for an unreadable record. With errors="stop" an exception is raised instead; with "keep" the
      record is also written to OUTPUT.rejects.

    `progress` is called repeatedly. It can return False to stop the conversion.
    """
    options = c.ConvertOptions(ctypes.sizeof(c.ConvertOptions))
    options.from_, options.to, options.records = c.text_bytes(format), c.text_bytes(to), c.text_bytes(records)
    options.version, options.threads, options.replaces = version, threads, replace
    options.encoding = c.text_bytes(encoding)
    options.errors = c.choice_of(errors, ("skip", "stop", "keep"), "errors")
    options.rewrites, options.expands_abbreviations = rewrite, expand
    unreadable: list[str] = []

    def tell(event: c.Event) -> None:
        """Sorts an event into warnings and losses."""
        if event.kind in (1, 5):
            unreadable.append(event.message.decode("utf-8", "replace"))

    report, found = _run(inputs, output, options, where, progress, tell)
    for message in unreadable[:20]:
        warnings.warn(message, UnreadableWarning, stacklevel=2)
    if len(unreadable) > 20:
        warnings.warn(f"{len(unreadable) - 20} more could not be read", UnreadableWarning, stacklevel=2)
    for kind, message in found:
        warnings.warn(message, kind, stacklevel=2)
    return report


def losses(
    inputs: Union[PathLike, Sequence[PathLike]], to: str, *, format: Optional[str] = None, records: Optional[str] = None,
    encoding: Optional[str] = None,
) -> list[Loss]:
    """Returns the losses of a conversion to a format, record by record, without writing a file."""
    options = c.ConvertOptions(ctypes.sizeof(c.ConvertOptions))
    options.encoding = c.text_bytes(encoding)
    options.from_, options.to, options.records = c.text_bytes(format), c.text_bytes(to), c.text_bytes(records)
    found: list[Loss] = []

    def tell(event: c.Event) -> None:
        """Collects the losses of an event."""
        if event.losses:
            found.extend(_losses(event.losses, event.loss_count))

    _run(inputs, None, options, None, None, tell)
    return found


def depict(
    source: Union[PathLike, Record], width: float = 0, height: float = 0, *, record: int = 1, colors: bool = True,
    dark: bool = False, expand: bool = False,
) -> Drawing:
    """Draws a record, or a record of a file, as SVG. Notebooks display the result."""
    found: Optional[Record] = None
    if isinstance(source, Record):
        found = source
    else:
        with Reader(source) as reader:
            while found is None:
                try:
                    candidate = next(reader)
                except StopIteration:
                    break
                except c.RecordError as error:
                    if error.record == record:
                        raise
                    continue
                if candidate.place and candidate.place.record == record:
                    found = candidate
    if found is None:
        raise c.ChemopenError(f"there is no record {record}", file=os.fsdecode(source))  # type: ignore[arg-type]
    drawing = found.depict(width, height, colors=colors, dark=dark, expand=expand)
    if drawing is None:
        raise c.ChemopenError("the record has no structure", record=found.place.record if found.place else None)
    return drawing


class Writer:
    """Writes records to a file. The file appears after `finish`, or when a `with` block ends without an error.

        with chemopen.Writer("b.sdf") as writer:
            for record in chemopen.read("a.sdf"):
                record.set_field("SEEN", "yes")
                writer.write(record)
    """

    def __init__(
        self, path: PathLike, *, to: Optional[str] = None, version: int = 0, replace: bool = False
    ) -> None:
        self._handle = c_void_p()
        self._lock = threading.RLock()
        options = c.WriteOptions(ctypes.sizeof(c.WriteOptions), version, 0, replace)
        status = lib.chemopen_writer_open(byref(self._handle), c.path_bytes(path), c.text_bytes(to), byref(options))
        self._check(status)

    def _check(self, status: int) -> None:
        if status != c.OK:
            raise c.error_of("writer", self._handle, status)

    def write(self, record: Record) -> list[Loss]:
        """Writes a record and returns its losses."""
        # The library would interpret the handle of another object as a record.
        if not isinstance(record, Record):
            raise TypeError(f"expected a Record, not {type(record).__name__}")
        with record._lock, self._lock:
            self._check(lib.chemopen_writer_write(self._handle, record._handle))
            first, count = ctypes.POINTER(c.Loss)(), c_size_t()
            lib.chemopen_writer_losses(self._handle, byref(first), byref(count))
            return _losses(first, count.value)

    def finish(self) -> None:
        """Completes the file. Raises a `LossWarning` for the losses of a table, which are known only now."""
        self._finish(4)

    @locked
    def _finish(self, level: int) -> None:
        self._check(lib.chemopen_writer_finish(self._handle))
        first, count = ctypes.POINTER(c.Loss)(), c_size_t()
        lib.chemopen_writer_losses(self._handle, byref(first), byref(count))
        if count.value:
            warnings.warn(summary_of(_losses(first, count.value)), LossWarning, stacklevel=level)

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
