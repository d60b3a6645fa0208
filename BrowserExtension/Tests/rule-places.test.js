import assert from "node:assert/strict";
import { test } from "node:test";
import { RulePlaces } from "../WebExtension/lists/rule-places.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The rules of a list's text, as text, and the lines that they begin on. */
function read(text) {
  const bytes = encoder.encode(text);
  const places = new RulePlaces(bytes);
  const numbers = [...Array(places.count).keys()];
  return {
    places,
    texts: numbers.map((number) => decoder.decode(places.bytes(number, bytes))),
    lines: numbers.map((number) => places.line(number)),
  };
}

test("rules are found with their lines", () => {
  const { texts, lines } = read('[\n  {"a": 1},\n\n  {"b":\n 2}\n]\n');
  assert.deepEqual(texts, ['{"a": 1}', '{"b":\n 2}']);
  assert.deepEqual(lines, [2, 4]);
});

test("brackets, commas and quotation marks in strings mean nothing", () => {
  const rule = '{"url-filter": "a\\"],[{\\\\", "x": ["}", "ü,"]}';
  const { texts } = read(`[${rule},\n${rule}]`);
  assert.deepEqual(texts, [rule, rule]);
});

test("lines end at LF, CR LF and CR", () => {
  assert.deepEqual(read("[\r\n1,\r2,\n\r3]").lines, [2, 3, 5]);
});

test("all on one line have no lines, a single rule has", () => {
  assert.deepEqual(read("[1, 2, 3]").lines, [null, null, null]);
  assert.deepEqual(read("[{}]").lines, [1]);
});

test("there is nothing outside of the rules", () => {
  const { places } = read('\ufeff [ {"a": 1} , 2 ] , {"b": 2}');
  assert.equal(places.count, 2);
  for (const number of [-1, 2, 1024, 0.5, NaN]) {
    assert.equal(places.line(number), null);
    assert.equal(places.bytes(number, new Uint8Array(100)), null);
  }
});

test("texts that are no list, or that end too early, have the rules that begin in them", () => {
  assert.equal(read("").places.count, 0);
  assert.equal(read("[]").places.count, 0);
  assert.equal(read('[{"a": "b').places.count, 1);
  assert.equal(read("[1, 2").places.count, 2);
});

test("more rules than there is room for at first", () => {
  const { texts, lines } = read(`[\n${[...Array(5000).keys()].join(",\n")}\n]`);
  assert.equal(texts.length, 5000);
  assert.equal(texts[4321], "4321");
  assert.equal(lines[4999], 5001);
});
