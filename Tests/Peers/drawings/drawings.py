#!/usr/bin/env python3
"""Checks that ChemDraw drawings are read as other programs read them.

    drawings.py CHEMOPEN CORPUS [--show N]

CORPUS contains the directories cdx and cdxml, and roundtrip with its check.py. There are four checks:

smiles     RDKit reads each drawing as an SD file: its components must be those of expected.jsonl, including stereo. Isotopes of
           atoms that are not elements are ignored, because RDKit counts the number of an R-group as an isotope.
published  the structures that the sources of the files publish in published.jsonl must be present. They are InChIKeys, or SMILES
           from which RDKit computes InChIKeys.
pairs      the CDX and CDXML file of a drawing must contain the same records, to 0.01 ångström
kept       all features of roundtrip/chemdraw must be present in the format that the manifest specifies

drawings.txt lists known differences with their reasons. Exits with 1 if there are others, if a known difference no
longer occurs, or if less than 98 % of the SMILES are present.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from known import Known  # noqa: E402

NUMBER = re.compile(r"^-?\d+(\.\d+)?$")


def convert(chemopen, path, *options):
    command = [chemopen, "convert", *options, "-o", "sdf", path, "-"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=30)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.decode("utf-8", "replace")


def lines(corpus, folder, name):
    with open(os.path.join(corpus, folder, name), encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


# ---------------------------------------------------------------- structures according to RDKit


class Chemistry:
    def __init__(self):
        from rdkit import Chem, RDLogger

        RDLogger.DisableLog("rdApp.*")
        self.chem = Chem

    def smiles(self, molecule):
        for atom in molecule.GetAtoms():
            atom.SetAtomMapNum(0)
            if atom.GetAtomicNum() == 0:
                atom.SetIsotope(0)
        return self.chem.MolToSmiles(molecule)

    def canonical(self, text):
        molecule = self.chem.MolFromSmiles(text)
        return self.smiles(molecule) if molecule is not None else text

    def molecules(self, text):
        supplier = self.chem.SDMolSupplier()
        supplier.SetData(text, sanitize=True, removeHs=True)
        return [molecule for molecule in supplier if molecule is not None]

    def components(self, molecule):
        return self.chem.GetMolFrags(molecule, asMols=True, sanitizeFrags=False)

    def keys(self, molecule):
        """Returns the names of a structure: its SMILES, and its InChIKey if all of its atoms are known."""
        names = {self.smiles(molecule)}
        if all(atom.GetAtomicNum() for atom in molecule.GetAtoms()):
            names.add(self.chem.MolToInchiKey(molecule))
        return names

    def drawn_keys(self, text):
        """Returns the InChIKeys of an SD file's drawings as InChI itself reads them, including axes that RDKit does
        not detect."""
        inchis = [self.chem.MolBlockToInchi(record) for record in text.split("$$$$\n")[:-1]]
        return {self.chem.InchiToInchiKey(inchi) for inchi in inchis if inchi}


# ---------------------------------------------------------------- the checks


def ask_smiles(chemopen, corpus, chemistry):
    """Returns the share of the SMILES that are present, and the missing ones."""
    wanted = collections.defaultdict(list)
    for folder in ("cdx", "cdxml"):
        for line in lines(corpus, folder, "expected.jsonl"):
            if line["kind"] == "molecule" and "smiles" in (line.get("agree") or []):
                wanted[folder, line["file"]].append(chemistry.canonical(line["smiles"]))
    seen = same = 0
    for (folder, name), expected in sorted(wanted.items()):
        text = convert(chemopen, os.path.join(corpus, folder, name), "--expand", "--v3000")
        there = collections.Counter(
            chemistry.smiles(part) for molecule in chemistry.molecules(text) for part in chemistry.components(molecule)
        )
        for smiles in expected:
            seen += 1
            if there[smiles]:
                there[smiles] -= 1
                same += 1
            else:
                yield name, smiles
    share = 100 * same / max(1, seen)
    print("smiles: %d of %d (%.2f %%)" % (same, seen, share))
    if share < 98:
        yield "all", "only %.2f %%" % share


def ask_published(chemopen, corpus, chemistry):
    """Returns the published structures that are missing."""
    seen = same = 0
    for folder in ("cdx", "cdxml"):
        for line in lines(corpus, folder, "published.jsonl"):
            text = convert(chemopen, os.path.join(corpus, folder, line["file"]), "--expand")
            there = chemistry.drawn_keys(text)
            for molecule in chemistry.molecules(text):
                there |= chemistry.keys(molecule)
                for part in chemistry.components(molecule):
                    there |= chemistry.keys(part)
            names = [(key, {key}) for key in line.get("inchikeys", [])]
            for smiles in line.get("smiles", []):
                molecule = chemistry.chem.MolFromSmiles(smiles)
                if molecule is not None:
                    names.append((smiles, chemistry.keys(molecule)))
            for name, keys in names:
                seen += 1
                if keys & there:
                    same += 1
                else:
                    skeletons = {key.split("-")[0] for key in there if re.match("[A-Z]{14}-", key)}
                    is_drawn = any(key.split("-")[0] in skeletons for key in keys)
                    yield line["file"], ("but for stereo or hydrogens, " if is_drawn else "") + name
    print("published: %d of %d structures" % (same, seen))


def ask_pairs(chemopen, corpus):
    """Returns the pairs whose records differ, with the first different line."""
    seen = same = 0
    for name in sorted(os.listdir(os.path.join(corpus, "cdx"))):
        other = os.path.join(corpus, "cdxml", name[:-4] + ".cdxml")
        if not name.endswith(".cdx") or not os.path.exists(other):
            continue
        seen += 1
        one = convert(chemopen, os.path.join(corpus, "cdx", name), "--v3000").split("\n")
        two = convert(chemopen, other, "--v3000").split("\n")
        difference = next((pair for pair in zip(one, two) if not are_alike(*pair)), None)
        if difference is None and len(one) == len(two):
            same += 1
        else:
            yield name, " | ".join(difference or ["the number of lines differs"])
    print("pairs: %d of %d" % (same, seen))


def are_alike(one, two):
    """Returns whether all tokens are equal, and coordinates agree to 0.01. The name of the writing program is ignored."""
    if one == two or ("bond length" in one and "bond length" in two):
        return True
    one, two = one.split(), two.split()
    if len(one) != len(two):
        return False
    for a, b in zip(one, two):
        if a != b and not (NUMBER.match(a) and NUMBER.match(b) and abs(float(a) - float(b)) < 0.02):
            return False
    return True


def ask_kept(chemopen, corpus):
    """Returns the features that are lost, named as in the corpus's own check."""
    folder = os.path.join(corpus, "roundtrip")
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        entries = [entry for entry in json.load(file)["files"] if entry["file"].endswith((".cdx", ".cdxml"))]
    with tempfile.TemporaryDirectory() as work:
        for entry in entries:
            result = os.path.join(work, entry["result"])
            os.makedirs(os.path.dirname(result), exist_ok=True)
            subprocess.run([chemopen, "convert", os.path.join(folder, entry["file"]), result], capture_output=True)
            entry["expected"] = os.path.join(os.path.abspath(folder), entry["expected"])
        manifest = os.path.join(work, "manifest.json")
        with open(manifest, "w", encoding="utf-8") as file:
            json.dump({"files": entries}, file)
        check = [sys.executable, os.path.join(folder, "check.py"), "--all", manifest, work]
        verdicts = subprocess.run(check, capture_output=True, text=True).stdout.splitlines()
    lost = [line.split(None, 2) for line in verdicts if line.split(" ")[0] in ("partly", "changed", "lost", "unreadable")]
    print("kept: %d of %d files" % (len(entries) - len(lost), len(entries)))
    return [(line[1], " ".join(line[2:])) for line in lost]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("corpus")
    parser.add_argument("--show", type=int, default=50)
    options = parser.parse_args()
    chemopen = os.path.abspath(options.chemopen)
    known = Known.beside("drawings/drawings.txt", 3)
    questions = ["pairs", "kept"]
    differences = [("pairs", *difference) for difference in ask_pairs(chemopen, options.corpus)]
    differences += [("kept", *difference) for difference in ask_kept(chemopen, options.corpus)]
    try:
        chemistry = Chemistry()
    except ImportError:
        print("smiles and published: skipped, rdkit is not installed")
    else:
        differences += [("smiles", *d) for d in ask_smiles(chemopen, options.corpus, chemistry)]
        differences += [("published", *d) for d in ask_published(chemopen, options.corpus, chemistry)]
        questions += ["smiles", "published"]
    # Run each check on all files.
    known.asked = {entry for entry in known.entries if entry[0] in questions}
    new = [difference for difference in differences if not known.explains(*difference)]
    for question, name, text in new[: options.show]:
        print("  %s: %s: %s" % (question, name, text))
    print("%d differences, %d of them without a known reason" % (len(differences), len(new)))
    for line in known.unneeded():
        print(line)
    sys.exit(1 if new or known.unneeded() else 0)


main()
