#!/usr/bin/env python3
"""Compares uniq with InChIKeys, and stats and join with computations in Python.

    tools.py CHEMOPEN FILE... [--show N]

For uniq, RDKit computes the InChIKey of each record that it can read, and draws it again with its atoms in another
order. A record agrees if uniq and the keys give the same result for the question whether an earlier record is equal.
Fails if less than 99.9 % agree, or if stats or join differ from Python. Prints the exceptions. Without RDKit, uniq is
skipped.
"""

import argparse
import collections
import csv
import gzip
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

try:
    from rdkit import Chem, RDLogger

    RDLogger.DisableLog("rdApp.*")
except ImportError:
    Chem = None

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\Z")


def records(paths):
    """Yields the text of each record, using only its lines."""
    for path in paths:
        opened = gzip.open if path.endswith(".gz") else open
        with opened(path, "rt", encoding="latin-1", newline="") as file:
            lines = []
            for line in file:
                lines.append(line.rstrip("\r\n") + "\n")
                if lines[-1].rstrip() == "$$$$":
                    yield "".join(lines)
                    lines = []
            # The separator of the last record may be missing.
            if "".join(lines).strip():
                yield "".join(lines)


def fields(record):
    """Returns the data fields of a record, the first of each name."""
    found = {}
    for name, value in re.findall(r"^> .*?<(.*?)>.*\n((?:.+\n)*)", record, flags=re.M):
        found.setdefault(name, value.removesuffix("\n"))
    return found


def renumbered(molecule, chance):
    """Returns the structure drawn by RDKit with its atoms in another order, and the key of that drawing."""
    order = list(range(molecule.GetNumAtoms()))
    chance.shuffle(order)
    try:
        text = Chem.MolToMolBlock(Chem.RenumberAtoms(molecule, order))
        again = Chem.MolFromMolBlock(text)
        key = Chem.MolToInchiKey(again) if again is not None else ""
    except Exception:  # noqa: BLE001
        return []
    return [(text + "$$$$\n", key)] if key else []


