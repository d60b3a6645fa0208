import "./Support/browser.js";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import "./Support/timers.js";
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
    if (text.startsWith("damaged")) throw new Error("the compiled list is damaged");
    this.opened.set(++this.#last, text);
    return this.#last;
  }
  close(handle) { this.opened.delete(handle); }
  setOn(handle, isOn) { if (isOn) this.off.delete(handle); else this.off.add(handle); }
  kinds(handle) { return new Set(this.opened.get(handle).split(" ")); }
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

/** A host that offers these lists: by identifier, the text of each. */
class FakeHost {
  asked = [];
  /** What is sent in place of a list's bytes, by its digest. */
  wrong = new Map();
  constructor(texts) { this.texts = texts; }
  async ask(question) {
    this.asked.push(question.type);
    return { type: "lists", lists: Object.entries(this.texts).map(([identifier, text]) => ({
      identifier, name: `Name of ${identifier}`, digest: digestOf(bytesOf(text)),
      size: bytesOf(text).length,
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
  return { engine, store, settings, lists: new Lists(engine, store, settings) };
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
  const again = new Lists(engine, store, settings);
  let changes = 0;
  await again.load(() => { changes += 1; });
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

test("a list that the engine refuses never replaces one that works; a new one is shown as it is", async () => {
  const { engine, store, lists } = made();
  const host = new FakeHost({ one: "[1]" });
  await lists.update(host);
  host.texts = { one: "damaged", two: "damaged too", three: "[3]" };
  assert.match(await update(lists, host), /Name of one: the compiled list is damaged, Name of two/);
  assert.deepEqual(shown(lists), ["one", "two: the compiled list is damaged", "three"]);
  assert.deepEqual([...engine.opened.values()], ["[1]", "[3]"]);
  assert.deepEqual(store.records.map(({ identifier }) => identifier), ["one", "three"]);
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
