import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
const { setMode } = await import("../WebExtension/shared/choice-controls.js");

test("neither strict nor relaxed is said of both, also where one cannot act now", async () => {
  const asked = [];
  fakeBrowser.runtime.sendMessage = async (message) => {
    asked.push([message.choice, message.isOn]);
    return message.choice === "strict" ? { error: "too many" } : {};
  };
  await assert.rejects(setMode("a.example", ""), /too many/);
  assert.deepEqual(asked, [["strict", false], ["relaxed", false]]);
});
