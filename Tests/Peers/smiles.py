#!/usr/bin/env python3
"""Checks that RDKit reads the same molecule from our SMILES as from the molfile, and that SMILES input is preserved.

    smiles.py CHEMOPEN FILE_OR_DIR... [--also FILE...] [--show N]

A record counts if RDKit reads the molfile and computes its InChIKey. Fails in these cases: less than 99.5 % of the keys
are those of our SMILES; RDKit rejects our SMILES or its CX extensions; a SMILES of RDKit has another key after we have
read and written it, with its atoms in any order, as a molecule or as a reaction; a second writing differs. For the
files after --also, only the last two checks run, because their molfiles contain more than SMILES can express.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

from rdkit import Chem, RDLogger

from smarts import one_file


def key(molecule):
    """Returns RDKit's InChIKey, or None if RDKit cannot compute one."""
    try:
        return Chem.MolToInchiKey(molecule) if molecule is not None else ""
    except ValueError:
        return ""


def spelled(molecule):
    """Returns RDKit's SMILES for a molecule: the default, another order, and one with all optional parts."""
    yield Chem.MolToSmiles(molecule)
    for options in [{}, {"kekuleSmiles": False, "allHsExplicit": True}, {"allBondsExplicit": True}]:
        yield Chem.MolToSmiles(molecule, doRandom=True, **options)


def convert(program, smiles, folder):
    """Returns the SMILES that chemopen writes for its input, with an empty line for rejected SMILES."""
    source, target = os.path.join(folder, "spelled.smi"), os.path.join(folder, "written.smi")
    with open(source, "w") as file:
        for number, text in enumerate(smiles):
            file.write(f"{text}\t{number}\n")
    subprocess.run(
        [program, "convert", "--rewrite", "-f", source, target], stderr=subprocess.DEVNULL, check=False)
    written = [""] * len(smiles)
    for line in open(target).read().split("\n")[:-1]:
        text, number = line.split("\t")
        written[int(number)] = text
    return written


def sides(smiles):
    """Returns the keys of the components on each side of a reaction."""
    return [sorted(key(Chem.MolFromSmiles(part)) for part in side.split(".") if part) for side in smiles.split(">")]


def read_back(program, molecules, folder, show):
    """Returns how many of RDKit's SMILES change when we read and write them, and their total number."""
    lines = [text for molecule in molecules for text in spelled(molecule) if text and key(Chem.MolFromSmiles(text))]
    written = convert(program, lines, folder)
    wrong = [(one, other) for one, other in zip(lines, written)
             if key(Chem.MolFromSmiles(one)) != key(Chem.MolFromSmiles(other))]
    whole = [line for line in lines if "." not in line]
    reactions = [f"{one}.{other}>{third}>{other}" for one, other, third in zip(whole, whole[1:], whole[2:])]
    for one, other in zip(reactions, convert(program, reactions, folder)):
        if other.count(">") != 2 or sides(one) != sides(other):
            wrong.append((one, other))
    again = convert(program, written, folder)
    wrong += [(one, other) for one, other in zip(written, again) if one != other]
    for one, other in wrong[:show]:
        print(f"{one[:150]}\n    is written as {other[:150]}")
    print(f"{len(lines)} SMILES and {len(reactions)} reactions read and written: {len(wrong)} differ")
    return len(wrong)


def refused_extensions(lines, show):
    """Returns the number of CX extensions that RDKit rejects in SMILES that it accepts without them."""
    parameters, plain = Chem.SmilesParserParams(), Chem.SmilesParserParams()
    parameters.strictCXSMILES, parameters.sanitize = True, False
    plain.allowCXSMILES, plain.sanitize = False, False
    extended = refused = 0
    for line in lines:
        text = line.split(b"\t")[0].decode("utf-8", "replace")
        if " |" not in text or ">" in text.partition(" ")[0].replace("->", ""):
            continue
        if Chem.MolFromSmiles(text.partition(" ")[0], plain) is None:
            continue
        extended += 1
        if Chem.MolFromSmiles(text, parameters) is None:
            refused += 1
            if refused <= show:
                print(f"extensions refused: {text[:150]}")
    print(f"{extended} with CX extensions, {refused} of which RDKit refuses")
    return refused


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--also", nargs="*", default=[])
    parser.add_argument("--show", type=int, default=20)
    arguments = parser.parse_args()
    RDLogger.DisableLog("rdApp.*")
    with tempfile.TemporaryDirectory() as folder:
        # Broken records are removed first, because both readers must count the same ones.
        source = os.path.join(folder, "sound.sdf")
        subprocess.run(
            [arguments.program, "convert", "--rewrite", one_file(arguments, folder), source],
            stderr=subprocess.DEVNULL, check=False)
        target = os.path.join(folder, "all.smi")
        subprocess.run([arguments.program, "convert", source, target], stderr=subprocess.DEVNULL, check=False)
        lines = open(target, "rb").read().split(b"\n")
        records = 0
        compared = refused = wrong = unsaid = 0
        # Iterating over a supplier ends at the first unreadable record, so each record is read from a separate block.
        blocks = re.split(rb"(?m)^\$\$\$\$\n", open(source, "rb").read())[:-1]
        blocks = [block for block in blocks if block.strip()]
        molecules = [Chem.MolFromMolBlock(block.decode("latin-1")) for block in blocks]
        if len(molecules) != len(lines) - 1:
            sys.exit(f"RDKit reads {len(molecules)} records, but there are {len(lines) - 1} lines of SMILES")
        for molecule, line in zip(molecules, lines):
            records += 1
            theirs = key(molecule)
            smiles = line.split(b"\t")[0].decode()
            if not theirs or molecule.HasSubstructMatch(Chem.MolFromSmarts("[#0]")) or any(
                bond.HasQuery() or bond.GetBondType() == Chem.BondType.ZERO for bond in molecule.GetBonds()
            ):
                continue
            compared += 1
            ours = key(Chem.MolFromSmiles(smiles))
            if ours == theirs:
                continue
            if key(Chem.MolFromSmiles(Chem.MolToSmiles(molecule))) != theirs:
                # RDKit's own SMILES does not contain it either.
                unsaid += 1
                continue
            wrong += 1
            if not ours:
                refused += 1
            if wrong <= arguments.show:
                print(f"record {records}: {smiles[:150]}\n    {ours or 'rejected'}, but the molfile has {theirs}")
        agreed = 1 - wrong / max(1, compared)
        print(f"{compared} of {records} records: {agreed:.3%} have the molfile's InChIKey, {refused} rejected,")
        print(f"besides {unsaid} whose key RDKit's own SMILES changes too")
        extensions = refused_extensions(lines, arguments.show)
        others = [molecule for path in arguments.also for molecule in Chem.SDMolSupplier(path)]
        sound = [molecule for molecule in molecules + others if key(molecule)]
        others = read_back(arguments.program, sound, folder, arguments.show)
        return 0 if agreed >= 0.995 and others == 0 and extensions == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
