#!/usr/bin/env python3
"""Checks each of our writers against other programs' readers.

    readers.py CHEMOPEN FILE_OR_DIRECTORY... [--as mol,v3000,...] [--records N] [--every N] [--least 99.8] [--show N]

Each MOL file, and the first N records of each SD file, becomes one molfile. RDKit, Indigo, Open Babel and the InChI
library read it, then read our output in every target format. A reader that understands the source must read the same
structure from our output (SMILES in RDKit's canonical form; InChI for the InChI library), unless the conversion
reported the loss.

A source counts for a reader only if a second reader agrees with it. Differences with a known reason are listed in
readers.txt. Exits with 1 if there are other differences, or if fewer than --least percent of a cell agree (CDXML and
CDX: 99).
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

PEERS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [PEERS, os.path.join(PEERS, "drawings")]
import others  # noqa: E402
from known import Known  # noqa: E402
from read_ours import installed, molfiles, serve, sources  # noqa: E402

# Format of the target: extension and options.
TARGETS = {
    "mol": (".mol", ["--rewrite"]),
    "v2000": (".mol", ["--rewrite", "--v2000"]),
    "v3000": (".mol", ["--rewrite", "--v3000"]),
    "sdf": (".sdf", []),
    "rdf": (".rdf", []),
    "smi": (".smi", []),
    "csv": (".csv", []),
    "cdxml": (".cdxml", []),
    "cdx": (".cdx", []),
}
DRAWINGS = ("cdxml", "cdx")
# A loss of these features does not change the structure that a reader sees.
HARMLESS = {"names", "comments", "origins", "precision", "numbering", "chiral flag", "field headers", "fields", "dimensions"}


def blocks(path):
    """Returns the molfile in our output for formats that contain molfiles; for RD files, the part after $MFMT."""
    if path.endswith(".rdf"):
        with open(path, encoding="latin-1", newline="") as file:
            return [file.read().split("$MFMT", 1)[1].split("\n", 1)[1]]
    return molfiles(path)


def smiles(path):
    """Returns the SMILES in one of our files that contains SMILES: the first column after the header, if there is one."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    text = lines[1].split(",")[0].strip('"') if path.endswith(".csv") else lines[0]
    return re.split(r"[ \t]", text)[0]


class RDKit(others.RDKit):
    def names(self, path):
        if path.endswith((".smi", ".csv")):
            return self.of(smiles(path))
        if path.endswith((".cdxml", ".cdx")):
            return super().names(path)
        molecule = self.chem.MolFromMolBlock(blocks(path)[0], removeHs=False)
        return molecule and self.facts(self.without_queries(self.chem.RWMol(molecule)))


class Indigo(others.Indigo):
    def names(self, path):
        if path.endswith((".cdxml", ".cdx")):
            return super().names(path)
        if path.endswith((".smi", ".csv")):
            return self.of(self.indigo.loadMolecule(smiles(path)).smiles())
        block = blocks(path)[0]
        # Indigo reads a molfile without a title as an empty SMILES.
        return self.of(self.indigo.loadMolecule("title" + block if block.startswith("\n") else block).smiles())


class OpenBabel(others.OpenBabel):
    def names(self, path):
        if path.endswith((".cdxml", ".cdx")):
            return super().names(path)
        if path.endswith((".smi", ".csv")):
            molecule = self.pybel.readstring("smi", smiles(path))
        else:
            molecule = self.pybel.readstring("mol", blocks(path)[0])
        return self.of(molecule.write("can").split("\t")[0].strip())


class InChI(others.Canonical):
    """The InChI library's own reader of molfiles, its only input format."""

    def names(self, path):
        if not path.endswith((".mol", ".sdf", ".rdf")):
            return None
        name = self.chem.MolBlockToInchi(blocks(path)[0])
        return name and {"exact": name}


READERS = {"rdkit": RDKit, "indigo": Indigo, "openbabel": OpenBabel, "inchi": InChI}


