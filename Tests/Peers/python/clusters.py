"""Runs the recipes for processes, Dask and Ray in docs/clusters.md on an SD file: clusters.py FILE.sdf

Each must read every record exactly once, and write the records that it reads. A recipe whose package is not installed is
skipped.
"""

import collections
import glob
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path

import chemopen

warnings.simplefilter("ignore")
file = os.path.abspath(sys.argv[1])
page = (Path(__file__).resolve().parents[3] / "docs/clusters.md").read_text()
blocks = re.findall(r"^```text\n(.*?)^```$", page, re.M | re.S)
# Two fields of the file, one of them with numbers if there is one.
scan = chemopen.scan(file, structure=None)
kinds = [(name, kind) for name, kind in scan.columns.items() if name not in ("record", "line", "title", "problem") and kind in ("string", "real", "integer")]
columns = dict([*[one for one in kinds if one[1] != "string"][:1], *[one for one in kinds if one[1] == "string"][:1]])
expected = collections.Counter(tuple(row[name] for name in columns) for row in scan)
passed = 0


def plain(value):
    """Returns a value without the forms of a missing value in other packages."""
    return None if value is None or value != value else value


def ok(rows, what):
    """Compares rows with those of a single read."""
    global passed
    found = collections.Counter(tuple(plain(row[name]) for name in columns) for row in rows)
    assert found == expected, (what, found - expected, expected - found)
    passed += 1
    print(f"ok: {what}: {expected.total()} rows")


def recipe(word):
    """Returns the recipe that contains a text, for this file and these columns."""
    (found,) = [block for block in blocks if word in block]
    return re.sub(r"^columns = .*", f"columns = {columns!r}", found.replace("all.sdf", file), flags=re.M)


def has(*names):
    """Returns whether packages are installed."""
    for name in names:
        try:
            __import__(name)
        except ImportError:
            print(f"skipped: {name} is not installed")
            return False
    return True


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.mkdir("all")
    if has("pyarrow"):
        import pyarrow.parquet

        text = recipe("ProcessPoolExecutor").replace('.sdf", 64', '.sdf", 5')
        start = text.index("with ProcessPoolExecutor")
        # The processes import the functions of the recipe.
        Path("recipe.py").write_text(text[:start] + "if __name__ == '__main__':\n    " + text[start:].replace("\n", "\n    ").rstrip() + "\n")
        assert os.system(f"{sys.executable} -W ignore recipe.py") == 0
        ok([row for path in glob.glob("all/*.parquet") for row in pyarrow.parquet.read_table(path).to_pylist()], "processes")
    if has("dask.dataframe", "pyarrow", "pandas"):
        names = {"columns": columns}
        exec(recipe("dask.dataframe"), names)
        frame = names["frame"]
        ok(frame.compute(scheduler="threads").to_dict("records"), f"Dask, {frame.npartitions} partitions")
        part = frame.partitions[0].compute(scheduler="threads")
        assert chemopen.write(part, "0000.sdf").written == len(part)
    if has("ray", "pyarrow"):
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        names = {"columns": columns, "chemopen": chemopen}
        exec(recipe("import ray"), names)
        ok(names["table"].take_all(), "Ray")
        ray.shutdown()
print(f"{passed} passed, 0 failed")
