"""Compares the tables of the wheel with `chemopen info --json`, and reads them with packages that accept Arrow streams.

    tables.py CHEMOPEN [--every N] FILE_OR_DIR...

Each record must be a row with every value of every field. A value is typed only if it prints as it is written. In
directories, every Nth file is read. Needs pyarrow; polars, duckdb and pandas are tested if they are installed.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow

import chemopen

ENDINGS = {".sdf", ".sd", ".mol", ".rxn", ".rdf", ".rd", ".el", ".ds", ".cdx", ".cdxml", ".gz"}
FIXED = {"record", "line", "file", "title", "molblock", "problem"}


def files(places, every):
    for place in map(Path, places):
        if place.is_file():
            yield place
            continue
        found = sorted(path for path in place.rglob("*") if path.suffix in ENDINGS and path.is_file())
        yield from found[::every]


def listed(program, path):
    """Returns the values in a file according to `info`: rows of names and values, None for a record that cannot be read."""
    done = subprocess.run([program, "info", "--json", str(path)], capture_output=True)
    rows, columns, failed, reactions = [], [], False, set()
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        said = json.loads(line)
        kind = said["kind"]
        if kind == "sheet":
            columns = [column["name"] for column in said["columns"]]
        elif kind == "error":
            # The file itself contains no unreadable record.
            if said["record"] == 0 and said["line"] == 0:
                failed = True
            else:
                rows.append(None)
        elif kind == "row":
            cells = said["cells"]
            pairs = enumerate(cells) if isinstance(cells, list) else ((int(k) - 1, v) for k, v in cells.items())
            values = {}
            for place, cell in pairs:
                if cell is not None and place < len(columns):
                    values.setdefault(columns[place], []).append(cell)
            rows.append(values)
        elif kind in ("molecule", "reaction", "data"):
            if kind == "reaction":
                reactions.add(len(rows))
            rows.append({name: value if isinstance(value, list) else [value] for name, value in said["fields"].items()})
    return rows, failed, reactions


def agrees(value, said):
    """Returns whether a cell of the table equals the value of the field."""
    if any(isinstance(one, dict) for one in said):
        return True
    if isinstance(value, list):
        return [str(one) if not isinstance(one, bool) else str(one).lower() for one in said] == value
    if len(said) != 1:
        return False
    one = said[0]
    if isinstance(value, bool):
        return one == value or one == str(value).lower()
    if isinstance(value, float):
        return float(one) == value
    if isinstance(value, int):
        return one == value or one == str(value)
    return value == one or (isinstance(one, bool) and value == str(one).lower()) or (
        not isinstance(one, str) and float(value) == one)


def compare(program, path, table):
    rows, failed, reactions = listed(program, path)
    if table is None:
        return [] if failed or not rows else ["the table is missing"]
    if table.num_rows != len(rows):
        return [f"{table.num_rows} rows of {len(rows)} records"]
    faults = []
    cells = {name: table.column(place).to_pylist() for place, name in enumerate(table.column_names)}
    problems = cells.pop("problem")
    for place, row in enumerate(rows):
        # A reaction cannot be a molblock; its row contains the reason.
        if (problems[place] is None) == (row is None or place in reactions):
            faults.append(f"record {place + 1}: problem {problems[place]!r}")
        if row is None:
            continue
        seen = set()
        for name, said in row.items():
            column = name + "_2" if name in FIXED and name in table.column_names else name
            value = cells[column][place] if column in cells else None
            seen.add(column)
            if value is None or not agrees(value, said):
                if not any(isinstance(one, dict) for one in said):
                    faults.append(f"record {place + 1}, {name}: {value!r} for {said!r}")
        for name, values in cells.items():
            if name not in FIXED and name not in seen and values[place] is not None:
                faults.append(f"record {place + 1}, {name}: {values[place]!r}, without a warning")
    return faults


def others(path, table):
    """Reads the table with other packages."""
    names = []
    scan = chemopen.scan(path)
    with tempfile.TemporaryDirectory() as folder:
        import pyarrow.parquet

        file = f"{folder}/a.parquet"
        pyarrow.parquet.write_table(table, file)
        assert pyarrow.parquet.read_table(file).equals(table)
        names.append("parquet")
    try:
        import polars

        frame = polars.DataFrame(scan)
        assert frame.shape == (table.num_rows, table.num_columns)
        assert frame.to_dict(as_series=False) == table.to_pydict()
        names.append("polars")
    except ModuleNotFoundError:
        pass
    try:
        import duckdb

        reader = pyarrow.RecordBatchReader.from_stream(scan)  # noqa: F841
        found = duckdb.sql("select * from reader").arrow()
        found = found.read_all() if hasattr(found, "read_all") else found
        # DuckDB renames columns that differ only in case, or have no name.
        assert [column.to_pylist() for column in found.columns] == [column.to_pylist() for column in table.columns]
        names.append("duckdb")
    except ModuleNotFoundError:
        pass
    try:
        import pandas

        frame = pandas.DataFrame.from_arrow(scan) if hasattr(pandas.DataFrame, "from_arrow") else table.to_pandas()
        assert len(frame) == table.num_rows and list(frame["title"].dropna()) == [
            title for title in table.column("title").to_pylist() if title is not None]
        names.append("pandas")
    except ModuleNotFoundError:
        pass
    return names


def main():
    words = sys.argv[2:]
    every = 1
    if words[0] == "--every":
        every, words = int(words[1]), words[2:]
    passed = wrong = cells = 0
    shown = 0
    peers = set()
    for path in files(words, every):
        try:
            table = pyarrow.table(chemopen.scan(path))
            table.validate(full=True)
        except chemopen.ChemopenError:
            table = None
        except (OSError, pyarrow.ArrowInvalid):
            # The file is truncated; the data before the end is compared batch by batch.
            continue
        faults = compare(sys.argv[1], path, table)
        if faults:
            wrong += 1
            for fault in faults[:3]:
                print(f"{path}: {fault}")
        else:
            passed += 1
            cells += table.num_rows * table.num_columns if table is not None else 0
        if table is not None and table.num_rows > 1 and shown < 20:
            shown += 1
            peers.update(others(path, table))
    print(f"{cells} cells; shown to {', '.join(sorted(peers))}")
    print(f"{passed} passed, {wrong} failed")
    sys.exit(1 if wrong or not passed else 0)


main()
