import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { tint } = await import("../WebExtension/popup/toolbar-icon.js");

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
});
