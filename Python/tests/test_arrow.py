"""Batches over Arrow tables, and WebKit's recorded decisions."""

import gzip
import os
import pathlib
import unittest

import tickbird

try:
    import pyarrow as pa
    import pyarrow.csv

    from tickbird import arrow
except ImportError:
    pa = None

SHARED = os.environ.get("TICKBIRD_SHARED") or pathlib.Path(__file__).resolve().parents[3] / "shared"
DATA = pathlib.Path(SHARED, "data")
RULES = """[{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
 {"trigger": {"url-filter": "/ads/ours/"}, "action": {"type": "ignore-previous-rules"}},
 {"trigger": {"url-filter": "/track"}, "action": {"type": "block-cookies"}},
 {"trigger": {"url-filter": "/track"}, "action": {"type": "make-https"}}]"""
PAGE = "https://news.test/"


@unittest.skipUnless(pa, "pyarrow is not installed")
class TableTests(unittest.TestCase):
    def setUp(self):
        self.rules = tickbird.compile(RULES, "rules.json")
        self.urls = ["https://a.test/ads/1", "https://a.test/ads/ours/2", "no url", None, "",
                     "https://a.test/3", "http://a.test/track"]
        self.log = pa.table({"url": self.urls, "page": [PAGE] * 7, "type": ["script"] * 7, "n": range(7)})

    def test_results_standBesideTheColumns(self):
        decided = self.rules.decide_table(self.log)
        self.assertEqual(decided.column_names, ["url", "page", "type", "n", "blocked", "cookies_blocked",
                                                "makes_https", "rules", "fault"])
        self.assertEqual(decided["blocked"].to_pylist(), [True, False, None, None, None, False, False])
        self.assertEqual(decided["makes_https"].to_pylist()[5:], [False, True])
        self.assertEqual(decided["rules"].to_pylist(), [[0], [1], [], [], [], [], [2, 3]])
        self.assertEqual(decided["fault"].to_pylist(),
                         [None, None, "bad-url", "missing", "missing", None, None])
        self.assertEqual(arrow.counts(decided), (7, 1, 2, 1))
        alone = self.rules.decide_table(self.log, keep=False, rules=False)
        self.assertEqual(alone.column_names, ["blocked", "cookies_blocked", "makes_https", "fault"])
        self.assertEqual(alone["blocked"], decided["blocked"])
        decided.validate(full=True)

    def test_columns_mayHaveAnyFormOfStrings(self):
        expected = self.rules.decide_table(self.log, keep=False)
        urls, pages, types = self.urls, [PAGE] * 7, ["script"] * 7
        forms = [
            lambda texts: pa.chunked_array([pa.array(texts, pa.large_string())]),
            lambda texts: pa.chunked_array([pa.array(texts).dictionary_encode()]),
            lambda texts: pa.chunked_array([pa.array(texts[:2]), pa.array([], pa.string()),
                                            pa.array(["x"] + texts[2:]).slice(1)]),
            lambda texts: pa.chunked_array([pa.array(texts, pa.binary())]),
            lambda texts: pa.chunked_array([pa.array(texts, pa.string_view())]),
            lambda texts: pa.chunked_array([pa.array(["x", "y"] + texts + ["z"]).slice(2, 7)]),
        ]
        for number, form in enumerate(forms):
            for others in forms[number:]:
                table = pa.table({"url": form(urls), "page": others(pages), "type": others(types)})
                decided = self.rules.decide_table(table, keep=False)
                for name in expected.column_names:
                    self.assertEqual(decided[name].to_pylist(), expected[name].to_pylist(), name)

    def test_columns_areFoundOrNamed(self):
        table = self.log.rename_columns(["address", "referrer", "kind", "n"])
        decided = self.rules.decide_table(table, url="address", page="referrer", type="kind")
        self.assertEqual(arrow.counts(decided).blocked, 1)
        without = self.log.drop_columns(["page", "type"])
        decided = self.rules.decide_table(without, page=None, every_type="image")
        self.assertEqual(arrow.counts(decided).blocked, 1)
        for options, words in [
            ({}, "no column top_url or page or source among url, n; say page=NAME; page=None"),
            ({"page": None}, "no column resource_type or webkit_type or type .*every_type"),
            ({"page": "nowhere", "every_type": "image"}, "no column 'nowhere'"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                self.rules.decide_table(without, **options)
        with self.assertRaisesRegex(TypeError, "no part 'kind'"):
            self.rules.decide_table(self.log, kind="n")
        with self.assertRaisesRegex(TypeError, "column 'n' is int64; it must be of strings"):
            self.rules.decide_table(self.log, frame="n")
        with self.assertRaisesRegex(ValueError, "has a column 'blocked' already"):
            self.rules.decide_table(self.rules.decide_table(self.log))
        nulls = self.log.set_column(1, "page", pa.nulls(7))
        self.assertEqual(arrow.counts(self.rules.decide_table(nulls)).blocked, 1)

    def test_tables_withoutRowsKeepTheirColumns(self):
        decided = self.rules.decide_table(self.log.slice(0, 0))
        self.assertEqual(decided.schema.remove_metadata(),
                         self.rules.decide_table(self.log).schema.remove_metadata())
        self.assertEqual(arrow.counts(decided), (0, 0, 0, 0))
        self.assertEqual(self.rules.decide_table(self.log.schema.empty_table()).num_rows, 0)

    def test_progress_endsWithAllRows(self):
        seen = []
        table = pa.concat_tables([self.log] * 20_000)
        decided = self.rules.decide_table(table, progress=lambda done, rows: seen.append((done, rows)))
        self.assertEqual(seen, sorted(seen))
        self.assertGreater(len(seen), 3)
        self.assertEqual(seen[-1], (140_000, 140_000))
        self.assertEqual(arrow.counts(decided), (140_000, 20_000, 40_000, 20_000))
        shared = self.rules.decide_table(table, threads=3)
        self.assertTrue(shared.equals(decided, check_metadata=True))

        def interrupt(done, rows):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            self.rules.decide_table(table, progress=interrupt)

    def test_severalLists_nameTheListOfEachRule(self):
        both = tickbird.RuleLists([self.rules, tickbird.compile(RULES)])
        decided = both.decide_table(self.log)
        self.assertEqual(decided["rules"].to_pylist()[6], [2, 3, 2, 3])
        self.assertEqual(decided["lists"].to_pylist()[6], [0, 0, 1, 1])

    def test_manyRules_getMoreRoom(self):
        rule = '{"trigger": {"url-filter": "ad%s"}, "action": {"type": "block"}}'
        many = tickbird.compile("[" + ",".join(rule % ("s" * (n % 2)) for n in range(900)) + "]")
        table = pa.table({"url": ["https://ads.test/"] * 50 + ["https://a.test/"]})
        decided = many.decide_table(table, page=None, every_type="image")
        self.assertEqual(decided["rules"].to_pylist(), [list(range(900))] * 50 + [[]])

    def test_batches_areDecidedAsTheyCome(self):
        counted = []
        made = self.rules.decide_batches(iter(self.log.to_batches() * 3), counted=counted.append)
        self.assertEqual(next(made)["blocked"].to_pylist()[0], True)
        self.assertEqual(len(counted), 1)
        self.assertEqual(len(list(made)), 2)
        self.assertEqual([each.rows for each in counted], [7, 7, 7])


@unittest.skipUnless(pa, "pyarrow is not installed")
@unittest.skipUnless((DATA / "expected").is_dir(), f"there are no recorded decisions in {DATA}")
class RecordedDecisionTests(unittest.TestCase):
    """WebKit's own decisions about a log, and those of tables and single calls."""

    @classmethod
    def setUpClass(cls):
        with gzip.open(DATA / "requests/top500-2019.tsv.gz") as file:
            log = pa.csv.read_csv(file, parse_options=pa.csv.ParseOptions(
                delimiter="\t", quote_char=False, double_quote=False))
        party = log["load_type"].to_pylist()
        cls.log = pa.table({
            "url": log["url"], "source": log["source"], "webkit_type": log["webkit_type"],
            # WebKit was given every document as a page's, and loads of no page as third-party.
            "load_context": ["top-frame"] * len(log),
            "load_type": ["third-party" if word == "-" else word for word in party],
        })

    def test_tables_decideAsWebKit(self):
        lists = sorted((DATA / "expected").glob("*.txt.gz"))
        self.assertGreater(len(lists), 10)
        for expected in lists:
            name = expected.name.removesuffix(".txt.gz")
            decided = compiled(name).decide_table(self.log, threads=2)
            letters = [
                "".join(letter for letter, is_set in zip("bch", flags) if is_set) or "-"
                for flags in zip(*(decided[column].to_pylist()
                                   for column in ("blocked", "cookies_blocked", "makes_https")))
            ]
            with gzip.open(expected, "rt") as file:
                recorded = file.read().split("\n")[:-1]
            self.assertEqual(arrow.counts(decided)[2:], (0, 0), name)
            wrong = [(row, mine, theirs) for row, (mine, theirs) in enumerate(zip(letters, recorded))
                     if mine != theirs]
            self.assertEqual((len(letters), wrong[:5]), (len(recorded), []), name)

    def test_singleCalls_decideAsTables(self):
        rules = compiled("conv-adguard-base-2021")
        decided = rules.decide_table(self.log).slice(0, 4000).to_pylist()
        for row in decided:
            one = rules.decide(row["url"], row["source"] or "", row["webkit_type"],
                               context=row["load_context"], party=row["load_type"])
            self.assertEqual((one.blocked, one.cookies_blocked, list(one.rules + one.exceptions)),
                             (row["blocked"], row["cookies_blocked"], row["rules"]), row["url"])


def compiled(name):
    plain = DATA / f"lists/{name}.json"
    text = plain.read_bytes() if plain.exists() else gzip.open(DATA / f"lists/{name}.json.gz").read()
    return tickbird.compile(text, name)


if __name__ == "__main__":
    unittest.main()
