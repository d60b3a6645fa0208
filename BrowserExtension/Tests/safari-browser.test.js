// The browser's side of a global page, and the page that has the global page in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { event, everywhere, plain, run, settled } from "./Support/safari.js";

const settings = {
  kind: "folder", browser: "firefox", host: "tickbird.web.a", access: everywhere, guards: [], sheets: [],
  toolbarItems: [
    { identifier: "one", label: "One" }, { identifier: "two", label: "Two" },
  ],
  contextItems: [{ identifier: "item", command: "mark", title: "Mark" }], popovers: [], settings: [],
  globalPage: "/global.html", icon: null, usesBeforeNavigate: true,
};

function browserOf(done, answer = { type: "setContentBlocker" }) {
  const say = (name, result) => async (...values) => (done.push([name, ...plain(values)]), result);
  return {
    runtime: {
      id: "abc", getURL: (path) => `extension://abc/${path}`, onMessage: event(), onConnect: event(),
      onStartup: event(), onInstalled: event(), sendNativeMessage: say("native", answer),
    },
    storage: { local: { get: async () => ({ settings: { a: 1 } }), set: say("store") } },
    windows: {
      onCreated: event(), onRemoved: event(), onFocusChanged: event(), update: say("focus"),
      remove: say("closeWindow"),
      getAll: async () => [
        {
          id: 1, focused: true,
          tabs: [
            { id: 5, windowId: 1, active: true, url: "http://a.example/", title: "A" },
            { id: 6, windowId: 1, url: "file:///secret", title: "Secret" },
          ],
        },
      ],
    },
    tabs: {
      onCreated: event(), onRemoved: event(), onActivated: event(), onMoved: event(), onAttached: event(),
      onDetached: event(), onUpdated: event(), query: async () => [{ id: 5 }],
      create: say("create", { id: 9 }), update: say("update", { windowId: 1 }), remove: say("closeTab"),
      move: say("move"), sendMessage: say("send"), captureTab: say("capture", "data:x"),
      get: async (id) => ({ id, windowId: 1 }),
    },
    webNavigation: { onCommitted: event(), onCompleted: event(), onBeforeNavigate: event() },
    webRequest: { onBeforeRequest: event() },
    browserAction: {
      onClicked: event(), setBadgeText: say("badge"), setTitle: say("title"), enable: say("enable"),
      disable: say("disable"),
    },
    contextMenus: {
      onClicked: event(), removeAll: async () => {}, create: say("menu"), update: say("menuUpdate"),
      remove: say("menuRemove"), refresh: say("refresh"),
    },
    scripting: { insertCSS: say("css"), registerContentScripts: say("register") },
  };
}

async function firefox(answer) {
  const done = [];
  const api = browserOf(done, answer);
  const frames = [];
  const context = run("runSafariHome", settings, {
    browser: api,
    document: { createElement: () => ({}), body: { append: (frame) => frames.push(frame) } },
    console: { ...console, warn() {}, error() {} },
  });
  await settled();
  const home = context.tickbirdHome;
  const told = [];
  home.listen((message) => told.push(plain(message)));
  let last = 0;
  const call = async (name, members) => {
    const id = ++last;
    home.post({ call: name, id, ...members });
    await settled();
    const { result, error } = told.find((message) => message.type === "answer" && message.id === id);
    return error === undefined ? result : { error };
  };
  return { api, home, told, done, frames, call };
}

test("the global page begins when its windows and settings are known", async () => {
  const { home, frames } = await firefox();
  assert.deepEqual(frames, [{ src: "/global.html" }]);
  assert.deepEqual(plain(home.state.settings), { a: 1 });
  const [own, other] = home.state.windows[0].tabs;
  assert.equal(own.url, "http://a.example/");
  // No page of another scheme is seen.
  assert.ok(!("url" in other) && !("title" in other));
});

test("messages come from scripts in pages alone", async () => {
  const { api, told } = await firefox();
  const message = { safari: "message", name: "Hello", message: 1 };
  api.runtime.onMessage.fire(message, { id: "abc", tab: { id: 5, windowId: 1, url: "http://a.example/" } });
  api.runtime.onMessage.fire(message, { id: "abc" });
  api.runtime.onMessage.fire(message, { id: "other", tab: { id: 5 } });
  assert.deepEqual(told.map(({ type, name, tab }) => [type, name, tab.id]), [["message", "Hello", 5]]);
});

test("a tab that is being opened is waited for", async () => {
  const { home, done } = await firefox();
  home.post({ call: "openTab", token: "new-1", window: 1, isForeground: true, index: -1 });
  home.post({ call: "navigate", tab: "new-1", url: "page.html" });
  home.post({ call: "dispatchMessage", tab: "new-1", name: "Hello", message: 1 });
  await settled();
  assert.deepEqual(done.filter(([name]) => ["create", "update", "send"].includes(name)).map((one) => one.slice(0, 3)), [
    ["create", { active: true, windowId: 1, url: "about:blank" }],
    ["update", 9, { url: "extension://abc/page.html" }],
    ["send", 9, { safari: "toPage", name: "Hello", message: 1 }],
  ]);
});

