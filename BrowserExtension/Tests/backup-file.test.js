import assert from "node:assert/strict";
import { test } from "node:test";
import { storage } from "./Support/browser.js";
const { additions, backupText, readBackup } = await import("../WebExtension/options/backup-file.js");
const { pageURL } = await import("../WebExtension/options/imported-words.js");
const { keepNoteDefaults, noteDefaults, ownDefaults } = await import("../WebExtension/notes/note-defaults.js");
const { addNotes } = await import("../WebExtension/notes/note-messages.js");

const plan = {
  times: [{ days: [1, 5], from: 540, to: 1020 }], limit: { visits: 3 }, delay: { seconds: 5, growth: 10 },
};
const note = (more = {}) =>
  ({ kind: "site", address: "news.example", text: "Once a day", emoji: "⏳", snoozeMinutes: 20, plan, ...more });
const backup = {
  sites: ["a.example"], choices: [{ site: "__proto__", choices: ["fonts", "strict"] }], ownRules: "||x^\n",
  lists: [{ source: "https://l.example/x.txt", mirrors: ["https://m.example/"], name: "L", isOn: false, isOnHere: false }],
  notes: [note(), note({ kind: "page", address: "news.example/a?b", plan: {} })],
  noteDefaults: { emoji: "", snoozeMinutes: 5, plan }, countsStatistics: false, showsBadge: false,
};
const nothing = { sites: [], choices: [], ownRules: "", lists: [], notes: [], noteDefaults: null, countsStatistics: true, showsBadge: true };

test("everything comes back as it was, and a file of the version before is read", () => {
  assert.deepEqual(readBackup(backupText(backup)), backup);
  assert.deepEqual(readBackup(backupText(nothing)), nothing);
  const old = (more) => JSON.stringify({ format: "tickbird-settings", version: 1, ...more });
  assert.deepEqual(readBackup(old({})), nothing);
  assert.deepEqual(readBackup(old({ lists: [{ source: "http://a.example/" }] })).lists,
    [{ source: "http://a.example/", mirrors: [], name: "", isOn: true, isOnHere: true }]);
});

