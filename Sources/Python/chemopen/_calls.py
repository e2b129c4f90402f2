"""The calls that loops over records repeat: with the extension module `_speed`, or with ctypes if it cannot be loaded.

The functions take the address of a handle, or None if the handle is closed. Set CHEMOPEN_NO_EXTENSION to use ctypes.
"""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_size_t, c_void_p
from typing import Any, Optional, Union

from . import _library as c
from ._library import lib

#: The handle of a record; the number, line, offset, length and version of the record; its warnings.
Found = tuple[int, tuple[int, int, int, int, str], list[str]]


def fields(record: Optional[int]) -> list[tuple[str, str]]:
    """Returns all fields of a record with their values."""
    first, count = ctypes.POINTER(c.Field)(), c_size_t()
    lib.chemopen_record_fields(record, byref(first), byref(count))
    return [(c.decode(first[i].name.raw()), c.decode(first[i].value.raw())) for i in range(count.value)]


def values_of(record: Optional[int], name: str) -> Union[str, list[str], None]:
    """Returns the value of a field, a list of the values if it is repeated, or None if there is none."""
    first, count, key = ctypes.POINTER(c.Text)(), c_size_t(), name.encode()
    lib.chemopen_record_values_of(record, key, len(key), byref(first), byref(count))
    values = [c.decode(first[i].raw()) for i in range(count.value)]
    return None if not values else values[0] if len(values) == 1 else values


def positions(record: Optional[int]) -> bytearray:
    """Returns the coordinates of all atoms as doubles."""
    first, count = ctypes.POINTER(c.Atom)(), c_size_t()
    lib.chemopen_record_atoms(record, byref(first), byref(count))
    size, whole = 3 * ctypes.sizeof(ctypes.c_double), ctypes.sizeof(c.Atom)
    raw = ctypes.string_at(first, count.value * whole) if count.value else b""
    return bytearray().join(raw[i : i + size] for i in range(0, len(raw), whole))


def next_record(reader: Optional[int]) -> Union[int, Found]:
    """Reads the next record. Returns the status if there is none."""
    record, place = c_void_p(), c.Place(ctypes.sizeof(c.Place))
    lib.chemopen_record_new(byref(record))
    status = lib.chemopen_reader_next(reader, record)
    if status != c.OK or record.value is None:
        lib.chemopen_record_close(byref(record))
        return int(status)
    lib.chemopen_reader_place(reader, byref(place))
    version = (place.version or b"").decode()
    return record.value, (place.record, place.line, place.offset, place.length, version), issues(reader)


def molfile(reader: Optional[int]) -> Optional[str]:
    """Returns the molfile at the start of the last record's bytes, or None if there is none."""
    text = c.Text()
    lib.chemopen_reader_bytes(reader, byref(text))
    raw = text.raw()
    end = raw.find(b"\nM  END")
    return None if end < 0 else c.decode(raw[: end + len(b"\nM  END")])


def issues(reader: Optional[int]) -> list[str]:
    """Returns the warnings about the last record."""
    first, count = ctypes.POINTER(c.Issue)(), c_size_t()
    lib.chemopen_reader_issues(reader, byref(first), byref(count))
    return [first[i].message.decode("utf-8", "replace") for i in range(count.value) if first[i].severity > 0]


def _extension() -> Any:
    try:
        if os.environ.get("CHEMOPEN_NO_EXTENSION"):
            return None
        from . import _speed
        _speed.connect(lib._handle)
        return _speed
    except ImportError:
        return None


_module = _extension()
#: Whether the extension module is used.
is_fast = _module is not None
if is_fast:
    fields, values_of, positions = _module.fields, _module.values_of, _module.positions
    next_record, molfile = _module.next_record, _module.molfile
