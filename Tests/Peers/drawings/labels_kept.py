#!/usr/bin/env python3
"""Checks that every label of a drawing is in its records: as atoms, an abbreviation, an atom with that name, a text,
or a warning.

    Tests/Peers/drawings/labels_kept.py CHEMOPEN [FOLDER...] [--generated N] [--seed N] [--show N]

The script reads the pages of CDXML itself (CDX through `convert`), and has its own parser for formulas, which counts
atoms without structures. It searches for each label and text of the files in the output of `convert -o jsonl` and
`check`. For N generated labels at the end of a chain, it also compares the formula of the record.
"""
import argparse
import collections
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from xml.sax.saxutils import escape

SYMBOLS = (
    "X H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo "
    "Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl "
    "Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og"
).split()

# The atoms of groups, including the hydrogens of the bonded group.
GROUPS = {
    "Me": "CH3", "Et": "C2H5", "Pr": "C3H7", "iPr": "C3H7", "i-Pr": "C3H7", "nPr": "C3H7", "n-Pr": "C3H7", "Bu": "C4H9",
    "tBu": "C4H9", "t-Bu": "C4H9", "nBu": "C4H9", "n-Bu": "C4H9", "iBu": "C4H9", "sBu": "C4H9", "Cy": "C6H11",
    "Ph": "C6H5", "Bn": "C7H7", "Bz": "C7H5O", "Ac": "C2H3O", "Piv": "C5H9O", "Boc": "C5H9O2", "Cbz": "C8H7O2",
    "Fmoc": "C15H11O2", "Ts": "C7H7O2S", "Tos": "C7H7O2S", "Ms": "CH3O2S", "Tf": "CF3O2S", "TMS": "C3H9Si",
    "TES": "C6H15Si", "TBS": "C6H15Si", "TIPS": "C9H21Si", "TBDMS": "C6H15Si", "TBDPS": "C16H19Si", "Tr": "C19H15",
    "Trt": "C19H15", "MOM": "C2H5O", "PMB": "C8H9O", "THP": "C5H9O", "Phth": "C8H4O2", "pin": "C6H12O2",
    "Tol": "C7H7", "p-Tol": "C7H7", "allyl": "C3H5", "Alloc": "C4H5O2", "Mes": "C9H11", "TFA": "C2F3O", "D": "H", "T": "H",
}
COMPOUNDS = {
    "TEA": "C6H15N", "DMF": "C3H7NO", "THF": "C4H8O", "DCM": "CH2Cl2", "DMSO": "C2H6OS", "TFA": "C2HF3O2",
    "water": "H2O", "toluene": "C7H8", "DIPEA": "C8H19N", "DMAP": "C7H10N2",
}
VARIABLES = re.compile(r"\*|R\d*|R#|[AQXM]H?|Pol|Mod")


def plain(text):
    table = {0x2080 + n: str(n) for n in range(10)} | {0x2074 + n: str(n + 4) for n in range(6)}
    table |= {0xB9: "1", 0xB2: "2", 0xB3: "3", 0x2070: "0", 0x207A: "+", 0x207B: "-", 0x2212: "-", 0x2013: "-"}
    return re.sub(r"\s+", "", text.translate(table))


def composition(text):
    """Returns the atoms of a label and its charge, or None if it contains other text than elements, groups, brackets
    and numbers."""
    text = plain(text)
    sign = re.search(r"(?<=.)(\++|-+)$", text)
    charge = 0
    if sign:
        charge = len(sign.group()) * (1 if sign.group()[0] == "+" else -1)
        text = text[: sign.start()]
    found, rest = units(text, 0)
    return (found, charge) if found is not None and rest == len(text) else None


def units(text, place):
    total = collections.Counter()
    start = place
    while place < len(text) and text[place] not in ")]":
        inner = None
        if text[place] in "([":
            inner, place = units(text, place + 1)
            if inner is None or place >= len(text):
                return None, place
            place += 1
        elif text[place] in "=#-+" and place > start:
            place += 1
            continue
        else:
            mass = re.compile(r"\d+").match(text, place)
            if mass and place == start:
                place = mass.end()
            for length in range(6, 0, -1):
                name = text[place : place + length]
                follows = text[place + length : place + length + 1]
                goes_on = follows.islower() and follows.isascii()
                if len(name) != length or goes_on and not any(text.startswith(g, place + length) for g in GROUPS):
                    continue
                if name in GROUPS:
                    inner = collections.Counter(formula(GROUPS[name]))
                elif name in SYMBOLS[1:]:
                    inner = collections.Counter({name: 1})
                else:
                    continue
                place += length
                break
            if inner is None:
                return None, place
        number = re.compile(r"\d+").match(text, place)
        count = 1
        if number:
            count = int(number.group())
            place = number.end()
            if count < 2:
                return None, place
        for symbol, n in inner.items():
            total[symbol] += n * count
    return (total if total else None), place


