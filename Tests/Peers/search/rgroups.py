#!/usr/bin/env python3
"""Compares the R-groups of drawn queries with Indigo: members, occurrences and requirements, on generated queries.

    rgroups.py CHEMOPEN [--queries N] [--seed N] [--show N]

Each query is a scaffold with one to three sites in one or two R-groups. The molecules are generated from the same
pieces. Hydrogens at the remaining sites are not compared, because Indigo never finds them; unit tests check them. Skipped if Indigo is not installed. Exits with 1 if a query finds other records.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

try:
    from indigo import Indigo, IndigoException
except ImportError:
    sys.exit(print("skipped: Indigo is not installed"))

MEMBERS = {
    "F": ([("F",)], []), "Cl": ([("Cl",)], []), "Br": ([("Br",)], []), "O": ([("O",)], []), "N": ([("N",)], []),
    "CF": ([("C",), ("F",)], [(1, 2, 1)]), "C=O": ([("C",), ("O",)], [(1, 2, 2)]), "C#N": ([("C",), ("N",)], [(1, 2, 3)]),
    "OC": ([("O",), ("C",)], [(1, 2, 1)]), "C(=O)O": ([("C",), ("O",), ("O",)], [(1, 2, 2), (1, 3, 1)]),
}
SCAFFOLDS = {
    "chain": (["C", "C", "C"], [(1, 2, 1), (2, 3, 1)], "C{0}C{1}C{2}"),
    "ring": (["C"] * 6, [(1, 2, 2), (2, 3, 1), (3, 4, 2), (4, 5, 1), (5, 6, 2), (6, 1, 1)], "c1{0}c{1}c{2}ccc1"),
    "amide": (["N", "C", "C", "O"], [(1, 2, 1), (2, 3, 1), (2, 4, 2)], "N{0}C(=O)C{1}{2}"),
}
SITES = {"chain": [1, 2, 3], "ring": [1, 2, 3], "amide": [1, 3, 3]}


def table(symbols, bonds, extra=()):
    lines = ["%3d%3d  0  0  0  0  0  0  0  0999 V2000" % (len(symbols), len(bonds))]
    for place, symbol in enumerate(symbols):
        lines.append("%10.4f%10.4f    0.0000 %-3s 0  0  0  0  0  0  0  0  0  0  0  0" % (place * 1.1, place % 2, symbol))
    lines += ["%3d%3d%3d  0" % bond for bond in bonds]
    return lines + list(extra) + ["M  END"]


def query(dice):
    """Returns an RG file."""
    name = dice.choice(list(SCAFFOLDS))
    symbols, bonds, _ = SCAFFOLDS[name]
    symbols, bonds = symbols[:], bonds[:]
    groups = dice.randint(1, 2)
    sites = []
    for place in SITES[name][:dice.randint(1, 3)]:
        symbols.append("R#")
        bonds.append((place, len(symbols), 1))
        sites.append((len(symbols), dice.randint(1, groups)))
    numbers = sorted({group for _, group in sites})
    extra = ["M  RGP%3d" % len(sites) + "".join("%4d%4d" % site for site in sites)]
    for number in numbers:
        required = next((other for other in numbers if other != number and dice.random() < 0.4), 0)
        extra.append("M  LOG%3d%4d%4d%4d   %s" % (1, number, required, 0, dice.choice([">0", "0-1", "1", "2", ">1", "<3", "0,2", "1-3"])))
    lines = ["$MDL  REV  1 1126262030", "$MOL", "$HDR", "query", "  x", "", "$END HDR", "$CTAB", *table(symbols, bonds, extra), "$END CTAB"]
    for number in numbers:
        lines += ["$RGP", "%3d" % number]
        for member in dice.sample(list(MEMBERS), dice.randint(1, 3)):
            atoms, inner = MEMBERS[member]
            lines += ["$CTAB", *table([atom[0] for atom in atoms], inner, ["M  APO  1   1   1"]), "$END CTAB"]
        lines.append("$END RGP")
    return "\n".join([*lines, "$END MOL"]) + "\n"


def molecules(dice, count):
    """Returns SMILES of the scaffolds with pieces at their sites."""
    found = set()
    while len(found) < count:
        parts = [dice.choice(["", "", *(f"({member})" for member in MEMBERS)]) for _ in range(3)]
        found.add(dice.choice([scaffold[2] for scaffold in SCAFFOLDS.values()]).format(*parts))
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--seed", type=int, default=39)
    parser.add_argument("--show", type=int, default=4)
    options = parser.parse_args()
    chemopen, dice, indigo = os.path.abspath(options.chemopen), random.Random(options.seed), Indigo()
    smiles = molecules(dice, 150)
    targets = []
    for text in smiles:
        target = indigo.loadMolecule(text)
        target.aromatize()
        targets.append(indigo.substructureMatcher(target))
    folder = tempfile.mkdtemp()
    path, drawn = os.path.join(folder, "all.smi"), os.path.join(folder, "query.mol")
    with open(path, "w") as file:
        file.writelines(f"{text} r{place}\n" for place, text in enumerate(smiles))
    compared = differ = refused = hits = 0
    while compared < options.queries:
        text = query(dice)
        try:
            asked = indigo.loadQueryMolecule(text)
            asked.aromatize()
            expected = {place for place, matcher in enumerate(targets) if matcher.match(asked)}
        except IndigoException:
            refused += 1
            if refused > 10 * options.queries:
                sys.exit("Indigo refuses nearly all queries")
            continue
        with open(drawn, "w") as file:
            file.write(text)
        run = subprocess.run([chemopen, "grep", "-n", "--substructure", drawn, path], capture_output=True, text=True, check=False)
        found = {int(line.split(":")[0]) - 1 for line in run.stdout.splitlines()}
        # Conditions that contradict each other are an error here.
        if run.returncode == 2 and "cannot be satisfied" in run.stderr:
            refused += 1
            continue
        compared, hits = compared + 1, hits + len(expected)
        if found != expected:
            differ += 1
            if differ <= options.show:
                odd = sorted(found ^ expected)
                print(f"  {'found' if odd[0] in found else 'missed'} {smiles[odd[0]]} and {len(odd) - 1} more: {run.stderr[:200]}")
                print("\n".join("      " + line for line in text.splitlines()))
    print(f"{compared} queries over {len(smiles)} molecules, {hits} hits, {differ} differ from Indigo; {refused} refused")
    sys.exit(1 if differ else 0)


main()
