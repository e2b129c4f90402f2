#!/usr/bin/env python3
"""Compares the speed of chemopen with other programs: V3000, gzip, RD files, drawings, two threads.

    race.py CHEMOPEN --v3000 BIG_V3000.sdf --sdf BIG.sdf --rdf FILE_OR_DIR... --drawings CORPUS [--runs 5]

    v3000    read every record of an SD file with V3000 tables; compared with RDKit without sanitization
    gzip     read every record of the gzipped SD file; compared with `zcat` to /dev/null
    rdf      read every record of an RD file; compared with Indigo. The file contains the records of the given files, repeated up to
             --mb megabytes, each with its own registry number
    drawings read all drawings of CORPUS/cdx and CORPUS/cdxml eight times, because once takes less time than the start-up varies;
             compared with RDKit without sanitization. Each program is one process; ours also runs with one thread per
             processor: elapsed time. Files that crash or hang a program, or that it does not accept, are skipped for both
    sheets   read a DataSheet made from the SD file, compared with `xmllint --stream --noout`; convert SD to DataSheet, compared
             with rewriting the SD file; convert DataSheet to SD, compared with RDKit rewriting the SD file
    threads  `info --count` and `convert --rewrite` of the SD file with -j 2; compared with one thread: elapsed time

A race runs if you specify its files. Each program is a separate process; rounds are interleaved, so that changes of the
machine's speed affect all of them. Each program also reads a file with one record, and this start-up time is
subtracted. Seconds are medians of the rounds; ratios are medians of the ratios of each round. Times are CPU seconds,
except for the threads. Exits with 1 if a limit in the table is missed, unless you use --no-bounds. Needs Python 3.10; a
peer that is missing is skipped with a note.
"""

import argparse
import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

RDKIT = """
import sys
from rdkit import Chem, RDLogger
RDLogger.DisableLog("rdApp.*")
good = bad = 0
with open(sys.argv[1], "rb") as file:
    for molecule in Chem.ForwardSDMolSupplier(file, sanitize=False, removeHs=False):
        if molecule is None:
            bad += 1
        else:
            good += 1
print(good, bad)
"""

RDKIT_COPY = """
import sys
from rdkit import Chem, RDLogger
RDLogger.DisableLog("rdApp.*")
good = bad = 0
writer = Chem.SDWriter(sys.argv[2])
writer.SetKekulize(False)
with open(sys.argv[1], "rb") as file:
    for molecule in Chem.ForwardSDMolSupplier(file, sanitize=False, removeHs=False):
        try:
            writer.write(molecule)
            good += 1
        except Exception:
            bad += 1
writer.close()
print(good, bad)
"""

RDKIT_DRAWINGS = """
import sys
from rdkit import Chem, RDLogger
RDLogger.DisableLog("rdApp.*")
how = Chem.CDXMLParserParams(False, False, Chem.CDXMLFormat.Auto)
good = bad = 0
for path in sys.argv[1:]:
    try:
        good += len(list(Chem.MolsFromCDXMLFile(path, how)))
    except Exception:
        bad += 1
print(good, bad)
"""

INDIGO = """
import sys
from indigo import Indigo
indigo = Indigo()
indigo.setOption("ignore-stereochemistry-errors", True)
indigo.setOption("ignore-noncritical-query-features", True)
good = bad = 0
for item in indigo.iterateRDFile(sys.argv[1]):
    try:
        if "eaction" in item.dbgInternalType():
            item.countReactants()  # a record is parsed when it is first touched
        else:
            item.countAtoms()
        for field in item.iterateProperties():
            field.rawData()
        good += 1
    except Exception:
        bad += 1
print(good, bad)
"""


class Contestant:
    def __init__(self, name, command, big, small):
        self.name, self.command, self.big, self.small = name, command, big, small
        self.runs, self.starts = [], []
        self.said = self.failed = ""

    def round(self, scratch):
        if self.failed:
            return
        start, _ = self.measure(self.small, scratch)
        run, said = self.measure(self.big, scratch)
        if start is None or run is None:
            self.failed = said or "failed"
            return
        self.starts.append(start)
        self.runs.append(run)
        self.said = said

    def measure(self, path, scratch):
        """Returns elapsed and CPU seconds, and the output; no seconds if the process failed."""
        with tempfile.TemporaryFile(dir=scratch) as out:
            began = time.perf_counter()
            child = subprocess.Popen(
                self.command(path), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            wall = time.perf_counter() - began
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            said = " ".join(out.read(200).decode("utf-8", "replace").split())
        # Status 1 means that some records cannot be read: the file was read to its end.
        if child.returncode not in (0, 1):
            return None, f"exit status {child.returncode}"
        return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime}, said

    def net(self, clock):
        """Returns the time of each round without the start-up; empty if the process failed."""
        if self.failed:
            return []
        start = statistics.median(start[clock] for start in self.starts) if self.starts else 0
        return [max(run[clock] - start, 1e-6) for run in self.runs]


