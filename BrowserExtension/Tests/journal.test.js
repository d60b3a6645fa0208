import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Journal } from "../WebExtension/deciding/journal.js";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

const load = (url) => ({ url, type: "script" });
const by = (...rules) => [{ identifier: "list", rules }];

test("a URL counts once for each kind", () => {
  const journal = new Journal();
  journal.add("block", by(1), load("https://a.example/"));
  journal.add("block", by(1), load("https://a.example/"));
  journal.add("block-cookies", by(2), load("https://a.example/"));
  assert.deepEqual(journal.counts,
    { "block": 1, "passed": 0, "make-https": 0, "block-cookies": 1 });
});

test("each request has a row with its host, and the rules of every list that stopped it", () => {
  const journal = new Journal();
  journal.add("block", by(3), load("https://a.example:81/1"));
  journal.add("block", [...by(1, 2), { identifier: "other", rules: [1] }], load("https://b.example/2"));
  journal.add("passed", by(3), load("data:text/plain,x"));
  assert.deepEqual(journal.rows.map(({ kind, host, by: lists }) => [kind, host, lists]), [
    ["block", "a.example:81", by(3)],
    ["block", "b.example", [...by(1, 2), { identifier: "other", rules: [1] }]],
    ["passed", "", by(3)],
  ]);
  assert.deepEqual(journal.counts, { "block": 2, "passed": 1, "make-https": 0, "block-cookies": 0 });
});

test("whatever a page does, what is kept is bounded", () => {
  const journal = new Journal();
  for (let number = 0; number < 6000; number++) {
    journal.add("block", by(...Array(300).keys()), load(`https://a.example/${number}/${"x".repeat(3000)}`));
  }
  assert.equal(journal.rows.length, 1000);
  assert.ok(journal.isCut);
  assert.equal(journal.counts.block, 6000);
  assert.equal(journal.rows[0].url.length, 2000);
  assert.equal(journal.rows[0].by[0].rules.length, 20);
});

test("the first requests of a page are remembered once, whatever becomes of them, and within bounds", () => {
  const journal = new Journal();
  journal.see({ url: "https://a.example/", type: "top-document" });
  for (let round = 0; round < 2; round++) journal.see({ url: "https://a.example/x", type: "image" });
  journal.see({ url: "https://a.example/x", type: "script" });
  journal.see({ url: `https://a.example/${"x".repeat(1000)}`, type: "image" });
  assert.equal(journal.loads, 5);
  assert.deepEqual(journal.seen, [
    { url: "https://a.example/x", type: "image" }, { url: "https://a.example/x", type: "script" },
  ]);
  for (let number = 0; number < 1000; number++) journal.see({ url: `https://b.example/${number}`, type: "image" });
  assert.equal(journal.seen.length, 500);
});

test("long addresses are told apart, and kept in part alone", () => {
  const journal = new Journal();
  gc();
  const before = process.memoryUsage().heapUsed;
  const long = (number) => `https://a.example/${"x".repeat(500_000)}${number}`;
  for (let number = 0; number < 100; number++) {
    // The browser gives each address as a text of its own.
    assert.ok(journal.add("block", by(1), load(JSON.parse(JSON.stringify(long(number))))));
  }
  gc();
  assert.ok(process.memoryUsage().heapUsed - before < 5_000_000);
  assert.ok(!journal.add("block", by(1), load(long(7))));
  assert.equal(journal.counts.block, 100);
  assert.ok(journal.rows.every(({ url }) => url.length === 2000));
});
