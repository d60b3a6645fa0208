import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { calls, fakeBrowser, FakeEvent, messages } from "./Support/browser.js";

const made = [];
fakeBrowser.contextMenus = {
  removeAll: async () => { made.length = 0; },
  create: (properties) => made.push(properties),
  onClicked: new FakeEvent(),
};
fakeBrowser.commands = { onCommand: new FakeEvent() };
fakeBrowser.tabs.create = async (properties) => { calls.push(["tabs.create", properties]); };
const { choose, entries, listenToMenus } = await import("../WebExtension/shared/menus.js");
const { fakeMatcher, decision } = await import("./Support/matcher.js");
const { Settings } = await import("../WebExtension/shared/settings.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");

/** A background in whose tab 1 there is a page, and perhaps one that is blocked. */
function background(blocked) {
  const tabs = new Tabs();
  tabs.commit({ tabId: 1, frameId: 0, url: "https://page.example/", documentId: "top" });
  tabs.commit({ tabId: 2, frameId: 0, url: "about:blank", documentId: "blank" });
  let changes = 0;
  return {
    tabs, matcher: fakeMatcher(() => decision()), settings: new Settings(), ready: Promise.resolve(),
    blockedPages: { in: () => blocked }, exemptionsChanged: async () => { changes += 1; },
    changes: () => changes,
  };
}

beforeEach(() => {
  calls.length = 0;
  fakeBrowser.tabs.get = async (id) => ({ id, index: 0, active: true, windowId: 1 });
});

const called = (name) => calls.filter(([each]) => each === name).map(([, ...details]) => details);

test("every command of the manifests is an entry, has words, and no key is taken twice", () => {
  for (const browser of ["chromium", "firefox"]) {
    const { commands } = JSON.parse(
      readFileSync(new URL(`../WebExtension/manifest.${browser}.json`, import.meta.url), "utf8"));
    const keys = Object.values(commands).flatMap(({ suggested_key: key }) => key?.default ?? []);
    assert.ok(keys.length <= 4 && new Set(keys).size === keys.length);
    for (const [id, { description }] of Object.entries(commands)) {
      assert.ok(entries.some((each) => each.id === id), id);
      assert.ok(messages[description.replace(/^__MSG_|__$/g, "")], description);
    }
  }
});

test("items are made anew at each start, at most six for the button", async () => {
  listenToMenus(background());
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(made.map(({ id }) => id), entries.filter(({ label }) => label).map(({ id }) => id));
  assert.ok(made.filter(({ contexts }) => contexts.includes("action")).length <= 6);
  assert.ok(made.every(({ title }) => title && !title.startsWith("menu_")));
});

test("a site is exempted and no longer, and its page is loaded again", async () => {
  const here = background();
  await choose("toggle-site", { id: 1 }, null, here);
  assert.deepEqual([here.settings.allowedSites, here.changes()], [["page.example"], 1]);
  assert.deepEqual(called("tabs.reload"), [[1]]);
  await choose("toggle-site", { id: 1 }, null, here);
  assert.deepEqual(here.settings.allowedSites, []);
});

test("for an hour, and off for the tab; both are ended by the site's own item", async () => {
  const here = background();
  await choose("allow-while", { id: 1 }, null, here);
  assert.ok(here.settings.allowedUntil("page.example") > Date.now());
  await choose("toggle-site", { id: 1 }, null, here);
  assert.equal(here.settings.allowedUntil("page.example"), null);
  await choose("tab-off", { id: 1 }, null, here);
  assert.ok(here.settings.isAllowed("page.example", 1) && !here.settings.isAllowed("page.example", 5));
  await choose("toggle-site", { id: 1 }, null, here);
  assert.ok(!here.settings.isAllowed("page.example", 1));
});

test("a blocked page is what is meant where one is in its place", async () => {
  const here = background({ url: "https://blocked.example/x" });
  await choose("tab-off", { id: 1 }, null, here);
  assert.deepEqual(here.settings.tabsOff.all, [[1, "blocked.example"]]);
  assert.deepEqual(called("tabs.update"), [[1, { url: "https://blocked.example/x" }]]);
});

test("where there is no site nothing happens, and it is said; also in a tab that is gone", async () => {
  const here = background();
  for (const id of ["toggle-site", "allow-while", "tab-off"]) {
    await assert.rejects(choose(id, { id: 2 }, null, here), { message: messages.menu_no_site.message });
  }
  await choose("nothing", { id: 1 }, null, here);
  await choose("toggle-site", undefined, null, here);
  fakeBrowser.tabs.get = async () => { throw new Error("no tab"); };
  await choose("toggle-site", { id: 1 }, null, here);
  assert.deepEqual([here.settings.allowedSites, called("tabs.reload")], [[], []]);
});

test("what a key could not do is said on the button", async () => {
  const told = [];
  const here = { ...background(), badge: { tell: (...words) => told.push(words) } };
  fakeBrowser.commands.onCommand = new FakeEvent();
  listenToMenus(here);
  await Promise.all(fakeBrowser.commands.onCommand.fire("toggle-site", { id: 2 }));
  assert.deepEqual(told, [[2, messages.menu_no_site.message]]);
});

test("the logger of the tab is opened", async () => {
  await choose("open-logger", { id: 1 }, null, background());
  assert.deepEqual(called("tabs.create"), [[{ url: "chrome-extension://tickbird//logger/logger.html?tab=1" }]]);
});
