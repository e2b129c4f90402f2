"""The results of operations on files."""

from __future__ import annotations

from typing import NamedTuple

from ._records import Loss


class Report(NamedTuple):
    """The result of a conversion, or of writing records."""

    written: int
    read: int
    #: The number of records or rows that could not be read.
    unreadable: int
    #: The losses by kind.
    losses: list[Loss]
    #: Whether an input ended with an error.
    cut_short: bool
    #: Further messages, such as records written in a version that differs from the default.
    notes: list[str] = []
