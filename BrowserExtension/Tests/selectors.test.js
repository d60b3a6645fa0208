import assert from "node:assert/strict";
import { test } from "node:test";
import { hidingSheet, splitSelectors } from "../WebExtension/hiding/selectors.js";

test("selectors are split at commas outside of brackets, strings and escapes", () => {
  for (const [text, expected] of [
    ["", []],
    ["  ", []],
    [".ad", [".ad"]],
    [".ad, #banner", [".ad", "#banner"]],
    [",, .ad ,", [".ad"]],
    ["a:is(.b, .c), d", ["a:is(.b, .c)", "d"]],
    ['a[title="x, y"], b', ['a[title="x, y"]', "b"]],
    ["a[title='x, \\', y'], b", ["a[title='x, \\', y']", "b"]],
    ['a[title="(,"], b', ['a[title="(,"]', "b"]],
    [".a\\,b, c", [".a\\,b", "c"]],
    ["a:not([b='c,d']:is(e, f)), g", ["a:not([b='c,d']:is(e, f))", "g"]],
  ]) assert.deepEqual(splitSelectors(text), expected, text);
});

test("an unclosed string or bracket takes the rest", () => {
  assert.deepEqual(splitSelectors('a[b="c, d'), ['a[b="c, d']);
  assert.deepEqual(splitSelectors("a:is(b, c"), ["a:is(b, c"]);
  assert.deepEqual(splitSelectors("a\\"), ["a\\"]);
});

test("each selector has a rule of its own", () => {
  assert.equal(hidingSheet(".a, b > c"),
    ".a{display:none!important}\nb > c{display:none!important}");
  assert.equal(hidingSheet(""), "");
});

test("a selector with a brace outside of strings is left out", () => {
  assert.equal(hidingSheet(".a, .b{color:red} .c, .d"),
    ".a{display:none!important}\n.d{display:none!important}");
  assert.equal(hidingSheet("a[b='{}']"), "a[b='{}']{display:none!important}");
  assert.equal(hidingSheet('a[b="\\"}"], }'), 'a[b="\\"}"]{display:none!important}');
});
