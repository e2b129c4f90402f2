#!/usr/bin/env python3
"""Compares searches for reactions with RDKit, on generated reactions and patterns.

    reactions.py CHEMOPEN [--questions N] [--reactions N] [--seed N] [--show N]

Each pattern consists of pieces of the components of a reaction, with or without map numbers, or is a complete reaction
for --exact. RDKit lists the matches of each piece in each component, and this script assigns the pieces to different
components, with the same map numbers on both sides. RDKit's own HasReactionSubstructMatch cannot judge: it accepts a
reaction in which a single piece is found. For --exact, the canonical SMILES of the components are compared. The
reactions are searched as SMILES and as RXN files. Skipped if RDKit is not installed. Exits with 1 if a search finds
other reactions.
"""

import argparse
import itertools
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
MOLECULES = [
    "CCO", "CC=O", "CC(=O)O", "CCN", "CCBr", "N", "Br", "OCC(N)C(=O)O", "c1ccccc1O", "c1ccccc1Br", "c1ccncc1C", "CC#N",
    "CC(C)(C)OC(=O)NCC", "O=C1CCCCC1", "C1CCNCC1", "c1cc(N)ccc1C(=O)Cl", "CS(=O)(=O)Cl", "[O-][N+](=O)c1ccccc1", "C=CC=O",
    "OB(O)c1ccccc1", "CCOC(=O)CC(=O)OCC", "FC(F)(F)c1ccccn1", "NCCO", "c1ccc2[nH]ccc2c1", "[Na+].[OH-]",
]


def reaction(dice):
    """Returns the molecules of reactants, agents and products. Most atoms have map numbers that occur on both sides."""
    sides = [[Chem.MolFromSmiles(dice.choice(MOLECULES)) for _ in range(count)]
             for count in (dice.randint(1, 3), dice.randint(0, 1), dice.randint(1, 2))]
    if dice.random() < 0.6:
        for side in (sides[0], sides[2]):
            numbers = list(range(1, 40))
            dice.shuffle(numbers)
            for molecule in side:
                for atom in molecule.GetAtoms():
                    if dice.random() < 0.8:
                        atom.SetAtomMapNum(numbers.pop() if numbers else 0)
    return sides


def text(sides):
    return ">".join(".".join(Chem.MolToSmiles(molecule) for molecule in side) for side in sides)


def parts(sides):
    """Returns the sides as a reader of SMILES sees them: each fragment is a component."""
    return [[piece for molecule in side for piece in Chem.GetMolFrags(molecule, asMols=True)] for side in sides]


def piece(dice, molecule):
    """Returns a random connected piece of a molecule, and its SMARTS."""
    start = dice.randrange(molecule.GetNumAtoms())
    atoms = [start]
    for _ in range(dice.randint(0, 4)):
        around = [n.GetIdx() for a in atoms for n in molecule.GetAtomWithIdx(a).GetNeighbors() if n.GetIdx() not in atoms]
        if not around:
            break
        atoms.append(dice.choice(around))
    plain = Chem.Mol(molecule)
    for atom in plain.GetAtoms():
        atom.SetAtomMapNum(0)
    return Chem.MolFragmentToSmarts(plain, atoms)


def mapped(dice, pattern, numbers):
    """Adds map numbers to some atoms of a pattern."""
    query = Chem.MolFromSmarts(pattern)
    for atom in query.GetAtoms():
        if numbers and dice.random() < 0.5:
            atom.SetAtomMapNum(numbers.pop())
    return Chem.MolToSmarts(query)


def question(dice, sides):
    """Returns the patterns of the three sides."""
    chosen = []
    for place, side in enumerate(sides):
        count = dice.randint(0, len(side)) if place != 1 or dice.random() < 0.3 else 0
        chosen.append([piece(dice, molecule) for molecule in dice.sample(side, count)])
    if not any(chosen):
        return question(dice, sides)
    if dice.random() < 0.4:
        for place in (0, 2):
            numbers = [1, 2, 3]
            dice.shuffle(numbers)
            chosen[place] = [mapped(dice, pattern, numbers) for pattern in chosen[place]]
    return chosen


