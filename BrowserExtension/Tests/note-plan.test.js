import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
import { covers, isUsedUp, nextChange, waitOf } from "../WebExtension/notes/note-plan.js";
import { turns } from "./Support/turns.js";

const { Notes } = await import("../WebExtension/notes/notes.js");
const { NoteUse } = await import("../WebExtension/notes/note-use.js");

/** 2026-11-23 is a Monday. */
const at = (day, hours, minutes = 0) => new Date(2026, 10, 22 + day, hours, minutes);
const workdays = { times: [{ days: [1, 2, 3, 4, 5], from: 540, to: 1020 }] };
const nights = { times: [{ days: [7], from: 1320, to: 360 }] };

test("a time holds on its days, and past midnight", () => {
  for (const [plan, time, isShown] of [
    [workdays, at(1, 8, 59), false], [workdays, at(1, 9), true], [workdays, at(5, 16, 59), true],
    [workdays, at(1, 17), false], [workdays, at(6, 12), false], [workdays, at(0, 12), false],
    [nights, at(0, 21, 59), false], [nights, at(0, 22), true], [nights, at(1, 5, 59), true],
    [nights, at(1, 6), false], [nights, at(0, 5), false], [{}, at(1, 1), true], [null, at(1, 1), true],
  ]) assert.equal(covers(plan, time), isShown, `${JSON.stringify(plan)} ${time}`);
});

test("what is free is used up by minutes in front, or by visits", () => {
  assert.equal(isUsedUp({ limit: { minutes: 2 } }, { seconds: 119, visits: 9 }), false);
  assert.equal(isUsedUp({ limit: { minutes: 2 } }, { seconds: 120, visits: 0 }), true);
  assert.equal(isUsedUp({ limit: { visits: 1 } }, null), false);
  assert.equal(isUsedUp({ limit: { visits: 1 } }, { seconds: 0, visits: 1 }), true);
  assert.equal(isUsedUp({}, null), true);
});

test("the wait grows with each view of the day, to ten minutes", () => {
  const plan = { delay: { seconds: 5, growth: 10 } };
  assert.equal(waitOf(plan, null), 5);
  assert.equal(waitOf(plan, { viewed: 3 }), 35);
  assert.equal(waitOf(plan, { viewed: 9999 }), 600);
  assert.equal(waitOf(null, { viewed: 3 }), 0);
});

test("the next change is the next beginning or end of a time, or of a day", () => {
  assert.equal(nextChange([], at(1, 12)), null);
  assert.equal(nextChange([{}], at(1, 12)), null);
  assert.equal(nextChange([workdays], at(1, 12)), at(1, 17).getTime());
  assert.equal(nextChange([workdays], at(1, 17)), at(2, 9).getTime());
  assert.equal(nextChange([workdays, nights], at(1, 17)), at(1, 22).getTime());
  assert.equal(nextChange([{ limit: { visits: 1 } }], at(1, 17)), at(2, 0).getTime());
});

const url = "https://a.example/x";
/** Notes over a host that has one, with this plan. */
async function withPlan(plan, more = {}) {
  const asked = [];
  let snoozedUntil = null;
  const host = {
    fault: false,
    async ask(question) {
      asked.push(question);
      if (this.fault) throw new Error("gone");
      // A visit lasts as long as "View Website" does.
      if (question.visits > 0) snoozedUntil = Date.now() + 15 * 60000;
      if (question.request !== "index") return { type: "done" };
      return { type: "index", notes: [{ id: "1", kind: "site", address: "a.example", displayText: "t",
        emoji: "", snoozeMinutes: 15, plan, snoozedUntil, ...more.note }], next: null, focusUntil: more.focusUntil };
    },
  };
  let changes = 0;
  const notes = new Notes(() => host, () => { changes += 1; });
  await notes.refresh();
  changes = 0;
  return { notes, host, asked, changes: () => changes,
    used: () => asked.filter(({ request }) => request === "use") };
}

test("a visit is counted once, rests while it lasts, and the next ones are too many", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setInterval", "setTimeout"], now: at(1, 12) });
  const { notes, used } = await withPlan({ limit: { visits: 1 } });
  const use = new NoteUse(notes);
  assert.equal(notes.due(url), null);
  await use.visited(url);
  await use.visited(url);
  assert.deepEqual(used(), [{ request: "use", id: "1", visits: 1, seconds: 0 }]);
});

test("a visit that the host cannot be told of counts here, and is told later", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setInterval", "setTimeout"], now: at(1, 12) });
  const { notes, host, used } = await withPlan({ limit: { visits: 1 } });
  const use = new NoteUse(notes);
  host.fault = true;
  await use.visited(url);
  // The visit lasts; what comes after it is not free.
  assert.equal(notes.due(url), null);
  assert.ok(notes.isResting(notes.find(url)));
  await use.visited(url);
  assert.equal(used().length, 1);
  host.fault = false;
  await notes.connected();
  assert.deepEqual(used().at(-1), { request: "use", id: "1", visits: 1, seconds: 0 });
});

test("minutes are counted while the page is in front, and open pages are told when they are over", async () => {
  mock.timers.enable({ apis: ["Date", "setInterval", "setTimeout"], now: at(1, 12) });
  try {
    const { notes, used, changes } = await withPlan({ limit: { minutes: 1 } });
    let isFocused = true;
    fakeBrowser.windows = { get: async () => ({ focused: isFocused }) };
    fakeBrowser.tabs.query = async () => [{ id: 1, windowId: 1, url }];
    void new NoteUse(notes);
    for (let count = 0; count < 11; count++) {
      mock.timers.tick(5000);
      await turns(40);
    }
    isFocused = false;
    mock.timers.tick(5000);
    await turns(40);
    // The host is told of half a minute at once.
    assert.deepEqual(used().map(({ seconds }) => seconds), [30]);
    assert.equal(notes.due(url), null);
    assert.equal(changes(), 0);
    isFocused = true;
    mock.timers.tick(5000);
    await turns(40);
    assert.equal(notes.due(url)?.id, "1");
    assert.ok(changes() > 0);
    assert.deepEqual(used().map(({ seconds }) => seconds), [30, 30]);
    // A note that is shown uses nothing.
    const count = used().length;
    mock.timers.tick(5000);
    await turns(40);
    assert.equal(used().length, count);
  } finally {
    mock.timers.reset();
  }
});

test("in a focus session nothing is free", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"], now: at(1, 12) });
  const { notes } = await withPlan({ limit: { visits: 5 } },
    { focusUntil: Date.now() + 60000, note: { snoozedUntil: Date.now() + 60000 } });
  assert.equal(notes.due(url)?.id, "1");
  assert.ok(notes.nextDue - Date.now() <= 60000);
  const { notes: later } = await withPlan({ limit: { visits: 5 } }, { focusUntil: Date.now() - 1 });
  assert.equal(later.due(url), null);
});

test("what was free yesterday is free again", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"], now: at(1, 23, 59) });
  const { notes } = await withPlan({ limit: { visits: 2 } }, { note: { today: { visits: 2 } } });
  assert.equal(notes.due(url)?.id, "1");
  context.mock.timers.tick(60000);
  assert.equal(notes.due(url), null);
});
