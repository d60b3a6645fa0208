import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, test } from "node:test";
import "./Support/timers.js";
import { fakeBrowser, storage } from "./Support/browser.js";
const { Declarative } = await import("../WebExtension/deciding/declarative.js");
const { Settings } = await import("../WebExtension/shared/settings.js");

beforeEach(() => { for (const key of Object.keys(storage)) delete storage[key]; });

/** What keeps a translation, as a browser's script that starts again finds it. */
class FakeStore {
  kept = null;
  force = null;
  async translation() { return structuredClone(this.kept); }
  async keepTranslation(translation) { this.kept = structuredClone(translation); }
  async inForce() { return this.force; }
  async keepInForce(force) { this.force = force; }
}

/** A host with lists of which each blocks the addresses of a text. */
class FakeHost {
  /** The texts by the lists' identifiers. */
  lists = {};
  /** Why lists cannot be read, by their identifiers. */
  faults = {};
  fetches = 0;
  #offered = new Map();
  async ask() {
    const names = Object.keys(this.lists).filter((each) => !this.faults[each]);
    const lists = names.map((identifier) => ({ identifier, exact: 1, approximated: 0, notExpressible: 0 }));
    const rules = names.map((each, place) =>
      [place, 0, { priority: 1, action: { type: "block" }, condition: { urlFilter: this.lists[each] } }, 1]);
    const bytes = new TextEncoder().encode(JSON.stringify({ lists, rules }));
    const digest = createHash("sha256").update(bytes).digest("hex");
    this.#offered.set(digest, bytes);
    const missing = Object.keys(this.faults);
    return { type: "declarative", digest, size: bytes.length,
      ...missing.length ? { missing, fault: Object.values(this.faults).join("; ") } : {} };
  }
  async fetch({ digest }) { this.fetches += 1; return this.#offered.get(digest); }
}

/** A Chromium in which no extension blocks, with a host and a store. */
async function started(host, store = new FakeStore(), present = new Map()) {
  Object.assign(fakeBrowser.declarativeNetRequest, {
    getDynamicRules: async () => [...present.values()],
    updateDynamicRules: async ({ removeRuleIds = [], addRules = [] }) => {
      for (const id of removeRuleIds) present.delete(id);
      for (const rule of addRules) present.set(rule.id, rule);
    },
    getSessionRules: async () => [],
    updateSessionRules: async () => {},
    isRegexSupported: async () => ({ isSupported: true }),
  });
  const settings = new Settings();
  const declarative = new Declarative(settings, store);
  await declarative.start(host);
  const acting = () => [...present.values()].map(({ condition }) => condition.urlFilter).sort();
  return { declarative, settings, store, present, acting };
}

test("while a list cannot be read its rules act, and every change of other lists does", async () => {
  const host = new FakeHost();
  host.lists = { one: "a1", two: "b1", three: "c1" };
  const { declarative, settings, store, present, acting } = await started(host);
  assert.deepEqual([acting(), declarative.fault], [["a1", "b1", "c1"], null]);
  host.faults = { one: "one's file is damaged" };
  // Another one changes, one is removed, one is new.
  host.lists = { one: "a1", two: "b2", four: "d1" };
  await declarative.update(host);
  assert.deepEqual(acting(), ["a1", "b2", "d1"]);
  assert.equal(declarative.fault, "one's file is damaged");
  assert.equal(declarative.summary.exact, 3);
  // Nothing has changed, and nothing is fetched; a switch hides no fault.
  const before = host.fetches;
  await declarative.update(host);
  await settings.setListOn("two", false);
  await declarative.settingsChanged();
  assert.deepEqual([acting(), host.fetches], [["a1", "d1"], before]);
  assert.equal(declarative.fault, "one's file is damaged");
  await settings.setListOn("two", true);
  // The next start of the script.
  const again = await started(host, store, present);
  assert.deepEqual(again.acting(), ["a1", "b2", "d1"]);
  host.faults.four = "four is damaged, too";
  await again.declarative.update(host);
  assert.deepEqual(again.acting(), ["a1", "b2", "d1"]);
  // One is turned off while it cannot be read: the host does not offer it.
  host.faults = { four: "four is damaged, too" };
  host.lists = { two: "b2", four: "d1" };
  await again.declarative.update(host);
  assert.deepEqual(again.acting(), ["b2", "d1"]);
  // All is well again.
  host.faults = {};
  host.lists.four = "d2";
  await again.declarative.update(host);
  assert.deepEqual([again.acting(), again.declarative.fault], [["b2", "d2"], null]);
});

test("a list that could not be read goes when it is off, though the host's rules are the same", async () => {
  const host = new FakeHost();
  host.lists = { one: "a1", two: "b1" };
  const { declarative, acting } = await started(host);
  host.faults = { one: "damaged" };
  await declarative.update(host);
  assert.deepEqual(acting(), ["a1", "b1"]);
  host.faults = {};
  delete host.lists.one;
  await declarative.update(host);
  assert.deepEqual([acting(), declarative.fault], [["b1"], null]);
});

test("a browser that has no rules yet takes those that there are, and says what is missing", async () => {
  const host = new FakeHost();
  host.lists = { one: "a1", two: "b1" };
  host.faults = { one: "damaged" };
  const { declarative, acting } = await started(host);
  assert.deepEqual([acting(), declarative.fault], [["b1"], "damaged"]);
});

test("where it is not known which rules are the list's, all of them stay", async () => {
  const host = new FakeHost();
  host.lists = { one: "a1", two: "b1" };
  const { store, present } = await started(host);
  host.faults = { one: "damaged" };
  host.lists.two = "b2";
  store.translation = async () => { throw new Error("no database"); };
  const { declarative, acting } = await started(host, store, present);
  assert.deepEqual([acting(), declarative.fault], [["a1", "b1"], "damaged"]);
});

/** Rules as Chromium keeps them, which refuses as many changes as a test says. */
function kind(limit) {
  return {
    rules: [], limit, fails: 0, tries: 0,
    async get() { return structuredClone(this.rules); },
    async update({ removeRuleIds = [], addRules = [] }) {
      this.tries += 1;
      if (this.fails > 0) {
        this.fails -= 1;
        throw new Error("Internal error");
      }
      const removed = new Set(removeRuleIds);
      const next = [...this.rules.filter(({ id }) => !removed.has(id)), ...addRules];
      if (new Set(next.map(({ id }) => id)).size < next.length) throw new Error("an id that is not unique");
      if (next.length > this.limit) throw new Error("Rule count exceeded");
      this.rules = next;
    },
  };
}

/** A Chromium with such rules. */
function chromium() {
  const [dynamic, session] = [kind(30_000), kind(5_000)];
  Object.assign(fakeBrowser.declarativeNetRequest, {
    getDynamicRules: () => dynamic.get(), updateDynamicRules: (change) => dynamic.update(change),
    getSessionRules: () => session.get(), updateSessionRules: (change) => session.update(change),
    isRegexSupported: async () => ({ isSupported: true }),
  });
  return { dynamic, session };
}

test("what the browser refuses once is told, and tried again by itself and by an update", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { dynamic } = chromium();
  const host = new FakeHost();
  host.lists = { one: "a1" };
  dynamic.fails = Infinity;
  const settings = new Settings();
  const declarative = new Declarative(settings, new FakeStore());
  await declarative.start(host);
  assert.deepEqual([declarative.summary.isReady, declarative.summary.fault], [false, "Internal error"]);
  const { tries } = dynamic;
  await declarative.update(host);
  assert.ok(dynamic.tries > tries, "an update tries again");
  assert.equal(declarative.fault, "Internal error");
  dynamic.fails = 0;
  context.mock.timers.tick(600_000);
  await declarative.update(host);
  assert.deepEqual([declarative.summary.isReady, declarative.fault, dynamic.rules.length], [true, null, 1]);
  // A switch is, too, also while the host cannot be asked.
  dynamic.fails = Infinity;
  await settings.setListOn("one", false);
  await declarative.settingsChanged();
  assert.equal(declarative.fault, "Internal error");
  dynamic.fails = 0;
  host.ask = async () => { throw new Error("no host"); };
  await declarative.update(host);
  assert.deepEqual([dynamic.rules.length, declarative.fault], [0, "no host"]);
});

