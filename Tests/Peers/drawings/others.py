#!/usr/bin/env python3
"""Checks that RDKit, Indigo and Open Babel read our drawings as they read the molfile.

    others.py CHEMOPEN DIR... [--as cdxml,cdx] [--show N] [--keep DIR]

Writes each .mol file as a drawing. Each peer reads the molfile and the drawing, and writes its own SMILES, which RDKit
makes canonical: constitution, charges, isotopes, stereo. There are four checks:

unread     a peer that reads the molfile must read the drawing
differs    if two of the three read the same from the molfile, each of these must read it from the drawing
charge     the drawing must not contain a charge that the peer did not read from the molfile
group      the drawing must not contain a stereo group that RDKit did not read from the molfile

The names and numbers of atoms that are not elements differ between the formats; they are `*` here. others.txt lists
known differences with their reasons. Exits with 1 if there are others, or if less than 99.5 % agree, apart from known
differences of a peer.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from known import Known  # noqa: E402
from read_ours import installed, serve, sources  # noqa: E402

PEERS = ("rdkit", "indigo", "openbabel")


# ---------------------------------------------------------------- structures according to a peer


class Canonical:
    """Converts the SMILES of any peer to RDKit's form."""

    def __init__(self):
        from rdkit import Chem, RDLogger

        RDLogger.DisableLog("rdApp.*")
        self.chem = Chem

    def facts(self, molecule, groups=None):
        """Returns the SMILES, the charges, and the stereo groups if the peer supports them."""
        charges = sorted(atom.GetFormalCharge() for atom in molecule.GetAtoms() if atom.GetFormalCharge())
        for atom in molecule.GetAtoms():
            atom.SetAtomMapNum(0)
            if atom.GetAtomicNum() == 0:
                atom.SetIsotope(0)
                for name in list(atom.GetPropsAsDict()):
                    atom.ClearProp(name)
        molecule = self.chem.RWMol(self.chem.RemoveHs(molecule, sanitize=False))
        exact = self.clean(molecule)
        for atom in molecule.GetAtoms():
            atom.SetNumRadicalElectrons(0)
            atom.SetNoImplicit(False)
            atom.SetNumExplicitHs(0)
        return {"exact": exact, "bare": self.clean(molecule), "charges": charges, "groups": groups}

    def clean(self, molecule):
        text = self.chem.MolToSmiles(molecule)
        again = self.chem.MolFromSmiles(text)
        return self.chem.MolToSmiles(again) if again is not None else text

    def of(self, smiles):
        molecule = self.chem.MolFromSmiles(smiles.split(" ")[0])
        if molecule is None:
            molecule = self.chem.MolFromSmiles(smiles.split(" ")[0], sanitize=False)
        return self.facts(molecule) if molecule is not None else None


