// The background of a Safari app extension, between a browser and a handler of objects.
import assert from "node:assert/strict";
import { test } from "node:test";
import { event, everywhere, plain, run, settled } from "./Support/safari.js";

const toolbar = { action: "Command", popup: null, label: "Do", icon: "/icon.png" };

function background(more = {}) {
  const ports = [];
  const done = [];
  const say = (name) => async (...values) => void done.push([name, ...plain(values)]);
  const allTabs = [
    { id: 1, windowId: 10, active: true, url: "http://a.example/", title: "A", incognito: false },
    { id: 2, windowId: 10, active: false, url: "http://b.example/", title: "B", pinned: true },
    { id: 3, windowId: 20, active: true, url: "file:///x", title: "File" },
  ];
  const api = {
    runtime: {
      id: "abc",
      getURL: (path) => `extension://abc/${path}`,
      connectNative: (name) => {
        const port = { name, sent: [], onMessage: event(), onDisconnect: event() };
        port.postMessage = (message) => void port.sent.push(plain(message));
        ports.push(port);
        return port;
      },
      onMessage: event(), onConnect: event(),
    },
    windows: {
      onFocusChanged: event(), onRemoved: event(), update: say("focus"), remove: say("closeWindow"),
      create: async ({ url }) => ({ id: 30, url }),
      getAll: async () => [{ id: 20 }, { id: 10, focused: true }],
    },
    tabs: {
      onRemoved: event(), onActivated: event(), onUpdated: event(),
      query: async ({ windowId, active }) =>
        allTabs.filter((tab) => tab.windowId === windowId && (active === undefined || tab.active === active)),
      get: async (id) => {
        const tab = allTabs.find((one) => one.id === id);
        if (!tab) throw new Error("no tab");
        return tab;
      },
      create: async (wanted) => (done.push(["create", plain(wanted)]), { id: 9 }),
      update: async (id, change) => (done.push(["update", id, plain(change)]), allTabs[0]),
      reload: say("reload"), remove: say("closeTab"),
      sendMessage: say("send"), captureVisibleTab: async () => "data:image/png;base64,UE5H",
    },
    webNavigation: { onCommitted: event(), onBeforeNavigate: event() },
    action: {
      onClicked: event(), setBadgeText: say("badge"), setTitle: say("title"),
      enable: say("enable"), disable: say("disable"), setIcon: say("icon"),
      openPopup: say("openPopup"),
    },
    contextMenus: {
      onClicked: event(), removeAll: async () => {}, create: say("menu"), update: say("menuUpdate"),
    },
    scripting: { insertCSS: say("css") },
    webRequest: { onErrorOccurred: event(), onBeforeSendHeaders: event() },
  };
  const settings = {
    browser: "chromium", host: "tickbird.web.a", access: everywhere, toolbar: null, menus: [],
    blockers: [], headerDomains: [], sheets: [], ...more,
  };
  run("runSafariHandler", settings, { browser: api, console: { ...console, warn() {}, error() {} } });
  const port = ports[0];
  let last = 0;
  const call = async (name, members) => {
    const id = ++last + 1000;
    port.onMessage.fire({ type: "call", id, call: name, ...members });
    await settled();
    await settled();
    const answer = port.sent.find((message) => message.event === "result" && message.id === id);
    return answer && ("error" in answer ? { error: answer.error } : answer.result);
  };
  const events = (name) => port.sent.filter((message) => message.event === name);
  return { api, ports, port, call, events, done };
}

const commit = (api, tabId, documentId) =>
  api.webNavigation.onCommitted.fire({ tabId, documentId, frameId: 0, url: "http://a.example/" });

test("a message of any frame comes from the page around it", () => {
  const { api, events, port } = background();
  assert.equal(port.name, "tickbird.web.a");
  commit(api, 1, "D1");
  const message = { safari: "message", name: "Hello", message: { a: 1 } };
  api.runtime.onMessage.fire(message, { id: "abc", tab: { id: 1 }, frameId: 0, documentId: "D1" });
  api.runtime.onMessage.fire(message, { id: "abc", tab: { id: 1 }, frameId: 4, documentId: "D9" });
  api.runtime.onMessage.fire(message, { id: "other", tab: { id: 1 }, frameId: 0 });
  assert.deepEqual(
    events("messageReceived").map(({ page, name, userInfo }) => [page, name, userInfo]),
    [["1:D1", "Hello", { a: 1 }], ["1:D1", "Hello", { a: 1 }]],
  );
});

test("what the handler dispatches reaches the page that is meant, and no other in its tab", async () => {
  const { api, call, done } = background();
  commit(api, 1, "D1");
  await call("dispatchMessage", { page: "1:D1", name: "Go", userInfo: { a: 1 } });
  commit(api, 1, "D2");
  await call("dispatchMessage", { page: "1:D1", name: "Late", userInfo: null });
  await call("dispatchMessage", { page: "x", name: "Bad" });
  assert.deepEqual(done, [["send", 1, { safari: "toPage", name: "Go", message: { a: 1 } }]]);
});

