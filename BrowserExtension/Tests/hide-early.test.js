import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";
import { FakeEvent } from "./Support/browser.js";
import { turns } from "./Support/turns.js";

const script = readFileSync(new URL("../WebExtension/hiding/hide-early.js", import.meta.url), "utf8");

/**
 * A document in which the script has begun, with the time that the test makes pass.
 *
 * @param answers what the background says, one after the other; nothing once they are used up
 * @param show puts a note into the document
 */
function begun(context, answers, show = () => {}) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const document = { adoptedStyleSheets: [] };
  const events = { pageshow: new FakeEvent(), pagehide: new FakeEvent() };
  const faults = [];
  let reloads = 0;
  // A promise whose failure is seen, as a browser's console would show it.
  const told = (answer) => ({
    then: (end) => {
      if (answer) Promise.resolve(answer).then(end).catch((error) => faults.push(error.message));
    },
  });
  const window = { addEventListener: (name, listener) => events[name].addListener(listener) };
  window.top = window;
  vm.runInNewContext(script, {
    window, document, setTimeout, clearTimeout, tickbirdNote: { show },
    location: { protocol: "https:", reload: () => { reloads += 1; } },
    CSSStyleSheet: class { replaceSync() {} },
    chrome: { runtime: { getURL: () => "chrome-extension://tickbird/", sendMessage: () => told(answers.shift()) } },
  });
  return {
    isVisible: () => document.adoptedStyleSheets.length === 0,
    wait: async (milliseconds) => {
      context.mock.timers.tick(milliseconds);
      await turns();
    },
    fire: (name) => events[name].fire({ isTrusted: true, persisted: true }),
    reloads: () => reloads, faults,
  };
}

test("a document is visible when the background has answered", async (context) => {
  const document = begun(context, [{}]);
  assert.ok(!document.isVisible());
  await document.wait(0);
  assert.ok(document.isVisible());
});

test("a document is visible although the background says nothing", async (context) => {
  const document = begun(context, []);
  await document.wait(499);
  assert.ok(!document.isVisible());
  await document.wait(1);
  assert.ok(document.isVisible());
});

test("a note that cannot be shown leaves no document invisible", async (context) => {
  const document = begun(context, [{ note: {} }], () => { throw new Error("InvalidStateError"); });
  await document.wait(0);
  assert.ok(document.isVisible());
  assert.deepEqual(document.faults, ["InvalidStateError"]);
});

test("a document that does not come when it is loaded again leaves the one before visible", async (context) => {
  const document = begun(context, [{ reload: true }]);
  await document.wait(0);
  assert.equal(document.reloads(), 1);
  await document.wait(2999);
  assert.ok(!document.isVisible());
  await document.wait(1);
  assert.ok(document.isVisible());
});

test("a document that is left again before it is visible becomes visible when it comes back", async (context) => {
  const document = begun(context, [{ isNoted: true }]);
  await document.wait(0);
  document.fire("pagehide");
  document.fire("pageshow");
  assert.ok(!document.isVisible());
  // Back and forth before the background has answered.
  document.fire("pagehide");
  document.fire("pageshow");
  assert.ok(!document.isVisible());
  await document.wait(500);
  assert.ok(document.isVisible());
});
