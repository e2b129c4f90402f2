#!/usr/bin/env python3
"""Compares `chemopen grep` with RDKit, using generated patterns and one list of molecules in five encodings.

    smarts_generated.py CHEMOPEN [--patterns N] [--seed N] [--molecules FILE.smi] [--verbose]

A pattern describes a piece of one of the molecules, with one condition for each atom and bond, and without a symbol for
most bonds. Manual patterns often contain several conditions, which can hide an error in one of them. The encodings are
SMILES, SMILES in the Kekulé form, molfiles, molfiles with aromatic bonds and molfiles with every hydrogen. Fails if
less than 99.95 % of the pairs in one encoding agree.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from rdkit import Chem, RDLogger
from rdkit.Chem import AllChem

MOLECULES = """
CCO CC(=O)O CC(C)(C)O C=CC=C CC#N C#CCO CC(=O)NC NCC(=O)O CSC CS(C)=O CS(=O)(=O)N COP(=O)(O)OC FC(F)(F)C ClCCBr CC(N)=NC
C1CC1 C1CCOC1 C1CCCCC1 C1CCNCC1 O=C1CCCCC1 C1CC2CCC1C2 C1CC11CC1 C1=CCCC=C1 C1=CC=CC=CC=C1 O=C1C=CC(=O)C=C1 C1COCCN1
c1ccccc1 Cc1ccccc1 Oc1ccccc1 Nc1ccccc1C COc1ccccc1 O=C(O)c1ccccc1 [O-][N+](=O)c1ccccc1 N#Cc1ccccc1 Clc1ccc(Cl)cc1 C=Cc1ccccc1
c1ccc2ccccc2c1 c1ccc2cc3ccccc3cc2c1 c1ccc(-c2ccccc2)cc1 c1ccc(Cc2ccccc2)cc1 C1Cc2ccccc2C1 c1ccc2c(c1)CCCC2 c1ccc2c(c1)OCO2
c1ccncc1 Cc1ccncc1 c1cnccn1 c1ncncn1 c1ccoc1 c1ccsc1 c1cc[nH]c1 Cn1cccc1 c1c[nH]cn1 c1cocn1 c1cscn1 c1nn[nH]n1 c1ccc2[nH]ccc2c1
c1ccc2ncccc2c1 c1ccc2nc[nH]c2c1 Cn1cnc2c1c(=O)n(C)c(=O)n2C O=c1cc[nH]cc1 O=c1cccc[nH]1 C[n+]1ccccc1 [O-][n+]1ccccc1 c1cc[se]c1
CC(=O)Oc1ccccc1C(=O)O CC(=O)Nc1ccc(O)cc1 CC(C)Cc1ccc(cc1)C(C)C(=O)O CN1CCCC1c1cccnc1 CN(C)CCc1c[nH]c2ccccc12 OC1CCc2ccccc21
O=C(Nc1ccccc1)c1ccncc1 c1ccc(cc1)-n1cccn1 c1ccc2c(c1)sc1ccccc12 CC1=CC(=O)c2ccccc2C1=O [NH3+]CC(=O)[O-] CC(=O)[O-].[Na+] C[N+](C)(C)C
""".split()


def molecules(path):
    texts = MOLECULES if path is None else [line.split()[0] for line in open(path) if line.split()]
    return [molecule for molecule in map(Chem.MolFromSmiles, texts) if molecule is not None and drawn_alike(molecule)]


def drawn_alike(molecule):
    """Returns whether no double bond has an unspecified geometry, because a drawing always specifies one."""
    block = block_of(molecule, kekulize=True)
    back = Chem.MolFromMolBlock(block)
    return back is not None and Chem.MolToSmiles(back) == Chem.MolToSmiles(molecule)


def block_of(molecule, kekulize):
    drawn = Chem.Mol(molecule)
    AllChem.Compute2DCoords(drawn)
    Chem.WedgeMolBonds(drawn, drawn.GetConformer())
    return Chem.MolToMolBlock(drawn, kekulize=kekulize) + "$$$$\n"


def kekule(molecule):
    form = Chem.Mol(molecule)
    Chem.Kekulize(form, clearAromaticFlags=True)
    return Chem.MolToSmiles(form, kekuleSmiles=True)


def states_hydrogens(molecule):
    """Whether an aromatic heteroatom has a hydrogen, which a molfile with aromatic bonds does not assign to an atom."""
    return any(atom.GetIsAromatic() and atom.GetAtomicNum() != 6 and atom.GetTotalNumHs() for atom in molecule.GetAtoms())


SPELLINGS = {
    "plain.smi": lambda molecule: Chem.MolToSmiles(molecule) + "\n",
    "kekule.smi": lambda molecule: kekule(molecule) + "\n",
    "sdf": lambda molecule: block_of(molecule, kekulize=True),
    "aromatic.sdf": lambda molecule: block_of(molecule, kekulize=states_hydrogens(molecule)),
    "hydrogens.sdf": lambda molecule: block_of(Chem.AddHs(molecule), kekulize=True),
}


class Pieces:
    """Generates patterns from fragments of molecules."""

    def __init__(self, known, seed):
        self.known = known
        self.random = random.Random(seed)

    def pattern(self):
        molecule = self.random.choice(self.known)
        # Half of the patterns have no condition that requires aromatic rings, except their bonds.
        letters = self.random.random() < 0.5
        implied = self.random.choice([0, 0.5, 1])
        text = self.piece(molecule, self.random.randint(2, 7), letters, implied)
        if self.random.random() < 0.2:
            return "[$(%s)]" % text
        return text

    def piece(self, molecule, size, letters, implied):
        start = self.random.randrange(molecule.GetNumAtoms())
        atoms, parents = [start], {}
        while len(atoms) < size:
            ways = [
                (atom, other.GetIdx())
                for atom in atoms
                for other in molecule.GetAtomWithIdx(atom).GetNeighbors()
                if other.GetIdx() not in atoms
            ]
            if not ways:
                break
            parent, atom = self.random.choice(ways)
            parents[atom] = parent
            atoms.append(atom)
        digits = self.closures(molecule, atoms, parents)
        return self.spell(molecule, start, parents, digits, letters, implied)

    def closures(self, molecule, atoms, parents):
        """Returns the ring digits of each atom; the digit at the first end of a ring bond follows the bond symbol."""
        digits = {atom: [] for atom in atoms}
        number = 0
        for bond in molecule.GetBonds():
            one, other = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
            if one in digits and other in digits and parents.get(one) != other and parents.get(other) != one:
                number += 1
                digits[one].append((number, bond))
                digits[other].append((number, None))
        return digits

    def spell(self, molecule, atom, parents, digits, letters, implied):
        # A symbol at one end of a ring bond is sufficient.
        text = self.atom(molecule.GetAtomWithIdx(atom), letters)
        for number, bond in digits[atom]:
            text += (self.bond(bond, implied) if bond is not None else "") + "%%%02d" % number
        children = [child for child, parent in parents.items() if parent == atom]
        for place, child in enumerate(children):
            way = self.bond(molecule.GetBondBetweenAtoms(atom, child), implied)
            way += self.spell(molecule, child, parents, digits, letters, implied)
            text += way if place == len(children) - 1 else "(%s)" % way
        return text

    def atom(self, atom, letters):
        number, symbol = atom.GetAtomicNum(), atom.GetSymbol()
        questions = [f"[#{number}]"] * 3 + ["*", f"[#{number},#{self.random.choice([6, 7, 8, 9, 16])}]"]
        questions += [f"[#{number};D{atom.GetDegree()}]", f"[#{number};H{atom.GetTotalNumHs()}]", "[!#1]"]
        questions += [f"[#{number};X{atom.GetTotalDegree()}]", f"[$([#{number}])]", f"[#{number};{atom.GetFormalCharge():+d}]"]
        questions += [f"[#{number};!$([#{number}]=*)]", f"[$([#{number}]*)]"]
        if letters and symbol in ("C", "N", "O", "S"):
            questions += [symbol.lower() if atom.GetIsAromatic() else symbol] * 8
            questions += ["a" if atom.GetIsAromatic() else "A", f"[{symbol},{symbol.lower()}]"]
        return self.random.choice(questions)

    def bond(self, bond, implied):
        order = bond.GetBondType()
        is_plain = order in (Chem.BondType.SINGLE, Chem.BondType.AROMATIC)
        if is_plain and self.random.random() < implied:
            return ""
        symbols = {Chem.BondType.SINGLE: "-", Chem.BondType.DOUBLE: "=", Chem.BondType.TRIPLE: "#", Chem.BondType.AROMATIC: ":"}
        return self.random.choice([symbols[order], symbols[order], "~", "@" if bond.IsInRing() else "!@", "-,=,:,#"])


def ours(program, pattern, path):
    run = subprocess.run([program, "grep", "-n", "--", pattern, path], capture_output=True)
    if run.returncode not in (0, 1):
        return run.stderr.decode(errors="replace")
    return {int(line.split(b":", 1)[0]) for line in run.stdout.splitlines() if line[:1].isdigit()}


def compare(program, known, patterns, folder, verbose):
    paths = {}
    for name, spell in SPELLINGS.items():
        paths[name] = os.path.join(folder, name)
        with open(paths[name], "w") as file:
            file.writelines(map(spell, known))
    queries = [(pattern, Chem.MolFromSmarts(pattern)) for pattern in patterns]
    theirs = [{n for n, molecule in enumerate(known, 1) if molecule.HasSubstructMatch(query)} for _, query in queries]
    wrong, found, worst = Counter(), 0, []
    jobs = [(place, name) for place in range(len(queries)) for name in paths]
    with ThreadPoolExecutor(2) as pool:
        answers = pool.map(lambda job: ours(program, queries[job[0]][0], paths[job[1]]), jobs)
    for (place, name), answer in zip(jobs, answers):
        found += len(theirs[place])
        if isinstance(answer, str):
            print(f"refused: {queries[place][0]}\n{answer}")
            wrong[name] += len(known)
            continue
        differing = answer ^ theirs[place]
        if differing:
            wrong[name] += len(differing)
            first = Chem.MolToSmiles(known[min(differing) - 1])
            worst.append((len(differing), queries[place][0], name, first))
    for count, pattern, name, first in sorted(worst, reverse=True)[: None if verbose else 15]:
        print(f"{count} differ: {pattern} in {name}, first {first}")
    pairs = len(queries) * len(known)
    for name in paths:
        print(f"{name}: {1 - wrong[name] / max(1, pairs):.3%} of {pairs} pairs agree")
    print(f"{len(queries)} patterns, {len(known)} molecules, {found // len(paths)} pairs that RDKit finds")
    return 0 if pairs and max(wrong.values(), default=0) <= 0.0005 * pairs else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--patterns", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--molecules", help="a file with one SMILES on each line, instead of those in this script")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    RDLogger.DisableLog("rdApp.*")
    known = molecules(arguments.molecules)
    pieces = Pieces(known, arguments.seed)
    patterns = {}
    while len(patterns) < arguments.patterns:
        pattern = pieces.pattern()
        if Chem.MolFromSmarts(pattern) is not None:
            patterns[pattern] = None
    with tempfile.TemporaryDirectory() as folder:
        return compare(arguments.program, known, list(patterns), folder, arguments.verbose)


if __name__ == "__main__":
    sys.exit(main())
