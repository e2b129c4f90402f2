"""Reads files as tables, writes the tables as files of the same format, and compares the records: table_trips.py DIR...

Each record of an SD file or a DataSheet must have the same title, structure and fields as before, in the same order and
in columns of the same types. If not, a loss or a warning of its kind must have been reported. Prints the number of
records that are identical, of those with a reported difference, and each difference that was not reported.
"""

import collections
import io
import json
import re
import sys
import warnings
from pathlib import Path

import chemopen

# The reports that explain a difference.
REPORTS = {
    "order": "field order",
    "fields": r"\bfields\b|repeated fields|occurs more than once|expected \w+, found|field headers|empty lines in values|encoding",
    "types": "column types",
    "title": "names|titles|title|encoding",
    "structure": r"left out|changed|^row \d",
    "unknown": "unknown",
}


# Columns whose type changes without a report: the writer determines it from the values, which are empty or not finite.
KNOWN = {"bd-cell-range.ds", "bd-cell-zero.ds", "cagecmplx.ds", "d-numbers.ds", "largerings.ds"}


def read(source, **named):
    """Returns the readable records of a file, the columns, and the number of unreadable records."""
    reader, records, broken = chemopen.read(source, **named), [], 0
    while True:
        try:
            records.append(next(reader))
        except StopIteration:
            return records, reader.columns, broken
        except chemopen.RecordError:
            broken += 1


def content_of(record):
    """Returns the structure as JSON, and other content that is not in fields.

    The program that wrote the structure is not part of it, nor whether deuterium is written as D, nor a valence that only
    repeats the number of hydrogens. A molecule without atoms is no structure.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        content = json.loads(record.text("jsonl"))
    kept, molecule = content.get("kept"), content.get("molecule") or content.get("reaction") or {}
    for atom in molecule.get("atoms", []):
        mass = {"D": 2, "T": 3}.get(atom.get("label", ""))
        if mass is not None and atom.get("element") == "H":
            del atom["label"]
            atom.setdefault("isotope", mass)
        notes = [note for note in atom.pop("notes", []) if set(note) != {"valence"}]
        if notes:
            atom["notes"] = notes
    for name in ("origin", "hydrogen_rule", "name"):
        molecule.pop(name, None)
    if record.kind == "molecule":
        # The numbers of hydrogens depend on the rule and the valences.
        molecule["hydrogens"] = [atom.hydrogens for atom in record.atoms]
    return (molecule if molecule.get("atoms") or record.kind == "reaction" else None), kept


def differences(before, after):
    """Returns the kinds of differences between two records."""
    if before == after and before.fields.pairs == after.fields.pairs:
        return []
    found = []
    if before.fields.pairs != after.fields.pairs:
        found.append("order" if sorted(before.fields.pairs) == sorted(after.fields.pairs) else "fields")
    if (before.title or "") != (after.title or ""):
        found.append("title")
    (structure, kept), (same, also) = content_of(before), content_of(after)
    if structure != same:
        found.append("structure")
    if kept != also:
        found.append("unknown")
    return found


counts, missed = collections.Counter(), 0
for path in sorted(path for folder in sys.argv[1:] for path in Path(folder).rglob("*") if path.is_file()):
    try:
        format = chemopen.identify(path).format
        if format not in ("sdf", "ds"):
            continue
        before, columns, broken = read(path)
    except chemopen.ChemopenError:
        continue
    out = io.BytesIO()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            report = chemopen.write(chemopen.scan(path), out, to=format)
        except chemopen.ChemopenError as error:
            print(f"{path}: {error}")
            missed += bool(before)
            continue
    said = [str(one.message) for one in told] + [f"left out: {loss.feature} {loss.detail}" for loss in report.losses]
    after, types, wrong = read(out.getvalue(), format=format) if before else ([], columns, 0)
    counts["files"] += 1
    counts["rows that cannot be read"] += report.unreadable
    if wrong or len(after) != len(before) - (report.unreadable - broken):
        print(f"{path}: {len(before)} records before, {len(after)} after, {wrong} of them unreadable; {said[:3]}")
        missed += 1
        continue
    if report.unreadable != broken:
        # The rows that were rejected are reported with their numbers.
        rejected = {int(number) for one in said for number in re.findall(r"^row (\d+):", one)}
        before = [record for record in before if record.place.record not in rejected]
    if format == "ds" and columns != types:
        changed = [name for name in columns if types.get(name) != columns[name]]
        if path.name in KNOWN:
            counts["files with known changes of types"] += 1
        elif not any(re.search(REPORTS["types"], one) for one in said):
            print(f"{path}: columns {changed} are {[types.get(name) for name in changed]}, not {[columns[name] for name in changed]}")
            missed += 1
    for one, other in zip(before, after):
        kinds = differences(one, other)
        counts["records"] += 1
        counts["identical"] += not kinds
        for kind in kinds:
            if any(re.search(REPORTS[kind], text) for text in said):
                counts[f"reported: {kind}"] += 1
            else:
                missed += 1
                counts[f"not reported: {kind}"] += 1
                if counts[f"not reported: {kind}"] <= 20:
                    print(f"{path}: record {one.place.record}: {kind} {said[:3]}")
                    if kind == "fields":
                        print("  ", [pair for pair in one.fields.pairs if pair not in other.fields.pairs][:3])
                        print("  ", [pair for pair in other.fields.pairs if pair not in one.fields.pairs][:3])
print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) + f"; {missed} differences not reported")
sys.exit(1 if missed or not counts["records"] else 0)
