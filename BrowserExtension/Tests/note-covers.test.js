import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { calls, fakeBrowser } from "./Support/browser.js";
import { turns } from "./Support/turns.js";
const { Tabs } = await import("../WebExtension/deciding/tabs.js");
const { NoteCovers } = await import("../WebExtension/notes/note-covers.js");
const { milliseconds } = await import("../WebExtension/shared/timings.js");

beforeEach(() => { calls.length = 0; });

const url = "https://a.example/page";
const note = { id: "1", displayText: "x", emoji: "", snoozeMinutes: 15, kind: "site", address: "a.example" };

/** One open page, a note for it, and what documents are told. */
function page({ due = note, nextDue = null, answer = true } = {}) {
  const state = { due, nextDue, told: [], counted: 0 };
  fakeBrowser.tabs.query = async () => [{ id: 1, url }];
  fakeBrowser.tabs.get = async () => ({ id: 1, url });
  fakeBrowser.scripting.executeScript = async ({ args }) => {
    if (args) state.told.push(args[0]);
    return [{ result: answer }];
  };
  const notes = {
    due: () => state.due, get nextDue() { return state.nextDue; },
    show: async () => {
      state.counted += 1;
      return state.due;
    },
  };
  const showing = new Map();
  return { state, showing, covers: new NoteCovers(notes, new Tabs(), showing, new Map()) };
}

/** Lets time pass, and what waits for it run. */
async function pass(time) {
  mock.timers.tick(time);
  await turns(40);
}

test("a note is announced when its snooze ends, and covers the page once, a while later", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    const { state, covers, showing } = page({ due: null, nextDue: 60_000 });
    await covers.announce();
    await pass(59_999);
    assert.deepEqual(state.told, []);
    Object.assign(state, { due: note, nextDue: null });
    await pass(1);
    assert.deepEqual(state.told, ["announce"]);
    assert.ok(covers.isAnnouncedIn(1));
    // It is announced once, whatever comes meanwhile.
    await covers.announce();
    await pass(milliseconds.noteAnnouncement);
    assert.deepEqual(state.told, ["announce", "conceal", "cover"]);
    assert.deepEqual([state.counted, showing.get(1).isCover, covers.isAnnouncedIn(1)], [1, true, false]);
    await covers.announce();
    await pass(10 * milliseconds.noteAnnouncement);
    assert.equal(state.told.length, 3);
  } finally {
    mock.timers.reset();
  }
});

test("an announcement is taken back when the note is put off, and made anew when it is due again", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    const { state, covers } = page();
    await covers.announce();
    state.due = null;
    await covers.announce();
    await turns();
    assert.deepEqual(state.told, ["announce", "conceal"]);
    state.due = note;
    await covers.announce();
    await pass(milliseconds.noteAnnouncement);
    assert.deepEqual(state.told, ["announce", "conceal", "announce", "conceal", "cover"]);
    assert.equal(state.counted, 1);
  } finally {
    mock.timers.reset();
  }
});

test("a snooze of years is waited for in parts", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    const { state, covers } = page({ due: null, nextDue: 3 * milliseconds.longestTimer });
    await covers.announce();
    for (let part = 0; part < 3; part++) await pass(milliseconds.longestTimer - 1);
    assert.deepEqual(state.told, []);
    Object.assign(state, { due: note, nextDue: null });
    await pass(3);
    assert.deepEqual(state.told, ["announce"]);
  } finally {
    mock.timers.reset();
  }
});

test("a document that takes no cover is loaded again; a note that is there is known again", async () => {
  const closed = page({ answer: null });
  await closed.covers.cover(1, url);
  assert.deepEqual(calls.map(([name]) => name), ["tabs.reload"]);
  assert.equal(closed.showing.size, 0);
  const there = page({ answer: false });
  await there.covers.announce();
  assert.equal(there.showing.get(1).id, "1");
  assert.ok(!there.covers.isAnnouncedIn(1));
});

test("nothing covers a page that has come meanwhile", async () => {
  const { state, covers, showing } = page();
  await covers.cover(1, "https://b.example/");
  assert.deepEqual([state.told, showing.size], [[], 0]);
});
