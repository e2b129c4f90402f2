#!/usr/bin/env python3
"""Converts files to another format and back, and checks that each difference was reported.

    trips.py CHEMOPEN CORPUS... [--known FILE] [--show 20]

Each .el is converted to a molfile and back, each molfile to .el, each sheet to an SD file (to an RD file if its rows
are reactions), and each .rxn to a sheet. `chemopen diff` compares the result. A trip is

    same     if there is no difference
    named    if there is a difference, and one of the two conversions reported a loss or a change
    refused  if a conversion reported why it could not write the file
    unnamed  if there is a difference without a report

Column types must be preserved through an SD file in any case. Exits with 1 if a difference was not reported and is not
in the file of --known: each line contains the format and the end of the path, then the reason.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

from known import Known

TRIPS = [(".el", ".mol"), (".mol", ".el"), (".ds", ".sdf"), (".ds", ".rdf"), (".rxn", ".ds")]


def run(*command):
    return subprocess.run(command, capture_output=True, timeout=60, check=False)


def convert(chemopen, source, target):
    done = run(chemopen, "convert", source, target)
    said = done.stderr.decode("utf-8", "replace")
    return os.path.exists(target), said


def types(path):
    """Returns the types of the columns of a sheet by name; if columns share a name, the types of all."""
    with open(path, "rb") as file:
        head = file.read().split(b"<Content>")[0]
    found = collections.defaultdict(list)
    for attributes in re.findall(rb"<Column\s([^>]*)>", head):
        values = dict(re.findall(rb'(\w+)="([^"]*)"', attributes))
        found[values.get(b"name", b"")].append(values.get(b"type", b"").lower())
    return {name: sorted(kinds) for name, kinds in found.items()}


def lost_types(before, after):
    """Returns the columns whose type has changed. A column without values has no type afterwards."""
    first, last = types(before), types(after)
    return [name.decode("utf-8", "replace") for name, kinds in first.items()
            if name in last and kinds != last[name] and b"molecule" not in kinds + last[name]]


def trip(chemopen, path, through, scratch):
    own = os.path.splitext(path)[1]
    there, back = os.path.join(scratch, "there" + through), os.path.join(scratch, "back" + own)
    is_written, said = convert(chemopen, path, there)
    if not is_written:
        return "refused", said.strip().splitlines()[-1:]
    is_written, said_back = convert(chemopen, there, back)
    if not is_written:
        reasons = ["the way back: " + line for line in said_back.strip().splitlines()[-1:]]
        # A table without rows leaves an empty file; a reaction of several steps is several rows.
        is_told = "the file is empty" in said_back or "stores only one record" in said_back
        return "refused" if is_told else "unnamed", reasons
    done = run(chemopen, "diff", path, back)
    lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
    # A file of records cannot store the title and the columns of a table.
    differences = [line for line in lines if not line.startswith("table: ")]
    if (own, through) == (".ds", ".sdf"):
        lost = lost_types(path, back)
        if lost:
            return "unnamed", [f"the type of column {name}" for name in lost]
    if done.returncode == 0 or done.returncode == 1 and lines and not differences:
        return "same", []
    if any(words in said + said_back for words in ("left out:", "changed:", " stores no ")):
        return "named", differences
    return "unnamed", differences or done.stderr.decode("utf-8", "replace").strip().splitlines()


def files(operands, suffix):
    for operand in operands:
        if os.path.isfile(operand):
            if operand.endswith(suffix):
                yield operand
            continue
        for folder, names, entries in os.walk(operand):
            # Files in these directories cannot be read, or only with warnings.
            names[:] = sorted(name for name in names if name not in ("bad", "lenient"))
            for name in sorted(entries):
                if name.endswith(suffix) and os.path.getsize(os.path.join(folder, name)) < 4_000_000:
                    yield os.path.join(folder, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("corpus", nargs="+", help="files or directories")
    parser.add_argument("--known", help="list of known differences")
    parser.add_argument("--show", type=int, default=20, help="number of unnamed differences to show (default: 20)")
    options = parser.parse_args()

    def one(work):
        path, through = work
        with tempfile.TemporaryDirectory() as scratch:
            return trip(options.chemopen, path, through, scratch)

    known = Known(options.known, 2)

    failed = False
    for own, through in TRIPS:
        paths = list(files(options.corpus, own))
        counts = collections.Counter()
        shown = []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for path, (verdict, lines) in zip(paths, pool.map(one, [(path, through) for path in paths])):
                known.ask(through, os.path.abspath(path))
                if verdict == "unnamed" and known.explains(through, os.path.abspath(path)):
                    verdict = "known"
                counts[verdict] += 1
                if verdict == "unnamed":
                    failed = True
                    shown.append(f"    {path}: {'; '.join(lines[:4])}"[:400])
        verdicts = ", ".join(f"{counts[word]} {word}" for word in ("same", "named", "refused", "known", "unnamed"))
        print(f"{own} through {through}: {len(paths)} files: {verdicts}")
        for line in shown[:options.show]:
            print(line)
    for line in known.unneeded():
        print(line)
    return 1 if failed or known.unneeded() else 0


if __name__ == "__main__":
    sys.exit(main())
