import { fakeBrowser, messages } from "./Support/browser.js";
import { elements } from "./Support/elements.js";
import assert from "node:assert/strict";
import { test } from "node:test";

fakeBrowser.runtime.sendMessage = async ({ type }) =>
  (type === "appearance" ? { showsBadge: true } : { error: "the disk is full" });
const { showAppearance } = await import("../WebExtension/options/options-appearance.js");
const { Settings } = await import("../WebExtension/shared/settings.js");

test("a switch that was not kept is as it was, and says why", async () => {
  await showAppearance();
  const input = elements.get("badge-switch");
  input.checked = false;
  input.fire("change");
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.ok(input.checked);
  const said = elements.get("notices").all.map(({ textContent }) => textContent);
  assert.ok(said.includes(messages.rule_failed.message.replace("$1", "the disk is full")));
});

test("what was not kept is not chosen", async () => {
  const settings = new Settings();
  const { set } = fakeBrowser.storage.local;
  fakeBrowser.storage.local.set = async () => { throw new Error("full"); };
  await assert.rejects(settings.setShowsBadge(false), /full/);
  fakeBrowser.storage.local.set = set;
  assert.ok(settings.showsBadge);
});
