import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
import "./Support/timers.js";
const { fakeMatcher, decision } = await import("./Support/matcher.js");
const { BlockedPages } = await import("../WebExtension/blocked/blocked-pages.js");
const { Passes } = await import("../WebExtension/deciding/passes.js");
const { answer } = await import("../WebExtension/messages.js");
const { Settings } = await import("../WebExtension/shared/settings.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");

const ownPage = { url: "chrome-extension://tickbird/popup/popup.html" };
const page = { url: "https://page.example/", tab: { id: 1 }, frameId: 0, documentId: "top" };

/** A background as far as messages need it. */
function background(more = {}) {
  const tabs = new Tabs();
  tabs.commit({ tabId: 1, frameId: 0, url: "https://page.example/", documentId: "top" });
  const asked = [];
  return {
    asked, tabs, matcher: fakeMatcher(() => decision()), fault: null, canBlock: true,
    declarative: null,
    settings: Object.assign(new Settings(), {
      setAllowed: async (...words) => { asked.push(words); },
    }),
    host: {
      state: "connected", message: "", connect: () => asked.push("connect"),
      ask: async (question) => {
        asked.push(question);
        return { type: "linkSources", sources: [], subscribed: {} };
      },
    },
    badge: { showAll() {} },
    exemptionsChanged: async () => {}, isAllowanceRefused: () => false,
    blockedPages: new BlockedPages(new Passes(() => false)),
    notes: { drafts: new Map(), find: () => undefined },
    noteTabs: {
      choose: async (_, choice) => { asked.push(choice); return {}; },
      disturbed: async () => { asked.push("disturbed"); return {}; },
      document: async () => ({}),
    },
    ...more,
  };
}

const questions = [
  { type: "page", tabId: 1 }, { type: "hidden", tabId: 1 },
  { type: "rule", identifier: "list", number: 0 },
  { type: "allow", site: "a.example", isAllowed: true },
  { type: "blocked", tabId: 1, url: "https://b.example/" },
  { type: "open-blocked", tabId: 1, url: "https://b.example/", choice: "always" },
  { type: "switch", identifier: "list", isOn: false }, { type: "notes", tabId: 1 },
  { type: "change-note", tabId: 1, request: { request: "delete", id: "1" } },
  { type: "draft", tabId: 1, draft: null }, { type: "connect" }, { type: "links" },
  { type: "linkSources" }, { type: "subscribe", address: "https://a.example/" },
];

test("scripts in documents may say four things, and are refused all others", async () => {
  const here = background();
  const changes = [
    { type: "setOwnRules", text: "" }, { type: "addList", source: "https://a.example/" },
    { type: "removeList", list: "a" }, { type: "allow-for-a-while", site: "a.example" },
    { type: "choose", site: "a.example", choice: "fonts", isOn: true }, { type: "choices" },
    { type: "take-choices", entries: [] }, { type: "tab-off", tabId: 1, site: "a.example", isOff: true },
    { type: "appearance" }, { type: "set-badge", isShown: false },
    { type: "allow-sites", addresses: ["a.example"] }, { type: "sites" },
  ];
  for (const message of [...questions, ...changes, undefined, null, 7, "page", {}, { type: 4 }]) {
    for (const sender of [page, {}, { url: "https://chrome-extension//tickbird/" }]) {
      await assert.rejects(answer(message, sender, here), /not allowed/);
    }
  }
  assert.deepEqual(here.asked, []);
  assert.deepEqual(await answer({ type: "document", isBack: false }, page, here), {});
  assert.deepEqual(await answer({ type: "note", choice: "leave" }, page, here), {});
  assert.deepEqual(await answer({ type: "note-disturbed" }, page, here), {});
  assert.deepEqual(here.asked, ["leave", "disturbed"]);
});

test("a pop-up about no tab is answered", async () => {
  const { get } = fakeBrowser.tabs;
  fakeBrowser.tabs.get = () => { throw new TypeError("Value must be at least 0."); };
  const { site, isSource } = await answer({ type: "page", tabId: -1 }, ownPage, background());
  fakeBrowser.tabs.get = get;
  assert.deepEqual([site, isSource], [null, false]);
});

