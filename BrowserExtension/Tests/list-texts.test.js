import assert from "node:assert/strict";
import { test } from "node:test";
import { ListTexts } from "../WebExtension/lists/list-texts.js";

/** Texts of an engine that has one list with this source. */
function texts(source) {
  const read = [];
  const engine = {
    source: () => { read.push("source"); return source; },
    sourceBytes: () => { read.push("bytes"); return new TextEncoder().encode(source); },
  };
  return { texts: new ListTexts(engine), list: { handle: 1 }, read };
}

const hide = (selector, filter = ".*", trigger = {}) => ({
  trigger: { "url-filter": filter, ...trigger }, action: { type: "css-display-none", selector },
});

test("rules come as values, in the order of their numbers", () => {
  const { texts: all, list } = texts('[{"a": 1},\n{"b": "ü"},\n{"c": 3}]');
  assert.deepEqual(all.rules(list, [2, 0, 7]), [{ c: 3 }, { a: 1 }, null]);
  assert.deepEqual(all.rules(list, []), []);
  assert.equal(all.line(list, 1), 2);
  assert.equal(all.line(list, null), null);
  assert.deepEqual(all.rules({ handle: 0 }, [0]), [null]);
});

test("a rule that is no JSON is told from one that is", () => {
  const { texts: all, list } = texts('[{"a": 01}, {"b": 2}]');
  assert.deepEqual(all.rules(list, [0, 1]), [null, { b: 2 }]);
});

test("rules that hide on every page are found, once", () => {
  const { texts: all, list, read } = texts(JSON.stringify([
    hide(".a, .b"), hide(".c", "^.*$"), hide(".d", "example"), hide(".e", ".*", { "if-domain": ["x"] }),
    hide(".f", ".*", { "url-filter-is-case-sensitive": true }), hide(7),
    { trigger: { "url-filter": ".*" }, action: { type: "block" } },
  ]));
  const expected = [
    { number: 0, selector: ".a, .b", selectors: [".a", ".b"] },
    { number: 1, selector: ".c", selectors: [".c"] },
    { number: 4, selector: ".f", selectors: [".f"] },
  ];
  assert.deepEqual(all.hidingEverywhere(list), expected);
  assert.deepEqual(all.hidingEverywhere(list), expected);
  assert.deepEqual(read, ["source"]);
});

test("behind a rule that ignores others, nothing is certain", () => {
  const ignore = { trigger: { "url-filter": "x" }, action: { type: "ignore-previous-rules" } };
  const { texts: all, list } = texts(JSON.stringify([hide(".a"), ignore, hide(".b")]));
  assert.deepEqual(all.hidingEverywhere(list).map(({ number }) => number), [0]);
});
