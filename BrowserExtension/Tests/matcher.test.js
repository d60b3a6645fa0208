import "./Support/browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/timers.js";
const { Engine } = await import("../WebExtension/deciding/engine.js");
const { Matcher } = await import("../WebExtension/deciding/matcher.js");
const { Settings } = await import("../WebExtension/shared/settings.js");

test("what decides starts though the browser's store of lists cannot be opened, and says so", async () => {
  globalThis.fetch = async () => ({ arrayBuffer: async () => new ArrayBuffer(0) });
  Engine.start = async () => ({ formatVersion: 1 });
  globalThis.indexedDB = {
    open() {
      const request = { error: new Error("the version is less than the existing version") };
      setImmediate(() => request.onerror());
      return request;
    },
  };
  let changes = 0;
  const matcher = await Matcher.start(new Settings(), () => { changes += 1; });
  assert.deepEqual([matcher.lists.all, changes], [[], 1]);
  assert.match(matcher.lists.fault, /less than the existing version/);
  let isKnown = false;
  matcher.lists.known.then(() => { isKnown = true; });
  await new Promise((resolve) => setImmediate(resolve));
  // Chromium's rules of the last time go on until the host has brought lists.
  assert.equal(isKnown, false);
});
