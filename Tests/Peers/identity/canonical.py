#!/usr/bin/env python3
"""Checks that our canonical SMILES does not depend on the order of atoms and bonds.

    canonical.py CHEMOPEN FILE... [--records N] [--shuffles N] [--show N]

This script shuffles the lines of the V2000 tables itself, independently of any chemistry software. Records with
property lines other than charges, isotopes and radicals are skipped, and so are those with aromatic bonds, whose
hydrogens can be anywhere. If RDKit is installed, each record is also compared after RDKit has chosen another Kekulé
form. Fails if a molecule has two texts.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    from rdkit import Chem, RDLogger

    RDLogger.DisableLog("rdApp.*")
except ImportError:
    Chem = None

PROPERTY = re.compile(r"^M  (CHG|ISO|RAD)")


def shuffled(lines, chance):
    """Returns the lines of a molfile with its atoms and bonds in another order, or None if it has other property lines."""
    atom_count, bond_count = int(lines[3][:3]), int(lines[3][3:6])
    atoms = lines[4:4 + atom_count]
    bonds = lines[4 + atom_count:4 + atom_count + bond_count]
    rest = [line for line in lines[4 + atom_count + bond_count:] if line != "M  END"]
    if any(line[6:9] == "  4" for line in bonds):
        return None
    if atom_count == 0 or not all(PROPERTY.match(line) for line in rest) or lines[3][6:9].strip() not in ("", "0"):
        return None
    # Without coordinates a parity is significant, and depends on the atom order.
    if any(line[39:42].strip() not in ("", "0") for line in atoms) and len({line[:30] for line in atoms}) < atom_count:
        return None
    order = list(range(atom_count))
    chance.shuffle(order)
    place = {old + 1: new + 1 for new, old in enumerate(order)}
    bonds = [f"{place[int(line[:3])]:3}{place[int(line[3:6])]:3}{line[6:]}" for line in bonds]
    chance.shuffle(bonds)
    for number, line in enumerate(rest):
        numbers = [int(word) for word in line[9:].split()]
        pairs = "".join(f"{place[one]:4}{two:4}" for one, two in zip(numbers[::2], numbers[1::2]))
        rest[number] = line[:9] + pairs
    return lines[:4] + [atoms[old] for old in order] + bonds + rest + ["M  END"]


def kekulized(lines):
    """Returns the molfile with another Kekulé form, if RDKit finds one and reads the same molecule from it."""
    molecule = Chem.MolFromMolBlock("\n".join(lines) + "\n", removeHs=False) if Chem else None
    if molecule is None or not any(bond.GetIsAromatic() for bond in molecule.GetBonds()):
        return None
    orders = {
        (bond.GetBeginAtomIdx() + 1, bond.GetEndAtomIdx() + 1): None if bond.GetIsAromatic() else 0
        for bond in molecule.GetBonds()
    }
    try:
        Chem.Kekulize(molecule, clearAromaticFlags=True)
    except Chem.KekulizeException:
        return None
    changed = list(lines)
    first = 4 + int(lines[3][:3])
    for number in range(first, first + int(lines[3][3:6])):
        ends = int(lines[number][:3]), int(lines[number][3:6])
        key = ends if ends in orders else ends[::-1]
        if orders.get(key, 0) is None:
            bond = molecule.GetBondBetweenAtoms(ends[0] - 1, ends[1] - 1)
            changed[number] = f"{lines[number][:6]}{int(bond.GetBondTypeAsDouble()):3}{lines[number][9:]}"
    return changed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--shuffles", type=int, default=20)
    parser.add_argument("--show", type=int, default=10)
    arguments = parser.parse_args()
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        table, source, target = (os.path.join(folder, name) for name in ("all.sdf", "shuffled.sdf", "all.smi"))
        subprocess.run(
            [arguments.program, "convert", "--rewrite", *arguments.sources, table],
            stderr=subprocess.DEVNULL, check=False)
        blocks = []
        for record in open(table, encoding="latin-1").read().split("\n$$$$\n"):
            lines = record.split("\nM  END")[0].split("\n")
            if len(lines) > 4 and "V2000" in lines[3] and len(blocks) < arguments.records:
                blocks.append(lines + ["M  END"])
        owners = []
        with open(source, "w", encoding="latin-1") as file:
            for number, lines in enumerate(blocks):
                for turn in range(arguments.shuffles):
                    other = shuffled(lines, chance)
                    if other is not None and turn % 2 == 1:
                        other = kekulized(other) or other
                    if other is not None:
                        owners.append(number)
                        file.write("\n".join(other) + "\n$$$$\n")
        subprocess.run(
            [arguments.program, "convert", "--canonical", source, target], stderr=subprocess.DEVNULL, check=False)
        texts = [line.split("\t")[0] for line in open(target, encoding="latin-1").read().split("\n")[:-1]]
        if len(texts) != len(owners):
            sys.exit(f"{len(owners)} records were written, but the output has {len(texts)} lines")
        found = {}
        for owner, text in zip(owners, texts):
            found.setdefault(owner, set()).add(text)
        several = [texts for texts in found.values() if len(texts) > 1]
        for texts in several[:arguments.show]:
            print("\n".join(sorted(texts)[:3]))
            print()
        print(f"{len(found)} molecules in {arguments.shuffles} orders each: {len(several)} have several texts")
        return 1 if several else 0


if __name__ == "__main__":
    sys.exit(main())
