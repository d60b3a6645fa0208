// The script that is loaded before web extensions written for Safari, with browsers made of objects.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runInNewContext } from "node:vm";

const source = readFileSync(
  new URL("../../Sources/WebExtensions/Resources/prelude.js", import.meta.url),
  "utf8",
);

function load(globals, settings) {
  const all = {
    browser: "chromium",
    host: "tickbird.web.a",
    manifestVersion: 3,
    path: "/tickbird-prelude.js",
    imported: null,
    ...settings,
  };
  const context = { console: { error() {} }, navigator: { languages: ["de", "en"] }, ...globals };
  runInNewContext(source.replace("/* settings */", JSON.stringify(all)), context);
  return context;
}

function event() {
  const listeners = [];
  return {
    listeners,
    addListener: (listener) => listeners.push(listener),
    removeListener: (listener) => listeners.splice(listeners.indexOf(listener), 1),
    hasListener: (listener) => listeners.includes(listener),
  };
}

function runtime(answer) {
  const asked = [];
  const wire = {
    sent: [],
    onMessage: event(),
    onDisconnect: event(),
    postMessage: (message) => wire.sent.push(message),
    disconnect: () => (wire.isClosed = true),
  };
  return {
    id: "abc",
    asked,
    wire,
    onMessage: event(),
    getManifest: () => ({ version: "1.2" }),
    sendNativeMessage: async (...values) => {
      asked.push(values);
      return answer;
    },
    connectNative: (name) => {
      wire.name = name;
      return wire;
    },
  };
}

// What comes from the other realm, as this one's objects.
const plain = (value) => JSON.parse(JSON.stringify(value));

test("a message reaches the extension's own host, whatever application it names", async () => {
  for (const values of [
    ["application.id", { a: 1 }],
    ["com.other.host", { a: 1 }],
    [null, { a: 1 }],
    [{ a: 1 }],
    [{ a: 1 }, null],
    [{ a: 1 }, undefined],
  ]) {
    const own = runtime({ type: "sendMessage", message: { b: 2 } });
    const { browser } = load({ chrome: { runtime: own } });
    assert.deepEqual(plain(await browser.runtime.sendNativeMessage(...values)), { b: 2 });
    assert.deepEqual(plain(own.asked), [
      ["tickbird.web.a", { type: "sendMessage", message: { a: 1 } }],
    ]);
  }
});

test("an error of the host rejects, with its code, and sets lastError for a callback", async () => {
  const own = runtime({ type: "error", code: "refused", message: "it is off" });
  const { chrome } = load({ chrome: { runtime: own } });
  await assert.rejects(chrome.runtime.sendNativeMessage("a", null), {
    message: "it is off",
    code: "refused",
  });
  const seen = await new Promise((resolve) => {
    const callback = () => resolve(chrome.runtime.lastError?.message);
    chrome.runtime.sendNativeMessage("a", "text", callback);
  });
  assert.equal(seen, "it is off");
  assert.equal(chrome.runtime.lastError, undefined);
});

test("a host that answers otherwise is no handler", async () => {
  const { browser } = load({ chrome: { runtime: runtime({ type: "hello" }) } });
  await assert.rejects(browser.runtime.sendNativeMessage("a", 1));
});

test("in Firefox both objects are led to the host", async () => {
  const [one, two] = [runtime({ type: "sendMessage", message: 1 }), runtime({})];
  const context = load(
    { browser: { runtime: one }, chrome: { runtime: two } },
    { browser: "firefox" },
  );
  assert.equal(await context.browser.runtime.sendNativeMessage("a", 0), 1);
  assert.equal(await context.chrome.runtime.sendNativeMessage("a", 0), 1);
  assert.equal(one.asked.length, 2);
});

