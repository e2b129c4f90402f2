"""Compares the reactions that Python reads with those that `info --json` prints: reactions.py CHEMOPEN DIR...

For each RD, RXN, CDX and CDXML file in the directories, the steps, arrows, conditions, and the components in each role
must be the same, with their names, coefficients, titles, formulas, masses, atoms, hydrogens and bonds.
"""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import chemopen

warnings.simplefilter("ignore")
program, folders = sys.argv[1], sys.argv[2:]
ROLES = ("reactants", "agents", "products")
ENDINGS = (".rdf", ".rxn", ".cdx", ".cdxml")


def printed(path):
    """Returns the records of a file as `info` prints them: None for a record that cannot be read."""
    # Other bytes than UTF-8 are decoded by the program.
    lines = subprocess.run([program, "info", "--json", str(path)], capture_output=True).stdout.decode().splitlines()
    records = [json.loads(line) for line in lines]
    return [None if record["kind"] == "error" else record for record in records if record["kind"] != "sheet"]


def read(path):
    """Returns the records of a file as Python reads them."""
    records = []
    try:
        reader = chemopen.read(path)
    except chemopen.ChemopenError:
        return None
    while True:
        try:
            records.append(next(reader))
        except StopIteration:
            return records
        except chemopen.RecordError:
            records.append(None)
        except chemopen.ChemopenError:
            return records + [None]


def expected(component):
    """Returns the properties of a component as `info` prints it."""
    return {
        "name": component.get("name", ""), "stoichiometry": component.get("stoichiometry", ""), "title": component["title"],
        "formula": component["formula"], "mass": component.get("mass"), "atoms": component["atoms"],
        "hydrogens": component["hydrogens"], "bonds": component["bonds"],
    }


def found(component):
    """Returns the properties of a component in Python."""
    molecule = component.molecule
    return {
        "name": component.name, "stoichiometry": component.stoichiometry, "title": molecule.title, "formula": molecule.formula,
        "mass": molecule.mass, "atoms": len(molecule.atoms),
        "hydrogens": [atom.hydrogens for atom in molecule.atoms], "bonds": len(molecule.bonds),
    }


def steps_of(record):
    """Returns the steps that `info` prints. A reaction with one step has its conditions and arrow on the first level."""
    for step in record.get("steps", [record]):
        yield step.get("arrow", "forward"), step.get("conditions", []), [[expected(one) for one in step[role]] for role in ROLES]


reactions = components = conditions = 0
differences = []
for path in sorted(path for folder in folders for path in Path(folder).rglob("*")):
    if not path.name.removesuffix(".gz").lower().endswith(ENDINGS) or not path.is_file():
        continue
    told, own = printed(path), read(path)
    if own is None:
        # The program prints an error without a record.
        if any(told):
            differences.append(f"{path}: Python cannot open the file")
        continue
    if len(told) != len(own):
        differences.append(f"{path}: {len(told)} records, {len(own)} in Python")
    for number, (record, same) in enumerate(zip(told, own), 1):
        if (record is None) != (same is None) or (record and record["kind"] != same.kind):
            differences.append(f"{path}: record {number}: {record and record['kind']}, in Python {same and same.kind}")
        if record is None or same is None or record["kind"] != "reaction":
            continue
        reactions += 1
        steps = list(steps_of(record))
        mine = [
            (step.arrow, step.conditions, [[found(one) for one in getattr(step, role)] for role in ROLES]) for step in same.steps]
        if steps != mine and not (not mine and steps == [("forward", [], [[], [], []])]):
            differences.append(f"{path}: record {number}:\n  {steps}\n  {mine}")
        if record["title"] != same.title:
            differences.append(f"{path}: record {number}: title {record['title']!r}, in Python {same.title!r}")
        # The first reactants, all agents and the last products are the reaction's.
        for role in ROLES:
            if [one["formula"] for one in record[role]] != [one.formula for one in getattr(same, role)]:
                differences.append(f"{path}: record {number}: {role} of the reaction")
        components += sum(len(group) for _, _, groups in mine for group in groups)
        conditions += sum(len(lines) for _, lines, _ in mine)
for difference in differences:
    print(difference)
print(f"{reactions} reactions with {components} components and {conditions} lines of conditions, {len(differences)} differences")
sys.exit(1 if differences or not reactions else 0)