test("windows, tabs and pages are texts, front to back", async () => {
  const { api, call } = background();
  commit(api, 1, "D1");
  commit(api, 3, "D3");
  assert.equal(await call("activeWindow"), "10");
  assert.deepEqual(await call("allWindows"), ["10", "20"]);
  assert.deepEqual(await call("allTabs", { window: "10" }), ["1", "2"]);
  assert.equal(await call("activeTab", { window: "10" }), "1");
  assert.equal(await call("activePage", { tab: "1" }), "1:D1");
  assert.deepEqual(await call("pages", { tab: "1" }), ["1:D1"]);
  assert.equal(await call("containingTab", { page: "1:D1" }), "1");
  assert.equal(await call("containingWindow", { tab: "1" }), "10");
  assert.equal(await call("containingWindow", { tab: "2" }), null);
  const one = await call("properties", { page: "1:D1" });
  assert.deepEqual(one, { url: "http://a.example/", title: "A", private: false, active: true });
  // What the extension may not see.
  assert.equal((await call("properties", { page: "3:D3" })).url, null);
  assert.equal(await call("properties", { page: "1:D0" }), null);
  assert.equal(await call("screenshot", { page: "1:D1" }), "UE5H");
  assert.equal(await call("screenshot", { page: "3:D3" }), null);
  assert.equal(await call("baseURI"), "extension://abc/");
});

test("tabs are opened at the end, where the extension has access", async () => {
  const { call, done } = background({ access: { schemes: ["http"], domains: ["a.example"] } });
  const open = (url) => call("openTab", { window: "10", url, active: false });
  assert.equal(await open("http://a.example/x"), "9");
  assert.equal(await open("http://b.example/"), null);
  assert.equal(await open("extension://abc/page.html"), "9");
  assert.deepEqual(done[0], ["create", { windowId: 10, url: "http://a.example/x", index: 2, active: false }]);
  for (const [name, members] of [
    ["openURL", { url: "javascript:alert(1)" }], ["openWindow", { url: "file:///etc/passwd" }],
    ["navigateTab", { tab: "1", url: "javascript:1" }], ["closeTab", { tab: "x" }],
    ["toString", {}], ["constructor", {}], [undefined, {}],
  ]) {
    assert.ok((await call(name, members))?.error, name);
  }
});

test("the toolbar's item is validated for a window, and shows what the handler says", async () => {
  const { api, port, events, done } = background({ toolbar });
  await settled();
  const first = events("validateToolbarItem");
  assert.deepEqual(first.map((one) => one.window), ["10", "20"]);
  // Changes while an answer is awaited lead to one more question.
  api.tabs.onActivated.fire({ windowId: 10 });
  api.tabs.onActivated.fire({ windowId: 10 });
  assert.equal(events("validateToolbarItem").length, 2);
  port.onMessage.fire({ type: "validated", id: first[0].id, enabled: false, badge: "3" });
  await settled();
  await settled();
  assert.equal(events("validateToolbarItem").length, 3);
  assert.ok(done.some((one) => one[0] === "badge" && one[1].text === "3" && one[1].tabId === 1));
  assert.ok(done.some((one) => one[0] === "disable" && one[1] === 1));
  api.action.onClicked.fire({ id: 1, windowId: 10 });
  assert.deepEqual(events("toolbarItemClicked").map((one) => one.window), ["10"]);
});

test("what is set for a window comes back when it shows another tab", async () => {
  const { api, call, done } = background({ toolbar });
  await call("toolbarItem", { window: "10", badge: "7", label: "Seven" });
  done.length = 0;
  api.tabs.onActivated.fire({ windowId: 10 });
  await settled();
  assert.ok(done.some((one) => one[0] === "badge" && one[1].text === "7"));
  assert.ok(done.some((one) => one[0] === "title" && one[1].title === "Seven"));
  done.length = 0;
  api.tabs.onActivated.fire({ windowId: 20 });
  await settled();
  assert.ok(!done.some((one) => one[0] === "badge" && one[1].text === "7"));
});

test("a context menu is validated as it opens, and chosen with what the script had said", async () => {
  const menus = [{ command: "go", text: "Go" }, { command: "stay", text: "Stay" }];
  const { api, port, events, done } = background({ menus });
  await settled();
  assert.deepEqual(done.filter((one) => one[0] === "menu").map((one) => one[1].id), ["go", "stay"]);
  commit(api, 1, "D1");
  const sender = { id: "abc", tab: { id: 1 }, frameId: 2 };
  api.runtime.onMessage.fire({ safari: "contextMenu", userInfo: { a: 1 } }, sender);
  const [go, stay] = events("validateContextMenuItem");
  assert.deepEqual([go.command, go.page, go.userInfo], ["go", "1:D1", { a: 1 }]);
  port.onMessage.fire({ type: "validated", id: go.id, hidden: false, text: "Go there" });
  port.onMessage.fire({ type: "validated", id: stay.id, hidden: true, text: null });
  await settled();
  assert.deepEqual(done.filter((one) => one[0] === "menuUpdate").map((one) => one.slice(1)), [
    ["go", { visible: true, title: "Go there" }], ["stay", { visible: false, title: "Stay" }],
  ]);
  api.contextMenus.onClicked.fire({ menuItemId: "go" }, { id: 1 });
  api.contextMenus.onClicked.fire({ menuItemId: "go" }, { id: 2 });
  assert.deepEqual(events("contextMenuItemSelected").map((one) => one.userInfo), [{ a: 1 }, null]);
});

