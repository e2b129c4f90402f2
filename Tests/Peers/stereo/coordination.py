#!/usr/bin/env python3
"""Checks that the isomers of coordination compounds have one canonical SMILES each, however they are represented.

    coordination.py CHEMOPEN [--copies N] [--seed S] [--show N] [--through FORMAT]

This script generates all isomers with four neighbors in a plane, with five, and with six neighbors, for every way in
which neighbors can be equal: MA2B2, MA3B3, MABCDEF and so on. Each isomer is written as SMILES with its neighbors in
random order, drawn with wedges in several styles, and written in 3D with random rotations and errors. To distinguish
the isomers, this script derives the rotations of each shape from coordinates.

If RDKit is installed, it also reads the 3D isomers, and must find the same configuration as in our SMILES. Fails if
less than 99 % of the equivalent pairs have one canonical SMILES, if less than 99 % of the different pairs have two, or
if RDKit agrees in less than 98 % of the cases.
"""

import argparse
import collections
import itertools
import math
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

LIGANDS = ["F", "Cl", "Br", "I", "O", "N"]
THIRD = math.sqrt(3) / 2

# The corners of each shape. The first two corners of a bipyramid and an octahedron are its axis.
CORNERS = {
    "SP": [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)],
    "TB": [(0, 0, 1), (0, 0, -1), (1, 0, 0), (-.5, THIRD, 0), (-.5, -THIRD, 0)],
    "OH": [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)],
}

# The arrangements of OpenSMILES: the neighbor at each corner, by its position in the text. Counterclockwise means as
# viewed from the first corner.
SQUARES = {1: "abcd", 2: "acbd", 3: "abdc"}
BIPYRAMIDS = {
    1: "ae@", 2: "ae@@", 3: "ad@", 4: "ad@@", 5: "ac@", 6: "ac@@", 7: "ab@", 8: "ab@@", 9: "be@", 10: "bd@", 11: "be@@",
    12: "bd@@", 13: "bc@", 14: "bc@@", 15: "ce@", 16: "cd@", 17: "de@", 18: "de@@", 19: "cd@@", 20: "ce@@",
}
OCTAHEDRA = {
    1: "Uf@", 2: "Uf@@", 3: "Ue@", 16: "Ue@@", 6: "Ud@", 18: "Ud@@", 19: "Uc@", 24: "Uc@@", 25: "Ub@", 30: "Ub@@",
    4: "Zf@", 14: "Zf@@", 5: "Ze@", 15: "Ze@@", 7: "Zd@", 17: "Zd@@", 20: "Zc@", 23: "Zc@@", 26: "Zb@", 29: "Zb@@",
    10: "4f@", 8: "4f@@", 11: "4e@", 9: "4e@@", 13: "4d@", 12: "4d@@", 22: "4c@", 21: "4c@@", 28: "4b@", 27: "4b@@",
}


def arrangement(shape, number):
    """Returns the position in the text of the neighbor at each corner."""
    if shape == "SP":
        return ["abcd".index(letter) for letter in SQUARES[number]]
    if shape == "TB":
        row = BIPYRAMIDS[number]
        ends = ["abcde".index(letter) for letter in row[:2]]
        around = [place for place in range(5) if place not in ends]
    else:
        row = OCTAHEDRA[number]
        ends = [0, "abcdef".index(row[1])]
        path = [place for place in range(1, 6) if place not in ends]
        around = [path[place] for place in {"U": (0, 1, 2, 3), "Z": (0, 1, 3, 2), "4": (0, 3, 1, 2)}[row[0]]]
    return ends + (around[::-1] if row.endswith("@@") else around)


COUNTS = {"SP": 3, "TB": 20, "OH": 30}


def turned(vector, matrix):
    return tuple(sum(matrix[row][column] * vector[column] for column in range(3)) for row in range(3))


def determinant(a, b, c):
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]))


