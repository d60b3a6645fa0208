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
