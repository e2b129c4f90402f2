"""The functions of libchemopen, as chemopen.h declares them."""

from __future__ import annotations

import ctypes
import errno
import functools
import os
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, Iterable, Optional, Protocol, Sequence, TypeVar, Union, cast

PathLike = Union[str, "os.PathLike[str]", "os.PathLike[bytes]"]
#: The content of a file.
Content = (bytes, bytearray, memoryview)


class BinaryFile(Protocol):
    """A file object that returns bytes."""

    def read(self, size: int = ..., /) -> bytes:
        """Return at most size bytes."""
        ...


class BinaryOutput(Protocol):
    """A file object that accepts bytes."""

    def write(self, content: bytes, /) -> Any:
        """Write the bytes."""
        ...


#: A file to read: its path, its content, or an open binary file.
Source = Union[PathLike, bytes, bytearray, memoryview, BinaryFile]

OK, END, BROKEN, ABSENT, STOPPED = 0, 1, 2, 3, 4
MISUSE, FILE, UNKNOWN, IMPOSSIBLE, OUTPUT = -1, -2, -3, -4, -5


class Text(Structure):
    """chemopen_text: bytes with a length."""

    _fields_ = [("bytes", c_void_p), ("length", c_size_t)]

    def raw(self) -> bytes:
        """Returns a copy of the bytes."""
        return ctypes.string_at(self.bytes, self.length) if self.length else b""


class Error(Structure):
    """chemopen_error."""

    _fields_ = [
        ("struct_size", c_size_t), ("status", ctypes.c_int), ("message", c_char_p), ("file", c_char_p), ("record", c_int64),
        ("line", c_int64), ("column", c_int64), ("column_end", c_int64), ("offset", c_int64), ("system_error", c_int32),
        ("reserved", c_int32),
    ]


class Format(Structure):
    """chemopen_format."""

    _fields_ = [
        ("id", c_char_p), ("name", c_char_p), ("mime_type", c_char_p), ("extension", c_char_p), ("is_read", c_int32),
        ("is_written", c_int32),
    ]


class Identity(Structure):
    """chemopen_identity."""

    _fields_ = [
        ("struct_size", c_size_t), ("format", POINTER(Format)), ("named_as", POINTER(Format)), ("evidence", c_char_p),
        ("confidence", c_int32), ("is_compressed", c_int32), ("message", c_char * 256),
    ]


class ReadOptions(Structure):
    """chemopen_read_options."""

    _fields_ = [
        ("struct_size", c_size_t), ("format", c_char_p), ("flags", c_uint32), ("largest_record", c_uint64),
        ("encoding", c_char_p),
    ]


class Place(Structure):
    """chemopen_place."""

    _fields_ = [
        ("struct_size", c_size_t), ("record", c_int64), ("line", c_int64), ("offset", c_int64), ("length", c_int64),
        ("version", c_char_p),
    ]


class Issue(Structure):
    """chemopen_issue."""

    _fields_ = [("severity", c_int32), ("line", c_int64), ("message", c_char_p)]


class Column(Structure):
    """chemopen_column."""

    _fields_ = [("name", Text), ("type", Text)]


class Field(Structure):
    """chemopen_field."""

    _fields_ = [("name", Text), ("value", Text)]


class Atom(Structure):
    """chemopen_atom."""

    _fields_ = [
        ("x", c_double), ("y", c_double), ("z", c_double), ("element", c_int32), ("label", c_int32), ("charge", c_int32),
        ("isotope", c_int32), ("radical", c_int32), ("hydrogens", c_int32), ("map_number", c_int32), ("reserved", c_int32),
    ]


class Bond(Structure):
    """chemopen_bond."""

    _fields_ = [("from_", c_int32), ("to", c_int32), ("order", c_int32), ("mark", c_int32)]


class DrawOptions(Structure):
    """chemopen_draw_options."""

    _fields_ = [
        ("struct_size", c_size_t), ("width", c_double), ("height", c_double), ("has_colors", c_int32), ("is_dark", c_int32),
        ("expands_abbreviations", c_int32),
    ]


class WriteOptions(Structure):
    """chemopen_write_options."""

    _fields_ = [
        ("struct_size", c_size_t), ("version", c_int32), ("carriage_returns", c_int32), ("replaces", c_int32),
    ]