class RDKit(Canonical):
    def names(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if path.endswith(".mol"):
            molecules = [self.chem.MolFromMolBlock(data.decode("latin-1"), removeHs=False)]
        else:
            params = self.chem.CDXMLParserParams()
            params.removeHs = False
            params.parseQueries = True
            params.format = self.chem.CDXMLFormat.CDX if path.endswith(".cdx") else self.chem.CDXMLFormat.CDXML
            molecules = list(self.chem.MolsFromCDXML(data if path.endswith(".cdx") else data.decode(), params))
        if not molecules or any(molecule is None for molecule in molecules):
            return None
        whole = molecules[0]
        for molecule in molecules[1:]:
            whole = self.chem.CombineMols(whole, molecule)
        whole = self.without_queries(self.chem.RWMol(whole))
        groups = sorted(
            [str(group.GetGroupType()), len(group.GetAtoms())] for molecule in molecules for group in molecule.GetStereoGroups())
        return self.facts(whole, groups)

    def without_queries(self, molecule):
        """Returns the query atoms without their queries: hydrogens of these are not counted."""
        for atom in list(molecule.GetAtoms()):
            if not atom.HasQuery():
                continue
            asked = atom.DescribeQuery()
            plain = self.chem.Atom(0 if "AtomOr" in asked or "!= val" in asked else atom.GetAtomicNum())
            if plain.GetAtomicNum():
                plain.SetFormalCharge(atom.GetFormalCharge())
                plain.SetIsotope(atom.GetIsotope())
            plain.SetIsAromatic(atom.GetIsAromatic())
            molecule.ReplaceAtom(atom.GetIdx(), plain)
        molecule.UpdatePropertyCache(strict=False)
        return molecule


class Indigo(Canonical):
    def __init__(self):
        super().__init__()
        from indigo import Indigo as Library

        self.indigo = Library()
        self.indigo.setOption("ignore-stereochemistry-errors", True)
        self.indigo.setOption("ignore-noncritical-query-features", True)

    def names(self, path):
        molecule = self.indigo.loadMoleculeFromFile(path)
        return self.of(molecule.smiles())


class OpenBabel(Canonical):
    def __init__(self):
        super().__init__()
        from openbabel import openbabel, pybel

        openbabel.obErrorLog.SetOutputLevel(-1)
        self.pybel = pybel
        self.library = openbabel

    def names(self, path):
        kind = os.path.splitext(path)[1][1:]
        if kind == "cdx":
            names = self.names_of_cdx(path)
        else:
            molecules = list(self.pybel.readfile(kind, path))
            if kind == "cdxml":
                for molecule in molecules:
                    self.imply_hydrogens(molecule.OBMol)
            names = [molecule.write("can").split("\t")[0].strip() for molecule in molecules]
        return self.of(".".join(filter(None, names))) if names else None

    def imply_hydrogens(self, molecule):
        """Counts hydrogens, which the CDXML reader does not do for any file, and detects stereo again."""
        for atom in self.library.OBMolAtomIter(molecule):
            stated = atom.GetImplicitHCount()
            self.library.OBAtomAssignTypicalImplicitHydrogens(atom)
            if stated:
                atom.SetImplicitHCount(stated)
        molecule.DeleteData(self.library.StereoData)
        molecule.SetChiralityPerceived(False)
        self.library.StereoFrom2D(molecule)

    def names_of_cdx(self, path):
        """Runs obabel, because the library reads past the end and crashes. Charges are bytes in CDX; obabel reads
        negative ones as unsigned numbers, in any file."""
        program = os.path.join(os.path.dirname(sys.executable), "obabel")
        done = subprocess.run([program, "-icdx", path, "-ocan"], capture_output=True, timeout=20, check=False)
        names = [line.split("\t")[0].strip() for line in done.stdout.decode("utf-8", "replace").splitlines()] or [""]
        return [re.sub(r"\+(2\d\d)", lambda found: "-%d" % (256 - int(found.group(1))), name) for name in names]


# ---------------------------------------------------------------- comparison


class Comparison:
    def __init__(self):
        self.known = Known.beside(os.path.join("drawings", "others.txt"), 4)
        self.new = []
        self.tallies = collections.defaultdict(collections.Counter)

    def compare(self, way, path, before, after):
        readers = [peer for peer in before if before[peer]]
        for peer in readers:
            tally = self.tallies[way, peer]
            tally["molfiles read"] += 1
            for question in ("unread", "differs", "charge", "group"):
                self.known.ask(way, peer, question, path)
            is_shared = any(other != peer and before[other]["exact"] == before[peer]["exact"] for other in readers)
            form = "exact"
            tally["shared"] += is_shared
            made = after[peer]
            if not made:
                self.tell(way, peer, "unread", path, "")
                continue
            tally["drawings read"] += 1
            if is_shared and made[form] != before[peer][form]:
                self.tell(way, peer, "differs", path, "%s, of ours %s" % (before[peer][form], made[form]))
            elif is_shared:
                tally["alike"] += 1
            for question in ("charge", "group"):
                there, ours = before[peer][question + "s"] or [], made[question + "s"] or []
                if collections.Counter(map(str, ours)) - collections.Counter(map(str, there)):
                    self.tell(way, peer, question, path, "%s, of ours %s" % (there, ours))

    def tell(self, way, peer, question, path, text):
        if self.known.explains(way, peer, question, path):
            self.tallies[way, peer]["%s, known" % question] += 1
        else:
            self.tallies[way, peer][question] += 1
            self.new.append("%s: %s: %s: %s %s" % (way, peer, question, path, text))


def write(chemopen, path, way, folder):
    """Returns the drawing of a molfile, or None if chemopen rejects it."""
    out = os.path.join(folder, re.sub(r"\W", "_", os.path.splitext(path)[0])[-80:] + "." + way)
    done = subprocess.run([chemopen, "convert", "--force", path, out], capture_output=True, timeout=60, check=False)
    return (out, "") if os.path.exists(out) else (None, done.stderr.decode("utf-8", "replace").strip()[-200:])


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--serve":
        return serve(sys.argv[2], {"rdkit": RDKit, "indigo": Indigo, "openbabel": OpenBabel})
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--as", dest="ways", default="cdxml,cdx")
    parser.add_argument("--show", type=int, default=40)
    parser.add_argument("--keep")
    options = parser.parse_args()
    workers = installed(PEERS, os.path.abspath(__file__))
    if len(workers) < 2:
        print("skipped: fewer than two peers are installed")
        return 0
    comparison = Comparison()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or scratch
        os.makedirs(folder, exist_ok=True)
        for path in sources(options.paths, (".mol",)):
            path = os.path.abspath(path)
            before = {worker.peer: worker.ask("names", path).get("names") for worker in workers}
            for way in options.ways.split(","):
                out, trouble = write(os.path.abspath(options.chemopen), path, way, folder)
                if out is None:
                    comparison.tell(way, "chemopen", "unwritten", path, trouble)
                    continue
                after = {worker.peer: worker.ask("names", out).get("names") for worker in workers}
                comparison.compare(way, path, before, after)
    shares = []
    for (way, peer), tally in sorted(comparison.tallies.items()):
        own = tally["shared"] - tally["differs, known"] - tally["unread, known"]
        shares.append(100 * tally["alike"] / max(1, own))
        print("%-6s %-10s %s" % (way, peer, ", ".join("%s %d" % item for item in tally.items())))
    for line in comparison.new[: options.show]:
        print(" ", line[:600])
    print("%d differences without a known reason" % len(comparison.new))
    unneeded = comparison.known.unneeded()
    for line in unneeded:
        print(line)
    return 1 if comparison.new or unneeded or min(shares, default=100) < 99.5 else 0


if __name__ == "__main__":
    sys.exit(main())