test("of a file with a fault nothing is taken, and the place is named", () => {
  const file = (more) => JSON.stringify({ format: "tickbird-settings", version: 2, ...more });
  const withNote = (more) => file({ notes: [note(), note(more)] });
  const withPlan = (more) => withNote({ plan: more });
  for (const [text, words] of [
    ["{", "not JSON"], ["null", "format"], ["[]", "format"], ["7", "format"],
    [file({ version: 3 }), "version 3"], [file({ version: "2" }), "version"],
    [JSON.stringify({ format: "tickbird-settings", version: 1, notes: [] }), "notes is not known"],
    [file({ more: 1 }), "more is not known"], [file({ ["__proto__x"]: 1 }), "__proto__x is not known"],
    [file({ ownRules: 1 }), "ownRules"], [file({ ownRules: "x".repeat(300_000) }), "ownRules"],
    [file({ sites: "a" }), "sites"], [file({ sites: ["a", 1] }), "sites[1]"],
    [JSON.stringify({ format: "tickbird-settings", version: 1, choices: [] }), "choices is not known"],
    [file({ choices: {} }), "choices"], [file({ choices: Array(1001).fill({ site: "a", choices: ["fonts"] }) }), "at most 1,000"],
    [file({ choices: [null] }), "choices[0]"], [file({ choices: [{ site: "", choices: ["fonts"] }] }), "choices[0].site"],
    [file({ choices: [{ site: "a".repeat(5000), choices: ["fonts"] }] }), "choices[0].site"],
    [file({ choices: [{ site: "a", choices: ["fonts"] }, { site: "b", choices: ["other"] }] }), "choices[1].choices"],
    [file({ choices: [{ site: "a", choices: [] }] }), "choices[0].choices"],
    [file({ choices: [{ site: "a", choices: ["strict", "relaxed"] }] }), "choices[0].choices"],
    [file({ choices: [{ site: "a", choices: ["fonts"], more: 1 }] }), "choices[0].more"],
    [file({ countsStatistics: 1 }), "countsStatistics"], [file({ showsBadge: 1 }), "showsBadge"],
    [file({ lists: [{ source: "file:///etc/passwd" }] }), "lists[0].source"],
    [file({ lists: [{ source: "https://a/", mirrors: 1 }] }), "lists[0].mirrors"],
    [file({ lists: [{ source: "https://a/", mirrors: ["javascript:1"] }] }), "lists[0].mirrors"],
    [file({ lists: [{ source: "https://a/", isOn: 1 }] }), "lists[0]"],
    [file({ lists: [{ source: "https://a/", path: "/etc" }] }), "lists[0].path"],
    [file({ lists: [{ source: "https://easylist.to@evil.example/" }] }), "lists[0].source"],
    [file({ lists: [{ source: "https://a/", mirrors: ["https://:p@b/"] }] }), "lists[0].mirrors"],
    [file({ lists: [{ source: "https://" }] }), "lists[0].source"],
    [file({ sites: [`https://example.com:${"a".repeat(120)}@pay.evil.example/`] }), "sites[0] is not a site"],
    [file({ choices: [{ site: "a.example@b.example", choices: ["fonts"] }] }), "choices[0].site is not a site"],
    [withNote({ address: "a.example:b@c.example/" }), "notes[1].address is not the address of a page"],
    [withNote({ address: "https://a@c.example/" }), "notes[1].address"], [withNote({ address: "//" }), "notes[1].address"],
    [withNote({ address: "mailto:a.example" }), "notes[1].address"], [withNote({ address: "ftp://a.example" }), "notes[1].address"],
    [file({ lists: [null] }), "lists[0]"], [file({ lists: Array(101).fill({ source: "https://a/" }) }), "lists"],
    [file({ notes: {} }), "notes"], [file({ notes: [[]] }), "notes[0]"],
    [withNote({ kind: "all" }), "notes[1].kind"], [withNote({ address: "" }), "notes[1].address"],
    [withNote({ text: "x".repeat(70_000) }), "notes[1].text"], [withNote({ html: "" }), "notes[1].html"],
    [withNote({ snoozeMinutes: 0 }), "notes[1].snoozeMinutes"], [withNote({ emoji: 7 }), "notes[1].emoji"],
    [withPlan(null), "notes[1].plan"], [withPlan({ always: true }), "notes[1].plan.always"],
    [withPlan({ times: [{ days: [], from: 0, to: 1 }] }), "notes[1].plan.times[0].days"],
    [withPlan({ times: [{ days: [8], from: 0, to: 1 }] }), "notes[1].plan.times[0].days"],
    [withPlan({ times: [{ days: [1], from: 5, to: 5 }] }), "notes[1].plan.times[0]"],
    [withPlan({ times: Array(29).fill({ days: [1], from: 0, to: 1 }) }), "notes[1].plan.times"],
    [withPlan({ limit: { minutes: 1, visits: 1 } }), "notes[1].plan.limit"],
    [withPlan({ limit: { minutes: 1441 } }), "notes[1].plan.limit"], [withPlan({ limit: {} }), "notes[1].plan.limit"],
    [withPlan({ delay: { seconds: 601 } }), "notes[1].plan.delay"],
    [file({ noteDefaults: { emoji: "", snoozeMinutes: 1.5 } }), "noteDefaults.snoozeMinutes"],
  ]) assert.throws(() => readBackup(text), new RegExp(words.replace(/[[\]]/g, "\\$&")), text.slice(0, 100));
});

test("addresses of notes are read as the host reads them", () => {
  for (const [address, host] of [
    ["news.example/a@b?c", "news.example"], ["https://bank.example/a", "bank.example"], ["a.example:8080/x", "a.example:8080"],
    ["HTTP:bank.example", "bank.example"], ["localhost:81", "localhost:81"], ["[::1]:8080/", "[::1]:8080"],
    ["a.example\\@b.example", "a.example"], [" intranet", "intranet"], ["bücher.example", "xn--bcher-kva.example"],
  ]) assert.equal(pageURL(address)?.host, host, address);
  for (const address of ["", "https://", "about:blank", "javascript:alert", "a b.example", "a.example:99999"]) {
    assert.equal(pageURL(address), null, address);
  }
});

