"""Checking, compiling, storing, deciding and explaining."""

import contextlib
import io
import os
import pathlib
import pickle
import re
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

import tickbird

ADS = """[{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
 {"trigger": {"url-filter": "/ads/ours/"}, "action": {"type": "ignore-previous-rules"}},
 {"trigger": {"url-filter": "/track"}, "action": {"type": "block-cookies"}}]
"""
PAGE = "https://news.test/"


class ListTests(unittest.TestCase):
    def setUp(self):
        self.rules = tickbird.compile(ADS, "ads.json")

    def test_tables_sayWhatTheyNeed(self):
        for module, needed in [("arrow", "pyarrow"), ("spark", "pyarrow"), ("duckdb", "duckdb")]:
            program = f"import sys; sys.modules['{needed}'] = None; import tickbird.{module}"
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"tickbird.{module} needs {needed}, which does not come with tickbird: pip install {needed}",
                          done.stderr)

    def test_decide_saysWhatHappensAndByWhichRules(self):
        decision = self.rules.decide("https://cdn.test/ads/a.js", PAGE, "script")
        self.assertIs(decision.blocked, True)
        self.assertEqual(decision.rules, (0,))
        self.assertEqual(decision.exceptions, ())
        decision = self.rules.decide("https://cdn.test/ads/ours/a.js", page=PAGE, type="script")
        self.assertIs(decision.blocked, False)
        self.assertEqual((decision.rules, decision.exceptions), ((), (1,)))
        decision = self.rules.decide("https://cdn.test/track", PAGE, "xhr", context="child-frame")
        self.assertEqual((decision.blocked, decision.cookies_blocked), (False, True))
        self.assertEqual(repr(decision)[:18], "tickbird.Decision(")

    def test_decide_namesWhatIsWrongWithALoad(self):
        for arguments, words in [
            (("ads", PAGE, "script"), "the url is not an absolute URL: ads"),
            (("https://a.test/", "news", "script"), "the page is not an absolute URL: news"),
            (("https://a.test/", PAGE, "skript"), "did you mean script?"),
            (("https://a.test/", PAGE), "a load needs a URL and a type"),
            (("", PAGE, "script"), "a load needs a URL and a type"),
        ]:
            with self.assertRaisesRegex(tickbird.LoadError, re.escape(words)):
                self.rules.decide(*arguments)
        with self.assertRaisesRegex(tickbird.LoadError, "did you mean top-frame"):
            self.rules.decide("https://a.test/", PAGE, "script", context="top-fram")
        with self.assertRaises(TypeError):
            self.rules.decide(b"https://a.test/", PAGE, "script")
        with self.assertRaises(UnicodeEncodeError):
            self.rules.decide("https://a.test/\ud800", PAGE, "script")

    def test_decide_hasAllOfManyRules(self):
        rule = '{"trigger": {"url-filter": "ad%s"}, "action": {"type": "block"}}'
        many = tickbird.compile("[" + ",".join(rule % ("s" * (n % 2)) for n in range(200)) + "]")
        self.assertEqual(many.decide("https://ads.test/", "", "image").rules, tuple(range(200)))

    def test_check_findsEveryFaultWithItsPlace(self):
        self.assertEqual(tickbird.check(ADS), [])
        bad = '[{"trigger": {"url-filter": "("}, "action": {"type": "block"}},\n 5]'
        report = tickbird.report(bad.encode(), "bad.json")
        self.assertFalse(report.accepted)
        self.assertEqual(report.error, "Invalid rule.")
        self.assertEqual([(each.line, each.severity) for each in report.diagnostics],
                         [(1, "error"), (2, "error")])
        with self.assertRaises(tickbird.RefusedError) as caught:
            tickbird.compile(bad, "bad.json")
        self.assertEqual(caught.exception.report.diagnostics, report.diagnostics)
        self.assertIn("bad.json:1:", str(caught.exception))

    def test_explain_hasTheFateOfEachRule(self):
        explained = self.rules.explain("https://cdn.test/ads/ours/a.js", PAGE, "script")
        self.assertEqual([(match["rule"], match["file"], match["line"], match["fate"])
                          for match in explained["matches"]],
                         [(0, "ads.json", 1, "cancelled"), (1, "ads.json", 2, "applied")])
        with self.assertRaises(tickbird.LoadError):
            self.rules.explain("ads", PAGE, "script")

    def test_save_replacesAFileAsAWhole(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "ads.tickbird")
            path.write_bytes(b"old")
            mask = os.umask(0o027)
            try:
                self.rules.save(path)
            finally:
                os.umask(mask)
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)
            self.assertEqual(os.listdir(folder), ["ads.tickbird"])
            opened = tickbird.RuleList.open(path)
            self.assertEqual(len(opened), 3)
            self.assertEqual(opened.source, ADS.encode())
            self.assertTrue(opened.decide("https://a.test/ads/", PAGE, "image").blocked)
            with self.assertRaisesRegex(OSError, "none"):
                tickbird.RuleList.open(path.with_name("none"))
            path.with_name("text").write_text(ADS)
            with self.assertRaisesRegex(tickbird.CompiledListError, "cannot be used"):
                tickbird.RuleList.open(path.with_name("text"))
            with self.assertRaises(OSError):
                self.rules.save(pathlib.Path(folder, "none", "file"))

    def test_bytes_areRefusedIfTheyAreNoList(self):
        compiled = self.rules.to_bytes()
        self.assertEqual(tickbird.RuleList.from_bytes(compiled).to_bytes(), compiled)
        for bad in (b"", b"TICKBIRD", compiled[:-1], compiled[:99] + b"\xff" + compiled[100:]):
            with self.assertRaises(tickbird.CompiledListError):
                tickbird.RuleList.from_bytes(bad)

    def test_pickle_carriesLists(self):
        both = tickbird.RuleLists([self.rules, tickbird.compile(ADS, "again.json")])
        copy = pickle.loads(pickle.dumps(both))
        decision = copy.decide("https://cdn.test/ads/a.js", PAGE, "script")
        self.assertEqual((decision.rules, decision.lists), ((0, 0), (0, 1)))
        self.assertEqual([each.name for each in copy.lists], ["ads.json", "again.json"])
        explained = copy.explain("https://cdn.test/ads/a.js", PAGE, "script")
        self.assertEqual([match["file"] for match in explained["matches"]], ["ads.json", "again.json"])

    def test_threads_shareAList(self):
        wrong = []

        def work(number):
            for _ in range(3000):
                page = f"https://page{number}.test/"
                if not self.rules.decide("https://cdn.test/ads/a.js", page, "script").blocked:
                    wrong.append(page)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_command_checks(self):
        with tempfile.TemporaryDirectory() as folder:
            good, bad = pathlib.Path(folder, "good.json"), pathlib.Path(folder, "bad.json")
            good.write_text(ADS)
            bad.write_text("[5]")

            def run(*arguments):
                return subprocess.run([sys.executable, "-m", "tickbird", *arguments],
                                      capture_output=True, text=True)

            done = run("check", str(good))
            self.assertEqual((done.returncode, done.stdout),
                             (0, f"{good}: accepted, 3 rules, 0 findings\n"))
            done = run("check", str(bad), str(good))
            self.assertEqual(done.returncode, 1)
            self.assertIn("bad.json:1:2: error: ", done.stdout)
            done = run("check", str(good.with_name("none.json")))
            self.assertEqual(done.returncode, 2)
            self.assertIn("none.json cannot be read", done.stderr)


class ReadmeTests(unittest.TestCase):
    def test_examples_printWhatTheReadmeSays(self):
        readme = pathlib.Path(__file__).parent.parent / "README.md"
        parts = re.findall(r"```(\w+)\n(.*?)```", readme.read_text(), re.DOTALL)
        self.assertEqual([kind for kind, _ in parts], ["python", "text"] * 2)
        names = {}
        for (_, program), (_, expected) in zip(parts[::2], parts[1::2]):
            if "pyarrow" in program:
                try:
                    import pyarrow  # noqa: F401
                except ImportError:
                    self.skipTest("pyarrow is not installed; the second example was not run")
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(program, names)
            self.assertEqual(output.getvalue(), expected)


if __name__ == "__main__":
    unittest.main()
