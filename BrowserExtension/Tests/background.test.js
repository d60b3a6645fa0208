import assert from "node:assert/strict";
import { test } from "node:test";
import { awaited } from "./Support/timers.js";
import { fakeBrowser, storage } from "./Support/browser.js";

/** Stands for what else the background asks of the browser: events, and functions that answer nothing. */
const anything = () => new Proxy(() => {}, {
  get: (parts, name) => {
    if (typeof name === "symbol" || name === "then") return undefined;
    parts[name] ??= anything();
    return parts[name];
  },
  apply: () => Promise.resolve(undefined),
});

/** A part of the browser, with what it lacks. */
function completed(part) {
  if (typeof part !== "object" || part === null) return part;
  const rest = anything();
  return new Proxy(part, { get: (known, name) => (name in known ? known[name] : rest[name]) });
}

/** What the browser was asked of its own rules: whoever brings them to the settings reads them first. */
const called = new Set();
globalThis.chrome = new Proxy({
  ...fakeBrowser,
  runtime: { ...fakeBrowser.runtime, connectNative: () => anything() },
  permissions: { contains: async () => false },
  declarativeNetRequest: new Proxy({}, {
    has: () => true,
    get: (_, name) => async () => { called.add(name); return []; },
  }),
}, { get: (parts, name) => (name in parts ? completed(parts[name]) : anything()) });
globalThis.fetch = async () => { throw new Error("no module"); };

/** Starts a background, in Chromium that lets no extension block and without the engine. */
async function start() {
  // What keeps a worker awake would keep the test from ending.
  const { setInterval } = globalThis;
  globalThis.setInterval = (...details) => setInterval(...details).unref();
  const { Background } = await import("../WebExtension/background.js");
  const background = new Background();
  globalThis.setInterval = setInterval;
  await awaited(background.ready);
  await awaited(new Promise((resolve) => { setTimeout(resolve, 50); }));
  return background;
}

test("the browser's own rules stay as they are where settings cannot be read", async () => {
  storage.allowedSites = ["a.example"];
  const before = await start();
  assert.match(before.fault, /no module/);
  assert.ok(called.has("getDynamicRules"));
  assert.ok(before.declarative.isActive);

  const { get } = fakeBrowser.storage.local;
  fakeBrowser.storage.local.get = async () => {
    // Later than it is known that no engine starts.
    await new Promise((resolve) => { setTimeout(resolve, 20); });
    throw new Error("the storage is damaged");
  };
  called.clear();
  const background = await start();
  fakeBrowser.storage.local.get = get;
  assert.equal(background.settings.fault, "the storage is damaged");
  assert.ok(!called.has("getDynamicRules"));
  assert.ok(!background.declarative.isActive);
});

test("what could not start is started again, less and less often, and decides from then on", async (context) => {
  const { Matcher } = await import("../WebExtension/deciding/matcher.js");
  const { fakeMatcher, blocking } = await import("./Support/matcher.js");
  let faults = 3;
  context.mock.method(Matcher, "start", async (settings, onListsChanged) => {
    await settings.load();
    if (faults > 0) {
      faults -= 1;
      throw new Error("out of memory");
    }
    const matcher = fakeMatcher(() => blocking);
    Object.assign(matcher.engine, { hasSitesBelow: () => false });
    Object.assign(matcher.lists, { known: Promise.resolve(), hidingHosts: () => [] });
    onListsChanged(matcher.lists);
    return matcher;
  });
  const { setTimeout } = globalThis;
  /** What waits for a second or longer, by how long: others do so as well. */
  const waiting = new Map();
  globalThis.setTimeout = (body, delay, ...rest) => {
    if (delay < 1000) return setTimeout(body, delay, ...rest);
    waiting.set(delay, [...waiting.get(delay) ?? [], body]);
    return 0;
  };
  const background = await start();
  for (const [place, delay] of [1000, 2000, 4000].entries()) {
    assert.match(background.fault, /out of memory/);
    assert.equal(background.matcher, null);
    assert.equal(faults, 2 - place);
    const bodies = waiting.get(delay);
    waiting.clear();
    for (const body of bodies) await body();
  }
  globalThis.setTimeout = setTimeout;
  assert.equal(background.fault, null);
  const load = { url: "https://ads.example/", topURL: "https://page.example/" };
  assert.ok(background.matcher.decide(load, 1).isBlocked);
  assert.ok(background.declarative.isActive);
});
