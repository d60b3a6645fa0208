import assert from "node:assert/strict";
import { test } from "node:test";
import { Journal } from "../WebExtension/deciding/journal.js";

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

test("the same rules share a row, in the order in which they came up", () => {
  const journal = new Journal();
  journal.add("block", by(3), load("https://a.example/1"));
  journal.add("block", by(1, 2), load("https://a.example/2"));
  journal.add("block", by(3), load("https://a.example/3"));
  assert.deepEqual(journal.rows.map(({ rules, count }) => [rules, count]), [[[3], 2], [[1, 2], 1]]);
  assert.deepEqual(journal.rows[0].examples.map(({ url }) => url),
    ["https://a.example/1", "https://a.example/3"]);
});

test("a load that several lists stop is in a row of each, and counts once", () => {
  const journal = new Journal();
  journal.add("block", [...by(1), { identifier: "other", rules: [1] }], load("https://a.example/"));
  assert.equal(journal.rows.length, 2);
  assert.equal(journal.counts.block, 1);
});

test("whatever a page does, what is kept is bounded", () => {
  const journal = new Journal();
  for (let number = 0; number < 6000; number++) {
    journal.add("block", by(number), load(`https://a.example/${number}/${"x".repeat(3000)}`));
  }
  assert.equal(journal.rows.length, 500);
  assert.ok(journal.isCut);
  assert.equal(journal.counts.block, 6000);
  assert.equal(journal.rows[0].examples[0].url.length, 2000);
  const many = new Journal();
  for (let number = 0; number < 10; number++) {
    many.add("block", by(...Array(300).keys()), load(`https://a.example/${number}`));
  }
  assert.equal(many.rows[0].rules.length, 100);
  assert.equal(many.rows[0].examples.length, 5);
  assert.equal(many.rows[0].count, 10);
  assert.ok(!many.isCut);
});
