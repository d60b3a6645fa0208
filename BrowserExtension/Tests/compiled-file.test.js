import assert from "node:assert/strict";
import { test } from "node:test";
import { decidingPart, sourcePart } from "../WebExtension/lists/compiled-file.js";

/** A file of two sections, the last of which is a text, filled up to a multiple of eight. */
function file(text, { start = 56, count = 2 } = {}) {
  const bytes = new Uint8Array(Math.ceil((56 + text.length) / 8) * 8);
  const view = new DataView(bytes.buffer);
  view.setUint32(12, count, true);
  view.setUint32(40, start, true);
  view.setUint32(44, text.length, true);
  bytes.set(new TextEncoder().encode(text), 56);
  return bytes;
}

test("a file is parted where its text begins, without a copy", () => {
  const whole = file("[1, 2]");
  assert.equal(decidingPart(whole).length, 56);
  assert.equal(decidingPart(whole).buffer, whole.buffer);
  assert.equal(new TextDecoder().decode(sourcePart(whole)), "[1, 2]");
  // As a part of a larger buffer.
  const inside = new Uint8Array(whole.length + 3);
  inside.set(whole, 3);
  assert.equal(new TextDecoder().decode(sourcePart(inside.subarray(3))), "[1, 2]");
});

test("a damaged file is left whole, for the engine to refuse", () => {
  for (const bytes of [
    new Uint8Array(), new Uint8Array(31), new Uint8Array(56), file("x", { count: 0 }), file("x", { count: 2 ** 32 - 1 }),
    file("x", { count: 99 }), file("x", { start: 2 ** 32 - 1 }),
  ]) {
    assert.equal(decidingPart(bytes).length, bytes.length);
    assert.equal(sourcePart(bytes).length, 0);
  }
  assert.equal(decidingPart(file("x", { start: 99 })).length, 64);
});
