import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { storage } from "./Support/browser.js";
const { Settings } = await import("../WebExtension/shared/settings.js");

beforeEach(() => {
  for (const key of Object.keys(storage)) delete storage[key];
});

test("choices act at once, and are there after a restart", async () => {
  const settings = new Settings();
  await settings.load();
  const kept = [
    settings.setAllowed("b.example", true), settings.setAllowed("a.example", true),
    settings.setListOn("list", false),
  ];
  assert.ok(settings.isAllowed("a.example"));
  assert.ok(settings.isListOff("list"));
  await Promise.all(kept);
  const again = new Settings();
  await again.load();
  assert.deepEqual(again.allowedSites, ["a.example", "b.example"]);
  assert.deepEqual(again.listsOff, ["list"]);
});

test("a choice can be taken back", async () => {
  const settings = new Settings();
  await settings.setAllowed("a.example", true);
  await settings.setAllowed("a.example", false);
  await settings.setListOn("list", false);
  await settings.setListOn("list", true);
  assert.ok(!settings.isAllowed("a.example"));
  assert.deepEqual(storage, { allowedSites: [], listsOff: [] });
});

test("whatever else is in the storage counts as nothing chosen", async () => {
  for (const odd of ["words", 7, null, {}]) {
    Object.assign(storage, { allowedSites: odd, listsOff: odd });
    const settings = new Settings();
    await settings.load();
    assert.deepEqual([settings.allowedSites, settings.listsOff], [[], []]);
  }
});
