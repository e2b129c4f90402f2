#!/usr/bin/env python3
"""Is the SMILES that chemopen writes the same molecule to RDKit as the molfile it is written from?

    smiles.py CHEMOPEN FILE_OR_FOLDER... [--show N]

A record counts where RDKit reads the molfile and makes an InChIKey of it. Fails where less than 99.5 % of the keys are
those of our SMILES, or RDKit refuses one of these.
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
    return Chem.MolToInchiKey(molecule) if molecule is not None else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--show", type=int, default=20)
    arguments = parser.parse_args()
    RDLogger.DisableLog("rdApp.*")
    with tempfile.TemporaryDirectory() as folder:
        # Records that are broken fall out first, so that both readers count the same ones.
        source = os.path.join(folder, "sound.sdf")
        subprocess.run(
            [arguments.program, "convert", "--rewrite", one_file(arguments, folder), source],
            stderr=subprocess.DEVNULL, check=False)
        target = os.path.join(folder, "all.smi")
        subprocess.run([arguments.program, "convert", source, target], stderr=subprocess.DEVNULL, check=False)
        lines = open(target, "rb").read().split(b"\n")
        records = 0
        compared = refused = wrong = unsaid = 0
        # A supplier that is walked through ends at the first record that confuses it; a block of its own cannot.
        blocks = re.split(rb"(?m)^\$\$\$\$\n", open(source, "rb").read())[:-1]
        blocks = [block for block in blocks if block.strip()]
        molecules = [Chem.MolFromMolBlock(block.decode("latin-1")) for block in blocks]
        if len(molecules) != len(lines) - 1:
            sys.exit(f"RDKit counts {len(molecules)} records, and there are {len(lines) - 1} lines of SMILES")
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
                # RDKit's own SMILES does not say it either.
                unsaid += 1
                continue
            wrong += 1
            if not ours:
                refused += 1
            if wrong <= arguments.show:
                print(f"record {records}: {smiles[:150]}\n    {ours or 'refused'}, and the molfile {theirs}")
        agreed = 1 - wrong / max(1, compared)
        print(f"{compared} of {records} records: {agreed:.3%} have the molfile's InChIKey, {refused} refused,")
        print(f"besides {unsaid} whose key RDKit's own SMILES changes too")
        return 0 if agreed >= 0.995 else 1


if __name__ == "__main__":
    sys.exit(main())
