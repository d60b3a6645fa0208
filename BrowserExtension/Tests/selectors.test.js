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

test("each selector has a rule of its own, but those that every browser knows", () => {
  assert.equal(hidingSheet("b > c, :new-thing, d"),
    "b > c{display:none!important}\n:new-thing{display:none!important}\nd{display:none!important}");
  assert.equal(hidingSheet(".a, b > c, #d, .e:hover, .-f, .g_2-h"),
    ".a,#d,.-f,.g_2-h{display:none!important}\nb > c{display:none!important}\n.e:hover{display:none!important}");
  for (const own of [".2a", ".--a", "#", ".ä", ".a\\:b", ".a .b", ".a\u00a0b"]) {
    assert.ok(hidingSheet(`.x, ${own}`).startsWith(".x{display:none!important}"), own);
  }
  assert.equal(hidingSheet(""), "");
});

test("no rule has more selectors than browsers keep", () => {
  const selectors = Array.from({ length: 2500 }, (_, number) => `.ad${number}`);
  const groups = hidingSheet(selectors.join(", ")).split("\n");
  assert.deepEqual(groups.map((group) => group.split(",").length), [1000, 1000, 500]);
  assert.deepEqual(groups.flatMap((group) => group.replace(/\{.*/, "").split(",")), selectors);
});

test("a selector with a brace outside of strings is left out", () => {
  assert.equal(hidingSheet(".a, .b{color:red} .c, .d"),
    ".a,.d{display:none!important}");
  assert.equal(hidingSheet("a[b='{}']"), "a[b='{}']{display:none!important}");
  assert.equal(hidingSheet('a[b="\\"}"], }'), 'a[b="\\"}"]{display:none!important}');
});

test("a selector that would swallow what follows, or say something else, is left out", () => {
  for (const bad of ["a/*", "a:is(.b", "a[b='c", "a[b", "a\\", "a)", "a]", "a:is(.b]", ".x\\\"{background:red}y\"", "@import 'x';a",
    "a;b", "url(a\") {b} \"c)", ":url(a\") {b} \"c)", "a[b='\n']", "(a)"]) {
    assert.equal(hidingSheet(bad), "", bad);
  }
  for (const good of ["a/* b */ > c", "a:is(.b, .c)", "a:not([b='c)']):has(> d)", ".a\\:b\\/c", "a[b=\"@{;/*\"]", "a:nth-child(2n + 1 of .b)",
    "::slotted(b)", "svg|a", "a[href='url(x)']", ".a\\\"b"]) {
    assert.equal(hidingSheet(good), `${good}{display:none!important}`, good);
  }
});
