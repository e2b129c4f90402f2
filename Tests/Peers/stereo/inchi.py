#!/usr/bin/env python3
"""Checks that our InChI is the one that the InChI library computes from the same molfile.

    inchi.py CHEMOPEN [FILE_OR_DIR...] [--show N]

The built-in structures are those in which programs perceive different configurations: double bonds in large and
conjugated rings, with and without a metal, chains of double bonds, oximes and hydrazones, in 2D and 3D. For each drawn
allene, wedges are added at both ends. If you give files, their V2000 records are compared as well; the script skips
records without coordinates, whose configurations the library ignores. Records whose implied hydrogens differ are only
counted. Fails if any other InChI differs.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile

try:
    from rdkit import Chem, RDLogger
    from rdkit.Chem import AllChem
    RDLogger.DisableLog("rdApp.*")
except ImportError:
    sys.exit("skipped: RDKit is not installed")

STRUCTURES = [
    "C1=CC2=CC3=CC=C(N3)C=C4C=CC(=N4)C=C5C=CC(=N5)C=C1N2",
    "c1ccc2c(c1)C1=NC3=NC(=NC4=NC(=NC5=NC(=NC2=N1)c1ccccc15)c1ccccc14)c1ccccc13",
    "[Mg]12N3C4=CC5=NC(=CC6=CC=C(N61)C=C1C=CC(=N12)C=C3C=C4)C=C5",
    "[Fe]12N3C4=CC5=N1C(=CC1=CC=C(N12)C=C1C=CC(=N1)C=C3C=C4)C=C5",
    "C1=CC2=CC3=CC=C(N3)C3=CC=C(N3)C=C3C=CC(=N3)C=C1N2", "C1CC2=NC1=CC1=CC=C(N1)C=C1C=CC(=N1)C=C1C=CC(=C2)N1",
    "C1=CC=CC=CC=C1", "C1=CC=CC=CC=CC=CC=CC=CC=CC=C1", "C1CCC/C=C\\CC1", "C1CC/C=C/CCC/C=C\\C1",
    "CC1=CCCC(=C)C2CC(C2CC1)(C)C", "CC(C)[C@@H]1CC/C(C)=C/CC/C(C)=C/C1", "C/C(=N\\O)c1ccccc1", "C/C=N/Nc1ccccc1",
    "c1ccccc1/N=N/c1ccccc1", "O1[Co]2OC3=CC=CC=C3C=N2CCN=CC2=CC=CC=C12", "C1=NCCN=CC2=CC=CC(=C2)C=NCCN=CC2=CC1=CC=C2",
    "CC=C=C=CC", "O=C1C=CC(=C2C=CC(=O)C=C2)C=C1", "C1=CC=CC1=C1C=CC=C1", "C/C=C/C=C\\C", "CC=C=CF", "CC=C=C(C)Cl",
    "C[S@](=O)CC", "C[P@](CC)CCC", "C[C@H](O)[C@@H](O)[C@H](C)O", "N[Pt](N)(Cl)Cl",
]


def library(block):
    """Returns the InChI of a molfile. The library can crash, so it runs in a separate process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, Chem.MolBlockToInchi(block).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode()
    os.waitpid(child, 0)
    return text


def wedged(block):
    """Yields the molfile with a wedge at each single bond of a carbon with a double bond."""
    lines = block.split("\n")
    for place, line in enumerate(lines):
        if not re.match(r"[ \d]{6}  1  0$", line):
            continue
        for begin, end in [(line[:3], line[3:6]), (line[3:6], line[:3])]:
            for mark in [1, 6]:
                yield "\n".join(lines[:place] + [f"{begin}{end}  1{mark:3}"] + lines[place + 1:])


def generated():
    for smiles in STRUCTURES:
        drawing = Chem.MolFromSmiles(smiles)
        AllChem.Compute2DCoords(drawing)
        yield Chem.MolToMolBlock(drawing)
        if "=C=" in smiles:
            yield from wedged(Chem.MolToMolBlock(drawing))
        try:
            model = Chem.AddHs(Chem.MolFromSmiles(smiles))
            if AllChem.EmbedMolecule(model, randomSeed=7) == 0:
                yield Chem.MolToMolBlock(model)
        except RuntimeError:
            continue


def records(paths):
    for path in paths:
        files = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in sorted(names)] or [path]
        for file in files:
            if not file.endswith((".mol", ".sdf")):
                continue
            with open(file, encoding="latin-1", newline=None) as opened:
                for record in opened.read().split("$$$$\n"):
                    end = re.search(r"(?m)^M  END", record)
                    properties = set(re.findall(r"(?m)^M  (...)", record)) - {"END", "CHG", "ISO", "RAD"}
                    if end and "V2000" in record and not properties and has_positions(record):
                        yield record[:end.end()] + "\n"


def has_positions(record):
    return len(set(re.findall(r"(?m)^ *-?\d+\.\d{4} *-?\d+\.\d{4} *-?\d+\.\d{4} ", record))) > 1


def skeleton(inchi):
    """Returns the layers of atoms, bonds, hydrogens, charges and isotopes."""
    return [layer for layer in inchi.split("/") if layer[:1] not in "btms"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--show", type=int, default=10)
    arguments = parser.parse_args()
    blocks = list(generated()) + list(records(arguments.paths))
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in.sdf"), os.path.join(folder, "out.csv")
        with open(source, "w", encoding="latin-1") as file:
            for number, block in enumerate(blocks):
                file.write(f"{block}> <NUMBER>\n{number}\n\n$$$$\n")
        subprocess.run([os.path.abspath(arguments.program), "convert", "--compute", "inchi", source, target], check=False,
                       capture_output=True)
        with open(target, encoding="utf-8", errors="replace") as file:
            ours = {int(row["NUMBER"]): row.get("inchi") or "" for row in csv.DictReader(file)}
    compared = shown = wrong = others = 0
    for number, block in enumerate(blocks):
        theirs = library(block)
        # If we have no InChI, the structure contains data that the library cannot represent.
        if not theirs or not ours.get(number):
            continue
        if skeleton(ours[number]) != skeleton(theirs):
            others += 1
            continue
        compared += 1
        if ours[number] != theirs:
            wrong += 1
            if shown < arguments.show:
                shown += 1
                print(f"  record {number}: {ours[number]}\n     library: {theirs}")
    print(f"{compared - wrong} of {compared} InChIs are those of the InChI library; {others} have other hydrogens or isotopes")
    sys.exit(0 if compared and not wrong else 1)


main()