def volume(points, corners):
    return determinant(*(points[corner] for corner in corners))


def rotations(shape):
    """Returns the permutations of corners that preserve all distances and the handedness."""
    points = CORNERS[shape]
    count = len(points)
    found = []
    for order in itertools.permutations(range(count)):
        if any(abs(math.dist(points[i], points[j]) - math.dist(points[order[i]], points[order[j]])) > 1e-6
               for i, j in itertools.combinations(range(count), 2)):
            continue
        # A planar shape can be turned over, so it has no handedness.
        if all(abs(volume(points, some) - volume(points, [order[corner] for corner in some])) < 1e-6
               for some in itertools.combinations(range(count), 3)):
            found.append(order)
    return found


ROTATIONS = {shape: rotations(shape) for shape in CORNERS}


def isomer(shape, labels):
    """Returns a name of the isomer with these neighbors at the corners."""
    return min(tuple(labels[place] for place in order) for order in ROTATIONS[shape])


def partitions(count, largest):
    if count == 0:
        yield []
    for size in range(min(count, largest), 0, -1):
        for rest in partitions(count - size, size):
            yield [size] + rest


def isomers(shape):
    """Yields all isomers of all compositions."""
    count = len(CORNERS[shape])
    for sizes in partitions(count, count):
        labels = [ligand for ligand, size in zip(LIGANDS, sizes) for _ in range(size)]
        for found in sorted({isomer(shape, order) for order in set(itertools.permutations(labels))}):
            yield "M" + "".join("ABCDEF"[i] + (str(size) if size > 1 else "") for i, size in enumerate(sizes)), found


def smiles(shape, corners, chance):
    """Returns a SMILES with the neighbors in random order."""
    order = list(range(len(corners)))
    chance.shuffle(order)
    text = [corners[place] for place in order]
    numbers = [number for number in range(1, COUNTS[shape] + 1)
               if isomer(shape, [text[place] for place in arrangement(shape, number)]) == isomer(shape, corners)]
    number = chance.choice(numbers)
    branches = "".join(f"({ligand})" for ligand in text[1:-1])
    return f"{text[0]}[Pt@{shape}{number}]{branches}{text[-1]}"


def molfile(atoms, bonds, is_in_space, chance):
    """Returns a molfile with its atoms and bonds in random order."""
    order = list(range(len(atoms)))
    chance.shuffle(order)
    place = {old: new + 1 for new, old in enumerate(order)}
    bonds = list(bonds)
    chance.shuffle(bonds)
    lines = ["", f"  generated       {'3D' if is_in_space else '2D'}", "",
             f"{len(atoms):3}{len(bonds):3}  0  0  0  0  0  0  0  0999 V2000"]
    for old in order:
        symbol, (x, y, z) = atoms[old]
        lines.append(f"{x:10.4f}{y:10.4f}{z:10.4f} {symbol:3} 0  0  0  0  0  0  0  0  0  0  0  0")
    lines += [f"{place[a]:3}{place[b]:3}  1{mark:3}" for a, b, mark in bonds]
    return "\n".join(lines + ["M  END", ""])


def in_space(shape, corners, chance):
    """Returns a molfile with the neighbors at the corners, rotated, with errors and different bond lengths."""
    while True:
        rows = [[chance.gauss(0, 1) for _ in range(3)] for _ in range(3)]
        first = [x / math.hypot(*rows[0]) for x in rows[0]]
        along = sum(x * y for x, y in zip(first, rows[1]))
        second = [y - along * x for x, y in zip(first, rows[1])]
        if math.hypot(*second) > 0.1:
            break
    second = [x / math.hypot(*second) for x in second]
    third = [first[1] * second[2] - first[2] * second[1], first[2] * second[0] - first[0] * second[2],
             first[0] * second[1] - first[1] * second[0]]
    atoms = [("Pt", (0, 0, 0))]
    for ligand, corner in zip(corners, CORNERS[shape]):
        length = chance.uniform(1.8, 2.4)
        point = turned([length * x for x in corner], [first, second, third])
        atoms.append((ligand, tuple(x + chance.uniform(-0.12, 0.12) for x in point)))
    return molfile(atoms, [(0, number, 0) for number in range(1, len(atoms))], True, chance)


