#!/usr/bin/env python3
"""Compares the identity of structures with enhanced stereo groups with RDKit, on generated molecules.

    stereo_groups.py CHEMOPEN [--molecules N] [--spellings N] [--seed N] [--show N]

Each molecule gets random racemic, relative and absolute groups. It is written several times, with random atom orders,
mirrored groups and other group numbers. RDKit decides which texts represent the same substance (CanonicalizeEnhancedStereo).
The canonical texts of chemopen must be equal for exactly the same pairs, and `grep --exact` must find exactly these
records. Skipped if RDKit is not installed. Exits with 1 if a pair differs.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    from rdkit import Chem, RDLogger
except ImportError:
    sys.exit(print("skipped: RDKit is not installed"))

RDLogger.DisableLog("rdApp.*")
SKELETONS = """
CC(O)CC CC(F)C(Cl)Br OC(F)C(Cl)Br CC(O)C(N)C(F)C CC(O)CC(N)CC N1C(C)CC1C(O)F OC1CCC(N)C(F)C1 CC(N)C(=O)NC(CC)C(O)=O
CC(O)C(O)C CC(F)CC(F)C OC1CC(O)CC(F)C1 FC(Cl)C=CC(Br)I CC(Cl)c1ccccc1C(F)O C1CC(F)OC1C(Cl)CC(N)Br CC(O)CC(O)CC(O)C
""".split()


def stated(dice, smiles):
    """Returns a molecule with a random configuration of each center."""
    molecule = Chem.MolFromSmiles(smiles)
    centers = [place for place, _ in Chem.FindMolChiralCenters(molecule, includeUnassigned=True, useLegacyImplementation=False)]
    for place in centers:
        tag = dice.choice([Chem.ChiralType.CHI_TETRAHEDRAL_CW, Chem.ChiralType.CHI_TETRAHEDRAL_CCW])
        molecule.GetAtomWithIdx(place).SetChiralTag(tag)
    Chem.AssignStereochemistry(molecule, cleanIt=True, force=True)
    centers = [atom.GetIdx() for atom in molecule.GetAtoms() if atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED]
    return molecule, centers


def mirrored(molecule, places):
    for place in places:
        molecule.GetAtomWithIdx(place).InvertChirality()


def text(dice, molecule, groups):
    """Returns a CXSMILES in a random order, with mirrored groups and other numbers."""
    copy = Chem.Mol(molecule)
    for kind, members in groups:
        if kind != "a" and dice.random() < 0.5:
            mirrored(copy, members)
    order = list(range(copy.GetNumAtoms()))
    dice.shuffle(order)
    copy = Chem.RenumberAtoms(copy, order)
    smiles = Chem.MolToSmiles(copy, canonical=False, doRandom=True)
    written = eval(copy.GetProp("_smilesAtomOutputOrder"))  # noqa: S307, a list of numbers by RDKit
    place_in_text = {order[atom]: place for place, atom in enumerate(written)}
    parts = []
    for number, (kind, members) in enumerate(dice.sample(groups, len(groups)), dice.randint(1, 5)):
        places = [str(place_in_text[member]) for member in dice.sample(members, len(members))]
        parts.append((kind if kind == "a" else f"{kind}{number}") + ":" + ",".join(places))
    return smiles + (f" |{','.join(parts)}|" if parts else "")


def substance(cxsmiles):
    """Returns RDKit's canonical text."""
    molecule = Chem.MolFromSmiles(cxsmiles)
    if molecule is None:
        return None
    Chem.CanonicalizeEnhancedStereo(molecule)
    return Chem.MolToCXSmiles(molecule)


def centers_of(cxsmiles):
    return cxsmiles.replace("@@", "@").count("@")


