"""Packs the wheel: wheel.py LIBRARY VERSION FOLDER.

A wheel is a ZIP file with a list of what is in it. Nothing but Python's own library is needed, and two runs give the same
bytes."""

import base64
import hashlib
import platform
import sys
import zipfile
from pathlib import Path

SUMMARY = "Reads, writes, converts and draws files of chemical structures"
NEEDED = "3.9"


def main() -> None:
    library, version, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    here = Path(__file__).parent
    top = here.parent.parent
    tag = f"py3-none-manylinux_2_34_{platform.machine()}"
    info = f"chemopen-{version}.dist-info"
    files = {f"chemopen/{path.name}": path.read_bytes() for path in sorted((here / "chemopen").glob("*.py"))}
    files["chemopen/py.typed"] = b""
    files["chemopen/libchemopen.so.1"] = library.read_bytes()
    files[f"{info}/licenses/LICENSE"] = (top / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: chemopen\nVersion: {version}\nSummary: {SUMMARY}\nLicense-Expression: Apache-2.0\n"
        f"License-File: LICENSE\nRequires-Python: >={NEEDED}\nDescription-Content-Type: text/markdown\n\n"
        + (here / "README.md").read_text()
    ).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: chemopen\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}")
    files[f"{info}/RECORD"] = "\n".join(record + [f"{info}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"chemopen-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if name.endswith(".so.1") else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)
    print(wheel)


main()
