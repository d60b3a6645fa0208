import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import "./Support/timers.js";
import { fakeBrowser } from "./Support/browser.js";
const { Declarative } = await import("../WebExtension/deciding/declarative.js");
const { Settings } = await import("../WebExtension/shared/settings.js");

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
