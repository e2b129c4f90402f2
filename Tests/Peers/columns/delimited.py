#!/usr/bin/env python3
"""Checks that other programs read the same cells from our CSV and TSV as `info --json` prints.

    Tests/Peers/columns/delimited.py CHEMOPEN FILE...

Python's csv, pandas and, if installed, DuckDB read the converted file. Titles and fields must be the same text, and all
readers must return the same cells. Exits with status 1 if one differs.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

import pandas

try:
    import duckdb
except ImportError:
    duckdb = None

csv.field_size_limit(1 << 30)


def records(chemopen, file):
    lines = subprocess.run([chemopen, "info", "--json", file], capture_output=True).stdout.splitlines()
    found = (json.loads(line) for line in lines)
    return [record for record in found if "record" in record]


def by_csv(path, delimiter):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file, delimiter=delimiter, strict=True))


def by_pandas(path, delimiter):
    frame = pandas.read_csv(
        path, sep=delimiter, header=None, dtype=str, keep_default_na=False, na_filter=False, skip_blank_lines=False)
    return frame.values.tolist()


def by_duckdb(path, delimiter):
    rows = duckdb.sql(
        "select * from read_csv(?, delim=?, header=false, all_varchar=true, quote='\"', escape='\"', "
        "auto_detect=false, strict_mode=true, max_line_size=100000000, columns=?)",
        params=[path, delimiter, {f"c{place}": "VARCHAR" for place in range(len(by_csv(path, delimiter)[0]))}],
    ).fetchall()
    return [["" if cell is None else cell for cell in row] for row in rows]


def texts(value):
    """Returns the values of a field: several if the record repeats it."""
    values = value if isinstance(value, list) else [value]
    return [item for item in values if isinstance(item, str)]


def faults(cells, found):
    head, rows = cells[0], cells[1:]
    if len(rows) != len(found):
        yield f"{len(rows)} rows for {len(found)} records"
        return
    for row, record in zip(rows, found):
        cells_of = {}
        for name, cell in zip(head, row):
            cells_of.setdefault(name, []).append(cell)
        for name, value in (record.get("fields") or {}).items():
            if name in ("internal-regno", "external-regno"):
                continue  # a registry number, which has no column
            for text in texts(value):
                if text not in cells_of.get(name, []):
                    yield f"record {record['record']}: {name} is {text!r}, and the row has {cells_of.get(name)!r}"
        for text in texts(record.get("cells") or []):
            if text not in row:
                yield f"record {record['record']}: no cell is {text!r}"
        title = record.get("title")
        if title and title not in cells_of.get("Name", []) + cells_of.get("Title", []):
            yield f"record {record['record']}: no cell has the title {title!r}"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    chemopen, files = sys.argv[1], sys.argv[2:]
    readers = [by_csv, by_pandas] + ([by_duckdb] if duckdb else [])
    wrong = rows = 0
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            found = records(chemopen, file)
            for suffix, delimiter in (("csv", ","), ("tsv", "\t")):
                path = os.path.join(folder, "table." + suffix)
                subprocess.run([chemopen, "convert", "--force", file, path], stderr=subprocess.DEVNULL, check=False)
                if not os.path.exists(path) or os.path.getsize(path) == 0:
                    continue
                cells = by_csv(path, delimiter)
                rows += len(cells) - 1
                told = list(faults(cells, found))
                for reader in readers[1:]:
                    if reader(path, delimiter) != cells:
                        told.append(f"{reader.__name__} reads other cells than by_csv")
                wrong += len(told)
                for fault in told[:5]:
                    print(f"{file}, {suffix}: {fault}")
                os.remove(path)
    names = ", ".join(reader.__name__[3:] for reader in readers)
    print(f"{rows} rows of {len(files)} files, read by {names}: {wrong} differ")
    sys.exit(1 if wrong or not rows else 0)


main()