test("navigations are told, without the addresses that the extension may not see", () => {
  const { api, events } = background();
  commit(api, 1, "D1");
  for (const [url, frameId] of [["http://c.example/", 0], ["file:///x", 0], ["http://d.example/", 3]]) {
    api.webNavigation.onBeforeNavigate.fire({ tabId: 1, frameId, url });
  }
  assert.deepEqual(events("willNavigate").map((one) => [one.page, one.url]), [
    ["1:D1", "http://c.example/"], ["1:D1", null],
  ]);
});

test("what a blocker stops is told of pages that the extension may see", () => {
  const { api, events } = background({ blockers: ["com.example.blocker"] });
  const stop = (error, url) => api.webRequest.onErrorOccurred.fire({ error, url, tabId: 1 });
  stop("net::ERR_BLOCKED_BY_CLIENT", "http://ads.example/");
  stop("net::ERR_CONNECTION_RESET", "http://a.example/");
  assert.deepEqual(events("blockedResources").map((one) => [one.contentBlocker, one.urls]), [
    ["com.example.blocker", ["http://ads.example/"]],
  ]);
});

test("headers are asked for in Firefox, for the domains that are named", async () => {
  const { api, port, events } = background({ browser: "firefox", headerDomains: ["a.example"] });
  const ask = (url) => api.webRequest.onBeforeSendHeaders.fire({ url, requestHeaders: [{ name: "A" }] })[0];
  assert.deepEqual(plain(await ask("http://b.example/")), {});
  const answer = ask("http://a.example/");
  const [{ id }] = events("additionalRequestHeaders");
  port.onMessage.fire({ type: "validated", id, headers: { X: "1" } });
  assert.deepEqual(plain((await answer).requestHeaders), [{ name: "A" }, { name: "X", value: "1" }]);
});

test("style sheets come above the page's own, in the frames that they are for", () => {
  const sheets = [{ path: "/a.css", allowed: null, excluded: ["*://b.example/*"] }];
  const { api, done } = background({ sheets });
  const commitFrame = (url) => api.webNavigation.onCommitted.fire({ tabId: 1, frameId: 5, documentId: "F", url });
  ["http://a.example/", "http://b.example/", "about:blank"].forEach(commitFrame);
  assert.deepEqual(done, [
    ["css", { target: { tabId: 1, documentIds: ["F"] }, files: ["/a.css"], origin: "USER" }],
  ]);
});

test("a long message is fetched in parts, and those behind it wait", async () => {
  const { api, port, done } = background();
  commit(api, 1, "D1");
  const call = (name) => ({ type: "call", call: "dispatchMessage", page: "1:D1", name, userInfo: null });
  const text = JSON.stringify(call("Long"));
  port.onMessage.fire({ type: "long", digest: "d", size: text.length });
  port.onMessage.fire(call("Behind"));
  for (let offset = 0; offset < text.length; offset += 40) {
    await settled();
    const asked = port.sent.at(-1);
    assert.deepEqual([asked.type, asked.digest, asked.offset], ["part", "d", offset]);
    const bytes = btoa(text.slice(offset, offset + 40));
    port.onMessage.fire({ type: "part", question: asked.question, offset, bytes });
  }
  await settled();
  await settled();
  assert.deepEqual(done.map((one) => one[2].name), ["Long", "Behind"]);
});

test("a host that has ended is started again by the next event", () => {
  const { api, ports, port } = background();
  port.onDisconnect.fire(port);
  api.webNavigation.onBeforeNavigate.fire({ tabId: 1, frameId: 0, url: "http://a.example/" });
  assert.equal(ports.length, 2);
  assert.equal(ports[1].sent.length, 1);
});

test("a pop-over's page is told to close", async () => {
  const { api, call, events } = background({ toolbar });
  const popover = { name: "tickbird.popover", onDisconnect: event(), sent: [] };
  popover.postMessage = (message) => popover.sent.push(plain(message));
  api.runtime.onConnect.fire(popover);
  await settled();
  assert.deepEqual(events("popoverWillShow").map((one) => one.window), ["10"]);
  await call("dismissPopover", { window: "10" });
  assert.deepEqual(popover.sent, [{ safari: "dismiss" }]);
  popover.onDisconnect.fire();
  await settled();
  assert.equal(events("popoverDidClose").length, 1);
});
