import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, FakeEvent, fakeBrowser } from "./Support/browser.js";
import "./Support/timers.js";
const { Tabs } = await import("../WebExtension/deciding/tabs.js");
const { NoteTabs } = await import("../WebExtension/notes/note-tabs.js");

test("a page that fights its note is loaded again once, and the note is counted once", async () => {
  const note = { id: "1", displayText: "x", emoji: "", snoozeMinutes: 15, kind: "site", address: "a" };
  let counted = 0;
  const notes = {
    known: Promise.resolve(), due: () => note, inItsLanguage: async (shown) => shown,
    show: async () => {
      counted += 1;
      return note;
    },
  };
  const tabs = new NoteTabs(notes, new Tabs());
  const sender = { tab: { id: 1 }, frameId: 0, documentId: "first", url: "https://a.example/" };
  assert.deepEqual(await tabs.document(sender, false), { note });
  calls.length = 0;
  await Promise.all([tabs.disturbed(sender), tabs.disturbed(sender), tabs.disturbed(sender)]);
  assert.equal(calls.filter(([name]) => name === "tabs.reload").length, 1);
  assert.deepEqual(await tabs.document({ ...sender, documentId: "second" }, false), { note });
  assert.equal(counted, 1);
  // The document of before is not listened to any more.
  await tabs.disturbed(sender);
  assert.equal(calls.filter(([name]) => name === "tabs.reload").length, 1);
});

test("what a page says again and again that a person chose is counted once", async () => {
  fakeBrowser.webNavigation = Object.fromEntries(
    ["onBeforeNavigate", "onCommitted", "onHistoryStateUpdated", "onReferenceFragmentUpdated"]
      .map((name) => [name, new FakeEvent()]));
  const note = { id: "1", displayText: "x", emoji: "", snoozeMinutes: 15, kind: "site", address: "a" };
  const counted = [];
  let isResting = false;
  const notes = {
    find: () => note, withID: () => note, due: () => null, focusUntil: null, nextDue: null,
    isResting: () => isResting,
    leave: async () => { counted.push("leave"); },
    view: async () => {
      counted.push("view");
      isResting = true;
    },
  };
  const tabs = new NoteTabs(notes, new Tabs());
  const sender = { tab: { id: 1 }, frameId: 0, url: "https://a.example/" };
  calls.length = 0;
  tabs.choose(sender, "leave");
  for (let time = 0; time < 100; time++) await tabs.choose(sender, "leave");
  assert.equal(calls.filter(([name]) => name === "tabs.goBack").length, 1);
  for (let time = 0; time < 100; time++) await tabs.choose(sender, "view");
  assert.deepEqual(counted, ["leave", "view"]);
});

test("what was typed for a tab's page is forgotten with the tab", () => {
  const notes = { drafts: new Map([[1, { text: "private" }], [2, { text: "other" }]]) };
  new NoteTabs(notes, new Tabs()).removed(1);
  assert.deepEqual([...notes.drafts.keys()], [2]);
});