test("a port asks for what the app dispatches, one after the other", () => {
  const own = runtime();
  const { browser } = load({ chrome: { runtime: own } });
  const port = browser.runtime.connectNative("application.id");
  const [messages, ends] = [[], []];
  const listener = (message) => messages.push(plain(message));
  port.onMessage.addListener(listener);
  port.onDisconnect.addListener((ended) => ends.push(ended));
  assert.equal(own.wire.name, "tickbird.web.a");
  port.postMessage("hello");
  const [receive] = own.wire.onMessage.listeners;
  receive({ type: "sendMessage", message: { echo: "hello" } });
  receive({ type: "nextMessage", message: { name: "go", userInfo: { n: 1 } } });
  assert.deepEqual(messages, [{ name: "go", userInfo: { n: 1 } }]);
  assert.deepEqual(plain(own.wire.sent), [
    { type: "nextMessage" },
    { type: "sendMessage", message: "hello" },
    { type: "nextMessage" },
  ]);
  port.onMessage.removeListener(listener);
  receive({ type: "nextMessage", message: { name: "again" } });
  assert.equal(messages.length, 1);
  own.wire.error = { message: "gone" };
  own.wire.onDisconnect.listeners[0]();
  assert.equal(ends[0], port);
  assert.equal(port.error.message, "gone");
  port.disconnect();
  assert.ok(own.wire.isClosed);
});

test("a listener may answer by a promise where the browser knows none", async () => {
  const own = runtime();
  const { browser } = load({ chrome: { runtime: own } });
  const listener = async (message) => message + 1;
  browser.runtime.onMessage.addListener(listener);
  assert.ok(browser.runtime.onMessage.hasListener(listener));
  const [wrapped] = own.onMessage.listeners;
  const answer = await new Promise((resolve) => assert.equal(wrapped(1, {}, resolve), true));
  assert.equal(answer, 2);
  browser.runtime.onMessage.removeListener(listener);
  assert.equal(own.onMessage.listeners.length, 0);
});

test("pages of the web, and a second loading, change nothing", () => {
  assert.equal(load({}).browser, undefined);
  assert.equal(load({ chrome: { runtime: {} } }).browser, undefined);
});

test("version 2 has its interfaces in Chromium", async () => {
  const injected = [];
  const chrome = {
    runtime: { ...runtime(), getURL: (path) => `x:${path}` },
    action: { enable: async (tab) => tab, setTitle: () => {} },
    extension: {},
    contextMenus: {},
    tabs: { query: async () => [{ id: 7 }] },
    scripting: {
      executeScript: async (injection) => {
        injected.push(plain(injection));
        return [{ result: 5 }];
      },
    },
  };
  load({ browser: chrome, chrome }, { manifestVersion: 2 });
  assert.equal(chrome.browserAction, chrome.action);
  assert.equal(chrome.menus, chrome.contextMenus);
  assert.equal(chrome.extension.getURL("a"), "x:a");
  assert.equal(await chrome.pageAction.show(3), 3);
  assert.deepEqual(plain(await chrome.tabs.executeScript({ file: "a.js", runAt: "document_start" })), [
    5,
  ]);
  assert.deepEqual(injected, [{ target: { tabId: 7 }, files: ["a.js"], injectImmediately: true }]);
  await assert.rejects(chrome.tabs.executeScript(1, { code: "1" }), /files of the extension/);
});

test("an event page has what its worker imports already", () => {
  const context = load(
    { browser: { runtime: runtime() } },
    { browser: "firefox", imported: ["lib.js"] },
  );
  context.importScripts("lib.js");
  assert.throws(() => context.importScripts("other.js"), /other.js/);
});

test("Firefox gets the newer names of what it knows by those alone", async () => {
  const calls = [];
  const note = (name) => async (...values) => calls.push([name, ...plain(values)]);
  const { browser } = load(
    {
      browser: {
        runtime: runtime(),
        tabs: { create: note("create"), update: note("update") },
        declarativeNetRequest: { updateDynamicRules: note("rules") },
      },
    },
    { browser: "firefox" },
  );
  await browser.tabs.create({ url: "a", selected: false });
  await browser.tabs.update(3, { selected: true });
  await browser.tabs.create({ active: true, selected: false });
  await browser.declarativeNetRequest.updateDynamicRules({
    removeRuleIds: [1],
    addRules: [{ id: 2, condition: { domains: ["a"], excludedDomains: ["b"] } }, { id: 3 }],
  });
  assert.deepEqual(calls, [
    ["create", { url: "a", active: false }],
    ["update", 3, { active: true }],
    ["create", { active: true }],
    [
      "rules",
      {
        removeRuleIds: [1],
        addRules: [
          { id: 2, condition: { initiatorDomains: ["a"], excludedInitiatorDomains: ["b"] } },
          { id: 3 },
        ],
      },
    ],
  ]);
});
