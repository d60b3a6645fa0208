// `safari` for the global page of an older folder, with a browser's side of objects.
import assert from "node:assert/strict";
import { test } from "node:test";
import { everywhere, functions, plain, run, settled } from "./Support/safari.js";

const settings = {
  kind: "folder", browser: "chromium", host: "tickbird.web.a", access: everywhere, guards: [], sheets: [],
  toolbarItems: [
    { identifier: "one", label: "One", toolTip: "", command: "go", image: "/a.png", popover: null },
    { identifier: "two", label: "Two", toolTip: "Tip", command: null, image: null, popover: "pop" },
  ],
  contextItems: [{ identifier: "item", command: "mark", title: "Mark" }],
  popovers: [{ identifier: "pop", path: "/pop.html", width: 200, height: 100 }],
  settings: [
    { key: "word", value: "Hello", type: "TextField" }, { key: "secret", value: "s", isSecure: true },
    { key: "", type: "Group" },
  ],
  globalPage: "/global.html", icon: null, displayVersion: "1.2", bundleVersion: "3",
};

const tab = (id, isActive, url = `http://${id}.example/`) => ({
  id, windowId: id < 10 ? 1 : 2, isActive, isPrivate: false, url, title: `T${id}`,
});
const windows = () => [
  { id: 1, isPrivate: false, isVisible: true, tabs: [tab(5, true), tab(6, false)] },
  { id: 2, isPrivate: true, isVisible: true, tabs: [tab(15, true)] },
];

function globalPage(stored = {}) {
  const posted = [];
  const home = {
    state: { windows: windows(), settings: stored, secureSettings: {} },
    global: null,
    post: (message) => void posted.push(plain(message)),
    listen: (receive) => (home.receive = receive),
  };
  const context = run("makeFolderPageSafari", settings, {
    browser: { runtime: { id: "abc" }, extension: {} },
    parent: { tickbirdHome: home },
    location: new URL("extension://abc/global.html"),
    document: {},
    console: { ...console, warn() {}, error() {} },
  });
  return { safari: context.safari, home, posted };
}

test("windows, tabs and settings are there before the page's own scripts", () => {
  const { safari, home } = globalPage({ word: "Hi" });
  const { application, extension } = safari;
  assert.equal(home.global.safari, safari);
  assert.equal(application.browserWindows.length, 2);
  assert.equal(application.activeBrowserWindow.activeTab.url, "http://5.example/");
  assert.equal(application.activeBrowserWindow.tabs[1].browserWindow, application.activeBrowserWindow);
  assert.equal(application.privateBrowsing.enabled, false);
  assert.equal(extension.settings.word, "Hi");
  assert.equal(extension.secureSettings.getItem("secret"), "s");
  assert.deepEqual([extension.displayVersion, extension.bundleVersion], ["1.2", "3"]);
  assert.equal(extension.globalPage.contentWindow.safari, safari);
});

test("settings are properties and items, with their defaults, and tell of changes", () => {
  const { safari, posted } = globalPage();
  const { settings: own } = safari.extension;
  const seen = [];
  own.addEventListener("change", ({ key, oldValue, newValue }) => seen.push([key, oldValue, newValue]));
  own.word = "Hi";
  own.word = "Hi";
  own.setItem("list", [1, undefined]);
  assert.deepEqual(Object.keys(own), ["word", "list"]);
  assert.ok(own.hasOwnProperty("word") && "list" in own && !own.hasOwnProperty("other"));
  assert.equal(own.other, undefined);
  assert.equal(own.getItem("other"), null);
  delete own.word;
  own.clear();
  assert.equal(own.word, "Hello");
  assert.deepEqual(plain(seen), [
    ["word", "Hello", "Hi"], ["list", null, [1, null]], ["word", "Hi", "Hello"], ["list", [1, null], null],
  ]);
  assert.deepEqual(posted.map(({ call, values }) => [call, Object.keys(values)]).at(1), ["setSettings", ["word", "list"]]);
});

test("a message goes from the application down to its tab and up again", () => {
  const { safari, home, posted } = globalPage();
  const { application } = safari;
  const path = [];
  const note = (name) => () => path.push(name);
  application.addEventListener("message", note("application, down"), true);
  application.addEventListener("message", note("application"), false);
  application.activeBrowserWindow.addEventListener("message", note("window"));
  let event;
  application.activeBrowserWindow.activeTab.addEventListener("message", (one) => {
    event = one;
    path.push("tab");
  });
  home.receive({ type: "message", tab: tab(5, true), name: "Hello", message: { $: "regexp", of: ["a", "i"] } });
  assert.deepEqual(path, ["application, down", "tab", "window", "application"]);
  assert.equal(event.target, application.activeBrowserWindow.activeTab);
  assert.equal(String(event.message), "/a/i");
  event.target.page.dispatchMessage("Answer", { a: undefined });
  assert.deepEqual(posted, [
    { call: "dispatchMessage", tab: 5, name: "Answer", message: { a: { $: "undefined" } } },
  ]);
});