def median(seconds):
    return statistics.median(seconds) if seconds else None


class Race:
    """A comparison with another program: `ratio` is its time divided by ours, and must be at least `bound`."""

    def __init__(self, name, clock, ours, theirs, bound):
        self.name, self.clock, self.ours, self.theirs, self.bound = name, clock, ours, theirs, bound

    def result(self):
        ours, theirs = self.ours.net(self.clock), self.theirs.net(self.clock)
        rounds = [slow / fast for fast, slow in zip(ours, theirs)]
        ratio = statistics.median(rounds) if rounds else None
        return {
            "race": self.name, "clock": self.clock, "bytes": sum(map(os.path.getsize, contents(self.ours.big))),
            "ours": self.ours.name, "ours_s": median(ours), "ours_said": self.ours.failed or self.ours.said,
            "theirs": self.theirs.name, "theirs_s": median(theirs), "theirs_said": self.theirs.failed or self.theirs.said,
            "ratio": ratio, "bound": self.bound,
            "holds": None if self.bound is None else ratio is not None and ratio >= self.bound,
        }


# ---------------------------------------------------------------- files


def contents(path):
    """Returns the files that a program reads: the file at the path, or those of a list."""
    if not path.endswith(".list"):
        return [path]
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def first_record(path, target):
    with open(path, "rb") as source, open(target, "wb") as out:
        for line in source:
            out.write(line)
            if line.startswith(b"$$$$"):
                return


def gzipped(path, target):
    with open(path, "rb") as source, gzip.GzipFile(target, "wb", 6, mtime=0) as out:
        shutil.copyfileobj(source, out, 1 << 20)


def rd_records(path):
    """Returns the records of an RD file without its header; empty if its line endings are not LF or CR LF."""
    with open(path, "rb") as file:
        lines = file.read().replace(b"\r\n", b"\n").split(b"\n")
    if any(b"\r" in line for line in lines):
        return []
    records = []
    for line in lines:
        if re.match(rb"\$(MFMT|RFMT|[MR][IE]REG)\b", line):
            records.append([])
        if records:
            records[-1].append(line)
    for record in records:
        while record and not record[-1].strip():
            record.pop()
    return [record for record in records if len(record) > 1]


def numbered(record, number):
    keyword = record[0].split()[0]
    register = b"$RIREG" if keyword in (b"$RFMT", b"$RIREG", b"$REREG") else b"$MIREG"
    if keyword in (b"$MFMT", b"$RFMT"):
        register = keyword + b" " + register
    return b"\n".join([register + b" %d" % number, *record[1:]]) + b"\n"


RD_HEAD = b"$RDFILE 1\n$DATM    01/01/20 00:00\n"


def make_rd_file(paths, target, size, is_sound, scratch):
    """Repeats the records of all files that every program reads without an error. Returns the number of records."""
    records = []
    for path in paths:
        found = rd_records(path)
        if not found:
            continue
        probe = os.path.join(scratch, "probe.rdf")
        with open(probe, "wb") as out:
            out.write(RD_HEAD + b"".join(numbered(record, n) for n, record in enumerate(found, 1)))
        if is_sound(probe, len(found)):
            records += found
    if not records:
        return 0
    number = written = 0
    with open(target, "wb") as out:
        out.write(RD_HEAD)
        while written < size:
            for record in records:
                number += 1
                written += out.write(numbered(record, number))
    return number


def rd_paths(operands):
    for operand in operands:
        if os.path.isdir(operand):
            yield from sorted(
                os.path.join(operand, name) for name in os.listdir(operand) if name.endswith((".rdf", ".rd")))
        else:
            yield operand


# ---------------------------------------------------------------- races


