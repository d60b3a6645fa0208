import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMap } from "../WebExtension/shared/bounded-map.js";

const texts = (limits) => new BoundedMap(limits, (text) => text.length);

test("the oldest entries go: of more than a count, and of more than a sum of characters", () => {
  const map = texts({ count: 3, characters: 10 });
  assert.equal(map.set(1, "aaaa") + map.set(2, "bb") + map.set(3, "cc"), 0);
  assert.equal(map.set(4, "d"), 1);
  assert.deepEqual(map.values, ["bb", "cc", "d"]);
  assert.equal(map.set(5, "eeeeeeee"), 2);
  assert.deepEqual([map.size, map.values, map.get(3), map.has(5)], [2, ["d", "eeeeeeee"], undefined, true]);
});

test("the newest entry stays however long it is, and a known key in its place", () => {
  const map = texts({ count: 3, characters: 5 });
  map.set(1, "a");
  assert.equal(map.set(2, "b".repeat(100)), 1);
  assert.deepEqual(map.values.map(({ length }) => length), [100]);
  // What is there again counts once, and what is gone not at all.
  assert.equal(map.set(2, "bbb"), 0);
  assert.equal(map.set(3, "cc"), 0);
  assert.equal(map.set(2, "bb"), 0);
  assert.deepEqual(map.values, ["bb", "cc"]);
  assert.ok(map.delete(2) && !map.delete(2));
  assert.equal(map.set(4, "ddd"), 0);
  map.clear();
  assert.equal(map.set(5, "eeeee"), 0);
  assert.deepEqual(map.values, ["eeeee"]);
});
