"""Read, write, convert and draw chemical structure files.

    import chemopen

    chemopen.identify("a.bin").format              # "sdf", detected from the content
    table = pyarrow.table(chemopen.scan("a.sdf"))  # one row per record
    for record in chemopen.read("a.cdx"):          # one record at a time
        print(record.title, record.formula)
    chemopen.convert("a.cdx", "a.sdf")             # warns of losses
    chemopen.write(table, "b.sdf")                 # a table of pandas, Polars, pyarrow or DuckDB
"""

from __future__ import annotations

import ctypes as _ctypes

from ._browsing import (
    AccessDenied,
    BrowseClient,
    BrowseError,
    Entity,
    Event,
    Page,
    Property,
    ServerUnavailable,
)
from ._conversion import Format, Identity, Progress, convert, depict, formats, identify, losses
from ._fetching import Fetched, fetch
from ._library import (
    Cancelled,
    ChemopenError,
    ChemopenOSError,
    ChemopenWarning,
    ConditionWarning,
    FormatError,
    LossWarning,
    RecordError,
    RowWarning,
    SearchWarning,
    UnreadableWarning,
    lib as _lib,
)
from ._records import (
    Atom,
    Bond,
    Component,
    Drawing,
    Fact,
    Fields,
    Loss,
    Molecule,
    Parts,
    Place,
    Reaction,
    Reader,
    Record,
    Step,
    facts,
    parse,
    rdkit_mols,
    read,
)
from ._reports import Report
from ._search import Pattern, grep
from ._tables import Scan, partitions, scan
from ._versions import Change, Collection, Commit, Conflict, Difference, diff, history, merge
from ._writing import Writer, write


def _version() -> str:
    text = _ctypes.c_char_p()
    _lib.chemopen_version(_ctypes.byref(text))
    return (text.value or b"").decode()


__version__ = _version()

__all__ = [
    "AccessDenied", "Atom", "Bond", "BrowseClient", "BrowseError", "Cancelled", "Change", "ChemopenError",
    "ChemopenOSError", "ChemopenWarning", "Collection", "Commit", "Component", "ConditionWarning", "Conflict",
    "Difference", "Drawing", "Entity", "Event", "Fact", "Fetched", "Fields", "Format", "FormatError", "Identity",
    "Loss", "LossWarning", "Molecule", "Page", "Parts", "Pattern", "Place", "Progress", "Property", "Reaction",
    "Reader", "Record", "RecordError", "Report", "RowWarning", "Scan", "SearchWarning", "ServerUnavailable", "Step",
    "UnreadableWarning", "Writer", "convert", "depict", "diff", "facts", "fetch", "formats", "grep", "history",
    "identify", "losses", "merge", "parse", "partitions", "rdkit_mols", "read", "scan", "write",
]