test("a message of a tab that was not told yet arrives", () => {
  const { safari, home } = globalPage();
  let url;
  safari.application.addEventListener("message", (event) => (url = event.target.url));
  home.receive({ type: "message", tab: tab(7, false), name: "Hello", message: 1 });
  assert.equal(url, "http://7.example/");
});

test("what opens, closes and changes places is told, and objects stay the same", () => {
  const { safari, home } = globalPage();
  const { application } = safari;
  const [first] = application.browserWindows;
  const [active, other] = first.tabs;
  const seen = [];
  for (const type of ["open", "close", "activate", "deactivate"]) {
    application.addEventListener(type, (event) => seen.push(`${type} ${event.target.key}`), true);
  }
  home.receive({
    type: "windows",
    windows: [
      { id: 2, tabs: [tab(15, true)] },
      { id: 1, tabs: [tab(6, true), tab(8, false)] },
    ],
  });
  assert.deepEqual(seen.toSorted(), ["activate 2", "activate 6", "close 5", "deactivate 1", "open 8"]);
  assert.equal(application.browserWindows[1], first);
  assert.equal(first.activeTab, other);
  assert.ok(!first.tabs.includes(active));
});

test("a tab can be used before the browser has opened it", () => {
  const { safari, home, posted } = globalPage();
  const window = safari.application.activeBrowserWindow;
  const opened = window.openTab("background", 1);
  opened.url = "http://new.example/";
  opened.page.dispatchMessage("Early", 1);
  assert.equal(window.tabs[1], opened);
  const { token } = posted[0];
  assert.deepEqual(posted, [
    { call: "openTab", token, window: 1, isForeground: false, index: 1 },
    { call: "navigate", tab: token, url: "http://new.example/" },
    { call: "dispatchMessage", tab: token, name: "Early", message: 1 },
  ]);
  home.receive({ type: "opened", token, id: 9 });
  home.receive({ type: "windows", windows: [{ id: 1, tabs: [tab(5, true), tab(9, false)] }] });
  assert.equal(window.tabs[1], opened);
  assert.equal(opened.url, "http://9.example/");
  opened.close();
  assert.deepEqual(posted.at(-1), { call: "closeTab", tab: 9 });
  // One that the browser did not open.
  const failed = window.openTab();
  home.receive({ type: "opened", token: failed.key, id: null });
  assert.ok(!window.tabs.includes(failed));
});

test("a toolbar item is one object in each window", () => {
  const { safari, home, posted } = globalPage();
  const items = safari.extension.toolbarItems;
  assert.deepEqual(plain(items.map((item) => [item.identifier, item.browserWindow.key])), [
    ["one", 1], ["two", 1], ["one", 2], ["two", 2],
  ]);
  assert.equal(items[1].popover.identifier, "pop");
  items[0].badge = 4;
  items[0].badge = 0;
  items[0].disabled = true;
  items[0].image = "extension://abc/b.png";
  items[2].toolTip = "There";
  assert.deepEqual(posted.map(({ window, change }) => [window, change]), [
    [1, { badge: "4" }], [1, { badge: "" }], [1, { enabled: false }],
    [1, { image: "extension://abc/b.png" }], [2, { label: "There" }],
  ]);
  const seen = [];
  safari.application.addEventListener("command", (event) => seen.push([event.command, event.target]));
  home.receive({ type: "toolbar", identifier: "one", window: 2 });
  home.receive({ type: "toolbar", identifier: "none", window: 2 });
  assert.equal(seen.length, 1);
  assert.equal(seen[0][1], safari.extension.toolbarItems[2]);
});

test("a context menu is made for its place, validated, and chosen", async () => {
  const { safari, home, posted } = globalPage();
  const { application } = safari;
  application.addEventListener("contextmenu", (event) => {
    event.contextMenu.appendContextMenuItem("more", `More of ${event.userInfo}`, "more");
  });
  application.addEventListener("validate", (event) => {
    if (event.command === "mark") event.target.disabled = event.userInfo === "x";
  });
  const seen = [];
  application.addEventListener("command", (event) => seen.push([event.command, event.userInfo]));
  home.receive({ type: "contextMenu", tab: tab(5, true), userInfo: "x" });
  assert.deepEqual(posted.at(-1).items, [
    { identifier: "item", title: "Mark", isHidden: true },
    { identifier: "more", title: "More of x", isHidden: false },
  ]);
  home.receive({ type: "menuCommand", identifier: "more", tab: tab(5, true), userInfo: "x" });
  home.receive({ type: "menuCommand", identifier: "unknown", tab: tab(5, true), userInfo: "x" });
  await settled();
  assert.deepEqual(seen, [["more", "x"]]);
});

