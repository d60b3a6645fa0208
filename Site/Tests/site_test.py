"""Tests of what makes the site; Scripts/check-site runs them."""

import os
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Scripts/lib"))
import sitedocuments
import siteoutput
import siteplayground
import sitereference
from sitedocuments import Document, SiteError, converted


def html(text, source="Documentation/Check.md"):
    return converted(Document(source), text).body


class Documents(unittest.TestCase):
    def test_anchors_are_those_of_GitHub(self):
        document = converted(Document("README.md"), "# A `b` & C\n\n## What's *new*? é\n\n## One-two_three\n\n"
                             "## One-two_three\n")
        self.assertEqual(document.title, "A b & C")
        self.assertEqual([name for _, name, _ in document.headings],
                         ["whats-new-é", "one-two_three", "one-two_three-1"])

    def test_links_lead_to_pages(self):
        body = html("[a](Lists.md#x) [b](../README.md) [c](../NOTICE) [d](../Examples/preview) [e](#f)")
        for address in ("Lists.html#x", "README.html", "files/NOTICE.html", "files/Examples/preview/index.html", "#f"):
            self.assertIn(f'href="{address}"', body)
        self.assertIn('href="../../../Check.html"',
                      html("[a](../../Documentation/Check.md)", "Examples/preview/README.md"))

    def test_missing_files_and_scripts_are_errors(self):
        for text in ("[a](Nothing.md)", "[a](../../etc/passwd)", "[a](javascript:alert)", "![a](Pictures/none.png)"):
            with self.assertRaises(SiteError, msg=text):
                html(text)

    def test_no_HTML_of_a_document_s_own(self):
        body = html("a <script>b</script> <img src=x onerror=y>\n\n<div onclick=z>c</div>\n")
        for word in ("<script", "<img", "<div onclick"):
            self.assertNotIn(word, body)
        self.assertIn("&lt;script&gt;", body)

    def test_comments_go_but_for_code(self):
        body = html("<!-- begin -->\n```html\n<!-- kept -->\n```\n<!-- end\nof it -->\n")
        self.assertIn("&lt;!-- kept --&gt;", body)
        self.assertNotIn("begin", body)
        self.assertNotIn("of it", body)

    def test_strokes_in_tables(self):
        body = html("| a | b |\n| --- | --- |\n| `x\\|y` | z |\n")
        self.assertIn("<code>x|y</code>", body)
        self.assertIn("<td>z</td>", body)


class Output(unittest.TestCase):
    def faults(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                pathlib.Path(folder, name + ".html").write_text(text)
            return list(siteoutput.broken_links(folder, siteoutput.read_pages(folder)))

    def test_broken_links_are_found(self):
        self.assertEqual(self.faults(a='<a href="b.html#x">1</a><a href="#y">2</a><p id="y">', b='<p id="x">'), [])
        for text in ('<a href="c.html">', '<a href="b.html#z">', '<a href="#z">', '<img src="p.png">',
                     '<a href="../a.html">', '<script src="s.js"></script>', '<p id="q"><p id="q">'):
            self.assertEqual(len(self.faults(a=text, b='<p id="x">')), 1, text)

    def test_sections(self):
        page = siteoutput.Page('<title>T – Tickbird</title><header>no</header><main><h1 id="t">T</h1><p>one'
                               '<h2 id="s">Two <a class="anchor" href="#s">#</a></h2><pre>three</pre>'
                               "<button>no</button><nav data-unsearched><ul><li>no</li></ul></nav><p>four</p></main>")
        self.assertEqual(list(siteoutput.search_sections({"p.html": page})),
                         [["p.html", "T", "t", "", "one"], ["p.html", "T", "s", "Two", "three four"]])


class Playground(unittest.TestCase):
    def test_a_worker_s_script(self):
        text = siteplayground.translated(
            'import { a, b as c } from "./x.js";\nexport { d } from "./y.js";\nexport const e = 1;\n'
            "export class F {}\nexport async function g() {}\n", "lib/z.js", lambda name: None)
        self.assertIn('const { a, b: c } = known["lib/x.js"];', text)
        self.assertIn('exported.d = known["lib/y.js"].d;', text)
        for name in "eFg":
            self.assertIn(f"exported.{name} = {name};", text)
        for other in ('import x from "./x.js";', "export default 1;", 'export * from "./x.js";', "export { a };"):
            with self.assertRaises(SiteError, msg=other):
                siteplayground.translated(other + "\n", "z.js", lambda name: None)

    def test_only_modules(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "m.wasm")
            file.write_bytes(b"no module")
            with self.assertRaises(SiteError):
                siteplayground.add(pathlib.Path(folder), file)


class Reference(unittest.TestCase):
    def test_addresses_begin_where_the_site_is(self):
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder, "made")
            page = made / "documentation/a/index.html"
            page.parent.mkdir(parents=True)
            page.write_text('<script>var baseUrl = "/"</script><script src="/js/a.js"></script>')
            data = made / "data/documentation/a.json"
            data.parent.mkdir(parents=True)
            data.write_text('{"metadata": {"title": "A"}, "abstract": [{"type": "text", "text": "Does b."}]}')
            site = pathlib.Path(folder, "site")
            site.mkdir()
            self.assertEqual(sitereference.add(site, made),
                             [["reference/documentation/a/index.html", "A (reference)", "", "", "Does b."]])
            text = (site / "reference/documentation/a/index.html").read_text()
            self.assertIn('new URL("../../", location.href)', text)
            self.assertIn('src="../../js/a.js"', text)
            page.write_text("<script>var base = 1</script>")
            os.rename(site, site.with_name("other"))
            site.mkdir()
            with self.assertRaises(SiteError):
                sitereference.add(site, made)


if __name__ == "__main__":
    unittest.main()
