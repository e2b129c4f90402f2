"""Versions of files: comparison, merging, history and editing in place."""

from __future__ import annotations

import ctypes
import threading
import warnings
from ctypes import byref, c_size_t, c_void_p
from typing import Any, Callable, NamedTuple, Optional

from . import _library as c
from ._library import PathLike, UnreadableWarning, lib, locked
from ._records import Record, Value, text_of


class Difference(NamedTuple):
    """A difference in one part of a record."""

    #: "title", "atom 5" or "field MASS".
    subject: str
    #: None if the part does not exist.
    before: Optional[str]
    after: Optional[str]


class Commit(NamedTuple):
    """A commit in git."""

    id: str
    author: str
    #: In ISO 8601 format.
    date: str
    #: The first line of the message.
    message: str


class Change(NamedTuple):
    """A change of a record."""

    #: "deleted", "inserted", "moved" or "changed".
    kind: str
    #: The numbers of the record in both versions; None if it does not exist, or for a change of a table's columns.
    before: Optional[int]
    after: Optional[int]
    #: The title of the record, or its formula.
    name: str
    differences: list[Difference]
    #: Both versions of the record; None if it does not exist or cannot be read.
    records: tuple[Optional[Record], Optional[Record]]
    #: The commit of a change in a history.
    commit: Optional[Commit] = None


class Conflict(NamedTuple):
    """A record that both sides of a merge have changed in different ways."""

    #: The title of the record, or "" for a conflict of the complete file.
    record: str
    reason: str


def _text(raw: Optional[bytes]) -> Optional[str]:
    return None if raw is None else raw.decode("utf-8", "replace")


def _changes(function: Callable[..., int], *arguments: Any, options: c.ChangeOptions) -> list[Change]:
    """Calls a function that returns changes."""
    handle = c_void_p()
    status = function(byref(handle), *arguments, byref(options))
    try:
        if status != c.OK:
            raise c.error_of("changes", handle, status)
        found: list[Change] = []
        change = c.Change(ctypes.sizeof(c.Change))
        while lib.chemopen_changes_next(handle, byref(change)) == c.OK:
            before, after = Record(), Record()
            lib.chemopen_changes_records(handle, before._handle, after._handle)
            differences = [
                Difference(_text(one.subject) or "", _text(one.before), _text(one.after))
                for one in (change.differences[: change.difference_count] if change.difference_count else ())
            ]
            commit = None
            if change.commit:
                commit = Commit(*(_text(part) or "" for part in (change.commit, change.author, change.date, change.message)))
            found.append(Change(
                _text(change.kind) or "", change.before or None, change.after or None, _text(change.name) or "", differences,
                (before if change.before else None, after if change.after else None), commit))
        return found
    finally:
        if handle:
            lib.chemopen_changes_close(byref(handle))


def _options(format: Optional[str], key: Optional[str]) -> c.ChangeOptions:
    options = c.ChangeOptions(ctypes.sizeof(c.ChangeOptions))
    options.format, options.key = c.name_bytes(format, "a format"), c.name_bytes(key, "a key")
    return options


def diff(
    first: PathLike, second: PathLike, *, key: Optional[str] = None, tolerance: float = 0.0001, format: Optional[str] = None
) -> list[Change]:
    """Compares two files as `chemopen diff` does, and returns their differences.

    Records are matched by the field `key`. By default, a title or field that is unique for each record is used. An
    unreadable record raises an `UnreadableWarning`; its bytes are still compared.
    """
    options = _options(format, key)
    options.tolerance = tolerance
    found = _changes(lib.chemopen_diff, c.path_bytes(first), c.path_bytes(second), options=options)
    for change in found:
        if change.kind == "unreadable":
            warnings.warn(change.name, UnreadableWarning, stacklevel=2)
    return [change for change in found if change.kind != "unreadable"]


def history(
    path: PathLike, *, record: Optional[str] = None, key: Optional[str] = None, since: Optional[str] = None,
    until: Optional[str] = None, author: Optional[str] = None, most: int = 0, format: Optional[str] = None,
) -> list[Change]:
    """Returns the changes of a file in its git repository, the latest first, as `chemopen history` does.

    `record` is the key or number of the only record. `since` and `until` are dates, such as "two weeks ago".
    """
    options = _options(format, key)
    options.record, options.author = c.name_bytes(record, "a record"), c.name_bytes(author, "an author")
    options.since, options.until = c.name_bytes(since, "a date"), c.name_bytes(until, "a date")
    options.most = most
    return _changes(lib.chemopen_history, c.path_bytes(path), options=options)


