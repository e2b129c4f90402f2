#!/usr/bin/env python3
"""Checks that other programs count the same hydrogens in our output as chemopen does.

    hydrogens.py CHEMOPEN FILE_OR_DIR... [--only rdkit,indigo,inchi] [--show N]

Each file with molecules is written as an SD file. RDKit and Indigo then count the hydrogens of each atom, and InChI
those of each record. Each number must equal that of `chemopen info --json`. If the input molfile does not specify a
property, the output does not specify it either: if a peer counts differently in both files in the same way, the
difference is ignored. Atoms that are not elements and records that a peer rejects are skipped.

hydrogens.txt lists known differences that a peer causes, with their reasons. A peer that is not installed is skipped
with a note. Exits with 1 if a peer counts differently without a known reason.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

from known import Known
from read_ours import installed, sources

KINDS = (".mol", ".sdf", ".el", ".ds", ".cdx", ".cdxml")
PEERS = ("rdkit", "indigo", "inchi")


def info(chemopen, path):
    """Returns the hydrogens of each atom and of the formula of each record; empty for a record without a molecule."""
    done = subprocess.run([chemopen, "info", "--json", path], capture_output=True, timeout=120, check=False)
    records = []
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        record = json.loads(line)
        if "hydrogens" not in record:
            records.append(None)
            continue
        formula = re.findall(r"([A-Z][a-z]?)(\d*)", record["formula"])
        records.append((record["hydrogens"], sum(int(count or 1) for element, count in formula if element == "H")))
    return records


def differences(ours, theirs, original):
    """Returns the differences of one record: pairs of the expected number and the peer's number."""
    counts, total = ours
    if theirs is None or theirs == original:
        return []
    if isinstance(theirs, int):
        return [(total, theirs)] if total != theirs else []
    if len(theirs) != len(counts):
        return [("%d atoms" % len(counts), "%d atoms" % len(theirs))]
    return [("atom %d: %d" % (atom, count), other)
            for atom, (count, other) in enumerate(zip(counts, theirs), 1) if other is not None and count != other]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--only", default=",".join(PEERS))
    parser.add_argument("--show", type=int, default=40)
    options = parser.parse_args()

    workers = installed(options.only.split(","))
    known = Known.beside("hydrogens.txt", 2)
    tallies = collections.defaultdict(collections.Counter)
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "ours.sdf")
        for path in sources(options.paths, KINDS):
            command = [options.chemopen, "convert", "--force", "--rewrite", path, out]
            if os.path.exists(out):
                os.remove(out)
            subprocess.run(command, capture_output=True, timeout=120, check=False)
            if not os.path.exists(out):
                continue
            ours = info(options.chemopen, out)
            isMolfile = path.endswith((".mol", ".sdf"))
            for worker in workers:
                tally = tallies[worker.peer]
                theirs = worker.ask("hydrogens", out).get("names") or []
                before = worker.ask("hydrogens", path).get("names") or [] if isMolfile else []
                for number, record in enumerate(ours):
                    if record is None or number >= len(theirs) or theirs[number] is None:
                        tally["not read"] += 1
                        continue
                    known.ask(worker.peer, os.path.abspath(path))
                    original = before[number] if len(before) == len(ours) else None
                    wrong = differences(record, theirs[number], original)
                    if not wrong:
                        tally["same"] += 1
                    elif known.explains(worker.peer, os.path.abspath(path)):
                        tally["known"] += 1
                    else:
                        tally["otherwise"] += 1
                        found.append(f"{worker.peer}: {path}: record {number + 1}: {wrong[:4]}")
    columns = ("same", "known", "otherwise", "not read")
    print(f"{'counted by':<12}" + "".join(f"{column:>12}" for column in columns))
    for peer, tally in sorted(tallies.items()):
        print(f"{peer:<12}" + "".join(f"{tally[column]:>12}" for column in columns))
    unneeded = known.unneeded()
    for line in found[: options.show] + unneeded:
        print(" ", line[:300])
    print(f"{len(found)} records are counted differently")
    return 1 if found or unneeded or not (tallies or not workers) else 0


if __name__ == "__main__":
    sys.exit(main())
