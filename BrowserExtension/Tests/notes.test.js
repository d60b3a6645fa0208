import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
import "./Support/timers.js";
import { awaited } from "./Support/timers.js";
import { Notes } from "../WebExtension/notes/notes.js";

const note = (id, kind, address, more = {}) => ({
  id, kind, address, displayText: `Text of ${id}`, emoji: "📝", snoozeMinutes: 15, ...more,
});

/** A host with this index, two notes at a time. */
class FakeHost {
  asked = [];
  answers = {};
  fault = null;
  constructor(...index) { this.index = index; }
  async ask(question) {
    this.asked.push(question);
    if (this.fault) throw new Error(this.fault);
    const { request, offset } = question;
    if (request === "index") {
      const next = offset + 2 < this.index.length ? offset + 2 : null;
      return { type: "index", notes: this.index.slice(offset, offset + 2), next };
    }
    return this.answers[request] ?? { type: "reload" };
  }
  get requests() { return this.asked.map(({ request }) => request).filter((each) => each !== "index"); }
}

async function known(host) {
  let refreshed = 0;
  const notes = new Notes(() => host, () => { refreshed += 1; });
  await notes.refresh();
  return { notes, refreshed: () => refreshed };
}

const page = "https://news.example.com/a/b?c";

test("the most exact note counts", async () => {
  const notes = ["site example.com", "host news.example.com", "path news.example.com/a",
    "page news.example.com/a/b?c"].map((target, place) => note(String(place), ...target.split(" ")));
  for (let count = 1; count <= notes.length; count++) {
    const host = new FakeHost(...notes.slice(0, count));
    const { notes: here } = await known(host);
    assert.equal(here.find(page).id, String(count - 1));
  }
  const { notes: here } = await known(new FakeHost(...notes));
  assert.equal(here.find("https://other.example/"), undefined);
  assert.equal(here.due("about:blank"), null);
  assert.equal(here.withID("2").address, "news.example.com/a");
  assert.equal(here.all.length, 4);
});

test("a note that is snoozed is not shown, until the time has come", async () => {
  const { notes } = await known(new FakeHost(
    note("1", "host", "a.example", { snoozedUntil: Date.now() + 60000 }),
    note("2", "host", "b.example", { snoozedUntil: Date.now() - 1 })));
  assert.equal(notes.due("https://a.example/"), null);
  assert.equal(notes.due("https://b.example/").id, "2");
});

test("the host counts a note that is shown, and may know better", async () => {
  const host = new FakeHost(note("1", "host", "a.example"));
  const { notes } = await known(host);
  host.answers.check = { ...note("1", "host", "a.example"), type: "message", isSnoozed: false };
  assert.equal((await notes.show("https://a.example/")).displayText, "Text of 1");
  host.answers.check = { ...host.answers.check, isSnoozed: true };
  assert.equal(await notes.show("https://a.example/"), null);
  host.answers.check = { type: "ignore" };
  assert.equal(await notes.show("https://a.example/"), null);
  assert.equal(await notes.show("https://b.example/"), null);
  assert.deepEqual(host.requests, ["check", "check", "check"]);
});

test("a note is shown with its language, if the browser is sure of one", async () => {
  const host = new FakeHost(note("1", "host", "a.example"));
  const { notes } = await known(host);
  host.answers.check = { ...note("1", "host", "a.example"), type: "message", isSnoozed: false };
  const german = { language: "de", percentage: 70 };
  for (const [found, language] of [
    [{ isReliable: true, languages: [{ language: "en", percentage: 30 }, german] }, "de"],
    [{ isReliable: false, languages: [german] }, ""],
    [{ isReliable: true, languages: [{ language: "de", percentage: 60 }] }, ""],
    [{ isReliable: true, languages: [{ language: "und", percentage: 99 }] }, ""],
    [{ isReliable: true, languages: [] }, ""], [{}, ""], [null, ""],
  ]) {
    fakeBrowser.i18n.detectLanguage = async () => found;
    assert.equal((await notes.show("https://a.example/")).language, language);
  }
});

