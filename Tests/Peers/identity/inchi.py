#!/usr/bin/env python3
"""Checks that our InChI equals the one that RDKit computes from the same molfile.

    inchi.py CHEMOPEN FILE_OR_DIR... [--records N] [--show N]

RDKit contains a later version of the library than Debian; the script prints the version. A record counts if RDKit reads
the molfile and computes an InChI. If both differ, RDKit also computes the InChI of our SMILES, to find out if the
versions or the structures differ. Fails if less than 99.5 % are equal.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

from rdkit import Chem, RDLogger
from rdkit.Chem import inchi

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from smarts import one_file  # noqa: E402


def of(molecule):
    """Returns RDKit's InChI, or None if RDKit cannot compute one."""
    try:
        return inchi.MolToInchi(molecule) if molecule is not None else ""
    except ValueError:
        return ""


def cause(molecule, theirs, ours, smiles):
    """Returns the probable reason of a difference between two InChIs."""
    if any(bond.GetBondType() == Chem.BondType.ZERO or bond.HasQuery() for bond in molecule.GetBonds()):
        return "a question or a bond of order 0"
    if not ours:
        return "none of ours"
    again = Chem.MolFromSmiles(smiles)
    if of(again) == theirs:
        return "another version of the library"
    layers = [set(text.split("/")) for text in (theirs, ours)]
    names = sorted({layer[0] for layer in layers[0] ^ layers[1] if layer})
    return "another structure: layers " + " ".join(names)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--show", type=int, default=10)
    arguments = parser.parse_args()
    RDLogger.DisableLog("rdApp.*")
    program = arguments.program + "-inchi"
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{version}; RDKit with {inchi.GetInchiVersion()}")
    with tempfile.TemporaryDirectory() as folder:
        # Broken records are removed first, because both readers must count the same ones.
        source, table = os.path.join(folder, "sound.sdf"), os.path.join(folder, "all.csv")
        subprocess.run(
            [arguments.program, "convert", "--rewrite", "--records", f"1-{arguments.records}", one_file(arguments, folder), source],
            stderr=subprocess.DEVNULL, check=False)
        text = open(source, "rb").read()
        blocks = [block for block in re.split(rb"(?m)^\$\$\$\$\n", text)[:-1] if block.strip()]
        # Titles are numbers that identify the rows, and no field has the name of a requested column.
        bare = os.path.join(folder, "bare.sdf")
        with open(bare, "wb") as file:
            for number, block in enumerate(blocks):
                table_lines = re.split(rb"(?m)^M  END\n", block)[0].split(b"\n", 1)[1]
                file.write(b"%d\n" % number + table_lines + b"M  END\n$$$$\n")
        subprocess.run(
            [arguments.program, "convert", "--compute", "inchi,inchikey", bare, table],
            stderr=subprocess.DEVNULL, check=False)
        csv.field_size_limit(1 << 30)
        found = {int(row["Name"]): row for row in csv.DictReader(open(table, encoding="utf-8"))}
        rows = [found.get(number, {"inchi": "", "inchikey": "", "SMILES": ""}) for number in range(len(blocks))]
        compared = equal = 0
        causes = Counter()
        for number, (block, row) in enumerate(zip(blocks, rows), 1):
            molecule = Chem.MolFromMolBlock(block.decode("latin-1"))
            theirs = of(molecule)
            if not theirs or any(atom.GetAtomicNum() == 0 for atom in molecule.GetAtoms()):
                continue
            compared += 1
            if row["inchi"] == theirs and row["inchikey"] == inchi.InchiToInchiKey(theirs):
                equal += 1
                continue
            why = cause(molecule, theirs, row["inchi"], row["SMILES"].split(" ")[0])
            causes[why] += 1
            if causes[why] <= arguments.show:
                print(f"record {number}: {why}\n    {row['inchi'][:300]}\n    {theirs[:300]}")
        for why, count in causes.most_common():
            print(f"{count:6} {why}")
        print(f"{equal} of {compared} equal, of {len(blocks)} records: {equal / max(1, compared):.3%}")
        return 0 if equal >= 0.995 * compared > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
