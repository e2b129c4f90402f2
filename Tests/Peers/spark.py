"""Reads and writes SD files with the Spark data source: spark.py FILE.sdf [PIECES [TIMES]].

Reads TIMES copies of FILE. No record may be lost or repeated where the file is split. Each record must equal the result
of a normal read, including bytes that are not UTF-8, also after Parquet. The work of a killed worker must be repeated.
The frame is written as SD files, which must contain the same records.
Skipped if pyspark, pyarrow or Java is not installed.
"""

import collections
import glob
import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings

try:
    import pyarrow
    from pyspark.sql import SparkSession
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

    # Filter by the values of each column: the rows must be those of the table, and a later query has all rows again.
    asked = 0
    table = pyarrow.RecordBatchReader.from_stream(whole).read_all()
    own = ("record", "line", "title", "molblock", "problem", "file")
    fields = [name for name, kind in whole.columns.items() if kind in ("integer", "real", "string") and name not in own]
    for name in fields[:10]:
        cells = table.column(name).to_pylist()
        values = sorted({cell for cell in cells if cell is not None})
        value = values[len(values) // 2]
        column = frame["`" + name.replace("`", "``") + "`"]
        for chosen, cell in ((column == value, value.__eq__), (column > value, value.__lt__), (column.isin(values[:2]), values[:2].__contains__)):
            there = sum(cell(one) is True for one in cells if one is not None) * times
            if frame.filter(chosen).count() != there:
                ok(False, f"{name}: {chosen} {there}")
            asked += 1
    ok(asked > 0, f"{asked} filters select the rows of the table")
    ok(frame.select("title").count() == rows, "a query after filtered ones has all rows")

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

    # A sample of the records determines the schema, but every record is a row.
    sampled = spark.read.format("chemopen").option("sampling_ratio", 0.3).load(f"{folder}/*.sdf")
    ok(set(sampled.columns) <= set(frame.columns) and sampled.count() == rows, f"{len(sampled.columns)} columns in a sample")

    def content(paths):
        """Returns the number of occurrences of each readable record in files."""
        found = collections.Counter()
        for path in paths:
            for record in chemopen.read(path, errors="skip"):
                # A byte order mark is a reported loss.
                title = (record.title or "").removeprefix("\ufeff")
                found[title, record.canonical_smiles, tuple(sorted(record.fields.pairs))] += 1
        return found

    warnings.simplefilter("ignore")
    written = f"{folder}/written"
    records = collections.Counter({key: number * times for key, number in content([file]).items()})

    def parts():
        return glob.glob(f"{written}/*")

    def save(frame, mode, **options):
        frame.write.format("chemopen").options(**options).mode(mode).save(written)

    save(frame, "append")
    found = content(parts())
    for one in [*(records - found), *(found - records)][:4]:
        print("differs:", one)
    ok(found == records, f"{records.total()} records are written to {len(parts())} files")
    first = set(parts())
    save(frame, "append")
    ok(content(parts()) == records + records and first < set(parts()), "other files stay when records are appended")
    save(frame.coalesce(1), "overwrite")
    ok(content(parts()) == records and len(parts()) == 1, "files are replaced when they are overwritten")
    first = set(parts())

    def fail(batches):
        for batch in batches:
            yield batch
        raise ValueError("fails after its rows")

    broken_frame = frame.select("title", "molblock").mapInArrow(fail, "title string, molblock string")
    for mode in ("append", "overwrite"):
        try:
            save(broken_frame, mode)
            ok(False, "a failed frame is not reported")
        except Exception as error:
            assert "fails after its rows" in str(error), error
        ok(set(parts()) == first, f"a failed frame changes no file ({mode})")
    save(frame.filter("title is null and title is not null"), "overwrite")
    ok(not parts(), "an empty frame has no files")
    save(frame.select("title", frame["molblock"].alias("S")), "append", format="smi", structure="S")
    ok(sum(content(parts()).values()) == records.total(), "another format and another column for structures")
    for options in ({"formt": "sdf"}, {"format": "klingon"}):
        try:
            save(frame, "append", **options)
            ok(False, f"{options} is accepted")
        except Exception as error:
            assert "there is no" in str(error), error
spark.stop()
print(f"{passed} passed, 0 failed")