class Loss(Structure):
    """chemopen_loss."""

    _fields_ = [("record", c_int64), ("feature", c_char_p), ("detail", c_char_p), ("count", c_int64)]


class Remark(Structure):
    """chemopen_remark."""

    _fields_ = [("kind", ctypes.c_int), ("input", c_char_p), ("feature", c_char_p), ("message", c_char_p)]


EVENT_UNREADABLE, EVENT_DOUBT, EVENT_LOSS, EVENT_VERSION, EVENT_FAILED, EVENT_WARNING, EVENT_NOTE = 1, 2, 3, 4, 5, 6, 7


class Progress(Structure):
    """chemopen_progress."""

    _fields_ = [
        ("struct_size", c_size_t), ("input", c_char_p), ("done", c_uint64), ("size", c_uint64), ("records", c_uint64),
    ]


class Event(Structure):
    """chemopen_event."""

    _fields_ = [
        ("struct_size", c_size_t), ("kind", ctypes.c_int), ("input", c_char_p), ("record", c_int64), ("line", c_int64),
        ("message", c_char_p), ("losses", POINTER(Loss)), ("loss_count", c_size_t),
    ]


ReadFunction = ctypes.CFUNCTYPE(ctypes.c_ssize_t, c_void_p, c_void_p, c_size_t)
ProgressFunction = ctypes.CFUNCTYPE(ctypes.c_int, c_void_p, POINTER(Progress))
EventFunction = ctypes.CFUNCTYPE(ctypes.c_int, c_void_p, POINTER(Event))


class ConvertOptions(Structure):
    """chemopen_convert_options."""

    _fields_ = [
        ("struct_size", c_size_t), ("from_", c_char_p), ("to", c_char_p), ("records", c_char_p),
        ("conditions", POINTER(c_char_p)), ("condition_count", c_size_t), ("version", c_int32),
        ("carriage_returns", c_int32), ("errors", c_int32), ("threads", c_int32), ("replaces", c_int32),
        ("rewrites", c_int32), ("expands_abbreviations", c_int32), ("reserved", c_int32), ("progress", ProgressFunction),
        ("event", EventFunction), ("context", c_void_p), ("encoding", c_char_p),
    ]


class Summary(Structure):
    """chemopen_summary."""

    _fields_ = [
        ("struct_size", c_size_t), ("written", c_int64), ("read", c_int64), ("unreadable", c_int64),
        ("is_cut_short", c_int32), ("has_output", c_int32),
    ]


class ScanOptions(Structure):
    """chemopen_scan_options."""

    _fields_ = [
        ("struct_size", c_size_t), ("format", c_char_p), ("columns", POINTER(c_char_p)), ("column_count", c_size_t),
        ("types", POINTER(c_char_p)), ("conditions", POINTER(c_char_p)), ("condition_count", c_size_t),
        ("structure", c_char_p), ("range_from", c_uint64), ("range_to", c_uint64), ("batch_bytes", c_uint64),
        ("event", EventFunction), ("context", c_void_p), ("encoding", c_char_p), ("computed", POINTER(c_char_p)),
        ("computed_count", c_size_t),
    ]


class Fact(Structure):
    """chemopen_fact."""

    _fields_ = [("name", c_char_p), ("type", c_char_p), ("meaning", c_char_p)]


class Step(Structure):
    """chemopen_step."""

    _fields_ = [
        ("struct_size", c_size_t), ("arrow", c_char_p), ("reactants", c_size_t), ("agents", c_size_t),
        ("products", c_size_t), ("conditions", POINTER(Text)), ("condition_count", c_size_t),
    ]


class Component(Structure):
    """chemopen_component."""

    _fields_ = [("struct_size", c_size_t), ("name", Text), ("stoichiometry", Text)]


class TableOptions(Structure):
    """chemopen_table_options."""

    _fields_ = [
        ("struct_size", c_size_t), ("title", c_char_p), ("structure", c_char_p), ("event", EventFunction),
        ("context", c_void_p),
    ]


class TableSummary(Structure):
    """chemopen_table_summary."""

    _fields_ = [("struct_size", c_size_t), ("written", c_int64), ("rejected", c_int64)]


