import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
import { awaited } from "./Support/timers.js";
const { hiddenRules, pageReport } = await import("../WebExtension/popup/page-report.js");
const { BlockedPages } = await import("../WebExtension/blocked/blocked-pages.js");
const { Passes } = await import("../WebExtension/deciding/passes.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");
const { Settings } = await import("../WebExtension/shared/settings.js");

const list = { identifier: "ads", name: "Ads", isOn: true, fault: null, handle: 1 };

/** A matcher with one list, whose sheet for every page hides `.ad`. */
function scene() {
  const tabs = new Tabs();
  tabs.commit({ tabId: 1, frameId: 0, url: "https://page.example/", documentId: "top" });
  tabs.frame({ tabId: 1, frameId: 0 }).sheets.add(list.handle);
  const matcher = {
    lists: { all: [list], fault: null },
    engine: { globalSheet: () => ".ad", site: () => "page.example" },
    texts: {
      know: async () => {}, line: () => 3, rules: () => [], hidingEverywhere: () => [{ number: 4, selectors: [".ad"] }],
    },
  };
  return { tabs, matcher };
}

test("a page that does not answer is waited for no longer than a second", async () => {
  const { tabs, matcher } = scene();
  fakeBrowser.scripting.executeScript = async () => [{ result: [{ count: 2, places: [0] }] }];
  const { rules, isAnswered } = await hiddenRules(1, tabs, matcher);
  assert.deepEqual([rules.map(({ selector, count }) => [selector, count]), isAnswered], [[[".ad", 2]], true]);
  // As while the page shows an alert.
  fakeBrowser.scripting.executeScript = () => new Promise(() => {});
  assert.deepEqual(await awaited(hiddenRules(1, tabs, matcher)), { rules: [], isAnswered: false });
});

test("a page's source is not the page", () => {
  const { tabs, matcher } = scene();
  const report = (url) => pageReport(1, url, {
    matcher, tabs, fault: null, host: { state: "connected", message: "" },
    settings: {
      isAllowed: () => true, allowedUntil: () => null, tabsOff: { has: () => false },
      choices: { of: () => new Set(["strict"]) },
    },
    declarative: null, canBlock: true,
    blockedPages: new BlockedPages(new Passes(() => false)),
  });
  const { site, isSource, isAllowed } = report("view-source:https://page.example/");
  assert.deepEqual([site, isSource, isAllowed], [null, true, false]);
  assert.equal(report("https://page.example/").site, "page.example");
  assert.deepEqual(report("https://page.example/").choices, ["strict"]);
});

test("choices that the browser's own rules do not follow are a fault of theirs", () => {
  const { tabs, matcher } = scene();
  const report = (fault, siteFault) => pageReport(1, "", {
    matcher, tabs, fault: null, host: { state: "connected", message: "" }, settings: new Settings(), canBlock: false,
    declarative: { summary: { exact: 1, approximated: 0, notExpressible: 0, isReady: true, fault } },
    siteRules: { fault: siteFault }, blockedPages: new BlockedPages(new Passes(() => false)),
  }).declarative;
  assert.deepEqual([report(null, "too many").fault, report("late", "too many").fault, report(null, null).fault],
    ["too many", "late", null]);
  assert.equal(report(null, null).exact, 1);
});

test("a site whose rule the browser has not taken is not said to be left alone", async () => {
  const { tabs, matcher } = scene();
  const settings = new Settings();
  await settings.setAllowed("page.example", true);
  const report = (isExempt, canBlock = false) => pageReport(1, "", {
    matcher, tabs, fault: null, host: { state: "connected", message: "" }, settings, canBlock,
    declarative: { summary: null, isExempt: () => isExempt }, siteRules: null,
    passes: { fault: null }, blockedPages: new BlockedPages(new Passes(() => false)),
  }).isAllowanceRefused;
  assert.deepEqual([report(false), report(true), report(false, true)], [true, false, false]);
});
