#!/usr/bin/env python3
"""Checks with RDKit that the bonds of CX extensions are read and written: C:, H:, Z:, c:, t: and ctu:.

    cx_bonds.py CHEMOPEN [--each N] [--seed N] [--show N]

Each kind is tested separately, in generated molecules with rings and branches before it, because a bond's number
depends on them. RDKit's canonical text of the input and of the rewritten SMILES must be equal, and so must be the text
after a conversion to V3000, where it can represent the bond. Skipped if RDKit is not installed. It exits with 1 if a
structure differs.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

try:
    from rdkit import Chem, RDLogger
except ImportError:
    sys.exit(print("skipped: RDKit is not installed"))

RDLogger.DisableLog("rdApp.*")
HEADS = ["", "C", "CC(C)C", "C1CC1", "C1CC2CC1CC2", "OC(F)(Cl)C", "C(=O)C", "c1ccccc1C", "O.C", "[Na+].[Cl-].CC(C1CC1)", "N#CC"]
TAILS = ["", "C", "C(C)C", "C1CC1", "c1ccccc1", "C(=O)O"]


def bonds(text):
    """Returns the number of atoms and of bonds in a text."""
    molecule = Chem.MolFromSmiles(text, sanitize=False) if text else None
    return (molecule.GetNumAtoms(), molecule.GetNumBonds()) if molecule else (0, 0)


def ring(dice, kind):
    """Returns a ring with a double bond: its geometry is cis, trans or unknown."""
    size = dice.randint(8, 12)
    place = dice.randint(1, size - 3)
    atoms = ["C"] * size
    atoms[place] = "C="
    return "".join([atoms[0] + "1"] + atoms[1:-1] + [atoms[-1] + "1"]), f"{kind}:{{{place}}}"


def case(dice, kind):
    """Returns a CXSMILES. A number in braces counts from the first bond or atom after the head."""
    head, tail = dice.choice(HEADS), dice.choice(TAILS)
    if kind == "C":
        donor, metal = dice.choice(["N", "[NH3]", "P", "O"]), dice.choice(["[Pt]", "[Fe+2]", "B", "[Zn+2]"])
        return f"{donor}{metal}({donor}){tail}", f"C:{{0}}.[0]", ""
    if kind == "Z":
        return f"[{dice.choice(['Fe', 'Na', 'Ru'])}]C{tail}", "Z:[0]", ""
    if kind == "H":
        return "O1C=CC=O[H]1", "H:{4}.[4]", ""
    body, extension = ring(dice, kind)
    return body, extension.replace("{", "[").replace("}", "]"), head


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("--each", type=int, default=60)
    parser.add_argument("--seed", type=int, default=39)
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    chemopen, dice, failed, cases = os.path.abspath(options.chemopen), random.Random(options.seed), 0, 0
    folder = tempfile.mkdtemp()
    for kind in ("C", "Z", "H", "c", "t", "ctu"):
        lines = []
        while len(lines) < options.each:
            body, extension, head = case(dice, kind)
            front = dice.choice(["", "CCO.", "C1CC1.", "O=C1CCC1.[Na+].", "c1ccc2ccccc2c1."]) + head
            atoms, count = bonds(front.rstrip("."))
            joined = 1 if head else 0
            text = extension
            for place in range(20):
                text = text.replace(f"{{{place}}}", str(atoms + place)).replace(f"[{place}]", str(count + joined + place))
            molecule = Chem.MolFromSmiles(f"{front}{body} |{text}|")
            if molecule is not None:
                lines.append((f"{front}{body} |{text}|", molecule))
        path, out, sdf = (os.path.join(folder, kind + end) for end in (".smi", "-out.smi", ".sdf"))
        with open(path, "w") as file:
            file.writelines(f"{line} r{place}\n" for place, (line, _) in enumerate(lines))
        subprocess.run([chemopen, "convert", "--rewrite", "-f", path, out], capture_output=True, check=False)
        subprocess.run([chemopen, "convert", "--layout", "--v3000", "-f", path, sdf], capture_output=True, check=False)
        written = [line.split("\t")[0] for line in open(out).read().splitlines()]
        if len(written) != len(lines):
            sys.exit(f"{kind}: {len(written)} of {len(lines)} texts were written")
        wrong = 0
        for (line, molecule), ours in zip(lines, written):
            back = Chem.MolFromSmiles(ours)
            expected, found = Chem.MolToCXSmiles(molecule), Chem.MolToCXSmiles(back) if back else "unreadable"
            if expected != found:
                wrong += 1
                if wrong <= options.show:
                    print(f"  {line} -> {ours}: {found}, expected {expected}")
        print(f"{kind}: {len(lines)} cases, {wrong} differ")
        failed, cases = failed + wrong, cases + len(lines)
    print(f"{cases} cases, {failed} differ from RDKit")
    sys.exit(1 if failed else 0)


main()
