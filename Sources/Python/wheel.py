"""Builds the wheel: wheel.py BUILT VERSION FOLDER. BUILT contains the library and the extension.

A wheel is a ZIP file with a list of its files. The script uses only Python's standard library, and two runs produce the
same bytes. If CHEMOPEN_HOMEPAGE is set, it is the address of the project in the metadata. If the program zopfli is
installed, it compresses the files, which takes longer and saves 4 %."""

import base64
import hashlib
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

SUMMARY = "Reads, writes, converts and draws chemical structure files"
NEEDED = "3.9"
HOMEPAGE = os.environ.get("CHEMOPEN_HOMEPAGE")
DETAILS = f"""\
Author: The Chemopen contributors
Keywords: chemistry,cheminformatics,sdf,molfile,smiles,arrow
""" + (f"Project-URL: Homepage, {HOMEPAGE}\n" if HOMEPAGE else "") + """\
Classifier: Development Status :: 4 - Beta
Classifier: Intended Audience :: Science/Research
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Chemistry
Classifier: Typing :: Typed
Provides-Extra: pandas
Requires-Dist: pandas>=2.2; extra == "pandas"
Requires-Dist: pyarrow; extra == "pandas"
Provides-Extra: polars
Requires-Dist: polars>=1.21; extra == "polars"
"""


def deflated(content: bytes) -> bytes:
    if content and shutil.which("zopfli"):
        with tempfile.NamedTemporaryFile() as file:
            file.write(content)
            file.flush()
            return subprocess.run(["zopfli", "--deflate", "--i5", "-c", file.name], check=True, capture_output=True).stdout
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def archive(files: dict[str, bytes]) -> bytes:
    """Returns a ZIP file; the module zipfile could use only zlib."""
    deflate, utf8, unix, first_day_of_1980 = 8, 0x800, 3 << 8 | 20, 1 << 5 | 1
    body, directory = b"", b""
    for name, content in files.items():
        packed, mode = deflated(content), 0o100755 if ".so" in name else 0o100644
        shared = struct.pack(
            "<HHHHHIIIHH", 20, utf8, deflate, 0, first_day_of_1980, zlib.crc32(content), len(packed), len(content),
            len(name.encode()), 0)
        directory += b"PK\1\2" + struct.pack("<H", unix) + shared
        directory += struct.pack("<HHHII", 0, 0, 0, mode << 16, len(body)) + name.encode()
        body += b"PK\3\4" + shared + name.encode() + packed
    count = len(files)
    return body + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), len(body), 0)


def main() -> None:
    built, version, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    here = Path(__file__).parent
    top = here.parent.parent
    tag = f"py3-none-manylinux_2_34_{platform.machine()}"
    info = f"chemopen-{version}.dist-info"
    files = {f"chemopen/{path.name}": path.read_bytes() for path in sorted((here / "chemopen").glob("*.py"))}
    files["chemopen/py.typed"] = b""
    for name in "libchemopen.so.1", "_speed.abi3.so":
        files[f"chemopen/{name}"] = (built / name).read_bytes()
    files[f"{info}/licenses/LICENSE"] = (top / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: chemopen\nVersion: {version}\nSummary: {SUMMARY}\nLicense-Expression: Apache-2.0\n"
        f"License-File: LICENSE\nRequires-Python: >={NEEDED}\nDescription-Content-Type: text/markdown\n"
        f"{DETAILS}\n"
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
    wheel.write_bytes(archive(files))
    print(wheel)


main()