test("the extension's pages are answered, but for what nobody knows", async () => {
  const here = background();
  assert.deepEqual(await answer({ type: "connect" }, ownPage, here), {});
  assert.deepEqual(await answer({ type: "allow", site: "a", isAllowed: true }, ownPage, here), {});
  assert.equal((await answer({ type: "linkSources" }, ownPage, here)).type, "linkSources");
  assert.deepEqual(here.asked, ["connect", ["a", true], { type: "linkSources" }]);
  for (const type of ["unknown", "constructor", "toString", undefined]) {
    await assert.rejects(answer({ type }, ownPage, here), /nobody answers/);
  }
});

test("a draft is kept for its tab until it is taken back", async () => {
  const here = background();
  const draft = { id: null, kind: "site", text: "x", emoji: "", minutes: "15" };
  await answer({ type: "draft", tabId: 1, draft }, ownPage, here);
  assert.deepEqual([...here.notes.drafts], [[1, draft]]);
  await answer({ type: "draft", tabId: 1, draft: null }, ownPage, here);
  assert.equal(here.notes.drafts.size, 0);
  here.tabs.remove(1);
  await answer({ type: "draft", tabId: 1, draft }, ownPage, here);
  assert.equal(here.notes.drafts.size, 0);
});

test("an error of the host comes with the host's state", async () => {
  const here = background();
  here.host.ask = async () => { throw new Error("gone"); };
  here.host.state = "missing";
  assert.deepEqual(await answer({ type: "links" }, ownPage, here),
    { error: "gone", host: { state: "missing", message: "" } });
});

test("the pop-up is told what happened on a page, also where nothing could be started", async () => {
  const here = background();
  here.tabs.shown(1).journal.add("block", [{ identifier: "list", rules: [2] }],
    { url: "https://ads.example/", type: "image" });
  const report = await answer({ type: "page", tabId: 1 }, ownPage, here);
  assert.equal(report.site, "page.example");
  assert.equal(report.counts.block, 1);
  assert.deepEqual(report.rows.map(({ host, by }) => [host, by]), [
    ["ads.example", [{ identifier: "list", name: "List", rules: [2], lines: [null] }]],
  ]);
  const failed = background({ matcher: null, fault: "Tickbird could not start: no memory" });
  const other = await answer({ type: "page", tabId: 1 }, ownPage, failed);
  assert.deepEqual([other.site, other.lists, other.fault],
    [null, [], "Tickbird could not start: no memory"]);
  await assert.rejects(answer({ type: "hidden", tabId: 1 }, ownPage, failed), /could not start/);
});

test("a document is answered when its style sheets are in", async () => {
  const here = background();
  let finish;
  here.tabs.frame({ tabId: 1, frameId: 0 }).pending = new Promise((resolve) => { finish = resolve; });
  let isAnswered = false;
  const answered = answer({ type: "document", isBack: false }, page, here)
    .then(() => { isAnswered = true; });
  await new Promise((resolve) => { setImmediate(resolve); });
  assert.ok(!isAnswered);
  finish();
  await answered;
});

test("a page is told that it has a note, and its frames are not", async () => {
  const here = background();
  here.tabs.commit({ tabId: 1, frameId: 3, parentFrameId: 0, url: "https://page.example/", documentId: "frame" });
  here.notes.find = (url) => (url === page.url ? { id: "1" } : undefined);
  const ask = (sender) => answer({ type: "document", isBack: false }, sender, here);
  assert.deepEqual(await ask(page), { isNoted: true });
  assert.deepEqual(await ask({ ...page, frameId: 3, documentId: "frame" }), {});
  assert.deepEqual(await ask({ ...page, url: "https://other.example/" }), {});
});

test("choices are made for sites as the engine names them, and for nothing else", async () => {
  let changes = 0;
  const here = background({ exemptionsChanged: async () => { changes += 1; } });
  const say = (message) => answer(message, ownPage, here);
  await say({ type: "choose", site: "https://a.example/x", choice: "fonts", isOn: true });
  assert.deepEqual(await say({ type: "choices" }), { entries: [{ site: "a.example", choices: ["fonts"] }] });
  await assert.rejects(say({ type: "choose", site: "a.example", choice: "__proto__", isOn: true }), /nobody answers/);
  await assert.rejects(say({ type: "choose", site: "http://[", choice: "fonts", isOn: true }), /is not the address/);
  const entries = [{ site: "b.example", choices: ["strict"] }, { site: "http://[", choices: ["fonts"] },
    { site: "c.example", choices: ["strict", "relaxed"] }, { site: "a.example", choices: [] }];
  assert.deepEqual(await say({ type: "take-choices", entries }), { wrong: ["http://[", "c.example"] });
  assert.deepEqual(here.settings.choices.all, [{ site: "b.example", choices: ["strict"] }]);
  await say({ type: "tab-off", tabId: 1, site: "b.example", isOff: true });
  assert.ok(here.settings.isAllowed("b.example", 1));
  await say({ type: "tab-off", tabId: 1, site: "b.example", isOff: false });
  assert.ok(!here.settings.isAllowed("b.example", 1));
  await say({ type: "set-badge", isShown: false });
  assert.deepEqual(await say({ type: "appearance" }), { showsBadge: false });
  assert.equal(changes, 4);
});