test("a host that fails or does not answer keeps no note from being shown", async () => {
  const host = new FakeHost(note("1", "host", "a.example"));
  const { notes } = await known(host);
  host.fault = "gone";
  assert.equal((await notes.show("https://a.example/")).id, "1");
  host.ask = () => new Promise(() => {});
  assert.equal((await awaited(notes.show("https://a.example/"))).id, "1");
});

test("what was chosen while the host was away is sent later, with the time that is left", async () => {
  const host = new FakeHost(note("1", "host", "a.example"), note("2", "host", "b.example"));
  const { notes } = await known(host);
  host.fault = "gone";
  await notes.view(notes.withID("1"));
  await notes.leave(notes.withID("2"));
  assert.equal(notes.due("https://a.example/"), null);
  host.fault = null;
  host.asked = [];
  host.index[0].snoozedUntil = Date.now() + 15 * 60000;
  await notes.connected();
  assert.deepEqual(host.asked.slice(0, 2), [
    { request: "snooze", id: "1", snoozeMinutes: 15 }, { request: "leave", id: "2" },
  ]);
  assert.equal(notes.due("https://a.example/"), null);
  host.asked = [];
  await notes.connected();
  assert.deepEqual(host.requests, []);
});

test("of what was chosen while the host was away the newest is sent", async () => {
  const host = new FakeHost(note("1", "host", "a.example"));
  const { notes } = await known(host);
  host.fault = "gone";
  for (let time = 0; time < 1000; time++) await notes.leave({ id: "old" });
  await notes.leave({ id: "new" });
  host.fault = null;
  host.asked = [];
  await notes.connected();
  assert.deepEqual([host.requests.length, host.asked[99].id], [100, "new"]);
});

test("a snooze that the host knows of ends where the host ends it", async () => {
  const host = new FakeHost(note("1", "host", "a.example"));
  const { notes } = await known(host);
  const viewed = notes.view(notes.withID("1"));
  assert.equal(notes.due("https://a.example/"), null);
  await viewed;
  // The host's index has it as not snoozed, as if another program had ended that.
  assert.equal(notes.due("https://a.example/").id, "1");
});

test("an index that does not come leaves the old one", async () => {
  const host = new FakeHost(note("1", "host", "a.example"), note("2", "host", "b.example"),
    note("3", "host", "c.example"));
  const { notes, refreshed } = await known(host);
  assert.equal(notes.all.length, 3);
  assert.equal(refreshed(), 1);
  host.fault = "no database";
  await notes.refresh();
  assert.deepEqual([notes.fault, notes.all.length, refreshed()], ["no database", 3, 1]);
  host.fault = null;
  host.index = [];
  await notes.refresh();
  assert.deepEqual([notes.fault, notes.all.length], [null, 0]);
});

test("what fails after an index has come keeps no later one from coming", async () => {
  const host = new FakeHost();
  let fault = new Error("out of memory");
  const notes = new Notes(() => host, () => { if (fault) throw fault; });
  await assert.rejects(notes.refresh(), fault);
  fault = null;
  host.index = [note("1", "host", "a.example")];
  await notes.refresh();
  assert.equal(notes.all.length, 1);
});

test("pages wait for the first index, or for its failure", async () => {
  const host = new FakeHost();
  const notes = new Notes(() => host, () => {});
  assert.ok(!notes.isKnown);
  host.fault = "gone";
  notes.refresh();
  await notes.known;
  assert.ok(notes.isKnown);
});

test("the pop-up's requests bring the index up to date where something was changed", async () => {
  const host = new FakeHost();
  const { notes } = await known(host);
  host.answers.page = { type: "page", notes: [], choices: [], note: null };
  assert.deepEqual(await notes.page("https://a.example/"), { notes: [], choices: [] });
  assert.equal(await notes.page("about:blank"), null);
  host.index = [note("1", "host", "a.example")];
  await notes.ask({ request: "leave", id: "1" });
  await notes.ask({ request: "add", url: "https://a.example/", text: "x" });
  assert.equal(notes.find("https://a.example/").id, "1");
});
