import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { calls, FakeEvent, fakeBrowser } from "./Support/browser.js";
import { turns } from "./Support/turns.js";
const { NoteLeaving } = await import("../WebExtension/notes/note-leaving.js");
const { milliseconds } = await import("../WebExtension/shared/timings.js");

const events = ["onBeforeNavigate", "onCommitted", "onHistoryStateUpdated", "onReferenceFragmentUpdated"];
fakeBrowser.webNavigation = Object.fromEntries(events.map((name) => [name, new FakeEvent()]));
const { onBeforeNavigate } = fakeBrowser.webNavigation;
fakeBrowser.tabs.get = async (tabId) => ({ id: tabId, index: 2, active: true, windowId: 1 });
for (const name of ["create", "remove"]) {
  fakeBrowser.tabs[name] = async (...details) => { calls.push([`tabs.${name}`, ...details]); };
}
const hasPageBefore = async (...details) => { calls.push(["tabs.goBack", ...details]); };
const hasNone = async () => { throw new Error("Cannot find a next page in history."); };
const count = (name) => calls.filter(([each]) => each === name).length;

beforeEach((context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  fakeBrowser.tabs.goBack = hasPageBefore;
  calls.length = 0;
});

test("a tab goes back once, however often its page says that a person left", async (context) => {
  const leaving = new NoteLeaving();
  const left = leaving.leave(1, false);
  for (let time = 0; time < 100; time++) assert.equal(leaving.leave(1, false), null);
  assert.ok(leaving.isIn(1));
  await turns();
  assert.equal(onBeforeNavigate.listeners.length, 1);
  onBeforeNavigate.fire({ tabId: 1, frameId: 0 });
  context.mock.timers.tick(milliseconds.noteGoingBack);
  await left;
  assert.equal(leaving.leave(1, false), null);
  assert.deepEqual([count("tabs.goBack"), count("tabs.create"), onBeforeNavigate.listeners.length], [1, 0, 0]);
  // A person may come back to the page, and leave it again.
  context.mock.timers.tick(milliseconds.noteLeaving);
  assert.ok(!leaving.isIn(1));
  assert.ok(leaving.leave(1, false));
});

test("a tab with nothing to go back to is replaced once", async () => {
  fakeBrowser.tabs.goBack = hasNone;
  const leaving = new NoteLeaving();
  await leaving.leave(1, false);
  // A page that renames itself looks as if it had been left.
  leaving.arrived(1);
  for (let time = 0; time < 100; time++) assert.equal(leaving.leave(1, false), null);
  await leaving.goAway(1);
  assert.deepEqual([count("tabs.create"), count("tabs.remove")], [1, 1]);
  assert.ok(!leaving.isIn(1));
  // Another tab is another one.
  await leaving.leave(2, false);
  assert.equal(count("tabs.create"), 2);
});

test("who comes from where it was left to back to the note can leave it at once", async (context) => {
  const { length } = onBeforeNavigate.listeners;
  const leaving = new NoteLeaving();
  const first = leaving.leave(1, true);
  await turns();
  onBeforeNavigate.fire({ tabId: 1, frameId: 0 });
  leaving.arrived(1);
  assert.ok(!leaving.isIn(1));
  context.mock.timers.tick(milliseconds.noteGoingBack / 2);
  const second = leaving.leave(1, true);
  assert.ok(second && leaving.isIn(1));
  await turns();
  // The end of the first is not that of the second.
  context.mock.timers.tick(milliseconds.noteGoingBack / 2);
  await first;
  assert.equal(leaving.leave(1, true), null);
  onBeforeNavigate.fire({ tabId: 1, frameId: 0 });
  context.mock.timers.tick(milliseconds.noteGoingBack);
  await second;
  assert.deepEqual([count("tabs.goBack"), count("tabs.create"), onBeforeNavigate.listeners.length], [2, 0, length]);
});

test("where it was left to is known at once, and it can be left anew", async (context) => {
  const leaving = new NoteLeaving();
  const left = leaving.leave(1, true);
  await turns();
  onBeforeNavigate.fire({ tabId: 1, frameId: 0 });
  leaving.arrived(1);
  context.mock.timers.tick(milliseconds.noteGoingBack);
  await left;
  assert.ok(leaving.leave(1, true));
});