test("a refused change is tried again by a timer", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { dynamic } = chromium();
  const host = new FakeHost();
  host.lists = { one: "a1" };
  dynamic.fails = Infinity;
  const store = new FakeStore();
  const declarative = new Declarative(new Settings(), store);
  await declarative.start(host);
  dynamic.fails = 0;
  const done = new Promise((resolve) => { store.keepInForce = async () => { resolve(); }; });
  context.mock.timers.tick(1000);
  await done;
  assert.deepEqual([dynamic.rules.length, store.kept.lists.length], [1, 1]);
});

test("where nothing decides, what an earlier start has let through is blocked again", async () => {
  const { dynamic, session } = chromium();
  const host = new FakeHost();
  host.lists = { one: "a1" };
  const store = new FakeStore();
  await new Declarative(new Settings(), store).stepBack(host, () => {});
  assert.deepEqual([dynamic.rules.length, session.rules.length], [1, 1]);
  await new Declarative(new Settings(), store).resume();
  assert.deepEqual([dynamic.rules.length, session.rules.length], [1, 0]);
});

test("rules for the start follow, one at once, whatever they were before; a fault is told there, too", async () => {
  const { dynamic, session } = chromium();
  const store = new FakeStore();
  const host = new FakeHost();
  host.lists = Object.fromEntries(Array.from({ length: 9000 }, (_, number) => [`l${number}`, `h${number}`]));
  const settings = new Settings();
  await settings.load();
  const declarative = new Declarative(settings, store);
  const idle = async () => { await declarative.update(host); };
  await declarative.stepBack(host, () => {});
  assert.deepEqual([dynamic.rules.length, session.rules.length, declarative.summary.fault], [9000, 1, null]);
  await settings.setAllowed("a.example", true);
  declarative.settingsChanged();
  await idle();
  for (const name of Object.keys(host.lists)) await settings.setListOn(name, false);
  await settings.setAllowed("b.example", true);
  declarative.settingsChanged();
  await new Promise((resolve) => setImmediate(resolve));
  await declarative.settingsChanged();
  for (let turn = 0; turn < 50 && dynamic.rules.length > 1; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(dynamic.rules.map(({ id, condition }) => [id, condition.topDomains]), [[1, ["a.example", "b.example"]]]);
  assert.equal(declarative.summary.fault, null);
  dynamic.fails = Infinity;
  await settings.setAllowed("c.example", true);
  declarative.settingsChanged();
  for (let turn = 0; turn < 50 && !declarative.fault; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(declarative.summary.fault, "Internal error");
  dynamic.fails = 0;
  await declarative.update(host);
  assert.deepEqual([declarative.summary.fault, dynamic.rules[0].condition.topDomains.length], [null, 3]);
});

test("lists that fill the browser leave room for what is the user's own, and what does not fit is counted", async () => {
  const { dynamic, session } = chromium();
  const host = new FakeHost();
  const size = 32_000;
  const rules = Array.from({ length: size }, (_, number) => [0, number < 30_000 ? 0 : 1, {
    priority: 1, action: { type: number === 29_999 ? "allow" : "block" }, condition: { urlFilter: `p${number}` },
  }, 1]);
  const lists = [{ identifier: "one", exact: size, approximated: 0, notExpressible: 0 }];
  const bytes = new TextEncoder().encode(JSON.stringify({ lists, rules }));
  const digest = createHash("sha256").update(bytes).digest("hex");
  Object.assign(host, {
    ask: async () => ({ type: "declarative", digest, size: bytes.length }), fetch: async () => bytes });
  const site = { priority: 9, action: { type: "block" }, condition: { urlFilter: "site" } };
  dynamic.rules = Array.from({ length: 499 }, (_, place) => ({ ...site, id: 2_000_000 + place }));
  const settings = new Settings();
  await settings.load();
  const declarative = new Declarative(settings, new FakeStore());
  await declarative.start(host);
  assert.deepEqual([dynamic.rules.length, session.rules.length], [29_999, 2000]);
  assert.ok(dynamic.rules.some(({ condition }) => condition.urlFilter === "p29999"), "what lets through stays");
  assert.deepEqual([declarative.summary.isReady, declarative.summary.notExpressible, declarative.fault], [true, 500, null]);
  assert.equal(declarative.isExempt("a.example"), false);
  await settings.setAllowed("a.example", true);
  await declarative.settingsChanged();
  assert.deepEqual([dynamic.rules.some(({ id }) => id === 1), session.rules.some(({ id }) => id === 1)], [true, true]);
  assert.equal(declarative.isExempt("a.example"), true);
});

test("one kind of rules that is refused keeps none of the other from acting", async () => {
  const { dynamic, session } = chromium();
  const host = new FakeHost();
  host.lists = { one: "a1" };
  session.fails = Infinity;
  const settings = new Settings();
  await settings.load();
  await settings.setAllowed("z.example", true);
  const declarative = new Declarative(settings, new FakeStore());
  await declarative.start(host);
  assert.deepEqual([dynamic.rules.map(({ id }) => id).sort(), declarative.fault], [[1, 100], "Internal error"]);
  assert.equal(declarative.isExempt("z.example"), true);
});

test("a translation that nobody understands changes no rule, and is told", async () => {
  const { dynamic } = chromium();
  const host = new FakeHost();
  host.lists = { one: "a1" };
  const declarative = new Declarative(new Settings(), new FakeStore());
  await declarative.start(host);
  for (const odd of ["null", "{}", "[]", '{"lists": 1, "rules": []}', '{"lists": [], "rules": {}}']) {
    const bytes = new TextEncoder().encode(odd);
    const digest = createHash("sha256").update(bytes).digest("hex");
    host.ask = async () => ({ type: "declarative", digest, size: bytes.length });
    host.fetch = async () => bytes;
    await declarative.update(host);
    assert.match(declarative.fault, /does not understand/, odd);
    assert.deepEqual([dynamic.rules.length, declarative.summary.exact], [1, 1], odd);
  }
});