class ChangeOptions(Structure):
    """chemopen_change_options."""

    _fields_ = [
        ("struct_size", c_size_t), ("format", c_char_p), ("key", c_char_p), ("tolerance", c_double), ("since", c_char_p),
        ("until", c_char_p), ("author", c_char_p), ("record", c_char_p), ("most", c_uint64), ("replaces", c_int32),
        ("reserved", c_int32),
    ]


class Difference(Structure):
    """chemopen_difference."""

    _fields_ = [("subject", c_char_p), ("before", c_char_p), ("after", c_char_p)]


class Change(Structure):
    """chemopen_change."""

    _fields_ = [
        ("struct_size", c_size_t), ("kind", c_char_p), ("before", c_int64), ("after", c_int64), ("name", c_char_p),
        ("differences", POINTER(Difference)), ("difference_count", c_size_t), ("commit", c_char_p), ("author", c_char_p),
        ("date", c_char_p), ("message", c_char_p),
    ]


class FetchOptions(Structure):
    """chemopen_fetch_options."""

    _fields_ = [
        ("struct_size", c_size_t), ("is_offline", c_int32), ("encrypts", c_int32), ("progress", ProgressFunction),
        ("context", c_void_p),
    ]


class Copy(Structure):
    """chemopen_copy."""

    _fields_ = [("struct_size", c_size_t), ("path", c_char_p), ("type", c_char_p), ("note", c_char_p)]


class ArrowSchema(Structure):
    """ArrowSchema of the Arrow C interface."""


ArrowSchema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64), ("n_children", c_int64),
    ("children", POINTER(POINTER(ArrowSchema))), ("dictionary", POINTER(ArrowSchema)), ("release", c_void_p),
    ("private_data", c_void_p),
]


class ArrowArray(Structure):
    """ArrowArray of the Arrow C interface."""


ArrowArray._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64), ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(ArrowArray))), ("dictionary", POINTER(ArrowArray)),
    ("release", c_void_p), ("private_data", c_void_p),
]


