#!/usr/bin/env python3
"""Checks that other programs read our output as they read the original.

    read_ours.py CHEMOPEN FILE_OR_DIR... [--as same,v2000,v3000,sdf,rdf] [--only rdkit,indigo,openbabel] [--show N]

Each .mol, .sdf, .rxn and .rdf file is written by `chemopen convert --rewrite` (`same`: in its own format; otherwise as
this version or format if that means the same). RDKit, Indigo and Open Babel then read the original and our output. If a
peer understands the original, it must read the same from our output: the same canonical SMILES or InChI for each
record. If a peer reads a different structure from its own output, it is counted as unstable for that file.

known.txt lists known differences that a peer causes, with their reasons. A peer that is not installed is skipped with a
note. Exits with 1 if a peer differs or cannot read our output without a known reason, or if a known difference no
longer occurs.
"""

import argparse
import collections
import json
import os
import re
import select
import subprocess
import sys
import tempfile

from known import Known

KINDS = (".mol", ".sdf", ".rxn", ".rdf")
PEERS = ("rdkit", "indigo", "openbabel")
SECONDS = 20


# ---------------------------------------------------------------- one peer in a separate process


class RDKit:
    def __init__(self):
        from rdkit import Chem, RDLogger
        from rdkit.Chem import AllChem

        RDLogger.DisableLog("rdApp.*")
        self.chem, self.all = Chem, AllChem

    def names(self, path):
        kind = os.path.splitext(path)[1]
        if kind == ".mol":
            with open(path, "rb") as file:
                return [self.name(self.chem.MolFromMolBlock(file.read().decode("latin-1"), removeHs=False))]
        if kind == ".sdf":
            with open(path, "rb") as file:
                return [self.name(m) for m in self.chem.ForwardSDMolSupplier(file, removeHs=False)]
        if kind == ".rxn":
            with open(path, "rb") as file:
                reaction = self.all.ReactionFromRxnBlock(file.read().decode("latin-1"))
            return [self.all.ReactionToSmiles(reaction, canonical=True)] if reaction else None
        return None

    def name(self, molecule):
        return None if molecule is None else self.chem.MolToSmiles(molecule)

    def hydrogens(self, path):
        """Returns the hydrogens of each atom of each record; empty for an atom that is not an element."""
        return [self.counts(self.chem.MolFromMolBlock(block, removeHs=False, strictParsing=False))
                for block in molfiles(path)]

    def counts(self, molecule):
        return molecule and [atom.GetTotalNumHs() if atom.GetAtomicNum() else None for atom in molecule.GetAtoms()]

    def again(self, path):
        kind = os.path.splitext(path)[1]
        if kind in (".mol", ".sdf"):
            with open(path, "rb") as file:
                text = file.read()
            records = [text] if kind == ".mol" else text.split(b"$$$$")
            names = []
            for record in records:
                molecule = self.chem.MolFromMolBlock(record.decode("latin-1").lstrip("\r\n") if kind == ".sdf" else
                                                     record.decode("latin-1"), removeHs=False)
                if molecule is not None:
                    block = self.chem.MolToMolBlock(molecule, kekulize=False)
                    names.append(self.name(self.chem.MolFromMolBlock(block, removeHs=False)))
            return names
        with open(path, "rb") as file:
            reaction = self.all.ReactionFromRxnBlock(file.read().decode("latin-1"))
        reaction = self.all.ReactionFromRxnBlock(self.all.ReactionToRxnBlock(reaction))
        return [self.all.ReactionToSmiles(reaction, canonical=True)]


