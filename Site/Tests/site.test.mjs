// Tests of the site's scripts in Node; Scripts/check-site runs them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { indicesOf, lineStarts } from "../worker/places.js";

/** What a script of pages defines; it finds no page. */
function functionsOf(name, ...functions) {
  let text = readFileSync(new URL(`../scripts/${name}.js`, import.meta.url), "utf8");
  // What is done to a page comes last, below a line of its own.
  text = text.split("// The field at the top of every page.")[0];
  const context = vm.createContext({
    TextEncoder, TextDecoder, CompressionStream, DecompressionStream, Blob, btoa, atob, Uint8Array,
    document: { documentElement: { dataset: { root: "" } } },
  });
  return vm.runInContext(`${text}\n({ ${functions.join(", ")} })`, context);
}

test("places: bytes become indices, whatever the letters", () => {
  const text = "aé€😀\ud800z";
  const bytes = new TextEncoder().encode(text);
  assert.equal(bytes.length, 1 + 2 + 3 + 4 + 3 + 1);
  const indices = indicesOf(text, [13, 0, 1, 3, 6, 10, 14, 99]);
  assert.deepEqual([0, 1, 3, 6, 10, 13, 14, 99].map((offset) => indices.get(offset)), [0, 1, 2, 3, 5, 6, 7, 7]);
});

test("places: lines end by LF, CR LF and CR", () => {
  assert.deepEqual(lineStarts(new TextEncoder().encode("a\nb\r\nc\rd\n")), [0, 2, 5, 7, 9]);
});

test("links carry any text, and come back", async () => {
  const { linkOf, contentOf } = functionsOf("playground-link", "linkOf", "contentOf");
  for (const list of ["", "a", "ü\u0000😀\ud800</script>", "[".repeat(100_000)]) {
    const link = await linkOf({ list, url: "https://a.test/", page: "", type: "image" });
    assert.match(link, /^#try=[dp][\w-]*$/);
    const { list: back, type } = await contentOf(link);
    // Half of a pair has no bytes; JSON escapes it.
    assert.equal(back, list);
    assert.equal(type, "image");
  }
  const noise = Array.from({ length: 40_000 }, () => Math.random().toString(36)).join("");
  assert.equal(await linkOf({ list: noise, url: "", page: "", type: "" }), null);
  assert.equal(await contentOf("#guides"), null);
});

test("links of strangers are bounded", async () => {
  const { contentOf, base64url, streamed } = functionsOf("playground-link", "contentOf", "base64url", "streamed");
  const bomb = await streamed(new Uint8Array(16 << 20), new CompressionStream("deflate-raw"), 16 << 20);
  const link = `#try=d${base64url(bomb)}`;
  assert.ok(link.length < 32 << 10);
  await assert.rejects(contentOf(link), /too large/);
  for (const other of ["#try=", "#try=q", "#try=p*", "#try=dAAAA", `#try=p${"A".repeat(1 << 16)}`]) {
    await assert.rejects(contentOf(other), other);
  }
  for (const value of [null, 1, "abcd", {}, ["", "", ""], ["", "", "", 1], ["", "", "", "", ""]]) {
    const text = base64url(new TextEncoder().encode(JSON.stringify(value)));
    await assert.rejects(contentOf(`#try=p${text}`), /another form/);
  }
});

test("the search wants every word, and whole words and headings first", () => {
  const { searchSections, searchWords, marked } = functionsOf("search", "searchSections", "searchWords", "marked");
  const section = (title, heading, text) =>
    ({ page: "p.html", title, heading, text, words: [title, heading, text].map((each) => each.toLowerCase()) });
  const sections = [
    section("Lists", "Other", "a rule is checked, and rules too"), section("Lists", "Rules", "what they do"),
    section("Check", "", "rule by rule"), section("Loads", "", "nothing of it"),
  ];
  const found = (question) => [...searchSections(sections, searchWords(question))].map(({ title, heading }) => `${title} ${heading}`);
  assert.deepEqual(found("RULES"), ["Lists Rules", "Lists Other"]);
  assert.equal(found("rule").length, 3);
  assert.deepEqual(found("rule check"), ["Check ", "Lists Other"]);
  assert.deepEqual(found("rule absent"), []);
  assert.deepEqual(found("  "), []);
  // What a regular expression means something by is a letter like others.
  assert.deepEqual(found("(a|.*"), []);
  assert.deepEqual([...marked("a.b", [])], ["a.b"]);
});
