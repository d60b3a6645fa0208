"""Frames on a real cluster: executors in processes of their own, one of which is killed."""

import contextlib
import importlib.util
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

import support
import tickbird
from cluster import COUNT, ClusterCase, executors, failing, missing, slowly, straggling

try:
    import pyarrow as pa
    import pyarrow.parquet
    from pyspark.sql import functions

    from tickbird import arrow
    from tickbird import spark as tickbird_spark
except ImportError:
    pass

@unittest.skipIf(missing(), missing())
class SparkTests(ClusterCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.spark = cls.session("local-cluster[2,1,768]")
        cls.make_rows()

    def test_partitions_makeTheReportOfOneMachine(self):
        for places in ([], [1500], [1, 2, 2, 2, 2900, 3000]):
            frame = self.frame(places)
            self.assertEqual(frame.rdd.getNumPartitions(), len(places) + 1)
            made = tickbird_spark.audit(frame, self.lists, fan_in=4)
            self.assertEqual(support.forms(made), self.forms, places)
            self.assertGreater(made.bad_rows, 50)

    def test_numbers_makeTheReportWhateverTheOrder(self):
        mixed = self.frame([1500]).withColumn("where", functions.expr("if(hash(url) % 4 = 0, n, 1)"))
        frame = mixed.repartition(7, "where")
        sizes = frame.rdd.glom().map(len).collect()
        self.assertGreater(max(sizes), COUNT // 2)
        made = tickbird_spark.audit(frame, self.lists, line="n")
        self.assertEqual(support.forms(made), self.forms)
        narrow = frame.withColumn("n", functions.col("n").cast("short"))
        self.assertEqual(support.forms(tickbird_spark.audit(narrow, self.lists, line="n")), self.forms)

    def test_columnsThatDifferInCase_areNotConfused(self):
        case = "spark.sql.caseSensitive"
        self.addCleanup(self.spark.conf.unset, case)
        self.spark.conf.set(case, "true")
        frame = self.frame([]).select("*", functions.lit("").alias("URL"), functions.lit("").alias("Blocked"))
        self.assertEqual(support.forms(tickbird_spark.audit(frame, self.lists)), self.forms)
        self.spark.conf.unset(case)
        frame = self.frame([])
        doubled = frame.select("*", functions.lit("").alias("URL"))
        for call in (tickbird_spark.audit, lambda *both: tickbird_spark.decide(*both, keep=False)):
            with self.assertRaisesRegex(ValueError, "has 'URL', and Spark does not tell it from 'url'"):
                call(doubled, self.lists)
        with self.assertRaisesRegex(ValueError, "has 'Blocked', and Spark does not tell it from 'blocked'"):
            tickbird_spark.decide(frame.select("*", functions.lit("").alias("Blocked")), self.lists)

    def test_parquet_isReadAsByTheCommand(self):
        pa.parquet.write_table(self.table, self.folder / "log.parquet", row_group_size=300)
        frame = self.spark.read.parquet(str(self.folder / "log.parquet"))
        self.assertEqual(support.forms(tickbird_spark.audit(frame, self.lists)), self.forms)

    def test_decisions_areThoseOfTables(self):
        expected = self.lists.decide_table(self.table)
        decided = tickbird_spark.decide(self.frame([1, 2000]), self.lists)
        self.assertEqual(decided.columns, [*self.table.column_names, "n", "blocked", "cookies_blocked",
                                           "makes_https", "rules", "lists", "fault"])
        names = expected.column_names
        self.assertEqual([tuple(row) for row in decided.select(*names).collect()],
                         [tuple(row.values()) for row in expected.to_pylist()])
        alone = tickbird_spark.decide(self.frame([]), self.lists.lists[0], keep=False, rules=False)
        self.assertEqual(alone.columns, ["blocked", "cookies_blocked", "makes_https", "fault"])
        self.assertEqual(alone.where("blocked").count(),
                         arrow.counts(self.lists.lists[0].decide_table(self.table)).blocked)
        with self.assertRaisesRegex(ValueError, "has a column 'blocked' already"):
            tickbird_spark.decide(decided, self.lists)

    def test_columns_ofAnyKindStayBesideTheResults(self):
        frame = self.spark.sql("""
            select 'https://a.test/ads/1' as url, cast(null as string) as source, 'script' as type,
            timestamp '2026-01-02 03:04:05' as at, date '2026-01-02' as day, decimal(1.5) as sum, map('a', 1) as map,
            array(1, 2) as list, struct(1 as x) as row, binary('x') as bytes, 1.5f as number""")
        row = tickbird_spark.decide(frame, self.lists).drop("rules").collect()[0]
        self.assertEqual((row["blocked"], row["map"], row["list"], row["row"]["x"], row["day"].year),
                         (True, {"a": 1}, [1, 2], 1, 2026))
        self.assertEqual(tickbird_spark.audit(frame, self.lists).blocked, 1)

    def test_names_mayBeAnything(self):
        frame = (self.frame([700]).withColumnRenamed("url", "the.`url`").withColumnRenamed("top_url", "Seite ü")
                 .withColumnRenamed("load_type", "party").withColumn("top_url", functions.lit(5)))
        names = {"url": "the.`url`", "page": "Seite ü", "party": "party"}
        self.assertEqual(support.forms(tickbird_spark.audit(frame, self.lists, **names)), self.forms)
        self.assertEqual(tickbird_spark.decide(frame, self.lists, **names).where("blocked").count(),
                         arrow.counts(self.lists.decide_table(self.table)).blocked)

    def test_framesWithoutRows_haveAReport(self):
        schema = "url string, top_url string, resource_type string"
        empty = support.forms(tickbird.Audit(self.lists))
        for frame in (self.spark.createDataFrame([], schema), self.frame([]).where("n < 0").repartition(5),
                      self.spark.createDataFrame(self.spark.sparkContext.emptyRDD(), schema)):
            self.assertEqual(support.forms(tickbird_spark.audit(frame, self.lists)), empty)
            self.assertEqual(tickbird_spark.decide(frame, self.lists).count(), 0)

    def test_manyPartitions_ofOneRowEach(self):
        frame = self.frame(list(range(1, 40)))
        made = tickbird_spark.audit(frame, self.lists, fan_in=3)
        self.assertEqual(support.forms(made), self.forms)

    def test_faults_areSaidBeforeAnythingRuns(self):
        frame = self.frame([])
        for made, lists, options, kind, words in [
            (frame.drop("url"), self.lists, {}, ValueError, "no column url among top_url"),
            (frame, self.lists, {"page": "n"}, TypeError, "column 'n' is bigint; it must be of strings"),
            (frame, self.lists, {"line": "url"}, TypeError, "must be whole"),
            (frame, self.lists, {"line": "m"}, ValueError, "no column 'm'"),
            (frame, self.lists, {"fan_in": 0}, ValueError, "fan_in=0"),
            (frame, b"[5]", {}, tickbird.RefusedError, "Invalid rule"),
            (frame, "none.json", {}, OSError, "none.json"),
            (self.table, self.lists, {}, TypeError, "Table is no frame of PySpark"),
        ]:
            with self.assertRaisesRegex(kind, words):
                tickbird_spark.audit(made, lists, **options)
        with self.assertRaisesRegex(Exception, "'n' has a null"):
            tickbird_spark.audit(frame.withColumn("n", functions.expr("nullif(n, 7)")), self.lists, line="n")

    def test_lists_areSentOnceAndOpenedOnceAProcess(self):
        lists = tickbird.open_lists([support.RULES.encode(), support.MORE.encode()])
        before = len(tickbird_spark._sent)
        frame = self.frame([1000, 2000])
        first = tickbird_spark.audit(frame, lists)
        again = tickbird_spark.audit(frame, [support.RULES.encode(), support.MORE.encode()])
        self.assertEqual(first.json(), again.json())
        self.assertEqual(len(tickbird_spark._sent), before + 1)
        shipped = list(tickbird_spark._sent.values())[-1]

        def look(_):
            opened = shipped.open()
            maps = pathlib.Path("/proc/self/maps").read_text()
            yield (tickbird_spark._folder(), os.getpid(), opened is shipped.open(),
                   f"tickbird-{shipped.digest}-0" in maps)

        seen = self.spark.sparkContext.parallelize(range(6), 6).mapPartitions(look).collect()
        self.assertEqual({row[2:] for row in seen}, {(True, True)})
        for folder in {row[0] for row in seen}:
            files = [name for name in os.listdir(folder) if shipped.digest in name]
            self.assertEqual(len(files), 2, folder)
            self.assertIn(str(self.folder), folder)
            self.assertEqual(os.stat(folder).st_mode & 0o022, 0)

    def test_killedExecutor_countsNothingTwice(self):
        marks = self.folder / "marks"
        marks.mkdir()
        slow = self.frame(list(range(500, 3000, 500))).mapInArrow(slowly(str(marks)), self.frame([]).schema)
        killed = []

        def kill():
            # In the middle: after a task is through, while others run.
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and len(list(marks.glob("*.end"))) < 2:
                time.sleep(0.02)
            victims = executors()
            if victims:
                os.kill(victims[0], signal.SIGKILL)
                killed.append(victims[0])

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            made = tickbird_spark.audit(slow, self.lists, fan_in=2)
        finally:
            killer.join()
        self.assertEqual(len(killed), 1)
        self.assertEqual(support.forms(made), self.forms)
        attempts = [path.name for path in marks.glob("*.begin")]
        self.assertGreater(len(attempts), 6, "no task ran twice")

    def test_failedTasks_countNothingTwice(self):
        marks = self.folder / "failures"
        marks.mkdir()
        frame = self.frame([1000, 2000]).mapInArrow(failing(str(marks)), self.frame([]).schema)
        self.assertEqual(support.forms(tickbird_spark.audit(frame, self.lists)), self.forms)
        self.assertEqual(len(list(marks.iterdir())), 3)


@unittest.skipIf(missing(), missing())
class SpeculationTests(ClusterCase):
    """Two machines, by their addresses: Spark tries a slow task again on another one alone."""

    @classmethod
    def setUpClass(cls):
        import pyspark

        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        program = pathlib.Path(pyspark.__file__).parent / "bin/spark-class"
        deploy = "org.apache.spark.deploy"
        cls.start(program, f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", 0)
        for host in ("127.0.0.1", "127.0.0.2"):
            cls.start(program, f"{deploy}.worker.Worker", "--host", host, "--webui-port", 0, "--cores", 1,
                      "--memory", "1g", "--work-dir", cls.folder / host, f"spark://127.0.0.1:{port}")
        cls.spark = cls.session(f"spark://127.0.0.1:{port}", **{
            "spark.speculation": "true", "spark.speculation.interval": "50ms", "spark.speculation.quantile": "0.5",
            "spark.speculation.multiplier": "1.1", "spark.speculation.minTaskRuntime": "50ms",
            "spark.scheduler.minRegisteredResourcesRatio": "1.0"})
        cls.make_rows()

    @classmethod
    def start(cls, *command):
        process = subprocess.Popen([str(each) for each in command], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True,
                                   env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"})

        def end():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()

        cls.addClassCleanup(end)

    def test_taskThatRunsTwiceAtOnce_countsOnce(self):
        marks = self.folder / "marks"
        marks.mkdir()
        slow = self.frame([600, 1200, 1800, 2400]).mapInArrow(straggling(str(marks)), self.frame([]).schema)
        self.assertEqual(support.forms(tickbird_spark.audit(slow, self.lists)), self.forms)
        self.assertEqual(len(list(marks.glob("3-*"))), 2, "the slow task was not tried again")


class PartTests(unittest.TestCase):
    """How findings are put together, where Spark would hand over a task's result twice or not at all."""

    @classmethod
    def setUpClass(cls):
        if importlib.util.find_spec("pyarrow") is None:
            raise unittest.SkipTest("pyarrow is not installed")
        from tickbird import spark

        cls.module = spark

    def setUp(self):
        import zlib

        from tickbird import arrow

        self.lists = support.lists()
        rows = support.rows(90)
        table = __import__("pyarrow").table({name: [row[name] for row in rows] for name in rows[0]})
        self.whole = arrow.audit_table(self.lists, table)
        self.parts = [
            self.module._Part(number, number, zlib.compress(
                arrow.audit_table(self.lists, table.slice(30 * number, 30)).findings()))
            for number in range(3)
        ]

    def merged(self, parts):
        made = tickbird.Audit(self.lists)
        self.module._merge(made, parts, 0, 1)
        return made

    def test_taskThatRanTwice_countsOnce(self):
        first, second, third = self.parts
        made = self.merged([third, first, second, first, third])
        self.assertEqual(support.forms(made), support.forms(self.whole))

    def test_differentResultsOfATask_areAnError(self):
        first, second, third = self.parts
        with self.assertRaisesRegex(RuntimeError, "partition 1 was counted twice, with different rows"):
            self.merged([first, second, third._replace(first=1), third])

    def test_missingPartitions_areAnError(self):
        with self.assertRaisesRegex(RuntimeError, "partition 1 are missing"):
            self.merged([self.parts[0], self.parts[2]])


if __name__ == "__main__":
    unittest.main()