# Drawings: for each corner in the order of CORNERS, the direction in degrees and the mark (1 up, 6 down).
DRAWINGS = {
    "SP": [
        [(0, 0), (90, 0), (180, 0), (270, 0)],
        [(210, 1), (330, 1), (30, 6), (150, 6)],
        [(180, 0), (300, 1), (0, 0), (120, 6)],
        [(225, 1), (315, 1), (45, 0), (135, 0)],
    ],
    "TB": [
        [(90, 0), (270, 0), (330, 1), (30, 6), (180, 0)],
        [(90, 0), (270, 0), (210, 1), (0, 0), (150, 6)],
        [(100, 0), (280, 0), (340, 1), (40, 6), (190, 0)],
    ],
    "OH": [
        [(90, 0), (270, 0), (210, 1), (330, 1), (30, 6), (150, 6)],
        [(90, 0), (270, 0), (180, 0), (225, 1), (0, 0), (45, 6)],
        [(90, 0), (270, 0), (200, 1), (340, 1), (20, 6), (160, 6)],
    ],
}


def drawn(shape, corners, chance):
    """Returns a molfile of a drawing with wedges, in a random style, rotation and scale."""
    style = chance.choice(DRAWINGS[shape])
    labels = [corners[place] for place in chance.choice(ROTATIONS[shape])]
    turn, scale = chance.uniform(0, 360), chance.choice([0.8, 1.5, 14.4])
    atoms, bonds = [("Pt", (0, 0, 0))], []
    for number, (label, (angle, mark)) in enumerate(zip(labels, style), 1):
        angle = math.radians(angle + turn + chance.uniform(-4, 4))
        atoms.append((label, (scale * math.cos(angle), scale * math.sin(angle), 0)))
        bonds.append((0, number, mark))
    return molfile(atoms, bonds, False, chance)