test("a content blocker is set by an array, by text or cleared, and its error told", async () => {
  const { safari, home, posted } = globalPage();
  const outcomes = [];
  const set = (rules) => safari.extension.setContentBlocker(rules, (error) => outcomes.push(error?.message ?? null));
  const answer = (members) => home.receive({ type: "answer", id: posted.at(-1).id, ...members });
  set([{ trigger: {}, action: {} }]);
  assert.deepEqual(posted.at(-1).rules, [{ trigger: {}, action: {} }]);
  answer({ result: null });
  set("[]");
  assert.equal(posted.at(-1).rules, "[]");
  answer({ error: "it does not compile" });
  set(undefined);
  assert.equal(posted.at(-1).rules, null);
  answer({ result: null });
  const { length } = posted;
  set(5);
  assert.equal(posted.length, length);
  await settled();
  assert.deepEqual(outcomes, [
    null, "it does not compile", null, "a content blocker is an array of rules, JSON text or null",
  ]);
  // Without a callback nothing is thrown.
  safari.extension.setContentBlocker("x");
  answer({ error: "no" });
});

test("scripts that are added are for pages that browsers can name, and else for none", () => {
  const { safari, posted } = globalPage();
  const { extension } = safari;
  const url = extension.addContentScriptFromURL("extension://abc/a.js", ["http://*.a.example/*"], [], true);
  assert.deepEqual(posted, [
    {
      call: "addScript", id: "script-1", path: "/a.js", matches: ["http://*.a.example/*"], excluded: [],
      isAtEnd: true, shim: "/tickbird-content.js",
    },
  ]);
  extension.addContentScriptFromURL("extension://abc/b.js", ["http://www.*/*"]);
  extension.addContentScriptFromURL("extension://abc/b.js", [], ["http://www.*/*"]);
  extension.addContentScriptFromURL("https://other.example/c.js");
  extension.addContentScript("alert(1)");
  assert.equal(posted.length, 1);
  extension.removeContentScript(url);
  assert.deepEqual(posted.at(-1), { call: "removeScript", id: "script-1" });
  extension.addContentStyleSheet("p {}", null, ["http://www.*/*"]);
  extension.removeContentStyleSheets();
  assert.deepEqual(posted.slice(-2).map(({ call }) => call), ["addSheet", "removeSheet"]);
});

test("values that JSON lacks survive", () => {
  const { packValue, unpackValue } = functions(["values"], "packValue", "unpackValue");
  const value = { $: "date", of: 1, list: [NaN, -0, undefined, null, 10n, new Date(NaN)] };
  const back = unpackValue(JSON.parse(JSON.stringify(packValue(value))));
  assert.equal(back.$, "date");
  assert.ok(Number.isNaN(back.list[0]) && Object.is(back.list[1], -0) && back.list[4] === 10n);
  assert.ok("2" in back.list && back.list[2] === undefined && back.list[3] === null);
  assert.throws(() => packValue(() => {}), { name: "DataCloneError" });
  // The same object twice is no cycle.
  const shared = {};
  assert.deepEqual(plain(packValue([shared, shared])), [{}, {}]);
});

test("a pop-over hears that it is shown, and its listeners end with it", () => {
  const { safari, home } = globalPage();
  const listeners = {};
  const view = { tickbirdHome: home };
  const popover = run("makeFolderPageSafari", settings, {
    browser: { runtime: { id: "abc" }, extension: { getViews: () => [{}, view] } },
    location: new URL("extension://abc/pop.html?tickbird=popover"),
    document: {
      createElement: () => ({}), documentElement: { append() {} }, readyState: "loading",
    },
    addEventListener: (name, listener) => (listeners[name] = listener),
  });
  const own = popover.safari;
  const seen = [];
  own.application.addEventListener("popover", () => seen.push("popover"), true);
  own.extension.settings.addEventListener("change", () => seen.push("change"));
  listeners.load();
  own.extension.settings.word = "Hi";
  assert.equal(safari.extension.settings.word, "Hi");
  assert.equal(own.application.activeBrowserWindow, safari.application.activeBrowserWindow);
  assert.ok(safari.extension.popovers[0].visible);
  listeners.pagehide();
  safari.extension.settings.word = "Ho";
  assert.deepEqual(seen, ["popover", "change"]);
  assert.ok(!safari.extension.popovers[0].visible);
});

test("a pop-over that opens before the global page goes to the page that waits", () => {
  const went = [];
  run("makeFolderPageSafari", settings, {
    browser: { runtime: { id: "abc" }, extension: { getViews: () => [] } },
    location: Object.assign(new URL("extension://abc/pop.html?tickbird=popover"), { replace: (to) => went.push(to) }),
    document: { readyState: "loading" },
    addEventListener() {},
  });
  assert.deepEqual(went, ["/tickbird-waiting.html?/pop.html"]);
});
