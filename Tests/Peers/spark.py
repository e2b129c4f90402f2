"""Reads an SD file through the data source for Spark: spark.py FILE.sdf [PIECES].

No record may be lost or doubled at a cut, the sums have to be those of one reading, and a worker that is killed in the middle
has to be made up for. Needs pyspark, pyarrow and Java.
"""

import os
import sys
import tempfile

import pyarrow
from pyspark.sql import SparkSession

import chemopen
import chemopen.spark

file, pieces = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
whole = pyarrow.table(chemopen.scan(file))
expected = sorted(zip(whole.column("title").to_pylist(), whole.column("molblock").to_pylist()), key=str)
broken = whole.num_rows - whole.column("problem").null_count

# The workers run where this does.
os.environ["PYSPARK_PYTHON"] = sys.executable

# With plain local[2] Spark never tries again.
spark = (
    SparkSession.builder.master("local[2,4]").appName("chemopen").config("spark.ui.enabled", "false")
    .config("spark.sql.execution.arrow.pyspark.enabled", "true").config("spark.sql.caseSensitive", "true").getOrCreate())
spark.sparkContext.setLogLevel("OFF")
chemopen.spark.register(spark)
size = os.path.getsize(file) // pieces
passed = 0


def ok(is_so, what):
    global passed
    assert is_so, what
    passed += 1


def load():
    return spark.read.format("chemopen").option("partition_bytes", size).load(file)


frame = load()
ok(len(frame.columns) == whole.num_columns, "the schema is the table's")
ok(frame.rdd.getNumPartitions() >= pieces - 1, frame.rdd.getNumPartitions())
ok(frame.count() == whole.num_rows, f"{frame.count()} rows of {whole.num_rows}")
rows = [(row.title, row.molblock) for row in frame.select("title", "molblock").collect()]
ok(sorted(rows, key=str) == expected, "each record is there once, as it stands")
ok(frame.filter("problem is not null").count() == broken, "a record that cannot be read is a row")
with tempfile.TemporaryDirectory() as folder:
    frame.write.parquet(f"{folder}/a")
    ok(spark.read.parquet(f"{folder}/a").count() == whole.num_rows, "to parquet and back")

    # The first worker that comes by dies, in the middle of its rows.
    flag = f"{folder}/killed"

    def stumble(batches):
        for batch in batches:
            try:
                os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), 9)
            except FileExistsError:
                pass
            yield batch

    survived = load().select("title").mapInArrow(stumble, "title string").count()
    ok(os.path.exists(flag) and survived == whole.num_rows, f"{survived} rows of {whole.num_rows} after a worker died")
spark.stop()
print(f"{passed} passed, 0 failed")
