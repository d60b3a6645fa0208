"""A Spark cluster on this machine, and what happens to its tasks on purpose."""

import contextlib
import os
import pathlib
import shutil
import sys
import time
import unittest
import warnings

import support

try:
    import pyarrow as pa
    from pyspark.sql import SparkSession, types

    from tickbird import arrow
except ImportError:
    SparkSession = None

COUNT = 3000


def missing():
    """Why there is no cluster; empty if there can be one."""
    if SparkSession is None:
        return "pyspark is not installed; frames are not tested"
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        return "there is no java; frames are not tested"
    return ""


class ClusterCase(unittest.TestCase):
    """A session on a cluster, and frames of the same rows."""

    @classmethod
    def session(cls, master, **options):
        # PySpark leaves it to the garbage collector to close its connections.
        warnings.simplefilter("ignore", ResourceWarning)
        # The executors' Python is this one; nothing of the cluster is reached from elsewhere.
        os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1",
                          SPARK_LOCAL_DIRS=str(cls.folder / "local"))
        builder = SparkSession.builder.master(master).appName("tickbird")
        for name, value in {
            "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
            "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
            "spark.executor.memory": "512m", "spark.driver.memory": "768m",
            "spark.sql.shuffle.partitions": "3", "spark.default.parallelism": "2",
            "spark.sql.warehouse.dir": str(cls.folder / "warehouse"), **options,
        }.items():
            builder = builder.config(name, value)
        # Spark's programs talk on standard error, also of what the tests do on purpose.
        with silence():
            session = builder.getOrCreate()
        cls.addClassCleanup(cls.stop, session)
        session.sparkContext.setLogLevel("OFF")
        return session

    @classmethod
    def stop(cls, session):
        with silence():
            session.stop()

    def frame(self, places):
        """The rows in partitions that end at places, with their numbers."""
        ends = [*places, COUNT]
        parts = [list(range(start, end)) for start, end in zip([0, *ends], ends)]
        rows = self.rows
        names = list(rows[0])
        rdd = self.spark.sparkContext.parallelize(parts, len(parts)).flatMap(
            lambda numbers: [(*(rows[number][name] for name in names), number + 1) for number in numbers])
        schema = types.StructType([types.StructField(name, types.StringType()) for name in names]
                                  + [types.StructField("n", types.LongType())])
        return self.spark.createDataFrame(rdd, schema)

    @classmethod
    def make_rows(cls):
        cls.lists = support.lists()
        cls.rows = support.rows(COUNT)
        cls.table = pa.table({name: [row[name] for row in cls.rows] for name in cls.rows[0]})
        cls.forms = support.forms(arrow.audit_table(cls.lists, cls.table))


def slowly(folder):
    """Passes batches on, slowly, with a mark for each attempt that begins and that ends."""
    def run(batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        name = f"{folder}/{context.partitionId()}-{context.taskAttemptId()}"
        open(f"{name}.begin", "w").close()
        for batch in batches:
            time.sleep(0.7)
            yield batch
        open(f"{name}.end", "w").close()

    return run


def straggling(folder):
    """Passes batches on, but for the first attempt at a partition not before another one is there."""
    def run(batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        open(f"{folder}/{context.partitionId()}-{context.attemptNumber()}", "w").close()
        for batch in batches:
            yield batch
        deadline = time.monotonic() + 60
        while (context.partitionId() == 3 and context.attemptNumber() == 0 and time.monotonic() < deadline
               and not os.path.exists(f"{folder}/3-1")):
            time.sleep(0.05)

    return run


def failing(folder):
    """Fails in the middle of the first attempt at each partition."""
    def run(batches):
        from pyspark import TaskContext

        for batch in batches:
            yield batch.slice(0, 10)
            mark = f"{folder}/{TaskContext.get().partitionId()}"
            if not os.path.exists(mark):
                open(mark, "w").close()
                raise RuntimeError("on purpose")
            yield batch.slice(10)

    return run


def executors():
    """The processes of executors that this process has started, directly or not."""
    parents, commands = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            stat = (entry / "stat").read_text()
            parents[int(entry.name)] = int(stat[stat.rindex(")") + 2:].split()[1])
            commands[int(entry.name)] = (entry / "cmdline").read_bytes().split(b"\0")
    found = []
    for process, command in commands.items():
        if b"org.apache.spark.executor.CoarseGrainedExecutorBackend" not in command:
            continue
        above = process
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid():
            found.append(process)
    return found


@contextlib.contextmanager
def silence():
    """Without what this process and those that it starts write to standard error."""
    sys.stderr.flush()
    kept = os.dup(2)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    os.close(null)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
