#!/usr/bin/env python3
"""Compares conditions with pandas: the same condition must select the same records.

    Tests/Peers/columns/conditions.py CHEMOPEN FILE...

Reads the columns of a file from `info --json`, and evaluates a list of conditions with both programs, using fields and
values of the file. Exits with status 1 if a condition selects different records.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import pandas


def records(chemopen, file):
    lines = subprocess.run([chemopen, "info", "--json", file], capture_output=True, text=True).stdout.splitlines()
    return [record for record in map(json.loads, lines) if record.get("kind") in ("molecule", "reaction", "row", "none")]


def table(found):
    rows = []
    for record in found:
        row = {"#": record["record"]}
        for key in "title", "formula", "mass", "charge", "atoms", "bonds":
            row["@" + key] = record.get(key)
        for key, value in (record.get("fields") or {}).items():
            row[key] = value if isinstance(value, str) else None
        rows.append(row)
    return pandas.DataFrame(rows)


def numbers(column):
    text = column.astype("string").str.strip()
    text = text.where(text.str.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"), pandas.NA)
    return pandas.to_numeric(text, errors="coerce")


def quoted(name):
    return f"'{name}'" if '"' in name else f'"{name}"'


def questions(frame):
    """Returns pairs of a condition and the mask that pandas computes for it."""
    fields = [name for name in frame.columns if name[0] not in "#@" and not re.search("[\"'\n]", name)]
    for name in fields[:8]:
        column, field = frame[name], quoted(name)
        there = column.notna()
        blank = ~there | (column.astype("string").str.strip() == "").fillna(False)
        yield f"{field} exists", there
        yield f"{field} is empty", blank
        yield f"{field} is not empty", ~blank
        number = numbers(column)
        known = number.dropna()
        if len(known):
            low, high = known.quantile(0.3), known.quantile(0.7)
            yield f"{field} < {high}", (number < high)
            yield f"{field} >= {low}", (number >= low)
            yield f"{field} between {low} and {high}", number.between(low, high)
            yield f"{field} > {low} and not {field} > {high}", (number > low) & ~(number > high)
            yield f"{field} < {low} or {field} > {high}", (number < low) | (number > high)
            yield f"{field} = {known.iloc[0]}", number == known.iloc[0]
        words = [word for word in column.dropna().astype(str) if word and not re.search("[\"'\n]", word)]
        if words and numbers(pandas.Series(words[:1])).isna().all():
            word = words[0]
            yield f"{field} = '{word}'", (column == word).fillna(False)
            yield f"{field} != '{word}'", there & (column != word)
            yield f"not {field} = '{word}'", ~(column == word).fillna(False)
            part = word[: max(1, len(word) // 2)]
            yield f"{field} ~ '{part}'", column.astype("string").str.contains(part, regex=False).fillna(False)
            chosen = words[:3]
            yield f"{field} in ({', '.join(repr(one) for one in chosen)})", column.isin(chosen)
    mass = pandas.to_numeric(frame["@mass"], errors="coerce")
    if mass.notna().any():
        middle = round(mass.median(), 2) + 0.003
        yield f"mass < {middle}", mass < middle
        yield f"mass >= {middle} and atoms > 5", (mass >= middle) & (frame["@atoms"] > 5)
        yield "charge = 0", frame["@charge"] == 0
        yield f"formula = {frame['@formula'].dropna().iloc[0]}", frame["@formula"] == frame["@formula"].dropna().iloc[0]
        yield "bonds between 3 and 12", pandas.to_numeric(frame["@bonds"]).between(3, 12)
    yield "record in (1, 3, 5)", frame["#"].isin([1, 3, 5])


def main():
    chemopen, files = sys.argv[1], sys.argv[2:]
    asked = differing = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            found = records(chemopen, file)
            if not found:
                continue
            frame = table(found)
            for condition, mask in questions(frame):
                asked += 1
                wanted = [int(number) for number in frame["#"][mask.fillna(False).astype(bool)]]
                out = pathlib.Path(folder) / ("out." + found[0].get("format", "ds"))
                run = subprocess.run(
                    [chemopen, "convert", "--force", "--where", condition, file, out], capture_output=True, text=True)
                if run.returncode not in (0, 1):
                    print(f"{file}: {condition}\n  status {run.returncode}: {run.stderr.strip()[:300]}")
                    differing += 1
                    continue
                chosen = records(chemopen, out)
                formulas = [record.get("formula") for record in chosen]
                if formulas != [frame["@formula"][number - 1] for number in wanted]:
                    print(f"{file}: {condition}\n  {len(chosen)} records, pandas chooses {len(wanted)}: {wanted[:10]}")
                    differing += 1
    print(f"{asked} conditions on {len(files)} files, {differing} with a result that differs from pandas")
    sys.exit(1 if differing or not asked else 0)


main()