test("only what is new is added, once, and nothing that is there is changed", () => {
  const all = additions({ ...backup, sites: ["a.example", "a.example"], notes: [note(), note()] }, nothing);
  assert.deepEqual([all.sites.length, all.lists.length, all.notes.length], [1, 1, 1]);
  assert.ok(all.takesOwnRules && all.takesDefaults && all.endsStatistics && all.hidesBadge);
  const none = additions(backup, backup);
  assert.deepEqual(none, { sites: [], choices: [], lists: [], notes: [], takesOwnRules: false, keepsOwnRules: false,
    takesDefaults: false, keepsDefaults: false, endsStatistics: false, hidesBadge: false });
  const other = { ...backup, ownRules: "||mine^", noteDefaults: { ...ownDefaults, snoozeMinutes: 1 } };
  const kept = additions(backup, other);
  assert.ok(kept.keepsOwnRules && kept.keepsDefaults && !kept.takesOwnRules && !kept.takesDefaults);
  // A note with another text is another note.
  assert.equal(additions({ ...backup, notes: [note({ text: "Never" })] }, backup).notes.length, 1);
});

test("new notes begin with what was chosen, and with what they always do where the storage is odd", async () => {
  assert.equal(await noteDefaults(), ownDefaults);
  await keepNoteDefaults(backup.noteDefaults);
  assert.deepEqual(await noteDefaults(), backup.noteDefaults);
  await assert.rejects(keepNoteDefaults({ emoji: "", snoozeMinutes: -1, plan: {} }), /snoozeMinutes/);
  assert.deepEqual(await noteDefaults(), backup.noteDefaults);
  for (const odd of [7, "x", [], { plan: { times: 1 } }]) {
    storage.noteDefaults = odd;
    assert.equal(await noteDefaults(), ownDefaults);
  }
  await keepNoteDefaults(null);
  assert.equal(await noteDefaults(), ownDefaults);
});

test("many notes are added with one look at the index, and one that is refused is told", async () => {
  const asked = [];
  let looks = 0;
  const host = { ask: async (question) => {
    asked.push(question);
    if (question.text === "bad") throw new Error("no such address");
    return { type: "reload" };
  } };
  const { faults } = await addNotes(
    [note(), note({ text: "bad" }), ...Array.from({ length: 98 }, () => note())], host,
    { refresh: async () => { looks += 1; } }, { cover: async () => {} });
  assert.deepEqual(faults, [{ address: "news.example", fault: "no such address" }]);
  assert.deepEqual([asked.length, looks], [100, 1]);
  const { address: _, ...values } = note();
  assert.deepEqual(asked[0], { request: "add", url: "news.example", ...values });
});

test("a file that is mutated anywhere is read, or refused with a sentence", () => {
  const random = (() => {
    let state = 1;
    return (below) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state % below;
    };
  })();
  const odd = [null, true, -1, 1e308, "", "__proto__", [], {}, [[]], { toString: 1 }, "x".repeat(9000)];
  const whole = JSON.parse(backupText(backup));
  let refused = 0;
  for (let round = 0; round < 4000; round += 1) {
    const file = structuredClone(whole);
    let place = file;
    for (;;) {
      const keys = Object.keys(place);
      const key = keys[random(keys.length)];
      const inner = place[key];
      const canGo = inner !== null && typeof inner === "object" && Object.keys(inner).length > 0;
      if (canGo && random(4) > 0) place = inner;
      else {
        if (random(3) === 0) delete place[key];
        else if (random(4) === 0) place[JSON.stringify(odd[random(odd.length)]).slice(0, 20)] = 1;
        else place[key] = odd[random(odd.length)];
        break;
      }
    }
    try {
      const read = readBackup(JSON.stringify(file));
      assert.deepEqual(Object.keys(read).sort(), Object.keys(nothing).sort());
      // What is read can be written and read again.
      assert.deepEqual(readBackup(backupText(read)), read);
    } catch (error) {
      if (error instanceof assert.AssertionError || error instanceof TypeError) throw error;
      refused += 1;
    }
  }
  assert.ok(refused > 1000 && refused < 4000, String(refused));
});