def convert(program, text, extension, *options, to="smi"):
    """Returns the lines that chemopen writes for some records."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "in." + extension), os.path.join(folder, "out." + to)
        with open(source, "w") as file:
            file.write(text)
        subprocess.run([program, "convert", *options, source, target], check=True, capture_output=True)
        with open(target) as file:
            return file.read()


def canonical(program, text, extension):
    lines = convert(program, text, extension, "--canonical").splitlines()
    return [line.split("\t")[0] for line in lines]


CENTER = re.compile(r"Pt@(SP|TB|OH)(\d+)\]")


def isomer_in(text):
    """Returns the shape and the isomer in a SMILES, or None if it has no configuration."""
    center = CENTER.search(text)
    if center is None:
        return None
    labels = re.findall(r"(F|Cl|Br|I|O|N)", text[:center.start()] + text[center.end():])
    places = arrangement(center[1], int(center[2]))
    if len(labels) != len(places):
        return None
    return center[1], isomer(center[1], [labels[place] for place in places])


def is_only(found):
    """Returns whether all arrangements of the neighbors are the same isomer."""
    return len({isomer(found[0], order) for order in itertools.permutations(found[1])}) == 1


def pyramids(program, chance, count=40):
    """Returns the number of square pyramids (octahedra without a corner) for which RDKit agrees with our SMILES."""
    texts = []
    for _ in range(count):
        corners = CORNERS["OH"][:]
        corners.pop(chance.randrange(6))
        CORNERS["pyramid"] = corners
        labels = LIGANDS[:5]
        chance.shuffle(labels)
        texts.append(in_space("pyramid", labels, chance))
    del CORNERS["pyramid"]
    agreed = 0
    for text, line in zip(texts, canonical(program, "".join(text + "$$$$\n" for text in texts), "sdf")):
        molecule = Chem.MolFromMolBlock(text, removeHs=False)
        Chem.AssignStereochemistryFrom3D(molecule)
        agreed += "@OH" in line and Chem.MolToSmiles(molecule) == Chem.MolToSmiles(Chem.MolFromSmiles(line))
    return agreed, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("--through", default="", help="convert the SMILES to this format first")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    program = os.path.abspath(arguments.program)
    names, texts = [], {"smi": [], "drawn": [], "space": []}
    for shape in CORNERS:
        for composition, found in isomers(shape):
            for _ in range(arguments.copies):
                names.append((shape, composition, found))
                texts["smi"].append(smiles(shape, found, chance))
                texts["drawn"].append(drawn(shape, found, chance))
                texts["space"].append(in_space(shape, found, chance))
    results = {}
    results["smi"] = canonical(program, "\n".join(texts["smi"]) + "\n", "smi")
    if arguments.through:
        through = convert(program, "\n".join(texts["smi"]) + "\n", "smi", to=arguments.through)
        results[arguments.through] = canonical(program, through, arguments.through)
    for kind in ["drawn", "space"]:
        results[kind] = canonical(program, "".join(text + "$$$$\n" for text in texts[kind]), "sdf")
    counts, failures = collections.Counter(), []
    for kind, lines in results.items():
        if len(lines) != len(names):
            sys.exit(f"{kind}: {len(lines)} lines for {len(names)} records")
    # Compare each representation with all others of the same composition.
    groups = collections.defaultdict(list)
    for kind, lines in results.items():
        for place, (name, line) in enumerate(zip(names, lines)):
            groups[name[:2]].append((name[2], kind, place, line))
    for group in groups.values():
        for one, other in itertools.combinations(group, 2):
            is_same = one[0] == other[0]
            is_right = is_same == (one[3] == other[3])
            counts["equivalent" if is_same else "different", is_right] += 1
            if not is_right:
                failures.append(("equivalent" if is_same else "different", one, other))
    chance.shuffle(failures)
    for kind, one, other in failures[:arguments.show]:
        print(f"  {kind}: {one[1]} {'-'.join(one[0])} {one[3]}   {other[1]} {'-'.join(other[0])} {other[3]}")
    is_good = True
    for kind in ["equivalent", "different"]:
        right, all_pairs = counts[kind, True], counts[kind, True] + counts[kind, False]
        print(f"{right} of {all_pairs} {kind} pairs ({100 * right / all_pairs:.2f} %)")
        is_good = is_good and right >= 0.99 * all_pairs
    if Chem is None:
        print("RDKit is not installed")
    else:
        agreed = compared = shown = 0
        for text, line in zip(texts["space"], results["space"]):
            molecule = Chem.MolFromMolBlock(text, sanitize=True, removeHs=False)
            if molecule is None:
                continue
            Chem.AssignStereochemistryFrom3D(molecule)
            theirs = isomer_in(Chem.MolToSmiles(molecule))
            if theirs is None:
                continue
            compared += 1
            read = Chem.MolFromSmiles(line.split(" ")[0])
            ours = isomer_in(Chem.MolToSmiles(read)) if read else None
            # Our canonical SMILES omits a configuration that follows from equal neighbors.
            if ours == theirs or "@" not in line and is_only(theirs):
                agreed += 1
            elif shown < arguments.show:
                shown += 1
                print(f"  RDKit: {theirs}   ours: {ours}  ({line})")
        print(f"RDKit finds the same configuration in {agreed} of {compared} cases")
        is_good = is_good and agreed >= 0.98 * compared > 0
        agreed, compared = pyramids(program, chance)
        print(f"RDKit finds the same square pyramid in {agreed} of {compared} cases")
        is_good = is_good and agreed >= 0.98 * compared
    sys.exit(0 if is_good else 1)


main()
