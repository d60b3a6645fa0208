"""Audits of Arrow tables, of Parquet files by the command, and of DuckDB's queries."""

import gzip
import json
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import unittest

import support
import tickbird

try:
    import pyarrow as pa
    import pyarrow.parquet

    from tickbird import arrow
except ImportError:
    pa = None
try:
    import duckdb

    import tickbird.duckdb
except ImportError:
    duckdb = None


@unittest.skipUnless(pa, "pyarrow is not installed")
class AuditTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lists = support.lists()
        cls.rows = support.rows(3000)
        cls.table = pa.table({name: [row[name] for row in cls.rows] for name in cls.rows[0]})
        cls.whole = arrow.audit_table(cls.lists, cls.table)
        cls.forms = support.forms(cls.whole)

    def parts(self, places):
        """The audits of the rows between places, made elsewhere, and put together here."""
        made = tickbird.Audit(self.lists)
        for start, end in zip([0, *places], [*places, len(self.rows)]):
            part = arrow.audit_table(self.lists, self.table.slice(start, end - start))
            made.merge(pickle.loads(pickle.dumps(part)))
        return made

    def test_counts_areThoseOfRows(self):
        decided = arrow.counts(self.lists.decide_table(self.table))
        self.assertEqual(self.whole.requests, decided.rows - decided.bad - decided.missing)
        self.assertEqual(self.whole.bad_rows, decided.bad + decided.missing)
        self.assertEqual(self.whole.blocked, decided.blocked)
        self.assertGreater(self.whole.bad_rows, 50)
        data = self.whole.data
        self.assertEqual((data["requests"], data["bad_lines"]), (self.whole.requests, self.whole.bad_rows))
        self.assertEqual(len(data["first_bad_lines"]), 10)
        self.assertEqual([each["name"] for each in data["lists"]], ["ads.json", "über.json"])

    def test_parts_areTheWhole(self):
        for places in ([], [1], [1499], [0, 0, 3000], list(range(1, 3000, 431)), [1, 2, 3, 2999]):
            self.assertEqual(support.forms(self.parts(places)), self.forms, places)
        for threads in (2, 5):
            shared = arrow.audit_batches(self.lists, self.table.to_batches(7), threads=threads)
            self.assertEqual(support.forms(shared), self.forms)

    def test_numbers_makeOrderImmaterial(self):
        order = list(range(3000))
        random.Random(6).shuffle(order)
        for kind in (pa.int64(), pa.uint32(), pa.int16()):
            table = self.table.append_column("n", pa.array(range(1, 3001), kind)).take(pa.array(order))
            mixed = arrow.audit_batches(self.lists, table.to_batches(100), line="n")
            self.assertEqual(support.forms(mixed), self.forms)
            shared = arrow.audit_batches(self.lists, table.to_batches(100), line="n", threads=3)
            self.assertEqual(support.forms(shared), self.forms)

    @unittest.skipUnless(support.COMMAND.exists(), f"there is no {support.COMMAND}")
    def test_forms_areThoseOfTheCommand(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "rows").write_bytes(support.log(self.rows))
            options = []
            for each, text in zip(self.lists.lists, (support.RULES, support.MORE)):
                pathlib.Path(folder, each.name).write_text(text)
                options += ["--list", each.name]

            def run(*arguments, reads=(*options, "--columns", ",".join(support.COLUMNS), "rows")):
                return subprocess.run([support.COMMAND, *arguments, *reads], cwd=folder,
                                      capture_output=True).stdout

            self.assertEqual(run("audit", "--unmatched"), self.forms["text"].encode())
            self.assertEqual(run("audit", "--top", "3"), self.forms["short"].encode())
            for form, more in (("rules", ["--unmatched"]), ("sites", ["--by", "site"]),
                               ("pairs", ["--by", "rule-site"])):
                self.assertEqual(run("audit", "--format", "csv", *more), self.forms[form], form)
            # The digest of a log is of its bytes there, and of its rows here.
            theirs = run("audit", "--format", "json")
            digest = json.loads(theirs)["logs"][0]["digest"].encode()
            mine = self.whole.data["logs"][0]["digest"].encode()
            self.assertNotEqual(digest, mine)
            self.assertEqual(theirs.replace(digest, mine), self.forms["json"])
            self.whole.save(pathlib.Path(folder, "rows.audit"))
            # Without the lists it has no patterns of rules that never matched.
            self.assertEqual(run("audit", "merge", "--top", "3", reads=["rows.audit"]),
                             self.forms["short"].encode())
            self.assertEqual(run("audit", "merge", "--format", "json", reads=["rows.audit"]),
                             self.forms["json"])
            pa.parquet.write_table(self.table, pathlib.Path(folder, "log.parquet"))
            done = subprocess.run([support.COMMAND, "audit", *options, "log.parquet"], cwd=folder,
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("python3 -m tickbird audit --list LIST --parquet log.parquet", done.stderr)

    def test_columns_mayHaveAnyForm(self):
        def table(form):
            return pa.table({name: form(pa.array([row[name] for row in self.rows]))
                             for name in self.table.column_names})

        for form in (
            lambda array: array.cast(pa.large_string()), lambda array: array.dictionary_encode(),
            lambda array: array.cast(pa.string_view()), lambda array: array.cast(pa.binary()),
            lambda array: pa.chunked_array([array[:5], array[5:5], array[5:]]),
        ):
            made = arrow.audit_table(self.lists, table(form))
            self.assertEqual(support.forms(made), self.forms)
        other = self.table.rename_columns(["address", "referrer", "kind", "party"])
        names = {"url": "address", "page": "referrer", "type": "kind", "party": "party"}
        self.assertEqual(support.forms(arrow.audit_table(self.lists, other, **names)), self.forms)

    def test_faults_areSaidBeforeRowsAreCounted(self):
        table = self.table
        dates = table.append_column("frame_url", pa.array([0] * 3000, pa.timestamp("us")))
        for made, options, words in [
            (table.drop_columns(["url"]), {}, "no column url among top_url"),
            (table.slice(0, 0).drop_columns(["url"]), {}, "no column url among top_url"),
            (table, {"line": "n"}, "no column 'n'"),
            (table, {"kind": "n"}, "no part 'kind'"),
            (table, {"line": "url"}, "must be whole"),
            (dates, {}, "column 'frame_url' is timestamp"),
            (table.append_column("n", pa.nulls(3000, pa.int64())), {"line": "n"}, "'n' has a null"),
            (table.append_column("n", pa.array(range(3000))), {"line": "n"}, "'n' has 0; rows are numbered"),
        ]:
            with self.assertRaisesRegex((ValueError, TypeError), words):
                arrow.audit_table(self.lists, made, **options)
            if made.num_rows:
                with self.assertRaisesRegex((ValueError, TypeError), words):
                    arrow.audit_table(self.lists, made, threads=2, **options)
        empty = arrow.audit_table(self.lists, table.slice(0, 0))
        self.assertEqual((empty.requests, empty.bad_rows), (0, 0))
        self.assertEqual(empty.json(), tickbird.Audit(self.lists).json())
        one = arrow.audit_table([], table.slice(0, 1))
        self.assertEqual((one.requests, one.blocked), (1, 0))
        with self.assertRaisesRegex(ValueError, "no table by 'page'"):
            one.csv("page")

    def test_audits_ofOtherListsAreRefused(self):
        before = self.whole.json()
        other = arrow.audit_table(tickbird.compile(support.RULES), self.table)
        for wrong, words in [
            (other, "other lists"), (b"", "are empty"), (self.whole.findings()[:-9], "are damaged"),
            (arrow.audit_batches(self.lists, self.table.append_column("n", pa.array(range(1, 3001))).to_batches(),
                                 line="n"), "with numbers and rows without"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                self.whole.merge(wrong)
        self.assertEqual(self.whole.json(), before)

    def test_lists_areOpenedFromAnything(self):
        with tempfile.TemporaryDirectory() as folder:
            plain, packed, compiled = (pathlib.Path(folder, name) for name in ("a.json", "b.gz", "c"))
            plain.write_text(support.RULES)
            packed.write_bytes(gzip.compress(support.RULES.encode()))
            tickbird.compile(support.RULES).save(compiled)
            opened = tickbird.open_lists([plain, str(packed), compiled, support.RULES.encode(),
                                          packed.read_bytes(), compiled.read_bytes(), self.lists])
            self.assertEqual([each.name for each in opened.lists],
                             [str(plain), str(packed), str(compiled), "", "", "", "ads.json", "über.json"])
            self.assertEqual({len(each) for each in opened.lists[:7]}, {6})
            plain.write_text("[5]")
            for wrong, kind, words in [
                (plain, tickbird.RefusedError, "a.json"), (b"[5]", tickbird.RefusedError, "Invalid rule"),
                (pathlib.Path(folder, "none"), OSError, "none"), (support.RULES, ValueError, "taken for a path"),
                (packed.read_bytes()[:40], ValueError, "not a sound gzip"), (5, TypeError, "int is no list"),
                ([5], TypeError, "int is no list"), (compiled.read_bytes()[:99], tickbird.CompiledListError, ""),
            ]:
                with self.assertRaisesRegex(kind, words):
                    tickbird.open_lists(wrong)

    def test_command_readsParquet(self):
        with tempfile.TemporaryDirectory() as folder:
            for each, text in zip(self.lists.lists, (support.RULES, support.MORE)):
                pathlib.Path(folder, each.name).write_text(text)
            other = self.table.rename_columns(["address", "top_url", "resource_type", "load_type"])
            os.mkdir(pathlib.Path(folder, "parts"))
            for name, table in [("whole.parquet", self.table), ("other.parquet", other),
                                ("parts/0.parquet", self.table.slice(0, 700)),
                                ("parts/1.parquet", self.table.slice(700, 0)),
                                ("parts/2.parquet", self.table.slice(700))]:
                pa.parquet.write_table(table, pathlib.Path(folder, name), row_group_size=500)
            pathlib.Path(folder, "parts/_SUCCESS").write_text("")

            def run(*arguments, lists=("-l", "ads.json", "-l", "über.json")):
                return subprocess.run(
                    [sys.executable, "-m", "tickbird", "audit", *lists, *arguments], cwd=folder, capture_output=True
                )

            whole = run("--parquet", "whole.parquet", "--log", "rows", "--unmatched")
            self.assertEqual(whole.stdout, self.forms["text"].encode())
            self.assertEqual(whole.returncode, 1)
            self.assertIn(b"rows, row 129: column url is not an absolute URL: not a url", whole.stderr)
            self.assertIn(f"{self.whole.bad_rows} bad rows of 3000 left out".encode(), whole.stderr)
            for files in (["parts"], ["parts/0.parquet", "parts/1.parquet", "parts/2.parquet"]):
                made = run("--parquet", *files, "--log", "rows", "--format", "json", "--threads", "3")
                self.assertEqual(made.stdout, self.forms["json"])
            made = run("--parquet", "other.parquet", "--column", "url=address", "--log", "rows", "--format", "csv",
                       "--by", "site")
            self.assertEqual(made.stdout, self.forms["sites"])
            made = run("--parquet", "whole.parquet", "--log", "rows", "--partial", "p.audit")
            self.assertEqual((made.returncode, made.stdout), (1, b""))
            self.assertEqual(gzip.decompress(pathlib.Path(folder, "p.audit").read_bytes())[:20],
                             b'{"tickbird_audit":2,')
            pathlib.Path(folder, "bad.json").write_text("[5]")
            for arguments, options, status, words in [
                (["--parquet", "none.parquet"], {}, 2, "none.parquet cannot be read"),
                (["--parquet", "ads.json"], {}, 2, "ads.json is no sound Parquet file"),
                (["--parquet", "other.parquet"], {}, 2, "other.parquet: there is no column url"),
                (["--parquet", "whole.parquet", "--line", "url"], {}, 2, "must be whole"),
                (["--parquet", "whole.parquet", "--by", "site"], {}, 2, "--by says"),
                (["--parquet", "whole.parquet", "--top", "-1"], {}, 2, "--top -1 is not possible"),
                (["--parquet", "whole.parquet", "--column", "x=y"], {}, 2, "give PART=NAME"),
                (["--parquet", "whole.parquet"], {"lists": ("-l", "bad.json")}, 1, "Invalid rule"),
                (["--parquet", "whole.parquet"], {"lists": ("-l", "none.json")}, 2, "none.json cannot be read"),
            ]:
                done = run(*arguments, **options)
                self.assertEqual((done.returncode, done.stdout), (status, b""), arguments)
                self.assertIn(words, done.stderr.decode())
                self.assertNotIn("Traceback", done.stderr.decode())


@unittest.skipUnless(pa and duckdb, "duckdb is not installed")
class DuckDBTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lists = support.lists()
        cls.rows = support.rows(3000)
        cls.table = pa.table({name: [row[name] for row in cls.rows] for name in cls.rows[0]})
        cls.forms = support.forms(arrow.audit_table(cls.lists, cls.table))
        cls.folder = tempfile.TemporaryDirectory()
        for number in range(3):
            pa.parquet.write_table(cls.table.slice(1000 * number, 1000), f"{cls.folder.name}/{number}.parquet")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_queries_areAudited(self):
        query = f"select * from '{self.folder.name}/*.parquet'"
        with duckdb.connect() as connection:
            for threads in (1, 3):
                made = tickbird.duckdb.audit(query, self.lists, connection=connection, threads=threads)
                self.assertEqual(support.forms(made), self.forms)
            relation = connection.sql(query)
            self.assertEqual(support.forms(tickbird.duckdb.audit(relation, self.lists)), self.forms)
            numbered = (f"select * from (select *, row_number() over () as n from ({query})) "
                        "order by hash(n)")
            made = tickbird.duckdb.audit(numbered, self.lists, connection=connection, line="n")
            self.assertEqual(support.forms(made), self.forms)

    def test_queries_areDecided(self):
        with duckdb.connect() as connection:
            decided = tickbird.duckdb.decide(  # noqa: F841
                f"select * from '{self.folder.name}/*.parquet'", self.lists, connection=connection)
            found = connection.cursor().sql(
                "select count(*) filter (blocked), count(fault), count(*) from decided").fetchall()[0]
        counts = arrow.counts(self.lists.decide_table(self.table))
        self.assertEqual(found, (counts.blocked, counts.bad + counts.missing, 3000))

    def test_faults_areSaid(self):
        with duckdb.connect() as connection:
            for source, words in [
                ("select 1 as url", "no column top_url"),
                ("select 'a' as url, 'b' as top_url where false", "every_type"),
                (5, "int is no query"),
            ]:
                with self.assertRaisesRegex((ValueError, TypeError), words):
                    tickbird.duckdb.audit(source, self.lists, connection=connection)
            empty = tickbird.duckdb.audit("select 'a' as url, 'b' as top_url where false", self.lists,
                                          connection=connection, every_type="image")
            self.assertEqual(empty.requests, 0)


if __name__ == "__main__":
    unittest.main()