def compare_uniq(chemopen, chosen, show):
    """Compares the duplicates that uniq and the InChIKeys find."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.sdf")
        numbered = [re.sub(r"(\$\$\$\$)?\s*\Z", f">  <TOOLS_NUMBER>\n{i}\n\n$$$$\n", text, count=1) for i, (text, _) in enumerate(chosen)]
        with open(path, "w", encoding="latin-1", newline="") as file:
            file.writelines(numbered)
        done = subprocess.run([chemopen, "uniq", path], capture_output=True)
        kept = {int(n) for n in re.findall(rb"<TOOLS_NUMBER>\n(\d+)", done.stdout)}
        canonical = subprocess.run([chemopen, "convert", "--canonical", "--to", "smi", path, "-"], capture_output=True)
    texts = canonical.stdout.decode("latin-1").split("\n")
    seen, wrong = {}, []
    for index, (text, key) in enumerate(chosen):
        if (key not in seen) != (index in kept):
            wrong.append((index, seen.get(key), key))
        seen.setdefault(key, index)
    share = 100 * (1 - len(wrong) / max(1, len(chosen)))
    print(f"uniq: {len(chosen)} records, {len(seen)} InChIKeys, {len(kept)} kept, {share:.3f} % agree")
    for index, first, key in wrong[:show]:
        print(f"  {key}: {texts[index] if index < len(texts) else ''}"
              + (f"  (equal key: {texts[first]})" if first is not None and first < len(texts) else ""))
    return share >= 99.9


def compare_stats(chemopen, path):
    """Compares the counts, medians and ends of each field."""
    texts = list(records([path]))
    values = collections.defaultdict(list)
    for text in texts:
        for name, value in fields(text).items():
            if value.strip():
                values[name].append(value)
    done = subprocess.run([chemopen, "stats", "--json", path], capture_output=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    found = {row["name"]: row for row in rows if row["kind"] == "field"}
    wrong = []
    for name, all_values in values.items():
        row = found.get(name)
        numbers = [float(v) for v in all_values if NUMBER.match(v.strip())]
        numbers = [n for n, v in zip(numbers, [v for v in all_values if NUMBER.match(v.strip())])
                   if not (v.strip().lstrip("+-").isdigit() and abs(n) > 2**53)]
        if row is None or row["filled"] != len(all_values) or row["numbers"] != len(numbers):
            wrong.append((name, len(all_values), len(numbers), row))
            continue
        if numbers and len(numbers) * 2 >= len(all_values):
            ends = (min(numbers), max(numbers), statistics.median(numbers))
            if (row["min"], row["max"]) != ends[:2] or abs(row["median"] - ends[2]) > 1e-9 * max(1, abs(ends[2])):
                wrong.append((name, ends, row["min"], row["max"], row["median"]))
        others = {v for v in all_values if not NUMBER.match(v.strip())}
        if row["type"] in ("text", "integer", "number") and len(numbers) in (0, len(all_values)):
            distinct = len(set(numbers)) if numbers else len(others)
            if row["exact"] and row["distinct"] != distinct and row["type"] != "text":
                wrong.append((name, distinct, row["distinct"]))
            if row["exact"] and row["type"] == "text" and row["distinct"] != distinct:
                wrong.append((name, distinct, row["distinct"]))
    print(f"stats: {path}: {len(values)} fields, {len(wrong)} differ")
    for row in wrong[:5]:
        print(f"  {row}")
    return not wrong


def compare_join(chemopen, path):
    """Adds a table by the number of the record, and compares the fields and all other lines."""
    texts = list(records([path]))
    with tempfile.TemporaryDirectory() as folder:
        table, out = os.path.join(folder, "t.csv"), os.path.join(folder, "o.sdf")
        with open(table, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["record", "TOOLS_A", "TOOLS B"])
            for index in range(0, len(texts), 2):
                writer.writerow([index + 1, f'value "{index}", quoted', "" if index % 3 else index])
        done = subprocess.run([chemopen, "join", "--on", "record", path, table, "-O", out], capture_output=True)
        # A molfile cannot store fields. Records with other text between their fields are unchanged.
        if b"Molfile cannot store" in done.stderr or b"could not be changed" in done.stderr:
            return True
        if not os.path.exists(out):
            print(f"join: {path}: {done.stderr.decode(errors='replace').strip()}")
            return False
        joined = list(records([out]))
    wrong = 0
    for index, (old, new) in enumerate(zip(texts, joined)):
        added = {name: value for name, value in fields(new).items() if name.startswith("TOOLS")}
        expected = {} if index % 2 else {"TOOLS_A": f'value "{index}", quoted'}
        if index % 2 == 0 and index % 3 == 0:
            expected["TOOLS B"] = str(index)
        rest = re.sub(r"^> +<TOOLS.*\n(?:.+\n)*\n", "", new, flags=re.M)
        # Only the end of the last record may be missing.
        wrong += added != expected or not (rest == old or index == len(texts) - 1 and rest.startswith(old.rstrip("\n")))
    print(f"join: {path}: {len(texts)} records, {wrong} differ")
    return wrong == 0 and len(texts) == len(joined)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("chemopen")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    chemopen = os.path.abspath(options.chemopen)
    good = all([compare_stats(chemopen, path) for path in options.files])
    good = all([compare_join(chemopen, path) for path in options.files]) and good
    if Chem is None:
        print("uniq: skipped because RDKit is not installed")
    else:
        chosen, chance = [], random.Random(1)
        for text in records(options.files):
            try:
                molecule = Chem.MolFromMolBlock(text)
                key = Chem.MolToInchiKey(molecule) if molecule is not None else ""
            except Exception:  # noqa: BLE001, RDKit raises many types
                continue
            if key:
                chosen += [(text, key), *renumbered(molecule, chance)]
        good = compare_uniq(chemopen, chosen, options.show) and good
    return 0 if good else 1


sys.exit(main())