def formula(text):
    return {s: int(n or 1) for s, n in re.findall(r"([A-Z][a-z]?)(\d*)", text or "") if s}


def run(*words):
    return subprocess.run(words, capture_output=True, timeout=120).stdout.decode("utf-8", "replace")


def walk(value):
    """Returns all objects and texts of a record."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner)
    elif isinstance(value, str):
        yield value


def page_labels(root):
    """Returns the nodes of a page that are not nested in another, and its texts."""
    def visit(element, in_node):
        for child in element:
            if child.tag == "n":
                text = next((t for t in map(words, child.findall("t")) if t), "")
                if text and not in_node:
                    yield "node", child, text
                yield from visit(child, True)
            elif child.tag == "t" and element.tag in ("page", "group", "fragment") and not in_node:
                yield "text", child, words(child)
            elif child.tag != "objecttag":
                yield from visit(child, in_node)
    yield from visit(root, False)


def words(text):
    return "".join("".join(s.itertext()) for s in text.iter("s")).strip()


def check_file(chemopen, path, wrong):
    """Counts the labels of a file, and adds unexplained ones to the list."""
    source = path
    if not path.endswith(".cdxml"):
        source = os.path.join(tempfile.mkdtemp(), "page.cdxml")
        run(chemopen, "convert", "-f", path, source)
    try:
        data = re.sub(rb"<!DOCTYPE[^>]*>", b"", open(source, "rb").read())
        root = ET.fromstring(data)
    except (OSError, ET.ParseError):
        return 0
    records = [json.loads(line) for line in run(chemopen, "convert", "-o", "jsonl", "-O", "-", path).splitlines()]
    if not records:
        return 0
    labels, texts, elements = set(), [], collections.Counter()
    for found in walk(records):
        if isinstance(found, str):
            texts.append(plain(found))
        elif "element" in found and ("x" in found or "label" not in found):
            elements[found["element"]] += 1
    everything = "\n".join(texts)
    labels = set(texts)
    told = plain(run(chemopen, "check", path))
    wanted = collections.Counter()
    count = 0
    for kind, node, text in page_labels(root):
        count += 1
        short = plain(text)
        if not short or short in labels or short in told or short == "+":
            continue
        if kind == "text":
            if short not in everything:
                wrong.append((path, kind, text))
            continue
        # A number after a metal is its oxidation state.
        short = re.sub(r"(?<=[a-z])\(?[IV]+\)?$", "", short)
        atoms = re.fullmatch(r"[+:]*\d*(H\d*)?([A-Z][a-z]?)(H\d*|[+-]\d?|\d?[+-]|:)*", short)
        symbol = SYMBOLS[int(float(node.get("Element", 6)))] if int(float(node.get("Element", 6))) < len(SYMBOLS) else "?"
        names = [s for s in re.findall(r"[A-Z][a-z]?", short) if s in SYMBOLS or s in "DT"]
        heavy = [s for s in names if s != "H"] or names
        heavy = ["H" if s in "DT" else s for s in heavy]
        if set(heavy) == {"H"}:
            heavy = ["H"]
        if atoms and len(heavy) == 1:
            wanted[heavy[0]] += 1
            if heavy[0] == symbol or wanted[heavy[0]] <= elements[heavy[0]]:
                continue
        if short == "Me" and symbol == "C" or VARIABLES.fullmatch(short):
            continue
        atoms = formula(COMPOUNDS.get(short, COMPOUNDS.get(short.lower(), "")))
        if atoms and all(elements[s] for s in atoms if s != "H"):
            continue
        if node.get("NodeType") == "ElementList":
            continue
        wrong.append((path, kind, text))
    return count


def make_label(random):
    ends = ["H", "H2", "H3", "F", "Cl", "Br", "I", "F3", "Me", "Et", "Ph", "tBu", "Bn", "Ac", "Boc", "Ts", "TBS", "Me2",
            "Me3", "Et2", "Ph2", "Ph3", "i-Pr", "D", "D3", "OH", "pin", "Phth"]
    middles = ["C", "N", "O", "S", "P", "Si", "B", "CO", "CO2", "SO2", "O2", "O3", "CH2", "NH", "CH", "(CH2)2", "(CH2)3",
               "CF2", "Sn", "Se", "C(O)", "S(O)", "P(O)", "(OMe)2", "(OEt)", "(NMe2)2", "C2", "N3", "NO2", "CN"]
    junk = ["L1", "or", "n", "x", "Gly", "Foo", "~", "(", ")", "12", "%", "R", "R1", "X", "Ar", "Z", "*", "a", ",", "\u03b1"]
    way = random.random()
    if way < 0.5:
        parts = [random.choice(middles) for _ in range(random.randint(1, 3))] + [random.choice(ends)]
    elif way < 0.7:
        parts = [random.choice(ends)] + [random.choice(middles) for _ in range(random.randint(1, 2))]
    elif way < 0.8:
        parts = [random.choice(SYMBOLS[1:]), random.choice(["", "", "H", "H2", "H3", "+", "-", "H+"])]
    elif way < 0.9:
        parts = [random.choice(list(GROUPS) + list(COMPOUNDS))]
    else:
        parts = [random.choice(middles + ends + junk) for _ in range(random.randint(1, 3))]
    label = "".join(parts)
    if random.random() < 0.08:
        label += random.choice(["+", "-", "\u207b", "\u207a", "\u2212"])
    if random.random() < 0.1:
        label = label.translate({ord(str(n)): chr(0x2080 + n) for n in range(10)})
    return label


def page_of(labels, types):
    fragments = []
    for number, (label, kind) in enumerate(zip(labels, types)):
        x, y, one = 40 + number % 10 * 120, 40 + number // 10 * 60, number * 10 + 10
        fragments.append(
            f'<fragment id="{one}" Name="{number}"><n id="{one + 1}" p="{x} {y}"/><n id="{one + 2}" p="{x + 12.5} {y + 7.2}"/>'
            f'<n id="{one + 3}" p="{x + 25} {y}"{kind}><t p="{x + 25} {y}"><s>{escape(label)}</s></t></n>'
            f'<b B="{one + 1}" E="{one + 2}"/><b B="{one + 2}" E="{one + 3}"/></fragment>')
    return '<CDXML BondLength="14.4"><page id="1">' + "\n".join(fragments) + "</page></CDXML>"


def judge(label, record, is_told):
    """Returns the error in the record of a chain that ends in a label, or None if it is correct."""
    if is_told:
        return None
    named = [s for s in record["elements"] if s not in SYMBOLS[1:] and s not in ("D", "T")]
    if named:
        return None if VARIABLES.fullmatch(plain(label)) else "an atom without a warning"
    found = composition(label)
    if found is None:
        return "atoms for no formula"
    atoms, charge = found
    atoms = collections.Counter({s: n for s, n in atoms.items() if s not in "DT"})
    whole = collections.Counter(formula(record["formula"]))
    for s in "DT":
        whole["H"] += whole.pop(s, 0)
    # Groups in brackets share a bond: each except the last replaces a hydrogen of the chain.
    shared = re.fullmatch(r"\([^()]*\)(\d)", plain(label))
    whole.subtract({"C": 2, "H": 6 - int(shared.group(1)) if shared else 5})
    if sum(n for s, n in atoms.items() if s != "H") <= 1 and atoms["H"] == 0:
        whole["H"] = 0
    if record["charge"] != charge:
        return f"charge {record['charge']}, shown {charge}"
    left = {s: n for s, n in whole.items() if n}
    return None if left == {s: n for s, n in atoms.items() if n} else f"atoms {left}, shown {dict(atoms)}"


def check_generated(chemopen, count, seed, wrong):
    chance = random.Random(seed)
    kinds = ["", ' NodeType="Unspecified"', ' NodeType="Fragment"', ' NodeType="Nickname"']
    named = understood = 0
    for start in range(0, count, 200):
        labels = [make_label(chance) for _ in range(min(200, count - start))]
        types = [chance.choice(kinds) for _ in labels]
        with tempfile.NamedTemporaryFile("w", suffix=".cdxml", delete=False, encoding="utf-8") as file:
            file.write(page_of(labels, types))
        told = collections.defaultdict(str)
        for line in run(chemopen, "check", "--json", file.name).splitlines():
            issue = json.loads(line)
            node = re.match(r'<n id="(\d+)">', issue.get("message", ""))
            if node:
                told[(int(node.group(1)) - 13) // 10] += issue["message"]
        records = [json.loads(line) for line in run(chemopen, "info", "--json", "--expand", file.name).splitlines()]
        by_name = {record["title"]: record for record in records}
        for number, label in enumerate(labels):
            record = by_name.get(str(number))
            fault = "no record" if record is None else judge(label, record, told.get(number))
            if fault:
                wrong.append((file.name, "generated" + types[number], f"{label}: {fault}"))
            named += told.get(number) is not None
            understood += told.get(number) is None
        if not any(path == file.name for path, *_ in wrong):
            os.unlink(file.name)
    return understood, named


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chemopen")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--generated", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=30)
    options = parser.parse_args()
    wrong, files, labels = [], 0, 0
    for folder in options.folders:
        if not os.path.exists(folder):
            print(f"{folder}: does not exist; skipped")
            continue
        paths = sorted(glob.glob(folder + "/**/*.cdx*", recursive=True)) if os.path.isdir(folder) else [folder]
        for path in paths:
            if "/bad/" in path:
                continue
            files += 1
            labels += check_file(options.chemopen, path, wrong)
    understood, named = check_generated(options.chemopen, options.generated, options.seed, wrong)
    for path, kind, fault in wrong[: options.show]:
        print(f"{path}: {kind}: {fault}")
    print(f"{files} files, {labels} labels and texts; {understood} generated labels read, {named} preserved as names with a warning; "
          f"{len(wrong)} without a warning or wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
