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

test("a site is left alone for an hour, over a restart, and no longer", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_800_000_000_000 });
  const settings = new Settings();
  await settings.load();
  await settings.allowForAWhile("a.example");
  await settings.setAllowed("b.example", true);
  assert.ok(settings.isAllowed("a.example"));
  assert.deepEqual([settings.allowedSites, settings.exemptSites], [["b.example"], ["a.example", "b.example"]]);
  context.mock.timers.tick(3_000_000);
  const again = new Settings();
  let ends = 0;
  again.onEnded = () => { ends += 1; };
  await again.load();
  assert.equal(again.allowedUntil("a.example"), 1_800_003_600_000);
  assert.equal(again.allowedUntil("b.example"), null);
  context.mock.timers.tick(600_000);
  assert.equal(ends, 1);
  assert.ok(!again.isAllowed("a.example") && again.isAllowed("b.example"));
  assert.deepEqual(again.exemptSites, ["b.example"]);
});

test("an hour can be ended, and a kept end that is far away counts as none", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_800_000_000_000 });
  const settings = new Settings();
  await settings.allowForAWhile("a.example");
  await settings.setAllowed("a.example", false);
  assert.ok(!settings.isAllowed("a.example"));
  assert.deepEqual(storage.allowedUntil, {});
  for (const odd of [{ "a.example": 9e15 }, { "a.example": "x" }, [7], "words", null]) {
    Object.assign(storage, { allowedUntil: odd });
    const again = new Settings();
    await again.load();
    assert.ok(!again.isAllowed("a.example"));
  }
});