test("settings that could not be read are neither shown nor changed", async () => {
  let changes = 0;
  const here = background({ exemptionsChanged: async () => { changes += 1; } });
  here.settings.fault = "the storage is damaged";
  for (const message of [
    { type: "sites" }, { type: "choices" }, { type: "appearance" },
    { type: "tab-off", tabId: 1, site: "a.example", isOff: false },
    { type: "tab-off", tabId: 1, site: "a.example", isOff: true },
    { type: "choose", site: "a.example", choice: "fonts", isOn: true },
  ]) await assert.rejects(answer(message, ownPage, here), /the storage is damaged/, message.type);
  assert.equal(changes, 0);
});

test("an address without a site exempts nothing", async () => {
  const here = background();
  here.matcher.engine.site = (url) => (url.startsWith("about:") ? "" : "a.example");
  const { wrong } = await answer({ type: "allow-sites", addresses: ["about:blank", "a.example"] }, ownPage, here);
  assert.deepEqual([wrong, here.settings.allowedSites], [["about:blank"], ["a.example"]]);
});

test("an ending that many sites share is no site", async () => {
  const here = background();
  here.matcher.engine.site = (url) => new URL(url).hostname;
  here.settings.hasSitesBelow = (site) => site === "com";
  const say = (message) => answer(message, ownPage, here);
  assert.deepEqual(await say({ type: "site", address: "com" }), { site: "com", isSuffix: true });
  assert.deepEqual(await say({ type: "site", address: "router" }), { site: "router", isSuffix: false });
  assert.deepEqual(await say({ type: "allow-sites", addresses: ["com", "a.example"] }), { wrong: ["com"] });
  assert.deepEqual(here.settings.allowedSites, ["a.example"]);
  const entries = [{ site: "com", choices: ["fonts"] }, { site: "a.example", choices: ["fonts"] }];
  assert.deepEqual(await say({ type: "take-choices", entries }), { wrong: ["com"] });
  assert.deepEqual(await say({ type: "take-choices", entries: [{ site: "com", choices: [] }] }), { wrong: [] });
});

test("only what was stopped in its own tab is loaded by a click", async () => {
  const asked = [];
  const here = background({ media: { load: async (sender, url) => { asked.push([sender.tab.id, url]); } } });
  assert.deepEqual(await answer({ type: "load-media", url: "https://a.example/" }, page, here), {});
  assert.deepEqual(asked, [[1, "https://a.example/"]]);
});

test("what the browser has not taken is said where it was chosen", async () => {
  const siteRules = {
    choiceFault: (site, choice, isOn) => (site === "a.example" && choice === "strict" && isOn ? "too many" : null),
    tabFault: (tabId) => (tabId === 1 ? "too many" : null),
  };
  const refusing = background({ canBlock: false, isAllowanceRefused: () => true, siteRules });
  refusing.settings.tabsOff.begin = async () => {};
  const say = (message) => answer(message, ownPage, refusing);
  for (const message of [
    { type: "allow", site: "a.example", isAllowed: true }, { type: "allow-for-a-while", site: "a.example" },
  ]) await assert.rejects(say(message), /may still block here/);
  for (const message of [
    { type: "tab-off", tabId: 1, site: "https://a.example/", isOff: true },
    { type: "choose", site: "a.example", choice: "strict", isOn: true },
  ]) await assert.rejects(say(message), /too many/);
  // What is wrong with another choice is said there.
  assert.deepEqual(await say({ type: "choose", site: "a.example", choice: "fonts", isOn: true }), {});
  assert.deepEqual(await say({ type: "choose", site: "a.example", choice: "strict", isOn: false }), {});
});