class ArrowArrayStream(Structure):
    """The stream of Arrow's C data interface."""

    _fields_ = [
        ("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p), ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class _Library(ctypes.CDLL):
    """The library. Each function is declared when it is used: declaring all of them takes half the time of an import."""

    def __getattr__(self, name: str) -> Any:
        function = super().__getattr__(name)
        function.argtypes, function.restype = _arguments[name[len("chemopen_"):]], ctypes.c_int
        return function


def _load() -> _Library:
    named = os.environ.get("CHEMOPEN_LIBRARY")
    beside = os.path.join(os.path.dirname(__file__), "libchemopen.so.1")
    return _Library(named or (beside if os.path.exists(beside) else "libchemopen.so.1"))


lib = _load()

_handle, _handle_place, _text_place, _count = c_void_p, POINTER(c_void_p), POINTER(Text), POINTER(c_size_t)
_arguments: dict[str, list[Any]] = {
    "version": [POINTER(c_char_p)],
    "status_text": [ctypes.c_int, POINTER(c_char_p)],
    "formats": [POINTER(POINTER(Format)), _count],
    "identify": [c_char_p, POINTER(Identity)],
    "identify_memory": [c_char_p, c_size_t, c_char_p, POINTER(Identity)],
    "utf8": [c_char_p, c_size_t, c_char_p, c_size_t, _count],
    "facts": [POINTER(POINTER(Fact)), _count],
    "element_symbol": [c_int32, POINTER(c_char_p)],
    "partitions": [c_char_p, c_size_t, POINTER(c_uint64), _count],
    "reader_open": [_handle_place, c_char_p, POINTER(ReadOptions)],
    "reader_open_memory": [_handle_place, c_char_p, c_size_t, c_char_p, POINTER(ReadOptions)],
    "reader_open_fd": [_handle_place, ctypes.c_int, c_char_p, POINTER(ReadOptions)],
    "reader_open_function": [_handle_place, ReadFunction, c_void_p, c_char_p, POINTER(ReadOptions)],
    "reader_open_range": [_handle_place, c_char_p, c_uint64, c_uint64, POINTER(ReadOptions)],
    "reader_next": [_handle, _handle],
    "reader_error": [_handle, POINTER(Error)],
    "reader_format": [_handle, POINTER(POINTER(Format))],
    "reader_place": [_handle, POINTER(Place)],
    "reader_bytes": [_handle, _text_place],
    "reader_issues": [_handle, POINTER(POINTER(Issue)), _count],
    "reader_columns": [_handle, POINTER(POINTER(Column)), _count],
    "reader_progress": [_handle, POINTER(c_uint64), POINTER(c_uint64)],
    "reader_close": [_handle_place],
    "record_new": [_handle_place],
    "record_copy": [_handle_place, _handle],
    "record_kind": [_handle, POINTER(ctypes.c_int)],
    "record_title": [_handle, _text_place],
    "record_set_title": [_handle, c_char_p, c_size_t],
    "record_fields": [_handle, POINTER(POINTER(Field)), _count],
    "record_field": [_handle, c_char_p, c_size_t, _text_place],
    "record_values_of": [_handle, c_char_p, c_size_t, POINTER(POINTER(Text)), _count],
    "record_set_field": [_handle, c_char_p, c_size_t, c_char_p, c_size_t],
    "record_add_field": [_handle, c_char_p, c_size_t, c_char_p, c_size_t],
    "record_remove_field": [_handle, c_char_p, c_size_t],
    "record_atoms": [_handle, POINTER(POINTER(Atom)), _count],
    "record_bonds": [_handle, POINTER(POINTER(Bond)), _count],
    "record_labels": [_handle, POINTER(POINTER(Text)), _count],
    "record_set_molecule": [_handle, POINTER(Atom), c_size_t, POINTER(Bond), c_size_t, _text_place, c_size_t],
    "record_set_atoms": [_handle, POINTER(Atom), c_size_t],
    "record_set_bonds": [_handle, POINTER(Bond), c_size_t],
    "record_add_atom": [_handle, POINTER(Atom)],
    "record_add_bond": [_handle, POINTER(Bond)],
    "record_remove_atoms": [_handle, POINTER(c_int32), c_size_t],
    "record_remove_bonds": [_handle, POINTER(c_int32), c_size_t],
    "record_remove_structure": [_handle],
    "record_parse": [_handle, c_char_p, c_size_t, c_char_p],
    "record_issues": [_handle, POINTER(POINTER(Issue)), _count],
    "record_equal": [_handle, _handle, POINTER(c_int32)],
    "record_value": [_handle, c_char_p, _text_place],
    "record_steps": [_handle, _count],
    "record_step": [_handle, c_size_t, POINTER(Step)],
    "record_component": [_handle, c_size_t, ctypes.c_int, c_size_t, _handle, POINTER(Component)],
    "record_add_step": [_handle, c_char_p, _text_place, c_size_t],
    "record_add_component": [_handle, ctypes.c_int, _handle, POINTER(Component)],
    "record_formula": [_handle, _text_place],
    "record_text": [_handle, c_char_p, c_int32, _text_place],
    "record_losses": [_handle, POINTER(POINTER(Loss)), _count],
    "record_svg": [_handle, POINTER(DrawOptions), _text_place],
    "record_error": [_handle, POINTER(Error)],
    "record_close": [_handle_place],
    "pattern_new": [_handle_place, c_char_p],
    "pattern_of_record": [_handle_place, _handle, c_int32],
    "pattern_finds": [_handle, _handle, POINTER(c_int32)],
    "pattern_matches": [_handle, _handle, c_size_t, POINTER(POINTER(c_int32)), _count, _count],
    "pattern_error": [_handle, POINTER(Error)],
    "pattern_close": [_handle_place],
    "diff": [_handle_place, c_char_p, c_char_p, POINTER(ChangeOptions)],
    "history": [_handle_place, c_char_p, POINTER(ChangeOptions)],
    "merge": [_handle_place, c_char_p, c_char_p, c_char_p, c_char_p, POINTER(ChangeOptions)],
    "changes_next": [_handle, POINTER(Change)],
    "changes_records": [_handle, _handle, _handle],
    "changes_error": [_handle, POINTER(Error)],
    "changes_close": [_handle_place],
    "collection_open": [_handle_place, c_char_p, c_char_p],
    "collection_count": [_handle, _count],
    "collection_record": [_handle, c_size_t, _handle],
    "collection_set_field": [_handle, c_size_t, c_char_p, c_size_t, c_char_p, c_size_t],
    "collection_set_title": [_handle, c_size_t, c_char_p, c_size_t],
    "collection_set_structure": [_handle, c_size_t, _handle],
    "collection_insert": [_handle, c_size_t, _handle],
    "collection_delete": [_handle, c_size_t],
    "collection_move": [_handle, c_size_t, c_size_t],
    "collection_save": [_handle, c_char_p, c_int32],
    "collection_error": [_handle, POINTER(Error)],
    "collection_close": [_handle_place],
    "writer_open_memory": [_handle_place, c_char_p, POINTER(WriteOptions)],
    "writer_copy": [_handle, _handle],
    "writer_bytes": [_handle, _text_place],
    "writer_write_table": [_handle, POINTER(ArrowArrayStream), POINTER(TableOptions), POINTER(TableSummary)],
    "writer_open": [_handle_place, c_char_p, c_char_p, POINTER(WriteOptions)],
    "writer_write": [_handle, _handle],
    "writer_losses": [_handle, POINTER(POINTER(Loss)), _count],
    "writer_finish": [_handle],
    "writer_error": [_handle, POINTER(Error)],
    "writer_close": [_handle_place],
    "convert": [_handle_place, POINTER(c_char_p), c_size_t, c_char_p, POINTER(ConvertOptions)],
    "report_summary": [_handle, POINTER(Summary)],
    "report_losses": [_handle, POINTER(POINTER(Loss)), _count],
    "report_remarks": [_handle, POINTER(POINTER(Remark)), _count],
    "report_error": [_handle, POINTER(Error)],
    "report_close": [_handle_place],
    "scan_open": [_handle_place, POINTER(c_char_p), c_size_t, POINTER(ScanOptions)],
    "scan_open_memory": [_handle_place, c_char_p, c_size_t, c_char_p, POINTER(ScanOptions)],
    "scan_columns": [_handle, POINTER(POINTER(Column)), _count],
    "scan_stream": [_handle, POINTER(ArrowArrayStream)],
    "release_capsule": [c_void_p],
    "fetch": [_handle_place, c_char_p, POINTER(FetchOptions)],
    "fetched_copy": [_handle, POINTER(Copy)],
    "fetched_error": [_handle, POINTER(Error)],
    "fetched_close": [_handle_place],
    "scan_error": [_handle, POINTER(Error)],
    "scan_close": [_handle_place],
}


# Objects in several threads.

Method = TypeVar("Method", bound=Callable[..., Any])


def locked(method: Method) -> Method:
    """Decorates a method so that only one thread at a time runs it, because a handle and its memory are not thread-safe."""

    @functools.wraps(method)
    def guarded(self: Any, *arguments: Any, **named: Any) -> Any:
        """Calls the method while the handle is locked."""
        with self._lock:
            return method(self, *arguments, **named)

    return cast(Method, guarded)


# Errors.


class ChemopenError(Exception):
    """An error with its position.

    `record` and `line` are counted from 1. They are None if the error concerns the entire file.
    """

    def __init__(
        self, message: str, *, file: Optional[str] = None, record: Optional[int] = None, line: Optional[int] = None
    ) -> None:
        super().__init__(message)
        self.file = file
        self.record = record
        self.line = line

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class RecordError(ChemopenError):
    """A record cannot be read. Later records may be readable."""


class FormatError(ChemopenError):
    """The format of a file is unknown, or a format cannot represent the content."""


class ChemopenOSError(ChemopenError, OSError):
    """A file cannot be read or written. The error has an `errno` and a `filename`.

    If Python has a class for the errno, the error is an instance of it: `except FileNotFoundError` catches it.
    """


class _NotFound(ChemopenOSError, FileNotFoundError):
    pass


class _Exists(ChemopenOSError, FileExistsError):
    pass


class _NotAllowed(ChemopenOSError, PermissionError):
    pass


class _IsDirectory(ChemopenOSError, IsADirectoryError):
    pass


class _NotDirectory(ChemopenOSError, NotADirectoryError):
    pass


_OS_ERRORS: dict[int, type[ChemopenOSError]] = {
    errno.ENOENT: _NotFound, errno.EEXIST: _Exists, errno.EACCES: _NotAllowed, errno.EPERM: _NotAllowed,
    errno.EISDIR: _IsDirectory, errno.ENOTDIR: _NotDirectory,
}
for _kind in _OS_ERRORS.values():
    # Show the name of the public base class.
    _kind.__name__ = _kind.__qualname__ = "ChemopenOSError"


class Cancelled(ChemopenError):
    """A conversion was stopped, and no output was written."""


class ChemopenWarning(UserWarning):
    """The base class of all warnings of this package."""


class LossWarning(ChemopenWarning):
    """The output format cannot represent a feature of a converted record."""


class UnreadableWarning(ChemopenWarning):
    """A record could not be read."""


class RowWarning(ChemopenWarning):
    """A row of a table was not written completely, or its structure deviates from its format."""


class SearchWarning(ChemopenWarning):
    """It is unknown whether a pattern is found in a record, because the search reached its limit."""


class ConditionWarning(ChemopenWarning):
    """A likely mistake in a condition or a list of columns: no record has a field with this name."""


#: The warnings for the kinds of remarks; others are notes.
WARNINGS: dict[int, type[ChemopenWarning]] = {
    EVENT_LOSS: LossWarning, EVENT_WARNING: ConditionWarning, EVENT_NOTE: ConditionWarning,
}


def error_of(kind: str, handle: c_void_p, status: int) -> ChemopenError:
    """Returns the error of a handle for the status of a call."""
    error = Error(struct_size=ctypes.sizeof(Error))
    told = getattr(lib, f"chemopen_{kind}_error")(handle, ctypes.byref(error)) if handle else ABSENT
    message = (error.message or b"").decode("utf-8", "replace") if told == OK else ""
    return make_error(
        status, message, file=(error.file or b"").decode("utf-8", "replace") or None, record=error.record or None,
        line=error.line or None, number=error.system_error)


def make_error(
    status: int, message: str, *, file: Optional[str] = None, record: Optional[int] = None, line: Optional[int] = None,
    number: int = 0,
) -> ChemopenError:
    """Creates the exception for a status; an empty message is replaced with that of the status."""
    if not message:
        text = c_char_p()
        lib.chemopen_status_text(status, ctypes.byref(text))
        message = (text.value or b"").decode()
    kinds: dict[int, type[ChemopenError]] = {
        BROKEN: RecordError, UNKNOWN: FormatError,
        IMPOSSIBLE: FormatError, STOPPED: Cancelled,
    }
    if status not in (FILE, OUTPUT):
        return kinds.get(status, ChemopenError)(message, file=file, record=record, line=line)
    failure = _OS_ERRORS.get(number, ChemopenOSError)(message, file=file, record=record, line=line)
    if number:
        failure.errno, failure.strerror = number, os.strerror(number)
    failure.filename = file
    return failure


# Text conversion.


def decode(raw: bytes) -> str:
    """Return the text of a file as a string, decoded as the command line decodes it."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        needed = ctypes.c_size_t()
        lib.chemopen_utf8(raw, len(raw), None, 0, ctypes.byref(needed))
        out = ctypes.create_string_buffer(needed.value)
        lib.chemopen_utf8(raw, len(raw), out, needed.value, ctypes.byref(needed))
        return out.raw.decode("utf-8")


def path_bytes(path: PathLike) -> bytes:
    """Returns a path as bytes for the file system."""
    raw = os.fsencode(path)
    if b"\0" in raw:
        raise ValueError("a path cannot contain a null byte")
    return raw


def name_bytes(text: Optional[str], what: str) -> Optional[bytes]:
    """Encodes text for the library, which reads it up to a null byte."""
    raw = text_bytes(text)
    if raw is not None and b"\0" in raw:
        raise ValueError(f"{what} cannot contain a null byte")
    return raw


def conditions_of(where: "Union[str, Iterable[str], None]") -> list[bytes]:
    """Encodes a condition or several conditions."""
    texts = [] if where is None else [where] if isinstance(where, str) else list(where)
    return [name_bytes(text, "a condition") or b"" for text in texts]


def choice_of(value: str, choices: Sequence[str], what: str) -> int:
    """Returns the index of a value in its choices."""
    if value not in choices:
        listed = ", ".join(map(repr, choices))
        raise ValueError(f"{what} must be one of {listed}, not {value!r}")
    return choices.index(value)


def text_bytes(text: Optional[str]) -> Optional[bytes]:
    """Returns text as UTF-8; None stays None."""
    return None if text is None else text.encode("utf-8")


def array_of(texts: "list[bytes] | list[Optional[bytes]]") -> "ctypes.Array[c_char_p]":
    """Returns the texts as an array for C, with at least one element."""
    return (c_char_p * max(1, len(texts)))(*texts)
