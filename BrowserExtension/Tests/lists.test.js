import "./Support/browser.js";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import "./Support/timers.js";
import { ListMemoryError, RefusedListError } from "../WebExtension/deciding/engine.js";
import { Lists } from "../WebExtension/lists/lists.js";

const digestOf = (bytes) => createHash("sha256").update(bytes).digest("hex");
const bytesOf = (text) => new TextEncoder().encode(text);

/** An engine that refuses what begins with "damaged". */
class FakeEngine {
  formatVersion = 1;
  opened = new Map();
  off = new Set();
  #last = 0;
  open(bytes) {
    const text = new TextDecoder().decode(bytes);
    if (text.startsWith("damaged")) throw new RefusedListError(7);
    this.opened.set(++this.#last, text);
    return this.#last;
  }
  close(handle) { this.opened.delete(handle); }
  setOn(handle, isOn) { if (isOn) this.off.delete(handle); else this.off.add(handle); }
  kinds(handle) { return new Set(this.opened.get(handle).split(" ")); }
  walks = 0;
  hidingHosts(handle) {
    this.walks += 1;
    const hosts = this.opened.get(handle).split(" ").filter((word) => word !== "none");
    return hosts.includes("any") ? null : hosts;
  }
}

class FakeStore {
  records = [];
  async list(identifier) { return this.records.find((each) => each.identifier === identifier); }
  async lists() { return [...this.records].sort((a, b) => a.place - b.place); }
  async change(changed, removed) {
    const gone = [...removed, ...changed.map(({ identifier }) => identifier)];
    this.records = [...this.records.filter(({ identifier }) => !gone.includes(identifier)), ...changed];
  }
}

/** The texts that are kept. */
class FakeTexts {
  records = new Map();
  async text(identifier, digest) {
    const record = this.records.get(identifier);
    return record?.digest === digest ? record.bytes : null;
  }
  async keep(record) { this.records.set(record.identifier, record); }
  async drop(digests) {
    for (const [identifier, { digest }] of this.records) {
      if (!digests.includes(digest)) this.records.delete(identifier);
    }
  }
}

/** A host that offers these lists: by identifier, the text of each. */
class FakeHost {
  asked = [];
  /** What is sent in place of a list's bytes, by its digest. */
  wrong = new Map();
  /** Why lists that are on cannot be fetched, by identifier. */
  faults = new Map();
  constructor(texts) { this.texts = texts; }
  async ask(question) {
    this.asked.push(question.type);
    return { type: "lists", lists: Object.entries(this.texts).map(([identifier, text]) => ({
      identifier, name: `Name of ${identifier}`,
      ...this.faults.has(identifier) ? { fault: this.faults.get(identifier) }
        : { digest: digestOf(bytesOf(text)), size: bytesOf(text).length },
    })) };
  }
  async fetch({ digest }) {
    this.asked.push("fetch");
    const text = Object.values(this.texts).find((each) => digestOf(bytesOf(each)) === digest);
    return bytesOf(this.wrong.get(digest) ?? text);
  }
}

function made(off = []) {
  const engine = new FakeEngine();
  const store = new FakeStore();
  const settings = {
    off: new Set(off),
    isListOff(identifier) { return this.off.has(identifier); },
    async setListOn(identifier, isOn) {
      if (isOn) this.off.delete(identifier); else this.off.add(identifier);
    },
  };
  const texts = new FakeTexts();
  return { engine, store, settings, texts, lists: new Lists(engine, store, settings, texts) };
}

const shown = ({ all }) => all.map(({ identifier, fault }) => (fault ? `${identifier}: ${fault}` : identifier));

/** Updates, and returns what was wrong. */
async function update(lists, host) {
  await lists.update(host);
  return lists.fault;
}

test("lists come, are kept, are replaced and go", async () => {
  const { engine, store, lists } = made();
  const host = new FakeHost({ one: "[1]", two: "[2]" });
  await lists.update(host);
  assert.deepEqual(shown(lists), ["one", "two"]);
  assert.deepEqual(store.records.map(({ name }) => name), ["Name of one", "Name of two"]);

  host.asked = [];
  await lists.update(host);
  assert.deepEqual(host.asked, ["lists"]);

  host.texts = { two: "[2]", one: "[1, 1]" };
  await lists.update(host);
  assert.deepEqual(shown(lists), ["two", "one"]);
  assert.deepEqual([...engine.opened.values()], ["[2]", "[1, 1]"]);
  assert.deepEqual((await store.lists()).map(({ identifier }) => identifier), ["two", "one"]);

  host.texts = {};
  await lists.update(host);
  assert.deepEqual([lists.all, store.records, engine.opened.size], [[], [], 0]);
  assert.equal(lists.fault, null);
});

test("lists of the last time are opened without the host", async () => {
  const { engine, store, settings, lists } = made();
  await lists.update(new FakeHost({ one: "[1]", two: "[2]" }));
  settings.off.add("two");
  const again = new Lists(engine, store, settings, new FakeTexts());
  let changes = 0;
  again.load(await store.lists(), () => { changes += 1; });
  assert.deepEqual(again.all.map(({ identifier, isOn }) => [identifier, isOn]),
    [["one", true], ["two", false]]);
  assert.ok(engine.off.has(again.all[1].handle));
  assert.equal(changes, 1);
});

test("what does not come whole leaves the old list active", async () => {
  const { engine, lists } = made();
  const host = new FakeHost({ one: "[1]" });
  await lists.update(host);
  host.texts = { one: "[1, 1]" };
  host.wrong.set(digestOf(bytesOf("[1, 1]")), "[1, 2]");
  const fault = await update(lists, host);
  assert.match(fault, /Name of one: the bytes that came are not the list’s/);
  assert.deepEqual([...engine.opened.values()], ["[1]"]);
});

test("a list whose file the host cannot read goes on as it is, and a new one is shown with the reason", async () => {
  const { lists, engine, store } = made();
  const host = new FakeHost({ a: "block", b: "hide" });
  await lists.update(host);
  host.texts = { a: "block", b: "hide", c: "other" };
  host.faults = new Map([["a", "a's file is cut off"], ["c", "c's file is missing"]]);
  await lists.update(host);
  assert.deepEqual([...engine.opened.values()].sort(), ["block", "hide"]);
  assert.deepEqual((await store.lists()).map(({ identifier }) => identifier), ["a", "b"]);
  assert.match(lists.fault, /Name of a.*a's file is cut off/s);
  assert.match(lists.fault, /Name of c.*c's file is missing/s);
  const shown = lists.all.find(({ identifier }) => identifier === "c");
  assert.equal(shown.fault, "c's file is missing");
  assert.equal(shown.handle, 0);
  // Once they can be read, all is as it should be.
  host.faults.clear();
  await lists.update(host);
  assert.equal(lists.fault, null);
  assert.deepEqual([...engine.opened.values()].sort(), ["block", "hide", "other"]);
});

test("a list that the engine refuses never replaces one that works; a new one is shown as it is", async () => {
  const { engine, store, lists } = made();
  const host = new FakeHost({ one: "[1]" });
  await lists.update(host);
  host.texts = { one: "damaged", two: "damaged too", three: "[3]" };
  assert.match(await update(lists, host), /Name of one: the compiled list is damaged or of another version, at byte 7, Name of two/);
  assert.deepEqual(shown(lists), ["one", "two: the compiled list is damaged or of another version, at byte 7", "three"]);
  assert.deepEqual([...engine.opened.values()], ["[1]", "[3]"]);
  assert.deepEqual(store.records.map(({ identifier }) => identifier), ["one", "three"]);
});

test("a list that was damaged in the store is fetched again, although the host has no other", async () => {
  const { engine, store, settings, lists } = made();
  const host = new FakeHost({ one: "[1]", two: "[2]" });
  await lists.update(host);
  (await store.list("one")).bytes = bytesOf("damaged in the store");
  const again = new Lists(engine, store, settings, new FakeTexts());
  again.load(await store.lists(), () => {});
  assert.deepEqual(shown(again), ["one: the compiled list is damaged or of another version, at byte 7", "two"]);
  // Without its bytes it stays as it is, and is asked for again.
  host.wrong.set(digestOf(bytesOf("[1]")), "[3]");
  assert.match(await update(again, host), /Name of one: the bytes that came are not the list’s/);
  host.wrong.clear();
  host.asked = [];
  assert.equal(await update(again, host), null);
  assert.deepEqual(host.asked, ["lists", "fetch"]);
  assert.deepEqual(shown(again), ["one", "two"]);
  assert.deepEqual((await store.lists()).map(({ bytes }) => decoded(bytes)), ["[1]", "[2]"]);
  host.asked = [];
  await again.update(host);
  assert.deepEqual(host.asked, ["lists"]);
});

test("a list that the engine refuses as the host has it is fetched once, until the host has another", async () => {
  const { store, lists } = made();
  const bytes = bytesOf("damaged by the host");
  store.records = [{ identifier: "one", name: "one", digest: digestOf(bytes), place: 0, bytes }];
  lists.load(await store.lists(), () => {});
  const host = new FakeHost({ one: "damaged by the host" });
  for (let round = 0; round < 3; round += 1) {
    assert.match(await update(lists, host), /^Name of one: the compiled list is damaged or of another version, at byte 7$/);
  }
  assert.deepEqual(host.asked, ["lists", "fetch", "lists", "lists"]);
  assert.deepEqual(shown(lists), ["one: the compiled list is damaged or of another version, at byte 7"]);
  // The same of one that replaces nothing, and of one that would replace a list that works.
  host.texts = { one: "damaged again", two: "[2]" };
  host.asked = [];
  for (let round = 0; round < 3; round += 1) await lists.update(host);
  host.texts.two = "damaged too";
  for (let round = 0; round < 3; round += 1) await lists.update(host);
  assert.equal(host.asked.filter((type) => type === "fetch").length, 3);
  assert.match(lists.fault, /Name of two: the compiled list is damaged/);
  // What is refused for one list is refused for another as well, which is shown, too.
  host.texts = { one: "damaged again", two: "[2]", three: "damaged again" };
  host.asked = [];
  for (let round = 0; round < 2; round += 1) {
    assert.match(await update(lists, host), /Name of one: .*Name of three: /);
    assert.deepEqual(shown(lists).map((each) => each.split(":")[0]), ["one", "two", "three"]);
  }
  assert.deepEqual(host.asked, ["lists", "lists"]);
  host.texts = { one: "[1]", two: "[2, 2]" };
  assert.equal(await update(lists, host), null);
  assert.deepEqual(shown(lists), ["one", "two"]);
  // What the host had once may be what it has again.
  host.texts.one = "damaged again";
  host.asked = [];
  await lists.update(host);
  assert.deepEqual(host.asked, ["lists", "fetch"]);
});

test("a list for which there was no memory is tried again, and one that cannot be kept decides", async () => {
  const { engine, store, lists } = made();
  const host = new FakeHost({ one: "[1]" });
  const open = engine.open.bind(engine);
  engine.open = () => { throw new ListMemoryError(); };
  assert.match(await update(lists, host), /Name of one: there is not enough memory to open the list/);
  engine.open = open;
  const change = store.change.bind(store);
  store.change = async (records, gone) => {
    if (records.length > 0) throw new Error("no room");
    await change(records, gone);
  };
  for (let time = 0; time < 2; time += 1) {
    assert.match(await update(lists, host), /Name of one: no room/);
    assert.deepEqual([...engine.opened.values()], ["[1]"]);
  }
  store.change = change;
  assert.equal(await update(lists, host), null);
  assert.deepEqual([shown(lists), store.records.map(({ identifier }) => identifier)], [["one"], ["one"]]);
});

test("calls during an update make one more", async () => {
  const { lists } = made();
  const host = new FakeHost({ one: "[1]" });
  await Promise.all([lists.update(host), lists.update(host), lists.update(host)]);
  assert.deepEqual(host.asked.filter((type) => type === "lists").length, 2);
});

test("what lists may do is what those may do that are on", async () => {
  const { lists } = made(["off"]);
  await lists.update(new FakeHost({ off: "block-cookies block", plain: "block", on: "make-https notify" }));
  assert.ok(lists.mayDo("make-https"));
  assert.ok(!lists.mayDo("block-cookies"));
  await lists.setOn("on", false);
  assert.ok(!lists.mayDo("make-https"));
  await lists.setOn("off", true);
  assert.ok(lists.mayDo("block-cookies"));
  assert.ok(!lists.mayDo("make-https"));
});

test("a switch that cannot be kept is back where it was", async () => {
  const { engine, lists, settings } = made();
  await lists.update(new FakeHost({ one: "block" }));
  settings.setListOn = async function (identifier) {
    this.off.add(identifier);
    await Promise.resolve();
    this.off.delete(identifier);
    throw new Error("the disk is full");
  };
  await assert.rejects(lists.setOn("one", false), /disk is full/);
  assert.ok(lists.mayDo("block") && lists.all[0].isOn);
  assert.ok(!engine.off.has(lists.all[0].handle));
});

test("hosts whose requests may hide more are those of the lists that are on, each asked about once", async () => {
  const { engine, lists } = made(["off"]);
  await lists.update(new FakeHost({ off: "any", one: "b.example a.example", two: "b.example", three: "none" }));
  for (let turn = 0; turn < 2; turn++) assert.deepEqual(lists.hidingHosts(), ["a.example", "b.example"]);
  assert.equal(engine.walks, 3);
  await lists.setOn("off", true);
  assert.equal(lists.hidingHosts(), null);
  for (const name of ["off", "one", "two"]) await lists.setOn(name, false);
  assert.deepEqual(lists.hidingHosts(), []);
});

test("a list hides by its actions or its sheet, or not at all", async () => {
  const { engine, lists } = made();
  engine.globalSheet = (handle) => (engine.opened.get(handle) === "sheet" ? ".ad" : "");
  await lists.update(new FakeHost({ one: "block css-display-none", two: "sheet", three: "block" }));
  assert.deepEqual(lists.all.map(({ handle }) => lists.hides(handle)), [true, true, false]);
});

/** A compiled file: what decides, and its text behind it. */
function compiled(text, deciding = "decides") {
  const source = bytesOf(text);
  const start = 48;
  const bytes = new Uint8Array(start + source.length);
  bytes.set(bytesOf(deciding));
  const view = new DataView(bytes.buffer);
  view.setUint32(12, 1, true);
  view.setUint32(32, start, true);
  view.setUint32(36, source.length, true);
  bytes.set(source, start);
  return { bytes, start };
}

/** A host that offers what decides by itself. */
class PartingHost {
  /** The offers that were fetched, as what of them. */
  fetched = [];
  constructor(files) { this.files = files; }
  /** Tells of a fetch before it is answered. */
  onFetch = async () => {};
  async ask() {
    return { type: "lists", lists: Object.entries(this.files).map(([identifier, { bytes, start }]) => ({
      identifier, name: identifier, digest: digestOf(bytes), size: bytes.length,
      deciding: { digest: digestOf(bytes.subarray(0, start)), size: start },
    })) };
  }
  async fetch({ digest }, from = 0) {
    for (const { bytes, start } of Object.values(this.files)) {
      const isWhole = digestOf(bytes) === digest;
      if (!isWhole && digestOf(bytes.subarray(0, start)) !== digest) continue;
      this.fetched.push(`${isWhole ? "whole" : "deciding"} from ${from}`);
      await this.onFetch();
      return bytes.slice(from, isWhole ? undefined : start);
    }
    throw new Error("unknown-part");
  }
}

const decoded = (bytes) => new TextDecoder().decode(bytes);

test("what decides comes without the text, which comes when it is asked for, and once", async () => {
  const { store, texts, lists } = made();
  const host = new PartingHost({ one: compiled("[1]") });
  await lists.update(host);
  assert.deepEqual(host.fetched, ["deciding from 0"]);
  assert.equal(store.records[0].bytes.length, 48);
  assert.equal(store.records[0].digest, digestOf(host.files.one.bytes));
  const [list] = lists.all;
  const both = await Promise.all([lists.source(list), lists.source(list)]);
  assert.deepEqual(both.map(decoded), ["[1]", "[1]"]);
  assert.equal(decoded(await lists.source(list)), "[1]");
  assert.deepEqual(host.fetched, ["deciding from 0", "whole from 48"]);
  // The text of a list that was replaced goes.
  host.files = { one: compiled("[2]") };
  await lists.update(host);
  assert.deepEqual([...texts.records.keys()], []);
  assert.equal((await lists.source(list)).length, 0);
  assert.equal(decoded(await lists.source(lists.all[0])), "[2]");
});

test("a text that is not the list's, or does not come, is none, and is asked for again", async () => {
  const { texts, lists } = made();
  const host = new PartingHost({ one: compiled("[1]") });
  await lists.update(host);
  const [list] = lists.all;
  const right = host.fetch;
  host.fetch = async (...words) => (await right.apply(host, words)).fill(0x20);
  await assert.rejects(lists.source(list), /not the list’s/);
  host.fetch = async () => { throw new Error("no host"); };
  await assert.rejects(lists.source(list), /no host/);
  assert.equal(texts.records.size, 0);
  host.fetch = right;
  assert.equal(decoded(await lists.source(list)), "[1]");
});

test("without a host that was there since the start, a list has what the store keeps", async () => {
  const { engine, store, settings, texts, lists } = made();
  const host = new PartingHost({ one: compiled("[1]"), two: compiled("[2]") });
  await lists.update(host);
  await lists.source(lists.all[0]);
  const again = new Lists(engine, store, settings, texts);
  again.load(await store.lists(), () => {});
  assert.equal(decoded(await again.source(again.all[0])), "[1]");
  await assert.rejects(again.source(again.all[1]), /not connected|no connection/i);
});

test("requests are decided by the old list until the new one is open, in one step", async () => {
  const { engine, lists } = made();
  const host = new PartingHost({ one: compiled("[1]", "old") });
  await lists.update(host);
  const open = () => [...engine.opened.values()].map((text) => text.slice(0, 3));
  /** @type {string[][]} */
  const seen = [];
  host.onFetch = async () => { seen.push(open(), lists.all.map(({ handle }) => engine.opened.get(handle).slice(0, 3))); };
  host.files = { one: compiled("[1, 1]", "new") };
  const before = lists.all[0].handle;
  await lists.update(host);
  assert.deepEqual(seen, [["old"], ["old"]]);
  assert.deepEqual(open(), ["new"]);
  assert.notEqual(lists.all[0].handle, before);
});

test("a list of an older version of the extension is whole, and has its text", async () => {
  const { store, lists } = made();
  const { bytes } = compiled("[1]");
  store.records = [{ identifier: "one", name: "one", digest: digestOf(bytes), place: 0, bytes }];
  lists.load(await store.lists(), () => {});
  assert.equal(decoded(await lists.source(lists.all[0])), "[1]");
});

test("a list that is switched off while its new version is being kept stays off, and never two decide", async () => {
  const { engine, store, lists } = made();
  const host = new FakeHost({ one: "[1]" });
  await lists.update(host);
  const deciding = () => [...engine.opened].filter(([handle]) => !engine.off.has(handle)).map(([, text]) => text);
  const change = store.change.bind(store);
  /** @type {string[][]} */
  const seen = [];
  store.change = async (records, gone) => {
    seen.push(deciding());
    await lists.setOn("one", false);
    seen.push(deciding());
    await change(records, gone);
  };
  host.texts = { one: "[1, 1]" };
  await lists.update(host);
  assert.deepEqual(seen, [["[1]"], []]);
  assert.deepEqual([deciding(), lists.all[0].isOn], [[], false]);
  await lists.setOn("one", true);
  assert.deepEqual(deciding(), ["[1, 1]"]);
});

test("an answer that nobody understands removes nothing, and is told", async () => {
  const one = { identifier: "one", name: "One", digest: digestOf(bytesOf("[1]")), size: 3 };
  const odd = [
    {}, null, "words", 7, { lists: null }, { lists: "words" }, { lists: {} }, { type: "part", bytes: "" },
    ...[null, {}, "one", [], { ...one, identifier: 7 }, { ...one, identifier: "" }, { ...one, name: null },
      { ...one, digest: 7 }, { ...one, size: "3" }, { ...one, size: -1 }, { ...one, size: 1.5 },
      { ...one, deciding: "words" }, { ...one, deciding: { digest: 1, size: 1 } }, { ...one, fault: {} },
    ].map((entry) => ({ lists: [entry] })),
  ];
  for (const answer of odd) {
    const { engine, store, lists } = made();
    const host = new FakeHost({ one: "[1]", two: "[2]" });
    await lists.update(host);
    host.ask = async () => answer;
    await lists.update(host);
    const what = JSON.stringify(answer);
    assert.match(lists.fault, /does not understand/, what);
    assert.deepEqual([engine.opened.size, store.records.length], [2, 2], what);
  }
  // What is understood of such an answer is followed; of two entries for a list the first.
  const { engine, lists } = made();
  const host = new FakeHost({ one: "[1]" });
  await lists.update(host);
  host.ask = async () => ({ lists: [one, { ...one, name: "Other" }, null] });
  assert.match(await update(lists, host), /does not understand/);
  assert.deepEqual([lists.all.map(({ name }) => name), engine.opened.size], [["One"], 1]);
});

test("without a store the host's lists decide, and the store is read again until it can be", async () => {
  const { engine, store, lists } = made();
  store.records = [
    { identifier: "kept", name: "Kept", digest: digestOf(bytesOf("[3]")), place: 1, bytes: bytesOf("[3]") },
    { identifier: "gone", name: "Gone", digest: "gone", place: 2, bytes: bytesOf("[4]") },
  ];
  const read = store.lists;
  const change = store.change;
  store.lists = store.change = async () => { throw new Error("another version"); };
  let isKnown = false;
  lists.known.then(() => { isKnown = true; });
  lists.load([], () => {}, "another version");
  assert.match(lists.fault, /another version/);
  const host = new FakeHost({ one: "[1]", kept: "" });
  host.faults.set("kept", "cannot be read");
  await Promise.resolve();
  assert.equal(isKnown, false);
  assert.match(await update(lists, host), /another version/);
  assert.deepEqual([...engine.opened.values()], ["[1]"]);
  assert.equal(isKnown, true);
  // A change, and a switch, while the store is still away; nothing is fetched for it in vain.
  host.texts.one = "[1, 1]";
  await lists.update(host);
  host.asked = [];
  assert.match(await update(lists, host), /another version/);
  assert.deepEqual([[...engine.opened.values()], host.asked], [["[1, 1]"], ["lists"]]);
  Object.assign(store, { lists: read, change });
  assert.equal(await update(lists, host), "Name of kept: cannot be read");
  // What the host cannot give now was not lost.
  assert.deepEqual([...engine.opened.values()].sort(), ["[1, 1]", "[3]"]);
  assert.deepEqual(store.records.map(({ identifier }) => identifier).sort(), ["kept", "one"]);
});

test("without a store and a host, the store is read again by itself", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { engine, store, lists } = made();
  store.records = [{ identifier: "kept", name: "Kept", digest: "kept", place: 0, bytes: bytesOf("[3]") }];
  lists.load([], () => {}, "busy");
  context.mock.timers.tick(600_000);
  await lists.known;
  assert.deepEqual([[...engine.opened.values()], lists.fault], [["[3]"], null]);
});
