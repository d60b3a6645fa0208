"""A job of Spark on this machine alone, as Scripts/test-packages runs it in a fresh system: python spark_job.py LIST

Decides and audits a few thousand loads, in two processes of Spark's, and holds that against what one process
without Spark makes of them.
"""

import os
import sys

import pyarrow
from pyspark.sql import SparkSession, types

import tickbird
import tickbird.arrow
import tickbird.spark

ROWS = 5000
# Every tenth row has no address, as in real logs.
addresses = [None if row % 10 == 9 else f"http://cutepuppiesandcats.com/{('cat', 'dog')[row % 2]}-{row}.jpg"
             for row in range(ROWS)]
log = pyarrow.table({
    "row": list(range(ROWS)), "url": pyarrow.array(addresses, pyarrow.string()),
    "top_url": ["http://cutepuppiesandcats.com/"] * ROWS, "resource_type": ["image"] * ROWS,
})
with open(sys.argv[1], encoding="utf-8") as file:
    rules = tickbird.compile(file.read(), sys.argv[1])
expected = tickbird.arrow.decide_table(rules, log).sort_by("row")["blocked"].to_pylist()

# The same Python, with the same package, in Spark's processes.
os.environ["PYSPARK_PYTHON"] = sys.executable
# A fresh system may not know its own name.
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config(
    "spark.ui.showConsoleProgress", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
fields = [types.StructField("row", types.LongType())] + [
    types.StructField(name, types.StringType()) for name in ("url", "top_url", "resource_type")]
frame = spark.createDataFrame([tuple(row.values()) for row in log.to_pylist()], types.StructType(fields))
frame = frame.repartition(4)
decided = [row["blocked"] for row in tickbird.spark.decide(frame, rules).orderBy("row").collect()]
if decided != expected:
    sys.exit("Spark decides otherwise than one process")
audit = tickbird.spark.audit(frame, rules)
found = (audit.blocked, audit.bad_rows)
if found != (expected.count(True), expected.count(None)) or not audit.text():
    sys.exit(f"the audit has counted (blocked, bad rows) {found}")
print(f"Spark {spark.version}: {ROWS} loads decided and audited, {audit.blocked} blocked, as by one process")
spark.stop()
