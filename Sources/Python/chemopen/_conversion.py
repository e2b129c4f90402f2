"""Conversion and identification of files."""

from __future__ import annotations

import ctypes
import os
import warnings
from ctypes import byref, c_size_t, c_void_p
from typing import Any, Callable, Iterable, Literal, NamedTuple, Optional, Union, cast

from . import _library as c
from ._fetching import fetch, is_address
from ._library import BinaryOutput, PathLike, Source, UnreadableWarning, lib
from ._records import Drawing, Loss, Reader, Record, losses_of as _losses
from ._reports import Report
from ._sources import Memory, Sources, all_of, written_to
from ._writing import write_all


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


class Format(NamedTuple):
    """A format of files."""

    #: The identifier in arguments: "sdf".
    id: str
    name: str
    #: The preferred MIME type and extension, or "" if it is not known.
    mime_type: str
    extension: str
    readable: bool
    writable: bool


def formats() -> list[Format]:
    """Returns all formats."""
    first, count = ctypes.POINTER(c.Format)(), c_size_t()
    lib.chemopen_formats(byref(first), byref(count))
    return [
        Format(
            one.id.decode(), one.name.decode(), one.mime_type.decode(), one.extension.decode(), bool(one.is_read),
            bool(one.is_written)) for one in first[: count.value]
    ]


def identify(source: Source, name: Optional[str] = None) -> Identity:
    """Detects the format of a file, of bytes, or of an open file, whose position is restored if possible.

    The first 64 KiB are sufficient. Raises FormatError if the format is unknown.
    """
    identity = c.Identity(ctypes.sizeof(c.Identity))
    file: Any = source
    if is_address(source):
        source = fetch(cast(str, source))
    if not isinstance(source, c.Content) and hasattr(source, "read"):
        if name is None and isinstance(getattr(file, "name", None), str):
            name = file.name
        start = file.tell() if hasattr(file, "seekable") and file.seekable() else None
        content = file.read(1 << 18)
        if start is not None:
            file.seek(start)
        if not isinstance(content, c.Content):
            raise TypeError(f"the file object returns {type(content).__name__} instead of bytes")
        source = content
    if isinstance(source, c.Content):
        content = bytes(source)
        status = lib.chemopen_identify_memory(content, len(content), c.name_bytes(name, "a name"), byref(identity))
    else:
        status = lib.chemopen_identify(c.path_bytes(source), byref(identity))
    if status == c.FILE and not isinstance(source, c.Content):
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
    inputs: Sources, output: Optional[PathLike], options: c.ConvertOptions,
    where: Union[str, Iterable[str], None], progress: Optional[Callable[[Progress], Optional[bool]]],
    tell: Callable[[c.Event], None],
) -> tuple[Report, list[tuple[type[c.ChemopenWarning], str]]]:
    """Runs a conversion. Returns the result and the warnings."""
    sources = all_of(inputs)
    if any(isinstance(source, Memory) for source in sources):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            files = list(written_to(folder, sources))
            return _run_files(files, output, options, where, progress, tell)
    return _run_files(list(written_to("", sources)), output, options, where, progress, tell)


def _run_files(
    files: list[bytes], output: Optional[PathLike], options: c.ConvertOptions,
    where: Union[str, Iterable[str], None], progress: Optional[Callable[[Progress], Optional[bool]]],
    tell: Callable[[c.Event], None],
) -> tuple[Report, list[tuple[type[c.ChemopenWarning], str]]]:
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
    inputs: Sources, output: Union[PathLike, BinaryOutput], *, to: Optional[str] = None,
    format: Optional[str] = None, records: Optional[str] = None, where: Union[str, Iterable[str], None] = None,
    version: int = 0, errors: Literal["skip", "stop", "keep"] = "skip", threads: int = 1, replace: bool = False,
    rewrite: bool = False, expand: bool = False, progress: Optional[Callable[[Progress], Optional[bool]]] = None,
    encoding: Optional[str] = None,
) -> Report:
    """Converts one or more files to a single file. An incomplete output is not created.

        chemopen.convert("a.sdf.gz", "a.ds")

    An input is a path, a pattern such as "data/*.sdf", bytes, or an open binary file. The output is a path, or an open binary
    file; this requires `to`.

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

    if isinstance(output, (str, os.PathLike)):
        report, found = _run(inputs, output, options, where, progress, tell)
    elif not hasattr(output, "write"):
        raise TypeError(f"expected a path or a file object for the output, not {type(output).__name__}")
    elif to is None:
        raise ValueError("specify a format if you write to a file object: to=\"sdf\"")
    else:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "output")
            report, found = _run(inputs, path, options, where, progress, tell)
            if os.path.exists(path):
                with open(path, "rb") as file:
                    for block in iter(lambda: file.read(1 << 20), b""):
                        write_all(output, block)
    for message in unreadable[:20]:
        warnings.warn(message, UnreadableWarning, stacklevel=2)
    if len(unreadable) > 20:
        warnings.warn(f"{len(unreadable) - 20} more could not be read", UnreadableWarning, stacklevel=2)
    for kind, message in found:
        warnings.warn(message, kind, stacklevel=2)
    return report


def losses(
    inputs: Sources, to: str, *, format: Optional[str] = None, records: Optional[str] = None,
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
    source: Union[Source, Record], width: float = 0, height: float = 0, *, record: int = 1, colors: bool = True,
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
        raise c.ChemopenError(
            f"there is no record {record}", file=os.fsdecode(source) if isinstance(source, (str, os.PathLike)) else None)
    drawing = found.depict(width, height, colors=colors, dark=dark, expand=expand)
    if drawing is None:
        raise c.ChemopenError("the record has no structure", record=found.place.record if found.place else None)
    return drawing
