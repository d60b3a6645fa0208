import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { mark, tint } = await import("../WebExtension/popup/toolbar-icon.js");

test("the button's states differ by lightness and by colour", () => {
  const pixels = (state) => {
    const made = Uint8ClampedArray.of(59, 91, 140, 255, 255, 255, 255, 0);
    tint(made, state);
    return [...made];
  };
  assert.deepEqual(pixels("on"), [59, 91, 140, 255, 255, 255, 255, 0]);
  assert.deepEqual(pixels("exempt"), [59, 91, 140, 115, 255, 255, 255, 0]);
  const [red, green, blue, alpha] = pixels("off");
  assert.ok(red === green && green === blue && red > 60 && red < 120 && alpha === 255);
  assert.deepEqual(pixels("absent"), pixels("off"));
  assert.deepEqual(pixels("tab-off"), pixels("exempt"));
});

test("strict and relaxed have marks of different shapes in a corner", () => {
  const lightness = (state) => {
    const pixels = new Uint8ClampedArray(4 * 16 * 16);
    mark(pixels, 16, state);
    const at = (x, y) => [...pixels.slice(4 * (16 * y + x), 4 * (16 * y + x) + 4)];
    assert.deepEqual(at(0, 0), [0, 0, 0, 0]);
    return [at(11, 11)[0] > 200, at(14, 11)[0] > 200];
  };
  assert.deepEqual(lightness("strict"), [false, false]);
  assert.deepEqual(lightness("relaxed"), [true, false]);
  assert.deepEqual(lightness("on"), [false, false]);
});