def has_module(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def assemble(options, scratch):
    def place(name):
        return os.path.join(scratch, name)

    def count(*extra):
        return lambda path: [options.chemopen, "info", "--count", *extra, path]

    def convert(threads):
        return lambda path: [
            options.chemopen, "convert", "--rewrite", "--force", "-j", threads, path, place(f"out{threads}.sdf")]

    races, notes = [], []
    if options.v3000:
        first_record(options.v3000, place("one-v3000.sdf"))
        if has_module(options.python, "rdkit"):
            files = (options.v3000, place("one-v3000.sdf"))
            races.append(Race(
                "v3000", "cpu", Contestant("chemopen", count(), *files),
                Contestant("rdkit raw", lambda path: [options.python, "-c", RDKIT, path], *files), 20))
        else:
            notes.append("v3000: skipped, rdkit is not installed")
    if options.sdf:
        first_record(options.sdf, place("one.sdf"))
        gzipped(options.sdf, place("big.sdf.gz"))
        gzipped(place("one.sdf"), place("one.sdf.gz"))
        files = (place("big.sdf.gz"), place("one.sdf.gz"))
        races.append(Race(
            "gzip", "cpu", Contestant("chemopen", count(), *files),
            Contestant("zcat", lambda path: ["sh", "-c", 'exec zcat "$1" >/dev/null', "sh", path], *files), 1 / 0.75))
        races += sheet_races(options, place, count(), notes)
    if options.rdf:
        if has_module(options.python, "indigo"):
            races += rd_race(options, scratch, count(), notes)
        else:
            notes.append("rdf: skipped, indigo is not installed")
    if options.drawings:
        races += drawing_races(options, place, notes)
    if options.sdf:
        files = (options.sdf, place("one.sdf"))
        races.append(Race(
            "threads, count", "wall", Contestant("count -j 2", count("-j", "2"), *files),
            Contestant("count -j 1", count("-j", "1"), *files), 1.6))
        races.append(Race(
            "threads, convert", "wall", Contestant("convert -j 2", convert("2"), *files),
            Contestant("convert -j 1", convert("1"), *files), None))
    return races, notes


def sheet_races(options, place, count, notes):
    def convert(*extra, out):
        return lambda path: [options.chemopen, "convert", "--force", *extra, path, place(out)]

    for name, path in (("big.ds", options.sdf), ("one.ds", place("one.sdf"))):
        subprocess.run(convert(out=name)(path), capture_output=True, check=False)
    sheets, files = (place("big.ds"), place("one.ds")), (options.sdf, place("one.sdf"))
    races = []
    if shutil.which("xmllint"):
        races.append(Race(
            "sheet, read", "cpu", Contestant("chemopen", count, *sheets),
            Contestant("xmllint", lambda path: ["xmllint", "--stream", "--noout", path], *sheets), 1))
    else:
        notes.append("sheet, read: skipped, xmllint is not installed")
    races.append(Race(
        "sheet, made", "cpu", Contestant("SD to sheet", convert(out="made.ds"), *files),
        Contestant("SD to SD", convert("--rewrite", out="made.sdf"), *files), 1 / 1.3))
    if has_module(options.python, "rdkit"):
        races.append(Race(
            "sheet to SD", "cpu", Contestant("chemopen", convert(out="back.sdf"), *sheets),
            Contestant("rdkit SD-SD", lambda path: [
                options.python, "-c", RDKIT_COPY, files[sheets.index(path)], place("theirs.sdf")], *sheets), 15))
    else:
        notes.append("sheet to SD: skipped, rdkit is not installed")
    return races


def rd_race(options, scratch, count, notes):
    def indigo(path):
        return [options.python, "-c", INDIGO, path]

    def is_sound(path, records):
        theirs = subprocess.run(indigo(path), capture_output=True, text=True, check=False)
        ours = subprocess.run(count(path), capture_output=True, text=True, check=False)
        return theirs.stdout.split()[:2] == [str(records), "0"] and ours.stdout.split()[:1] == [str(records)]

    big, small = os.path.join(scratch, "big.rdf"), os.path.join(scratch, "one.rdf")
    paths = list(rd_paths(options.rdf))
    number = make_rd_file(paths, big, options.mb * 1_000_000, is_sound, scratch)
    if number == 0:
        notes.append("rdf: skipped, no file is read by both without an error")
        return []
    make_rd_file(paths, small, 1, is_sound, scratch)
    notes.append(f"rdf: {number} records")
    return [Race("rdf", "cpu", Contestant("chemopen", count, big, small),
                 Contestant("indigo", indigo, big, small), 20)]


def drawing_races(options, place, notes):
    """Races each kind of drawing in one process; the start-up is that of the smallest file."""
    if not has_module(options.python, "rdkit"):
        notes.append("drawings: skipped, rdkit is not installed")
        return []

    def ours(path):
        return [options.chemopen, "info", "--count", *contents(path)]

    def ours_on_threads(path):
        return [options.chemopen, "info", "--count", "-j", "0", *contents(path)]

    def theirs(path):
        return [options.python, "-c", RDKIT_DRAWINGS, *contents(path)]

    def survives(path):
        try:
            return all(
                subprocess.run(command(path), capture_output=True, timeout=60, check=False).returncode in (0, 1)
                for command in (ours, theirs))
        except subprocess.TimeoutExpired:
            return False

    races = []
    for kind in ("cdx", "cdxml"):
        folder = os.path.join(options.drawings, kind)
        names = sorted(name for name in os.listdir(folder) if name.endswith("." + kind))
        paths = [os.path.join(folder, name) for name in names]
        sound = [path for path in paths if survives(path)]
        if not sound:
            notes.append(f"{kind}: skipped, RDKit reads no file")
            continue
        left_out = len(paths) - len(sound)
        notes.append(f"{kind}: {len(sound)} files" + (f", {left_out} skipped" if left_out else ""))
        files = (place(kind + ".list"), place("one-" + kind + ".list"))
        for target, chosen in zip(files, (sound * 8, [min(sound, key=os.path.getsize)])):
            with open(target, "w", encoding="utf-8") as out:
                out.writelines(path + "\n" for path in chosen)
        rdkit = Contestant("rdkit raw", theirs, *files)
        races.append(Race(kind, "cpu", Contestant("chemopen", ours, *files), rdkit, 20))
        races.append(Race(
            f"{kind}, threads", "wall", Contestant(f"-j {os.cpu_count()}", ours_on_threads, *files), rdkit, 20))
    return races


def show(results):
    print(f"{'race':<18}{'clock':<7}{'MB':>8}  {'ours':<14}{'s':>8}  {'theirs':<12}{'s':>9}{'times':>8}{'bound':>7}")
    for row in results:
        def seconds(key):
            return "" if row[key] is None else f"{row[key]:.3f}"

        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
        bound = "" if row["bound"] is None else f"{row['bound']:.2f}"
        verdict = {True: "", False: "  MISSED", None: ""}[row["holds"]]
        print(f"{row['race']:<18}{row['clock']:<7}{row['bytes'] / 1e6:>8.1f}  {row['ours']:<14}{seconds('ours_s'):>8}  "
              f"{row['theirs']:<12}{seconds('theirs_s'):>9}{ratio:>8}{bound:>7}{verdict}")
        print(f"{'':<18}ours: {row['ours_said'][:60] or '-'}; theirs: {row['theirs_said'][:60] or '-'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("--v3000", help="an SD file with V3000 tables")
    parser.add_argument("--sdf", help="an SD file")
    parser.add_argument("--rdf", nargs="+", default=[], help="RD files, or directories with RD files")
    parser.add_argument("--drawings", metavar="CORPUS", help="directory that contains cdx and cdxml")
    parser.add_argument("--mb", type=int, default=100, help="size of the RD file in MB (default: 100)")
    parser.add_argument("--runs", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--python", default=sys.executable, help="Python interpreter with the peers' modules")
    parser.add_argument("--scratch", help="directory for generated files (default: a temporary directory)")
    parser.add_argument("--json", metavar="OUT", help="file for the results")
    parser.add_argument("--no-bounds", action="store_true", help="report only")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(dir=options.scratch) as scratch:
        races, notes = assemble(options, scratch)
        for race in races:  # into the page cache before the clock starts
            for path in contents(race.ours.big):
                with open(path, "rb") as file:
                    while file.read(1 << 24):
                        pass
        for number in range(options.runs):
            for race in races:
                race.ours.round(scratch)
                race.theirs.round(scratch)
            print(f"round {number + 1} of {options.runs} done", file=sys.stderr)
        results = [race.result() for race in races]
    show(results)
    for note in notes:
        print("note:", note)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"runs": options.runs, "processors": os.cpu_count(), "races": results, "notes": notes}, file, indent=2)
    return 1 if not options.no_bounds and any(row["holds"] is False for row in results) else 0


if __name__ == "__main__":
    sys.exit(main())