def maps(patterns):
    return {atom.GetAtomMapNum() for pattern in patterns for atom in pattern.GetAtoms()} - {0}


def expected(query, sides):
    """Whether the pieces match different components, with equal map numbers if these are on both sides."""
    patterns = [[Chem.MolFromSmarts(p) for p in side] for side in query]
    shared = maps(patterns[0]) & maps(patterns[2])
    options = []
    for place, side in enumerate(patterns):
        for pattern in side:
            places = [a.GetIdx() for a in pattern.GetAtoms() if a.GetAtomMapNum() in shared]
            found = set()
            for number, molecule in enumerate(sides[place]):
                for match in molecule.GetSubstructMatches(pattern, uniquify=False, maxMatches=100000):
                    numbers = [molecule.GetAtomWithIdx(match[at]).GetAtomMapNum() for at in places]
                    if 0 not in numbers:
                        known = tuple(pattern.GetAtomWithIdx(at).GetAtomMapNum() for at in places)
                        found.add(((place, number), tuple(zip(known, numbers))))
            options.append(found)
    for combination in itertools.product(*options):
        known = {}
        if len({component for component, _ in combination}) == len(combination) and all(
                known.setdefault(a, b) == b for _, pairs in combination for a, b in pairs):
            return True
    return False


def canonical(sides):
    result = []
    for side in sides:
        side = [Chem.Mol(molecule) for molecule in side]
        for molecule in side:
            for atom in molecule.GetAtoms():
                atom.SetAtomMapNum(0)
        result.append(sorted(Chem.MolToSmiles(Chem.MolFromSmiles(Chem.MolToSmiles(molecule))) for molecule in side))
    return result


def hits(program, arguments, files):
    done = subprocess.run([program, "grep", "-n", "-H", *arguments, *files], capture_output=True, text=True)
    if done.returncode > 1:
        return {"error: " + done.stderr.strip()[:200]}
    return {line.rsplit(":", 2)[-1] for line in done.stdout.splitlines()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--reactions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    reactions = [reaction(dice) for _ in range(options.reactions)]
    split = [parts(sides) for sides in reactions]
    faults = found = 0
    with tempfile.TemporaryDirectory() as folder:
        lines = os.path.join(folder, "all.smi")
        with open(lines, "w", encoding="utf-8") as file:
            file.writelines("%s r%d\n" % (text(sides), number) for number, sides in enumerate(reactions))
        files = []
        for number, sides in enumerate(reactions):
            files.append(os.path.join(folder, "%d.rxn" % number))
            subprocess.run([options.chemopen, "convert", "-f", "--layout", "--records", str(number + 1), lines, files[-1]],
                           capture_output=True, check=False)
        files = [file for file in files if os.path.exists(file)]
        for number in range(options.questions):
            origin = dice.choice(split)
            if number % 10 == 0:
                word = text(origin)
                wanted = {"r%d" % at for at, sides in enumerate(split)
                          if canonical(sides)[::2] == canonical(origin)[::2]
                          and (not origin[1] or canonical(sides)[1] == canonical(origin)[1])}
                arguments = ["--exact", word]
            else:
                query = question(dice, origin)
                word = ">".join(".".join(side) for side in query)
                wanted = {"r%d" % at for at, sides in enumerate(split) if expected(query, sides)}
                arguments = [word]
            found += len(wanted)
            for spelling, paths in (("SMILES", [lines]), ("RXN", files)):
                if spelling == "RXN" and word.split(">")[1]:
                    continue
                ours = hits(options.chemopen, arguments, paths)
                if ours != wanted:
                    faults += 1
                    if faults <= options.show:
                        print("%s %s: missing %s, only here %s" % (
                            spelling, word, sorted(wanted - ours)[:5], sorted(ours - wanted)[:5]))
    print("%d questions about %d reactions, %d hits, %d differ" % (options.questions, len(reactions), found, faults))
    return 1 if faults or not found else 0


if __name__ == "__main__":
    sys.exit(main())