class Indigo:
    def __init__(self):
        from indigo import Indigo as Library

        self.indigo = Library()
        self.indigo.setOption("ignore-stereochemistry-errors", True)
        self.indigo.setOption("ignore-noncritical-query-features", True)

    def items(self, path):
        kind = os.path.splitext(path)[1]
        if kind == ".mol":
            yield self.indigo.loadMoleculeFromFile(path)
        elif kind == ".rxn":
            yield self.indigo.loadReactionFromFile(path)
        else:
            yield from self.indigo.iterateSDFile(path) if kind == ".sdf" else self.indigo.iterateRDFile(path)

    def names(self, path):
        return [self.name(item) for item in self.items(path)]

    def hydrogens(self, path):
        records = []
        for block in molfiles(path):
            try:
                # A molfile without a title is read as an empty SMILES.
                molecule = self.indigo.loadMolecule("title" + block if block.startswith("\n") else block)
                records.append([self.count(atom) for atom in molecule.iterateAtoms()])
            except Exception:
                records.append(None)
        return records

    def count(self, atom):
        try:
            return None if atom.isPseudoatom() or atom.isRSite() else atom.countImplicitHydrogens()
        except Exception:
            return None

    def name(self, item):
        try:
            return item.canonicalSmiles()
        except Exception:
            return item.smiles()

    def again(self, path):
        names = []
        for item in self.items(path):
            is_reaction = "eaction" in item.dbgInternalType()
            text = item.rxnfile() if is_reaction else item.molfile()
            names.append(self.name((self.indigo.loadReaction if is_reaction else self.indigo.loadMolecule)(text)))
        return names


class OpenBabel:
    def __init__(self):
        from openbabel import openbabel, pybel

        openbabel.obErrorLog.SetOutputLevel(-1)
        self.pybel = pybel
        self.library = openbabel

    def names(self, path):
        kind = os.path.splitext(path)[1][1:]
        if kind in ("mol", "sdf"):
            return [molecule.write("can").split("\t")[0].strip() for molecule in self.pybel.readfile(kind, path)]
        if kind == "rxn":
            conversion = self.library.OBConversion()
            conversion.SetInAndOutFormats("rxn", "rsmi")
            reaction = self.library.OBMol()
            if not conversion.ReadFile(reaction, path):
                return None
            return [conversion.WriteString(reaction).split("\t")[0].strip()]
        return None

    def again(self, path):
        kind = os.path.splitext(path)[1][1:]
        if kind not in ("mol", "sdf"):
            return None
        names = []
        for molecule in self.pybel.readfile(kind, path):
            names.append(self.pybel.readstring("mol", molecule.write("mol")).write("can").split("\t")[0].strip())
        return names


class InChI:
    def __init__(self):
        from rdkit import Chem, RDLogger

        RDLogger.DisableLog("rdApp.*")
        self.chem = Chem

    def hydrogens(self, path):
        """Returns the number of hydrogens of each record, including explicit ones."""
        return [self.total(self.chem.MolBlockToInchi(block)) for block in molfiles(path)]

    def total(self, inchi):
        """Returns the hydrogens of the formula, `2C2H4O2.Zn`, and the added or removed protons, `/p-2`."""
        layers = inchi.split("/")[1:]
        if not layers:
            return None
        protons = next((int(layer[1:]) for layer in layers if re.match(r"p[+-]\d+$", layer)), 0)
        for part in layers[0].split("."):
            number, formula = re.match(r"(\d*)(.*)", part).groups()
            for element, count in re.findall(r"([A-Z][a-z]?)(\d*)", formula):
                protons += int(number or 1) * int(count or 1) if element == "H" else 0
        return protons


def molfiles(path):
    """Returns the molfiles in a molfile or an SD file."""
    with open(path, "rb") as file:
        text = file.read().decode("latin-1").replace("\r\n", "\n")
    records = re.split(r"^\$\$\$\$.*\n?", text, flags=re.MULTILINE)
    return [record for record in records if record.strip()]


def serve(peer, libraries=None):
    """Writes a JSON line to standard output for each request on standard input."""
    libraries = libraries or {"rdkit": RDKit, "indigo": Indigo, "openbabel": OpenBabel, "inchi": InChI}
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # text that a library prints is not a response
    try:
        library = libraries[peer]()
    except ImportError as error:
        print(json.dumps({"missing": str(error)}), file=answers, flush=True)
        return
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        verb, path = json.loads(line)
        try:
            answer = {"names": getattr(library, verb)(path)}
        except Exception as error:
            answer = {"error": str(error)[:200]}
        print(json.dumps(answer), file=answers, flush=True)


