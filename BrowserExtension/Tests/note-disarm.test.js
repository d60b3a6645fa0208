import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
import { turns } from "./Support/turns.js";
const { Disarmed } = await import("../WebExtension/notes/note-disarm.js");

test("a tab gets its scripts back although the browser refuses that once", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let fault = null;
  let tabs = null;
  fakeBrowser.declarativeNetRequest.updateSessionRules = async ({ addRules }) => {
    if (fault) throw fault;
    tabs = addRules.map(({ condition }) => condition.tabIds);
  };
  const disarmed = new Disarmed();
  await disarmed.begin(7, "note");
  assert.deepEqual(tabs, [[7]]);
  fault = new Error("Internal error while updating session rules.");
  assert.equal(await disarmed.end(7), "note");
  assert.deepEqual(tabs, [[7]]);
  context.mock.timers.tick(1000);
  await turns();
  fault = null;
  context.mock.timers.tick(1999);
  await turns();
  assert.deepEqual(tabs, [[7]]);
  context.mock.timers.tick(1);
  await turns();
  assert.deepEqual(tabs, []);
});