test("a script as an address is refused, and an unknown call as well", async () => {
  const { call } = await firefox();
  assert.match((await call("navigate", { tab: 5, url: "javascript:alert(1)" })).error, /scripts as addresses/);
  assert.match((await call("constructor")).error, /no call/);
  assert.match((await call("closeTab", { tab: "new-8" })).error, /gone/);
});

test("a content blocker goes to the extension's own host, and its error comes back", async () => {
  const good = await firefox();
  assert.equal(await good.call("setContentBlocker", { rules: "[]" }), null);
  assert.deepEqual(good.done.at(-1), [
    "native", "tickbird.web.a", { type: "setContentBlocker", rules: "[]" },
  ]);
  const bad = await firefox({ type: "error", message: "rule 0: no action" });
  assert.deepEqual(await bad.call("setContentBlocker", { rules: "[]" }), { error: "rule 0: no action" });
});

test("one item is the action, and others stand in its menu", async () => {
  const { api, told, done } = await firefox();
  assert.deepEqual(done.filter(([name]) => name === "menu").map(([, item]) => item.id), ["page:item", "toolbar:two"]);
  api.browserAction.onClicked.fire({ id: 5, windowId: 1 });
  api.contextMenus.onClicked.fire({ menuItemId: "toolbar:two" }, { id: 5, windowId: 1 });
  assert.deepEqual(told.map(({ type, identifier, window }) => [type, identifier, window]), [
    ["toolbar", "one", 1], ["toolbar", "two", 1],
  ]);
});

test("a menu is the one that the global page made for the place", async () => {
  const { call, done } = await firefox();
  const item = (identifier, isHidden) => ({ identifier, title: identifier, isHidden });
  await call("contextMenu", { items: [item("item", true), item("more", false)] });
  await call("contextMenu", { items: [item("item", false)] });
  assert.deepEqual(done.filter(([name]) => /^menu[UR]/.test(name)).map((one) => one.slice(1)), [
    ["page:item", { title: "item", visible: false }], ["page:more", { title: "more", visible: true }],
    ["page:more"], ["page:item", { title: "item", visible: true }],
  ]);
  assert.equal(done.filter(([name]) => name === "refresh").length, 2);
});

test("Firefox's navigations wait for the global page's word", async () => {
  const { api, home } = await firefox();
  const go = () => plain(api.webRequest.onBeforeRequest.fire({ tabId: 5, url: "http://a.example/" })[0]);
  assert.deepEqual(go(), {});
  home.setNavigationListener(() => false);
  assert.deepEqual(go(), { cancel: true });
});

test("changes of a moment are told once", async () => {
  const { api, told } = await firefox();
  api.tabs.onCreated.fire({});
  api.tabs.onActivated.fire({ windowId: 1 });
  api.tabs.onRemoved.fire(7);
  await settled();
  assert.deepEqual(told.map(({ type }) => type), ["windows"]);
});

test("Chromium's worker makes the page, and keeps for it what happens before it is there", async () => {
  const done = [];
  const api = browserOf(done);
  const made = [];
  api.offscreen = {
    hasDocument: async () => made.length > 0,
    createDocument: async ({ url }) => void made.push(url),
  };
  run("runSafariWorker", { ...settings, browser: "chromium" }, { browser: api });
  await settled();
  assert.deepEqual(made, ["tickbird-home.html"]);
  const message = { safari: "message", name: "Early", message: 1 };
  api.runtime.onMessage.fire(message, { id: "abc", tab: { id: 5, windowId: 1, url: "http://a.example/" } });
  const port = { name: "tickbird.home", sent: [], onMessage: event(), onDisconnect: event() };
  port.postMessage = (one) => port.sent.push(plain(one));
  // A script in a page is not that page.
  api.runtime.onConnect.fire({ ...port, sender: { tab: { id: 5 } }, onMessage: event() });
  api.runtime.onConnect.fire(port);
  await settled();
  assert.deepEqual(port.sent.map(({ type }) => type), ["init", "message"]);
  port.onMessage.fire({ pulse: true });
  port.onMessage.fire({ call: "closeTab", tab: 5, id: 1 });
  await settled();
  assert.deepEqual(port.sent.at(-1), { type: "answer", id: 1, result: null });
});

test("what a script puts into a document runs in the page's own world, in that document alone", async () => {
  const done = [];
  const api = browserOf(done);
  api.scripting.executeScript = async ({ target, world, args }) => void done.push(["run", plain({ target, world, args })]);
  api.offscreen = { hasDocument: async () => true };
  run("runSafariWorker", { ...settings, browser: "chromium" }, { browser: api });
  const sent = { safari: "runInPage", code: "go()" };
  api.runtime.onMessage.fire(sent, { id: "abc", tab: { id: 5 }, frameId: 3, documentId: "D" });
  api.runtime.onMessage.fire(sent, { id: "abc" });
  api.runtime.onMessage.fire(sent, { id: "other", tab: { id: 5 }, frameId: 3 });
  assert.deepEqual(done.filter(([name]) => name === "run"), [
    ["run", { target: { tabId: 5, documentIds: ["D"] }, world: "MAIN", args: ["go()"] }],
  ]);
});
