"""Counts the records of SD files by a field, in Spark: count.py FIELD PATTERN [OUT.parquet]

With OUT, the readable records are written as Parquet too."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import col

import chemopen.spark

field, pattern, *target = sys.argv[1:]
spark = SparkSession.builder.master("local[2]").appName("count").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
chemopen.spark.register(spark)

# One row per record. The column `problem` contains the error of a record that could not be read.
frame = spark.read.format("chemopen").option("structure", "smiles").load(pattern)
readable = frame.filter(col("problem").isNull())
for row in readable.groupBy(field).count().orderBy(field).collect():
    print(f"{row[field]}: {row['count']}")
print("not readable:", frame.count() - readable.count())
if target:
    readable.select("title", "smiles", field).write.mode("overwrite").parquet(target[0])
spark.stop()
