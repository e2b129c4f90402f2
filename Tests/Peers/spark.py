"""Reads SD files with the Spark data source: spark.py FILE.sdf [PIECES [TIMES]].

Reads TIMES copies of FILE. No record may be lost or repeated where the file is split. Each record must equal the result
of a normal read, including bytes that are not UTF-8, also after Parquet. The work of a killed worker must be repeated.
Skipped if pyspark, pyarrow or Java is not installed.
"""

import collections
import hashlib
import os
import shutil
import sys
import tempfile
import time

try:
    import pyarrow
    from pyspark.sql import SparkSession, datasource
except ImportError as error:
    sys.exit(print(f"skipped: {error}"))
if shutil.which("java") is None:
    sys.exit(print("skipped: Java is not installed"))

import chemopen
import chemopen.spark

file = sys.argv[1]
pieces = int(sys.argv[2]) if len(sys.argv) > 2 else 10
times = int(sys.argv[3]) if len(sys.argv) > 3 else 1
whole = chemopen.scan(file)
names = list(whole.columns)
size = os.path.getsize(file) * times // pieces
# Records by content, each with the number of its occurrences: 128 bits are enough to distinguish them.
telling = ["title", "molblock", "problem"] + [name for name in names if name not in ("record", "line", "title", "molblock", "problem")]
expected, rows, broken = collections.Counter(), 0, 0


def digest(values):
    return hashlib.blake2b("\0".join(map(repr, values)).encode(), digest_size=16).digest()


for batch in pyarrow.RecordBatchReader.from_stream(whole):
    for values in zip(*(batch.column(name).to_pylist() for name in telling)):
        expected[digest(values)] += times
    rows += batch.num_rows * times
    broken += (batch.num_rows - batch.column("problem").null_count) * times
passed = 0


def ok(is_so, what):
    global passed
    assert is_so, what
    passed += 1
    print(f"\nok: {what} ({time.monotonic() - start:.0f} s)", flush=True)


# The workers run on this machine. With plain local[2], Spark never repeats failed work.
os.environ["PYSPARK_PYTHON"] = sys.executable
spark = (
    SparkSession.builder.master("local[2,4]").appName("chemopen").config("spark.ui.enabled", "false")
    .config("spark.driver.memory", "4g").config("spark.sql.execution.arrow.pyspark.enabled", "true")
    .config("spark.sql.caseSensitive", "true").getOrCreate())
spark.sparkContext.setLogLevel("OFF")
chemopen.spark.register(spark)
start = time.monotonic()


def count(frame, stumble=lambda batches: batches):
    """Returns the number of occurrences of each record, computed by the workers."""
    places = [frame.columns.index(name) for name in telling]

    def tally(batches):
        found = collections.Counter()
        for batch in stumble(batches):
            for values in zip(*(batch.column(place).to_pylist() for place in places)):
                found[digest(values)] += 1
        yield pyarrow.RecordBatch.from_pydict({"key": list(found), "n": list(found.values())})

    total = collections.Counter()
    # In this call, Spark treats a dot in a column name as a separator.
    numbered = frame.toDF(*map(str, range(len(frame.columns))))
    for row in numbered.mapInArrow(tally, "key binary, n long").collect():
        total[bytes(row.key)] += row.n
    return total


with tempfile.TemporaryDirectory() as folder:
    for number in range(times):
        os.symlink(os.path.abspath(file), f"{folder}/{number:03}.sdf")

    def load():
        return spark.read.format("chemopen").option("partition_bytes", size).load(f"{folder}/*.sdf")

    frame = load()
    ok(set(frame.columns) - {"file"} == set(names), "the schema equals that of the table")
    ok(frame.rdd.getNumPartitions() >= pieces - times, f"{frame.rdd.getNumPartitions()} partitions")
    ok(frame.select("title").count() == rows, f"{rows} rows")
    ok(count(frame) == expected, "each record has the expected number of copies, with the same content as in a single read")
    ok(frame.filter("problem is not null").count() == broken, f"{broken} unreadable records are rows")
    frame.write.parquet(f"{folder}/parquet")
    ok(count(spark.read.parquet(f"{folder}/parquet")) == expected, "the table is unchanged after Parquet")

    # Filter by the values of each column: the reader must skip exactly the rows that Spark would.
    asked, passed_over = 0, 0
    table = pyarrow.RecordBatchReader.from_stream(whole).read_all()
    fields = [name for name, kind in whole.columns.items() if kind in ("integer", "real", "string")]
    for name in [name for name in fields if name not in chemopen.spark._OWN_COLUMNS][:10]:
        cells = table.column(name).to_pylist()
        values = sorted({cell for cell in cells if cell is not None})
        value = values[len(values) // 2]
        column = frame["`" + name.replace("`", "``") + "`"]
        for chosen, cell in ((column == value, value.__eq__), (column > value, value.__lt__), (column.isin(values[:2]), values[:2].__contains__)):
            there = sum(cell(one) is True for one in cells if one is not None) * times
            if frame.filter(chosen).count() != there:
                ok(False, f"{name}: {chosen} {there}")
            asked += 1
        condition = chemopen.spark._condition(datasource.EqualTo(tuple(name.split(".")), value), whole.columns)
        if condition is not None:
            stream = pyarrow.RecordBatchReader.from_stream(chemopen.scan(file, where=condition, structure=None))
            passed_over += table.num_rows - stream.read_all().num_rows
    ok(asked > 0, f"{asked} filters select the same rows as Spark")
    ok(passed_over > 0, f"{passed_over} rows are skipped before they are created")

    # The first worker is killed while it reads rows.
    flag = f"{folder}/killed"

    def stumble(batches):
        for batch in batches:
            half = batch.num_rows // 2
            yield batch.slice(0, half)
            try:
                os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), 9)
            except FileExistsError:
                pass
            yield batch.slice(half)

    ok(count(load(), stumble) == expected and os.path.exists(flag), "the work of a killed worker is repeated")
spark.stop()
print(f"{passed} passed, 0 failed")
