"""Streams of Arrow's C interface: as capsules for other libraries, and as rows."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_void_p
from typing import Any, Iterator

from . import _library as c
from ._library import lib

_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_get_pointer = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_malloc = ctypes.CFUNCTYPE(c_void_p, c_size_t)(("malloc", ctypes.CDLL(None)))
_release = ctypes.cast(lib.chemopen_release_capsule, c_void_p)
# A capsule stores the address of its name, which must therefore stay valid.
_names = {name: c_char_p(name) for name in (b"arrow_array_stream", b"arrow_schema", b"arrow_array")}

_GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, c_void_p, POINTER(c.ArrowSchema))
_GetNext = ctypes.CFUNCTYPE(ctypes.c_int, c_void_p, POINTER(c.ArrowArray))
_GetError = ctypes.CFUNCTYPE(c_char_p, c_void_p)
_Release = ctypes.CFUNCTYPE(None, c_void_p)


def _new(kind: Any, name: bytes) -> tuple[Any, Any]:
    """Creates a capsule with an empty structure. The capsule releases the structure and frees its memory."""
    place = _malloc(ctypes.sizeof(kind))
    if not place:
        raise MemoryError
    ctypes.memset(place, 0, ctypes.sizeof(kind))
    return _new_capsule(place, _names[name], _release), ctypes.cast(place, POINTER(kind))


def new_stream() -> tuple[Any, Any]:
    """Creates a capsule with an empty stream."""
    return _new(c.ArrowArrayStream, b"arrow_array_stream")


def stream_in(capsule: Any) -> Any:
    """Returns the stream in a capsule."""
    return ctypes.cast(_get_pointer(capsule, b"arrow_array_stream") or 0, POINTER(c.ArrowArrayStream))


class Batches:
    """The batches of a table."""

    def __init__(self, table: Any) -> None:
        self._capsule = table.__arrow_c_stream__()
        self._stream = stream_in(self._capsule)

    def _check(self, status: int) -> None:
        if status != 0:
            message = _GetError(self._stream.contents.get_last_error)(self._stream)
            raise c.ChemopenError((message or b"the table cannot be read").decode("utf-8", "replace"))

    def schema_capsule(self) -> Any:
        """Return the schema as a PyCapsule of the Arrow C interface."""
        capsule, schema = _new(c.ArrowSchema, b"arrow_schema")
        self._check(_GetSchema(self._stream.contents.get_schema)(self._stream, schema))
        return capsule

    def __iter__(self) -> Iterator[Batch]:
        while True:
            capsule, array = _new(c.ArrowArray, b"arrow_array")
            self._check(_GetNext(self._stream.contents.get_next)(self._stream, array))
            if not array.contents.release:
                return
            yield Batch(self.schema_capsule(), capsule, array)

    def __enter__(self) -> Batches:
        return self

    def __exit__(self, *_: object) -> None:
        # Release the stream now: it may keep a file open.
        if self._stream.contents.release:
            _Release(self._stream.contents.release)(self._stream)


class Batch:
    """A batch of rows, for libraries that accept Arrow arrays."""

    def __init__(self, schema: Any, capsule: Any, array: Any) -> None:
        self._schema, self._capsule, self._array = schema, capsule, array

    @property
    def length(self) -> int:
        """The number of rows."""
        return int(self._array.contents.length)

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        return self._schema, self._capsule

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yields each row as a dictionary."""
        schema = ctypes.cast(_get_pointer(self._schema, b"arrow_schema") or 0, POINTER(c.ArrowSchema)).contents
        names, columns = [], []
        for place in range(schema.n_children):
            child = schema.children[place].contents
            names.append((child.name or b"").decode("utf-8", "replace"))
            columns.append(_values(child.format, self._array.contents.children[place].contents))
        for row in range(self.length):
            yield {name: column[row] for name, column in zip(names, columns)}


def _values(format: bytes, array: c.ArrowArray) -> list[Any]:
    """Returns the values of a column from a scan."""
    count = array.length
    if format == b"u":
        ends = ctypes.cast(array.buffers[1], POINTER(c_int32))
        text = ctypes.string_at(array.buffers[2], ends[count]) if count else b""
        found: list[Any] = [text[ends[row]:ends[row + 1]].decode("utf-8", "replace") for row in range(count)]
    elif format == b"+l":
        ends = ctypes.cast(array.buffers[1], POINTER(c_int32))
        texts = _values(b"u", array.children[0].contents)
        found = [texts[ends[row]:ends[row + 1]] for row in range(count)]
    elif format == b"b":
        bits = ctypes.cast(array.buffers[1], POINTER(c_uint8))
        found = [bool(bits[row >> 3] >> (row & 7) & 1) for row in range(count)]
    else:
        numbers = ctypes.cast(array.buffers[1], POINTER(c_int64 if format == b"l" else ctypes.c_double))
        found = list(numbers[:count]) if count else []
    if array.buffers[0]:
        valid = ctypes.cast(array.buffers[0], POINTER(c_uint8))
        for row in range(count):
            if not valid[row >> 3] >> (row & 7) & 1:
                found[row] = None
    return found