def merge(
    base: PathLike, ours: PathLike, theirs: PathLike, output: Optional[PathLike] = None, *, key: Optional[str] = None,
    replace: bool = False, format: Optional[str] = None,
) -> list[Conflict]:
    """Merges two versions of a file that have a common base, and returns the conflicts.

    Without an output, `ours` is replaced. If the format has fields, the result contains both versions of a conflicting
    record, marked in the field `MergeConflict`; otherwise it contains ours.
    """
    options = _options(format, key)
    options.replaces = replace
    target = None if output is None else c.path_bytes(output)
    found = _changes(
        lib.chemopen_merge, c.path_bytes(base), c.path_bytes(ours), c.path_bytes(theirs), target, options=options)
    return [Conflict(change.name, change.differences[0].subject) for change in found if change.kind == "conflict"]


class Collection:
    """A file whose records are edited in place. All other bytes stay unchanged.

        with chemopen.Collection("a.sdf") as file:
            file.set_field(1, "CHECKED", "yes")
            file.delete(7)

    Records are numbered from 1. When a `with` block ends without an error, the file is saved.
    """

    def __init__(self, path: PathLike, *, format: Optional[str] = None) -> None:
        self._handle, self._lock = c_void_p(), threading.RLock()
        self._check(lib.chemopen_collection_open(byref(self._handle), c.path_bytes(path), c.name_bytes(format, "a format")))

    def _check(self, status: int) -> None:
        if status == c.BROKEN:
            raise c.RecordError("the record cannot be read")
        if status != c.OK:
            raise c.error_of("collection", self._handle, status)

    @locked
    def __len__(self) -> int:
        count = c_size_t()
        self._check(lib.chemopen_collection_count(self._handle, byref(count)))
        return count.value

    @locked
    def record(self, number: int) -> Record:
        """Returns a copy of a record with its edits."""
        record = Record()
        self._check(lib.chemopen_collection_record(self._handle, number, record._handle))
        return record

    @locked
    def set_field(self, number: int, name: str, value: Value) -> None:
        """Sets a field of a record."""
        key, text = name.encode(), text_of(value).encode()
        self._check(lib.chemopen_collection_set_field(self._handle, number, key, len(key), text, len(text)))

    @locked
    def remove_field(self, number: int, name: str) -> None:
        """Removes all fields of a record with a name."""
        key = name.encode()
        self._check(lib.chemopen_collection_set_field(self._handle, number, key, len(key), None, 0))

    @locked
    def set_title(self, number: int, title: str) -> None:
        """Sets the title of a record."""
        raw = title.encode()
        self._check(lib.chemopen_collection_set_title(self._handle, number, raw, len(raw)))

    def set_structure(self, number: int, record: Record) -> None:
        """Replaces the structure of a record. Raises FormatError if the format cannot represent the new one exactly."""
        if not isinstance(record, Record):
            raise TypeError(f"expected a Record, not {type(record).__name__}")
        with record._lock, self._lock:
            self._check(lib.chemopen_collection_set_structure(self._handle, number, record._handle))

    def insert(self, record: Record, number: int = 0) -> None:
        """Inserts a record before another one; 0 appends it."""
        if not isinstance(record, Record):
            raise TypeError(f"expected a Record, not {type(record).__name__}")
        with record._lock, self._lock:
            self._check(lib.chemopen_collection_insert(self._handle, number, record._handle))

    @locked
    def delete(self, number: int) -> None:
        """Deletes a record. The records after it are renumbered."""
        self._check(lib.chemopen_collection_delete(self._handle, number))

    @locked
    def move(self, number: int, target: int) -> None:
        """Moves a record, so that it has the number `target`."""
        self._check(lib.chemopen_collection_move(self._handle, number, target))

    @locked
    def save(self, path: Optional[PathLike] = None, *, replace: bool = False) -> None:
        """Overwrites the file atomically, or writes another one."""
        self._check(lib.chemopen_collection_save(
            self._handle, None if path is None else c.path_bytes(path), int(replace)))

    @locked
    def close(self) -> None:
        """Closes the file without saving it."""
        if self._handle:
            lib.chemopen_collection_close(byref(self._handle))

    def __enter__(self) -> Collection:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], *_: object) -> None:
        try:
            if kind is None:
                self.save()
        finally:
            self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()
