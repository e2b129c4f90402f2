#!/usr/bin/env python3
"""Compares each file with its conversion to a SketchEl format, by `chemopen diff`.

    dialect.py CHEMOPEN PATH... [--show N] [--known FILE]

A file with one record is converted to `.el`, and a file with several records to `.ds`. The report of the conversion
must name each difference; every other difference is counted and shown. Files in the list of known files can differ; the
list contains the reasons.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

from known import Known

# The subjects of `diff` that can result from the loss of each feature.
NAMED = {
    "names": r"title|name",
    "numbering": r"atom|bond|Sgroups",
    "comments": r"comment",
    "origins": r"origin",
    "chiral_flag": r"chiral flag",
    "radical_multiplicity": r"radical",
    "precision": r"position",
    "labels": r"symbol|notes",
    "unknown": r"notes|Sgroups",
    "collections": r"collections",
    "rgroups": r"R-groups|notes",
    "rgroup_logic": r"R-groups",
    "templates": r"templates|Sgroups",
    "link_nodes": r"link nodes",
    "stereo_groups": r"stereo groups",
    "sgroups": r"Sgroups",
    "sgroup_details": r"Sgroups|abbreviations",
    "abbreviations": r"abbreviations|number of|formula|Sgroups|bond|atom",
    "coordinates": r"position",
    "conditions": r"condition",
    "stoichiometry": r"stoichiometry",
    "fields": r"field",
    "bond_display": r"notes",
    "registry_numbers": r"registry numbers",
    "records_without_structure": r"reactant|product|agent|number of",
}


# The keys that contain molecules or fragments, which have their own features.
HOLDERS = {"rgroups", "templates", "unknown", "abbreviations"}


def covered(event, features):
    subject = event["what"]
    if subject == "feature":
        feature = event.get("first") or event.get("second")
        return feature in features or bool(features & HOLDERS)
    return any(re.search(NAMED[feature.replace(" ", "_")], subject) for feature in features if feature.replace(" ", "_") in NAMED)


def compare(chemopen, path):
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        info = subprocess.run([chemopen, "info", "--json", path], capture_output=True)
        lines = info.stdout.splitlines()
        if info.returncode or not lines:
            return "unreadable", []
        records = [json.loads(line) for line in lines]
        kinds = {record.get("kind") for record in records}
        if len(records) == 1 and kinds == {"molecule"}:
            output = os.path.join(folder, "q.el")
        else:
            output = os.path.join(folder, "q.ds")
        conversion = subprocess.run(
            [chemopen, "convert", "--rewrite", "--report", report, path, output], capture_output=True)
        if conversion.returncode:
            return "unwritten", []
        features = set()
        with open(report) as file:
            for line in file.read().splitlines():
                event = json.loads(line)
                if event.get("kind") == "loss":
                    features.add(event["feature"])
        difference = subprocess.run([chemopen, "diff", "--json", path, output], capture_output=True)
        if difference.returncode not in (0, 1):
            return "not comparable", [difference.stderr.decode(errors="replace")]
        found = []
        for line in difference.stdout.splitlines():
            event = json.loads(line)
            if not covered(event, features):
                found.append(f"{event['what']}: {event.get('first')} -> {event.get('second')} (told: {sorted(features)})")
        return "different" if found else "same", found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chemopen")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--show", type=int, default=40)
    parser.add_argument("--known")
    arguments = parser.parse_args()
    files = []
    for path in arguments.paths:
        if os.path.isfile(path):
            files.append(path)
        for folder, folders, names in os.walk(path):
            folders.sort()
            files += [
                os.path.join(folder, name) for name in sorted(names)
                if name.endswith((".mol", ".sdf", ".rxn", ".rdf")) and os.path.getsize(os.path.join(folder, name)) < 3e6
            ]
    known = Known(arguments.known, 1)
    counts = {}
    shown = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (verdict, found) in zip(files, pool.map(lambda path: compare(arguments.chemopen, path), files)):
            known.ask(os.path.abspath(path))
            if verdict == "different" and known.explains(os.path.abspath(path)):
                verdict = "known to differ"
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict in ("different", "not comparable") and shown < arguments.show:
                shown += 1
                print(f"{path}: {len(found)}")
                for line in found[:3]:
                    print(f"    {line[:300]}")
    for line in known.unneeded():
        print(line)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    sys.exit(1 if known.unneeded() or counts.get("different") or counts.get("not comparable") or not counts.get("same") else 0)


main()
