"""Compares the speed of the library with RDKit on one SD file, in separate processes: CPU seconds and peak memory.

    library_race.py FILE.sdf [TIMES] [--large]

Needs rdkit, numpy, pandas, polars, duckdb and pyarrow, and the C program that Tests/Consumer/library builds. The tasks run
TIMES times in turn, and the lowest CPU time counts. In Python, imports are not included. --large also writes a file of
1 GB. Prints each ratio with its limit, and exits with 1 if a limit is exceeded.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

top = Path(__file__).resolve().parent.parent.parent
arguments = [argument for argument in sys.argv[1:] if argument != "--large"]
file = os.path.abspath(arguments[0])
times = int(arguments[1]) if len(arguments) > 1 else 3
walk = str(top / ".build/consumer/c/walk")
# The first field that is a plain name.
with open(file, "rb") as head:
    field = re.search(rb"^>.*<(\w+)>", head.read(1 << 20), re.M)[1].decode()
folder = tempfile.TemporaryDirectory()
# Imports are measured with compiled modules, as they are installed.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = f"{folder.name}/compiled"
out = f"{folder.name}/out.sdf"
quiet = "from rdkit import Chem, rdBase; rdBase.DisableLog('rdApp.*')\n"
raw = "for mol in Chem.ForwardSDMolSupplier(open(FILE, 'rb'), sanitize=False, removeHs=False): "
frames = quiet + "from rdkit.Chem import PandasTools\n"
ours = "import chemopen, pyarrow\n"
table = "rows = pyarrow.RecordBatchReader.from_stream(chemopen.scan(FILE%s)).read_all().num_rows"
loop = "for record in chemopen.read(FILE): "
one = f"chemopen.scan(FILE, columns=[{field!r}], structure=None)"
jobs = {
    "C, every field": [walk, "--fields", file],
    "C, every field, two threads": [walk, "--fields", "--threads", "2", file],
    "RDKit raw loop": (quiet, raw + "mol"),
    "RDKit raw loop, coordinates": (quiet, raw + "mol and mol.GetConformer().GetPositions()"),
    "loop": (ours, loop + "record"),
    "loop, fields.get": (ours, loop + f"record.fields.get({field!r})"),
    "loop, dict(fields)": (ours, loop + "dict(record.fields)"),
    "loop, coordinates": (ours + "import numpy\n", loop + "record.coordinates"),
    "SDMolSupplier": (quiet, "for mol in Chem.SDMolSupplier(FILE): mol"),
    "rdkit_mols": (quiet + ours, "for record, mol, reason in chemopen.rdkit_mols(FILE): mol"),
    "table, fields": (ours, table % ", structure=None"),
    "table, molblocks": (ours, table % ", structure='molblock'"),
    "table, SMILES": (ours, table % ", structure='smiles'"),
    "LoadSDF, fields": (frames, "rows = len(PandasTools.LoadSDF(FILE, molColName=None))"),
    "LoadSDF": (frames, "rows = len(PandasTools.LoadSDF(FILE))"),
    "LoadSDF, SMILES": (frames, "rows = len(PandasTools.LoadSDF(FILE, smilesName='SMILES'))"),
    "one column": (ours, f"rows = pyarrow.table({one}).num_rows"),
    "one column, Polars": (ours + "import polars\n", f"rows = chemopen.scan(FILE).lazy().select({field!r}).collect().height"),
    "one column, DuckDB": (
        ours + "import polars, duckdb\n",
        f"lazy = chemopen.scan(FILE).lazy()\nrows = duckdb.sql('select \"{field}\" from lazy').to_arrow_table().num_rows"),
    "write": (
        ours + f"table = pyarrow.table(chemopen.scan(FILE, structure='molblock'))\n",
        f"rows = chemopen.write(table, {out!r}, replace=True).written"),
    "WriteSDF": (
        frames + "frame = PandasTools.LoadSDF(FILE)\n",
        f"rows = len(frame)\nPandasTools.WriteSDF(frame, {out!r}, properties=list(frame.columns))"),
}


def run(command):
    """Returns CPU seconds, elapsed seconds and peak MiB of a process, and its output."""
    start = os.times()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime, os.times().elapsed - start.elapsed, usage.ru_maxrss / 1024, output.strip()


def python(imports, work, path=file):
    text = f"import time\nFILE = {path!r}\nrows = ''\n{imports}start = time.process_time()\n{work}\nprint(time.process_time() - start, rows)"
    return [sys.executable, "-c", text]


best = {}
for _ in range(times):
    for name, job in jobs.items():
        if isinstance(job, list) and not os.path.exists(walk):
            continue
        cpu, wall, peak, output = run(job if isinstance(job, list) else python(*job))
        if not isinstance(job, list):
            told, _, output = output.partition(" ")
            cpu = float(told)
        if name not in best or cpu < best[name][0]:
            best[name] = (cpu, wall, peak, output)
for name, (cpu, wall, peak, output) in best.items():
    print(f"{name:30} {cpu:7.2f} s CPU {wall:7.2f} s {peak:7.0f} MiB  {output.splitlines()[0] if output else ''}")
missed = 0


def show(what, value, unit, least=None, most=None):
    """Prints a figure with its limit."""
    global missed
    limit = f"at least {least}" if least is not None else f"at most {most}" if most is not None else ""
    is_met = (least is None or value >= least) and (most is None or value <= most)
    missed += not is_met
    print(f"{what:48} {value:7.2f} {unit:6} {limit}{'' if is_met else ', missed'}")


def ratio(what, first, second, **limits):
    if first in best:
        show(what, best[first][0] / best[second][0], "times", **limits)


ratio("C, against RDKit's raw loop", "RDKit raw loop", "C, every field")
ratio("loop, against RDKit's raw loop", "RDKit raw loop", "loop")
ratio("dict(record.fields), against RDKit's raw loop", "RDKit raw loop", "loop, dict(fields)", least=4)
ratio("fields.get, cost against the loop", "loop, fields.get", "loop", most=1.3)
ratio("coordinates, against RDKit's", "RDKit raw loop, coordinates", "loop, coordinates", least=5)
ratio("rdkit_mols, cost against SDMolSupplier", "rdkit_mols", "SDMolSupplier", most=1.05)
ratio("table of fields, against LoadSDF", "LoadSDF, fields", "table, fields")
ratio("table with molblocks, against LoadSDF", "LoadSDF", "table, molblocks", least=20)
ratio("table with SMILES, against LoadSDF with SMILES", "LoadSDF, SMILES", "table, SMILES", least=15)
ratio("one column in Polars, cost against columns=[…]", "one column, Polars", "one column", most=1.2)
ratio("one column in DuckDB, cost against columns=[…]", "one column, DuckDB", "one column", most=1.2)
ratio("table to SD file, against WriteSDF", "WriteSDF", "write", least=30)
if walk in best:
    single, double = best["C, every field"][1], best["C, every field, two threads"][1]
    show("two handles in two threads, elapsed time", 2 * single / double, "times")


def least(text):
    return min(run([sys.executable, "-c", text])[0] for _ in range(5 * times))


show("import chemopen, more than Python itself", 1000 * (least("import chemopen") - least("")), "ms", most=20)
for wheel in glob.glob(str(top / ".build/package/chemopen-*.whl")):
    show("wheel", os.path.getsize(wheel) / 1e6, "MB", most=6)
if "--large" in sys.argv:
    large = f"{folder.name}/large.sdf"
    with open(file, "rb") as small, open(large, "wb") as copies:
        content = small.read()
        while copies.tell() < 1e9:
            copies.write(content)
    del content
    work = f"rows = chemopen.write(chemopen.scan(FILE, structure='molblock'), {out!r}, replace=True).written"
    show("table of 1 GB to SD file, peak memory", run(python("import chemopen\n", work, large))[2], "MiB", most=64)
rows = {name: int(best[name][3]) for name in jobs if name.startswith(("table", "LoadSDF", "one", "write", "Write"))}
print("rows: " + ", ".join(f"{count} by {name}" for name, count in rows.items()))
sys.exit(1 if missed else 0)