class Worker:
    """A peer in a separate process, because it may crash or hang on a file."""

    def __init__(self, peer, script=__file__):
        self.peer, self.script, self.process = peer, script, None
        self.missing = self.start().get("missing")

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, self.script, "--serve", self.peer],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return self.answer(60)

    def answer(self, seconds):
        ready, _, _ = select.select([self.process.stdout], [], [], seconds)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        self.process.kill()
        self.process.wait()
        return {"error": "crashed" if ready else "hung", "gone": True}

    def ask(self, verb, path):
        if self.process.poll() is not None:
            self.start()
        self.process.stdin.write(json.dumps([verb, path]) + "\n")
        self.process.stdin.flush()
        return self.answer(SECONDS)


# ---------------------------------------------------------------- comparison


def sources(paths, kinds=KINDS):
    for path in paths:
        if os.path.isfile(path):
            yield path
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(f for f in folders if f != "bad")
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(kinds))


def rewrite(chemopen, path, way, scratch, number):
    """Returns our version of a file; None if this way does not apply, or if chemopen reports a loss."""
    kind = os.path.splitext(path)[1]
    options, target = ["--rewrite"], kind
    if way in ("v2000", "v3000"):
        options = ["--rewrite", "--" + way]
    elif way != "same":
        if (kind, way) not in ((".mol", "sdf"), (".rxn", "rdf")):
            return None, ""
        target = "." + way
    out = os.path.join(scratch, f"{number}{target}")
    done = subprocess.run(
        [chemopen, "convert", "--force", *options, path, out], capture_output=True, timeout=60, check=False)
    message = done.stderr.decode("utf-8", "replace").strip()
    if not os.path.exists(out):
        return None, f"chemopen writes no output (exit {done.returncode}): {message[-200:]}"
    if way in ("v2000", "v3000") and message:
        return None, ""
    return out, ""


def compare(worker, path, out, tally, differences, known):
    before = worker.ask("names", path)
    names = before.get("names")
    if not names or any(name is None for name in names):
        tally["original not read"] += 1
        return
    known.ask(worker.peer, os.path.abspath(path))
    after = worker.ask("names", out)
    if after == {"names": None} and not path.endswith(os.path.splitext(out)[1]):
        return  # the peer does not support the format of this conversion
    if after.get("names") == names:
        tally["same"] += 1
        return
    again = worker.ask("again", path).get("names")
    if again != names and "names" in after:
        tally["unstable"] += 1
        return
    if known.explains(worker.peer, os.path.abspath(path)):
        tally["known"] += 1
        return
    tally["differs"] += 1
    differences.append(f"{worker.peer}: {path}: {names}, of ours {after.get('names', after.get('error'))}")


def installed(peers, script=__file__):
    """Starts a worker for each installed peer, and reports the others."""
    workers = []
    for peer in peers:
        worker = Worker(peer, script)
        if worker.missing:
            print(f"{peer}: skipped, not installed ({worker.missing})")
        else:
            workers.append(worker)
    return workers


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--serve":
        return serve(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--as", dest="ways", default="same")
    parser.add_argument("--only", default=",".join(PEERS))
    parser.add_argument("--show", type=int, default=40)
    options = parser.parse_args()

    workers = installed(options.only.split(","))
    differences, known = [], Known.beside("known.txt", 2)
    tallies = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as scratch:
        for number, path in enumerate(sources(options.paths)):
            for way in options.ways.split(","):
                out, trouble = rewrite(options.chemopen, path, way, scratch, number)
                if trouble:
                    differences.append(f"{path}: {trouble}")
                if out is None:
                    continue
                for worker in workers:
                    compare(worker, path, out, tallies[way, worker.peer], differences, known)
                os.remove(out)
    columns = ("same", "differs", "known", "unstable", "original not read")
    print(f"{'written as':<12}{'read by':<12}" + "".join(f"{column:>20}" for column in columns))
    for (way, peer), tally in sorted(tallies.items()):
        print(f"{way:<12}{peer:<12}" + "".join(f"{tally[column]:>20}" for column in columns))
    differences += known.unneeded()
    for line in differences[: options.show]:
        print(" ", line[:400])
    print(f"{len(differences)} differences")
    return 1 if differences or not (tallies or not workers) else 0


if __name__ == "__main__":
    sys.exit(main())