def molecules(paths, records, folder):
    """Writes each source record as a separate molfile, and returns pairs of (name for reports, path)."""
    for path in sources(paths, (".mol", ".sdf")):
        for number, block in enumerate(molfiles(path)[:records], 1):
            end = re.search(r"^M  END", block, re.MULTILINE)
            if not end:
                continue
            out = os.path.join(folder, "source.mol")
            with open(out, "w", encoding="latin-1") as file:
                file.write(block[: end.end()] + "\n")
            yield "%s:%d" % (path, number), out


def convert(chemopen, source, target, folder):
    """Returns our output, and the features that the conversion reported as lost; no output if the program rejects the
    file."""
    extension, options = TARGETS[target]
    out, report = os.path.join(folder, "ours" + extension), os.path.join(folder, "report.jsonl")
    for path in (out, report):
        if os.path.exists(path):
            os.remove(path)
    subprocess.run([chemopen, "convert", "--force", *options, "--report", report, source, out],
                   capture_output=True, timeout=60, check=False)
    if not os.path.exists(out):
        return None, set()
    lost = set()
    if os.path.exists(report):
        with open(report, encoding="utf-8") as file:
            lost = {line["feature"] for line in map(json.loads, file) if line.get("kind") == "loss"}
    return out, lost - HARMLESS


class Matrix:
    def __init__(self):
        self.known = Known.beside(os.path.join("matrix", "readers.txt"), 3)
        self.cells = collections.defaultdict(collections.Counter)
        self.new = []

    def compare(self, target, reader, name, before, after, lost):
        cell = self.cells[target, reader]
        self.known.ask(target, reader, name)
        if after and after["exact"] == before["exact"]:
            cell["alike"] += 1
        elif lost:
            cell["reported"] += 1
        elif self.known.explains(target, reader, name):
            cell["known"] += 1
        else:
            cell["differ"] += 1
            self.new.append("%s: %s: %s: %s, ours %s" % (target, reader, name, before["exact"], after and after["exact"]))

    def show(self, limit, least):
        """Prints the table, and returns whether every cell is within its limit."""
        good = True
        print("%-7s%-11s%8s%10s%8s%8s%10s" % ("target", "reader", "alike", "reported", "known", "differ", "percent"))
        for (target, reader), cell in sorted(self.cells.items()):
            percent = 100 * (1 - cell["differ"] / max(1, sum(cell.values())))
            good &= percent >= (99 if target in DRAWINGS else least)
            print("%-7s%-11s%8d%10d%8d%8d%10.2f" % (
                target, reader, cell["alike"], cell["reported"], cell["known"], cell["differ"], percent))
        for line in self.new[:limit]:
            print(" ", line[:500])
        print("%d differences without a known reason" % len(self.new))
        return good


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--serve":
        return serve(sys.argv[2], READERS)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--as", dest="targets", default=",".join(TARGETS))
    parser.add_argument("--records", type=int, default=3)
    parser.add_argument("--every", type=int, default=1, help="use every Nth record only")
    parser.add_argument("--least", type=float, default=99.8)
    parser.add_argument("--show", type=int, default=40)
    options = parser.parse_args()
    workers = installed(READERS, os.path.abspath(__file__))
    if len(workers) < 3:
        print("skipped: fewer than two of the readers are installed")
        return 0
    matrix = Matrix()
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, source) in enumerate(molecules(options.paths, options.records, folder)):
            if number % options.every:
                continue
            before = {worker.peer: worker.ask("names", source).get("names") for worker in workers}
            texts = collections.Counter(before[peer]["exact"] for peer in before if before[peer] and peer != "inchi")
            for target in options.targets.split(","):
                out, lost = convert(os.path.abspath(options.chemopen), source, target, folder)
                if out is None:
                    continue
                for worker in workers:
                    read = before[worker.peer]
                    is_shared = read and (worker.peer == "inchi" or texts[read["exact"]] > 1)
                    if not is_shared or (worker.peer == "inchi" and not out.endswith((".mol", ".sdf", ".rdf"))):
                        continue
                    matrix.compare(target, worker.peer, name, read, worker.ask("names", out).get("names"), lost)
    good = matrix.show(options.show, options.least)
    for line in matrix.known.unneeded() if options.every == 1 else []:
        print(line)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
