"""Compares the speed of the library with RDKit on one SD file, in separate processes: CPU seconds and peak memory.

    library_race.py FILE.sdf [TIMES]

Needs rdkit, pandas and pyarrow, and the C program that Tests/Consumer/library builds. The tasks run TIMES times in
turn, and the lowest CPU time counts. In Python, imports are not included.
"""

import os
import resource
import subprocess
import sys
from pathlib import Path

top = Path(__file__).resolve().parent.parent.parent
file = sys.argv[1]
times = int(sys.argv[2]) if len(sys.argv) > 2 else 3
walk = str(top / ".build/consumer/c/walk")
quiet = "from rdkit import Chem, rdBase; rdBase.DisableLog('rdApp.*')\n"
frames = quiet + "from rdkit.Chem import PandasTools\n"
ours = "import chemopen, pyarrow\n"
jobs = {
    "C, every field": [walk, "--fields", file],
    "C, every field, two threads": [walk, "--fields", "--threads", "2", file],
    "RDKit raw loop": (quiet, "for mol in Chem.ForwardSDMolSupplier(open(FILE, 'rb'), sanitize=False, removeHs=False): mol"),
    "table, fields": (ours, "rows = pyarrow.RecordBatchReader.from_stream(chemopen.scan(FILE, structure=None)).read_all().num_rows"),
    "table, molblocks": (ours, "rows = pyarrow.RecordBatchReader.from_stream(chemopen.scan(FILE)).read_all().num_rows"),
    "LoadSDF, fields": (frames, "rows = len(PandasTools.LoadSDF(FILE, molColName=None))"),
    "LoadSDF": (frames, "rows = len(PandasTools.LoadSDF(FILE))"),
}


def run(command):
    """Returns CPU seconds, elapsed seconds and peak MiB of a process, and its output."""
    start = os.times()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime, os.times().elapsed - start.elapsed, usage.ru_maxrss / 1024, output.strip()


def python(imports, work):
    text = f"import time\nFILE = {file!r}\nrows = ''\n{imports}start = time.process_time()\n{work}\nprint(time.process_time() - start, rows)"
    return [sys.executable, "-c", text]


best = {}
for _ in range(times):
    for name, job in jobs.items():
        command = job if isinstance(job, list) else python(*job)
        cpu, wall, peak, output = run(command)
        if not isinstance(job, list):
            told, _, output = output.partition(" ")
            cpu = float(told)
        if name not in best or cpu < best[name][0]:
            best[name] = (cpu, wall, peak, output)
for name, (cpu, wall, peak, output) in best.items():
    print(f"{name:30} {cpu:7.2f} s CPU {wall:7.2f} s {peak:7.0f} MiB  {output.splitlines()[0] if output else ''}")
ratio = {
    "C against RDKit's raw loop": best["RDKit raw loop"][0] / best["C, every field"][0],
    "table of fields against LoadSDF": best["LoadSDF, fields"][0] / best["table, fields"][0],
    "table with molblocks against LoadSDF": best["LoadSDF"][0] / best["table, molblocks"][0],
}
for name, value in ratio.items():
    print(f"{name:38} {value:5.1f} times")
one, two = best["C, every field"][1], best["C, every field, two threads"][1]
print(f"{'two handles in two threads':38} {2 * one / two:5.1f} times the speed of one, elapsed time with idle cores")


def least(text):
    return min(run([sys.executable, "-c", text])[0] for _ in range(5 * times))


print(f"{'import chemopen':38} {1000 * (least('import chemopen') - least('')):5.1f} ms more than Python itself")
rows = {name: int(best[name][3]) for name in jobs if name.startswith(("table", "LoadSDF"))}
print("rows: " + ", ".join(f"{count} by {name}" for name, count in rows.items()))