def images(cxsmiles):
    """Returns the mirror images that a text represents, with their groups: equal texts of one substance have equal images.

    RDKit's own canonical text has not always the same image if a molecule is its own mirror image.
    """
    molecule = Chem.MolFromSmiles(cxsmiles)
    groups = [(str(group.GetGroupType()), [atom.GetIdx() for atom in group.GetAtoms()]) for group in molecule.GetStereoGroups()]
    free = [members for kind, members in groups if "ABSOLUTE" not in kind]
    found = set()
    for choice in range(1 << len(free)):
        image = Chem.RWMol(molecule)
        image.SetStereoGroups([])
        for place, members in enumerate(free):
            if choice >> place & 1:
                mirrored(image, members)
        # An isotope marks the kind and the size of an atom's group.
        for kind, members in groups:
            for member in members:
                image.GetAtomWithIdx(member).SetIsotope(100 + 20 * ("AND" in kind) + 40 * ("OR" in kind) + len(members))
        found.add(Chem.MolToSmiles(Chem.MolFromSmiles(Chem.MolToSmiles(image))))
    return frozenset(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("--molecules", type=int, default=120)
    parser.add_argument("--spellings", type=int, default=6)
    parser.add_argument("--seed", type=int, default=39)
    parser.add_argument("--show", type=int, default=8)
    options = parser.parse_args()
    chemopen, dice = os.path.abspath(options.chemopen), random.Random(options.seed)
    records = []
    for _ in range(options.molecules):
        skeleton = dice.choice(SKELETONS)
        molecule, centers = stated(dice, skeleton)
        if not centers:
            continue
        free = centers[:]
        dice.shuffle(free)
        groups = []
        while free:
            size = dice.randint(1, len(free))
            kind, free, members = dice.choice(["&", "&", "o", "a", ""]), free[size:], free[:size]
            if kind and not (kind == "a" and any(known == "a" for known, _ in groups)):
                groups.append((kind, members))
        for _ in range(options.spellings):
            record = text(dice, molecule, groups)
            # A center between two equal arms is not a stereocenter, although a text can specify its configuration. Such
            # texts are left out.
            if centers_of(substance(record)) == len(centers):
                records.append(record)
    theirs = [substance(record) for record in records]
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "all.smi")
    with open(path, "w") as file:
        file.writelines(f"{record} r{place}\n" for place, record in enumerate(records))
    run = subprocess.run([chemopen, "convert", "--canonical", "--to", "smi", path, "-"], capture_output=True, text=True, check=False)
    ours = [line.split("\t")[0] for line in run.stdout.splitlines()]
    if len(ours) != len(records):
        sys.exit(f"{len(ours)} canonical texts for {len(records)} records: {run.stderr[:300]}")
    wrong = 0
    for one, other, what in ((theirs, ours, "two texts of one substance"), (ours, theirs, "one text of two substances")):
        classes = collections.defaultdict(dict)
        for place, key in enumerate(one):
            if theirs[place] is not None:
                classes[key].setdefault(other[place], place)
        for different in classes.values():
            if len(different) > 1 and not (other is theirs and len({images(records[place]) for place in different.values()}) == 1):
                wrong += 1
                if wrong <= options.show:
                    print(f"  {what}:", *(f"{records[place]} -> {ours[place]}, RDKit {theirs[place]}" for place in list(different.values())[:2]), sep="\n      ")
    asked = missed = 0
    for place in dice.sample(range(len(records)), min(len(records), options.molecules // 2)):
        if theirs[place] is None:
            continue
        query = os.path.join(folder, "query.smi")
        with open(query, "w") as file:
            file.write(records[place] + "\n")
        run = subprocess.run([chemopen, "grep", "-n", "--exact", query, path], capture_output=True, text=True, check=False)
        found = {int(line.split(":")[0]) - 1 for line in run.stdout.splitlines()}
        expected = {other for other in range(len(records)) if theirs[other] == theirs[place]}
        # A query center without a configuration matches any configuration.
        found -= {other for other in found - expected if centers_of(theirs[other]) > centers_of(theirs[place])}
        found -= {other for other in found - expected if images(records[other]) == images(records[place])}
        # An absolute group has the same meaning as a configuration without a group.
        alike = {other for other in range(len(records)) if plain(theirs[other]) == plain(theirs[place])}
        asked += 1
        if not expected <= found or not found <= alike:
            missed += 1
            if missed <= options.show:
                odd = sorted((expected - found) | (found - alike))[0]
                print(f"  --exact {records[place]} {'misses' if odd in expected else 'also finds'} {records[odd]}")
    print(f"{len(records)} texts, {wrong} classes differ from RDKit; {asked} exact searches, {missed} differ")
    sys.exit(1 if wrong or missed else 0)


def plain(cxsmiles):
    """Returns RDKit's canonical text without the absolute group."""
    return substance(re.sub(r"a:[0-9]+(,[0-9]+)*(?![0-9]),?", "", cxsmiles).replace(",|", "|").replace(" ||", ""))


main()
