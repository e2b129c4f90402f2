"""Read, write, convert and draw chemical structure files.

    import chemopen

    chemopen.identify("a.bin").format              # "sdf", detected from the content
    table = pyarrow.table(chemopen.scan("a.sdf"))  # one row per record
    for record in chemopen.read("a.cdx"):          # one record at a time
        print(record.title, record.formula)
    chemopen.convert("a.cdx", "a.sdf")             # warns of losses
"""

from __future__ import annotations

import ctypes as _ctypes

from ._conversion import Identity, Progress, Report, Writer, convert, depict, identify, losses
from ._library import (
    Cancelled,
    ChemopenError,
    ChemopenOSError,
    ChemopenWarning,
    ConditionWarning,
    FormatError,
    LossWarning,
    RecordError,
    UnreadableWarning,
    lib as _lib,
)
from ._records import Atom, Bond, Drawing, Fields, Loss, Parts, Place, Reader, Record, rdkit_mols, read
from ._tables import Scan, partitions, scan


def _version() -> str:
    text = _ctypes.c_char_p()
    _lib.chemopen_version(_ctypes.byref(text))
    return (text.value or b"").decode()


__version__ = _version()

__all__ = [
    "Atom", "Bond", "Cancelled", "ChemopenError", "ChemopenOSError", "ChemopenWarning", "ConditionWarning", "Drawing", "Fields", "FormatError", "Identity", "Loss",
    "LossWarning", "Parts", "Place", "Progress", "Reader", "Record", "RecordError", "Report", "Scan", "UnreadableWarning", "Writer",
    "convert", "depict", "identify", "losses", "partitions", "rdkit_mols", "read", "scan",
]
