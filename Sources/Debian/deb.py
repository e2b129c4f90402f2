"""Builds the Debian packages: deb.py MADE VERSION FOLDER.

MADE contains the programs and the library that ./package builds. dpkg triggers update the databases of types, entries
and icons; they only leave files of types. Two runs produce the same bytes, with the date in SOURCE_DATE_EPOCH or of the
last commit."""

import gzip
import hashlib
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from email.utils import formatdate
from pathlib import Path

HERE = Path(__file__).parent
TOP = HERE.parent.parent
# ./package declares the address of the project.
HOME = os.environ["CHEMOPEN_HOME"]
# The project has no email address; the domain `invalid` is reserved and never exists.
MAINTAINER = "The Chemopen authors <authors@chemopen.invalid>"


def run(*words: object, **options: object) -> str:
    return subprocess.run([str(word) for word in words], check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def date() -> int:
    """Returns the modification date for all packed files."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    try:
        return int(run("git", "-C", TOP, "log", "-1", "--format=%ct", stderr=subprocess.DEVNULL))
    except (OSError, subprocess.CalledProcessError):
        return int((TOP / "CHANGELOG.md").stat().st_mtime)


def releases() -> list[tuple[str, str, list[str]]]:
    """Returns the releases of the changelog, newest first: version, date, and the text of each change."""
    found = []
    for part in re.split(r"^## ", (TOP / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        match = re.fullmatch(r"\[(\d[\d.]*)\] - (\d{4}-\d\d-\d\d)", heading)
        changes = [" ".join(item.split()) for item in re.findall(r"^- (.*(?:\n  .*)*)", body, flags=re.MULTILINE)]
        found.append((match[1], match[2], changes) if match else ("", "", changes))
    return found


def plain(text: str) -> str:
    """Returns Markdown as plain text."""
    return re.sub(r"\[([^]]*)\](\([^)]*\)|\[[^]]*\])", r"\1", text).replace("`", "")


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Package:
    def __init__(self, name: str, version: str, epoch: int, root: Path) -> None:
        self.name, self.version, self.epoch, self.root = name, version, epoch, root / name
        self.doc = self.root / "usr/share/doc" / name

    def add(self, source: Path, target: str, mode: int = 0o644) -> Path:
        path = self.root / target
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)
        path.chmod(mode)
        return path

    def link(self, target: str, to: str) -> None:
        path = self.root / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(to)

    def compress(self, path: Path) -> None:
        with open(f"{path}.gz", "wb") as file:
            file.write(gzip.compress(path.read_bytes(), 9, mtime=0))
        path.unlink()

    def document(self) -> None:
        """Adds the license, the changelog and the lintian overrides."""
        self.doc.mkdir(parents=True)
        shutil.copyfile(HERE / "copyright", self.doc / "copyright")
        # The font of the viewer's page has a license of its own.
        shutil.copyfile(TOP / "Sources/ChemopenView/Page/inter.license.txt", self.doc / "inter.license.txt")
        log = self.doc / "changelog.Debian"
        log.write_text(
            f"chemopen ({self.version}) unstable; urgency=medium\n\n  * See changelog.gz in this directory.\n\n"
            f" -- {MAINTAINER}  {formatdate(self.epoch)}\n"
        )
        self.compress(log)
        shutil.copyfile(TOP / "CHANGELOG.md", self.doc / "changelog")
        self.compress(self.doc / "changelog")
        overrides = self.root / "usr/share/lintian/overrides" / self.name
        overrides.parent.mkdir(parents=True)
        overrides.write_text((HERE / "overrides").read_text().replace("PACKAGE", self.name))

    def depends(self, folder: Path) -> str:
        """Returns the packages of the libraries that the programs are linked with."""
        with tempfile.TemporaryDirectory() as work:
            (Path(work) / "debian").mkdir()
            (Path(work) / "debian/control").write_text("Source: chemopen\n\nPackage: chemopen\nArchitecture: any\n")
            binaries = [path for path in sorted(folder.iterdir()) if path.is_file() and not path.is_symlink()]
            words = run("dpkg-shlibdeps", "-O", "--ignore-missing-info", f"-l{folder}", *binaries, cwd=work,
                        stderr=subprocess.DEVNULL)
            return words.partition("shlibs:Depends=")[2].strip()

    def build(self, folder: Path, fields: dict[str, str], files: dict[str, str] = {}) -> Path:
        """Builds the package from the added files."""
        control = self.root / "DEBIAN"
        control.mkdir()
        contents = [path for path in sorted(self.root.rglob("*")) if control not in [path, *path.parents]]
        size = sum(path.stat().st_size for path in contents if path.is_file() and not path.is_symlink())
        sums = [
            f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(self.root)}\n"
            for path in contents if path.is_file() and not path.is_symlink()
        ]
        architecture = fields.get("Architecture") or run("dpkg", "--print-architecture").strip()
        head = {
            "Package": self.name, "Source": "chemopen", "Version": self.version, "Architecture": architecture,
            "Maintainer": MAINTAINER, "Homepage": HOME, "Installed-Size": str((size + 1023) // 1024), **fields,
        }
        if self.name == "chemopen":
            del head["Source"]
        (control / "control").write_text("".join(f"{key}: {value}\n" for key, value in head.items()))
        (control / "md5sums").write_text("".join(sums))
        for name, text in files.items():
            (control / name).write_text(text)
            if text.startswith("#!"):
                (control / name).chmod(0o755)
        for path in [self.root, *self.root.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
            os.utime(path, (self.epoch, self.epoch), follow_symlinks=False)
        target = folder / f"{self.name}_{self.version}_{architecture}.deb"
        run("dpkg-deb", "--root-owner-group", "-Znone", "--build", self.root, target,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(self.epoch)})
        compress(target)
        return target


def compress(package: Path) -> None:
    """Packs the members of a package with the filter for machine code, which dpkg reads and has no option to write."""
    filters = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]
    archive = package.read_bytes()
    packed, place = [archive[:8]], 8
    while place < len(archive):
        head, start = archive[place:place + 60], place + 60
        size = int(head[48:58])
        name, content = head[:16].rstrip().rstrip(b"/"), archive[start:start + size]
        place = start + size + size % 2
        if name.endswith(b".tar"):
            name += b".xz"
            content = lzma.compress(content, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, filters=filters)
        packed += [name.ljust(16), head[16:48], b"%-10d" % len(content), head[58:], content, b"\n" * (len(content) % 2)]
    package.write_bytes(b"".join(packed))


def description(summary: str, *paragraphs: str) -> str:
    lines = [summary]
    for paragraph in paragraphs:
        lines += [" ."] if len(lines) > 1 else []
        line = ""
        for word in paragraph.split():
            if len(line) + len(word) > 76:
                lines.append(line)
                line = ""
            line += " " + word
        lines.append(line)
    return "\n".join(lines)


def leftovers(types: list[str]) -> str:
    """Returns a script that deletes files generated from our MIME types; others are generated again."""
    files = " ".join(f"/usr/share/mime/{type}.xml" for type in types)
    return (
        "#!/bin/sh\nset -e\nif [ \"$1\" = remove ]; then\n"
        f"    rm -f {files}\n"
        "    if [ -d /usr/share/mime/chemical ]; then rmdir --ignore-fail-on-non-empty /usr/share/mime/chemical; fi\nfi\n"
    )


KNOWN = (
    "Supported formats: MDL Molfile, SDfile, RXNfile and RDfile, SketchEl molecule, XML DataSheet, ChemDraw CDX and CDXML, "
    "SMILES, CSV and JSON Lines."
)


def programs(made: Path, package: Package, folder: Path) -> Path:
    own = "usr/lib/chemopen"
    for name in sorted(path.name for path in (made / "programs").iterdir()):
        package.add(made / "programs" / name, f"{own}/{name}", 0o644 if name.endswith(".so") else 0o755)
    package.link("usr/bin/chemopen", "../lib/chemopen/chemopen")
    run(package.root / own / "chemopen", "install", "--staging", package.root)
    manual = package.root / "usr/share/man/man1"
    # Replaces the page of `install`, which describes all commands on one page.
    run(sys.executable, TOP / "Sources/Manual/manual.py", package.root / own / "chemopen", manual)
    for page in sorted(manual.iterdir()):
        package.compress(page)
    metadata = package.root / "usr/share/metainfo/chemopen.metainfo.xml"
    text = metadata.read_text()
    list_of_releases = "".join(
        f'    <release version="{version}" date="{day}">\n      <description>\n        <ul>\n'
        + "".join(f"          <li>{escaped(plain(change))}</li>\n" for change in changes)
        + "        </ul>\n      </description>\n    </release>\n"
        for version, day, changes in releases() if version
    )
    text = re.sub(r"  <releases>\n.*?  </releases>\n", lambda _: f"  <releases>\n{list_of_releases}  </releases>\n", text, flags=re.S)
    metadata.write_text(text.replace("https://chemopen.example", HOME))
    package.document()
    types = (package.root / "usr/share/mime/packages/chemopen.xml").read_text()
    return package.build(folder, {
        # libxml2 and the InChI library are loaded when they are needed, so no program is linked with them. In Debian
        # 13, the package of the InChI library has another name.
        "Depends": package.depends(package.root / own) + ", libxml2, libinchi1 | libinchi1.07",
        # ISA-L decompresses gzip; without it, zlib does.
        "Recommends": "ca-certificates, desktop-file-utils, fonts-dejavu-core, libisal2, shared-mime-info, xdg-utils",
        # The Nautilus menus are written in Python, and passwords are stored in a keyring.
        "Suggests": "gnome-keyring | kwalletmanager, python3-nautilus",
        "Section": "science", "Priority": "optional",
        "Description": description(
            "reads, converts and compares chemical files, and opens them",
            "Chemopen opens, inspects and converts chemical structure files, and reports everything that a conversion cannot "
            "preserve. On the desktop it opens each file in the best program, shows it in its own viewer, and draws thumbnails.", KNOWN),
    }, {"postrm": leftovers(re.findall(r'<mime-type type="([^"]*)"', types))})


def library(made: Path, package: Package, version: str, folder: Path, where: str) -> Path:
    package.add(made / f"libchemopen.so.{version}", f"{where}/libchemopen.so.{version}")
    package.link(f"{where}/libchemopen.so.1", f"libchemopen.so.{version}")
    package.document()
    return package.build(folder, {
        "Multi-Arch": "same", "Depends": package.depends(package.root / where) + ", libxml2",
        "Recommends": "libisal2", "Section": "libs", "Priority": "optional",
        "Description": description("library that reads and writes chemical files", "A library for C and other languages. It "
                                   "reads, edits, writes, converts and draws chemical files, and reports the losses of "
                                   "conversions.", KNOWN),
    }, {
        "shlibs": f"libchemopen 1 libchemopen1 (>= {version})\n",
        "triggers": "activate-noawait ldconfig\n",
    })


def development(made: Path, package: Package, folder: Path, where: str) -> Path:
    package.add(made / "chemopen.h", "usr/include/chemopen.h")
    package.add(made / "valgrind.supp", "usr/share/chemopen/valgrind.supp")
    package.link(f"{where}/libchemopen.so", "libchemopen.so.1")
    configuration = package.root / where / "pkgconfig/chemopen.pc"
    configuration.parent.mkdir()
    text = (made / "chemopen.pc").read_text()
    text = re.sub(r"^includedir=.*", "includedir=${prefix}/include", text, flags=re.MULTILINE)
    configuration.write_text(re.sub(r"^libdir=.*", f"libdir=${{prefix}}/{where[4:]}", text, flags=re.MULTILINE))
    package.document()
    return package.build(folder, {
        "Multi-Arch": "same", "Depends": f"libchemopen1 (= {package.version})", "Section": "libdevel", "Priority": "optional",
        "Description": description("header of the library that reads and writes chemical files",
                                   "chemopen.h, with documentation for each function, and chemopen.pc for "
                                   "pkg-config."),
    })


def server(package: Package, folder: Path) -> Path:
    """Builds the package of the systemd service. It is separate because it creates a user."""
    service = HERE / "service"
    for name, target in {
        "chemopen.service": "usr/lib/systemd/system/chemopen.service", "sysusers.conf": "usr/lib/sysusers.d/chemopen.conf",
        "tmpfiles.conf": "usr/lib/tmpfiles.d/chemopen.conf", "default": "etc/default/chemopen",
    }.items():
        package.add(service / name, target)
    package.document()
    scripts = {name: (service / name).read_text() for name in ("postinst", "prerm", "postrm")}
    return package.build(folder, {
        "Architecture": "all", "Depends": f"chemopen (>= {package.version}), systemd", "Suggests": "nginx | caddy",
        "Section": "science", "Priority": "optional",
        "Description": description("serves chemical files to a team",
                                   "The systemd service of chemopen serve, with a user of its own. It shares the collections in "
                                   "a directory with colleagues, who use a browser. A proxy with TLS is required."),
    }, {**scripts, "conffiles": "/etc/default/chemopen\n"})


def main() -> None:
    made, version, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    epoch = date()
    # A build that is not a release has no version number of its own: the date distinguishes such builds.
    is_released = releases()[0][0] == version
    full = f"{version}-1" if is_released else f"{version}+{time.strftime('%Y%m%d', time.gmtime(epoch))}-1"
    folder.mkdir(parents=True, exist_ok=True)
    where = "usr/lib/" + run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
    with tempfile.TemporaryDirectory() as work:
        def package(name: str) -> Package:
            return Package(name, full, epoch, Path(work))

        print(programs(made, package("chemopen"), folder))
        print(library(made, package("libchemopen1"), version, folder, where))
        print(development(made, package("libchemopen-dev"), folder, where))
        print(server(package("chemopen-server"), folder))


main()
