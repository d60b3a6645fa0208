import assert from "node:assert/strict";
import { test } from "node:test";
import { calls } from "./Support/browser.js";
const { mark, tint, ToolbarIcon } = await import("../WebExtension/popup/toolbar-icon.js");

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

test("a picture that cannot be made once has its title all the same, and is made the next time", async (context) => {
  let isFailing = true;
  globalThis.createImageBitmap = async () => ({});
  globalThis.OffscreenCanvas = class {
    getContext() { return { drawImage() {}, getImageData: () => ({ data: new Uint8ClampedArray(4 * 32 * 32) }) }; }
  };
  context.mock.method(globalThis, "fetch", async () => {
    if (isFailing) throw new TypeError("Failed to fetch");
    return { blob: async () => ({}) };
  });
  const icon = new ToolbarIcon();
  calls.length = 0;
  const names = () => calls.splice(0).map(([name]) => name).sort();
  await icon.show(1, "exempt");
  assert.deepEqual(names(), ["setTitle"]);
  isFailing = false;
  await icon.show(1, "exempt");
  assert.deepEqual(names(), ["setIcon", "setTitle"]);
  await icon.show(2, "exempt");
  await icon.show(2, "exempt");
  assert.deepEqual(names(), ["setIcon", "setTitle"]);
});
