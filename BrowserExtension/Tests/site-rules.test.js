import assert from "node:assert/strict";
import "./Support/timers.js";
import { test } from "node:test";
import { calls, fakeBrowser } from "./Support/browser.js";
const { choiceRules, firstSiteRuleID, sayableSites, SiteRules, tabRules } = await import("../WebExtension/deciding/site-rules.js");
const { Settings } = await import("../WebExtension/shared/settings.js");

const entry = (site, ...choices) => ({ site, choices });

test("choices become few rules, each about the pages of its sites", () => {
  const rules = choiceRules([
    entry("a.example", "scripts", "fonts", "media"), entry("b.example", "fonts", "cookies", "strict"),
    entry("c.example", "relaxed", "shown"),
  ]);
  const of = (test) => rules.filter(test).map(({ action, condition }) => [action.type, condition.topDomains]);
  assert.deepEqual(of(({ condition }) => String(condition.resourceTypes) === "font"), [["block", ["a.example", "b.example"]]]);
  assert.deepEqual(of(({ action }) => action.responseHeaders?.[0].operation === "append"), [["modifyHeaders", ["a.example"]]]);
  assert.deepEqual(of(({ action }) => action.requestHeaders), [["modifyHeaders", ["b.example"]]]);
  assert.deepEqual(of(({ action }) => action.type === "allow"), [["allow", ["c.example"]]]);
  assert.deepEqual(of(({ condition }) => condition.excludedRequestDomains?.[0] === "b.example" && condition.resourceTypes.includes("sub_frame")
    && condition.resourceTypes.length === 3), [["block", ["b.example"]]]);
  assert.ok(rules.every(({ condition }) => condition.topDomains.length > 0));
  // Only the site's own cookies stay.
  assert.ok(rules.every(({ action, condition }) => !action.requestHeaders || condition.excludedRequestDomains[0] === condition.topDomains[0]));
  assert.deepEqual(choiceRules([]), []);
});

test("patterns of lengths are those of numbers below 50000", () => {
  const [{ condition }] = choiceRules([entry("a.example", "media")]);
  // Chromium's question mark stands for one character or none.
  const patterns = condition.excludedResponseHeaders[0].values.map((each) =>
    new RegExp(`^${each.replaceAll("?", ".?").replaceAll("*", ".*")}$`));
  for (const size of [0, 9, 4999, 5000, 9999, 10000, 49999, 50000, 59999, 60000, 99999, 100000, 123456789]) {
    assert.equal(patterns.some((each) => each.test(String(size))), size < 50000, String(size));
  }
});

test("a tab's rules are about the tab; a clicked picture is one address", () => {
  const [off, loaded] = tabRules([[3, "a.example"]], [[3, "https://a.example/x.jpg?a=1"]]);
  assert.deepEqual([off.condition.tabIds, off.condition.topDomains], [[3], ["a.example"]]);
  assert.deepEqual([loaded.condition.tabIds, loaded.condition.urlFilter], [[3], "|https://a.example/x.jpg?a=1|"]);
  assert.ok(off.priority > loaded.priority);
});

test("a name that is no domain of Chromium's is left out, so that all others act", () => {
  const rules = choiceRules([entry("b\u00fccher.example", "fonts"), entry("a.example", "fonts"), entry("A b", "strict")]);
  assert.deepEqual(rules.map(({ condition }) => condition.topDomains), [["a.example"]]);
});

test("the browser gets the rules of sites that are not exempted, and others' rules stay", async () => {
  const { declarativeNetRequest: dnr } = fakeBrowser;
  dnr.getDynamicRules = async () => [{ id: 100 }, { id: firstSiteRuleID }];
  dnr.updateDynamicRules = async (change) => { calls.push(["updateDynamicRules", change]); };
  dnr.getSessionRules = async () => [{ id: 1_000_001 }, { id: firstSiteRuleID + 4 }];
  const settings = new Settings();
  await settings.choose("a.example", "fonts", true);
  await settings.choose("b.example", "fonts", true);
  await settings.setAllowed("b.example", true);
  await settings.tabsOff.begin(3, "c.example");
  const rules = new SiteRules(settings, { loaded: [] });
  await rules.apply();
  const last = (name) => calls.filter(([each]) => each === name).at(-1)[1];
  assert.deepEqual(last("updateDynamicRules").removeRuleIds, [firstSiteRuleID]);
  assert.deepEqual(last("updateDynamicRules").addRules.map(({ id, condition }) => [id, condition.topDomains]),
    [[firstSiteRuleID, ["a.example"]]]);
  assert.deepEqual(last("updateSessionRules").removeRuleIds, [firstSiteRuleID + 4]);
  assert.deepEqual(last("updateSessionRules").addRules.map(({ condition }) => condition.tabIds), [[3]]);
  const before = calls.length;
  await rules.apply();
  assert.equal(calls.length, before);
  dnr.updateDynamicRules = async () => { throw new Error("too many"); };
  await settings.choose("d.example", "strict", true);
  await rules.apply();
  assert.equal(rules.fault, "too many");
});

test("a public suffix is no site of the browser's rules, which would mean strangers' sites below it", async () => {
  const { declarativeNetRequest: dnr } = fakeBrowser;
  dnr.getDynamicRules = dnr.getSessionRules = async () => [];
  let changes = [];
  dnr.updateDynamicRules = dnr.updateSessionRules = async ({ addRules }) => { changes = [...changes, ...addRules]; };
  const settings = new Settings();
  settings.hasSitesBelow = (site) => site === "github.io";
  for (const site of ["github.io", "a.github.io"]) await settings.choose(site, "fonts", true);
  await settings.tabsOff.begin(3, "github.io");
  await settings.tabsOff.begin(4, "a.github.io");
  await new SiteRules(settings, { loaded: [] }).apply();
  assert.deepEqual(changes.map(({ condition }) => condition.topDomains), [["a.github.io"], ["a.github.io"]]);
  // Nor is what is no name at all, for which Chromium would refuse all rules.
  assert.deepEqual(sayableSites(["", "github.io", "a.github.io"], settings), ["a.github.io"]);
});

test("a clicked picture's address is no pattern of others, and one that is too long keeps no other rule out", async () => {
  const { declarativeNetRequest: dnr } = fakeBrowser;
  dnr.getDynamicRules = dnr.getSessionRules = async () => [];
  let added = [];
  dnr.updateDynamicRules = dnr.updateSessionRules = async ({ addRules }) => { added = addRules; };
  dnr.isRegexSupported = async ({ regex, isCaseSensitive }) => ({ isSupported: isCaseSensitive && regex.length < 200 });
  const urls = ["https://ads.example/*", "https://a.example/^b?c=1", "https://a.example/|", "https://a.example/x|y.jpg",
    `https://a.example/*${"x".repeat(500)}`];
  await new SiteRules(new Settings(), { loaded: urls.map((url) => [3, url]) }).apply();
  assert.deepEqual(added.map(({ condition: { urlFilter, regexFilter } }) => urlFilter ?? regexFilter), [
    "^https://ads\\.example/\\*$", "^https://a\\.example/\\^b\\?c=1$", "^https://a\\.example/\\|$", "|https://a.example/x|y.jpg|",
  ]);
});

test("choices that the browser does not take keep no tab from being off", async () => {
  const { declarativeNetRequest: dnr } = fakeBrowser;
  dnr.getDynamicRules = dnr.getSessionRules = async () => [];
  dnr.updateDynamicRules = async () => { throw new Error("too many"); };
  let added = [];
  dnr.updateSessionRules = async ({ addRules }) => { added = addRules; };
  const settings = new Settings();
  await settings.choose("a.example", "fonts", true);
  await settings.tabsOff.begin(3, "b.example");
  const rules = new SiteRules(settings, { loaded: [] });
  await rules.apply();
  assert.deepEqual(added.map(({ condition }) => condition.tabIds), [[3]]);
  assert.equal(rules.fault, "too many");
});

test("what does not fit beside the lists' rules is left out and told; the others act", async () => {
  const { declarativeNetRequest: dnr } = fakeBrowser;
  dnr.getDynamicRules = dnr.getSessionRules = async () => [];
  dnr.isRegexSupported = async () => ({ isSupported: true });
  let chosen = [];
  let ofTabs = [];
  dnr.updateDynamicRules = async ({ addRules }) => { chosen = addRules; };
  dnr.updateSessionRules = async ({ addRules }) => { ofTabs = addRules; };
  const settings = new Settings();
  await settings.takeChoices(Array.from({ length: 600 }, (_, number) =>
    ({ site: `s${number}.example`, choices: ["fonts", "strict"] })));
  await settings.tabsOff.begin(3, "b.example");
  const loaded = Array.from({ length: 300 }, (_, number) => [3, `https://b.example/${number}.jpg`]);
  const rules = new SiteRules(settings, { loaded });
  await rules.apply();
  assert.deepEqual([chosen.length, ofTabs.length], [499, 200]);
  // One rule for all sites comes before those for each, and a tab that is off before its pictures.
  assert.ok(chosen.some(({ condition }) => condition.topDomains.length === 600));
  assert.ok(ofTabs.some(({ condition }) => condition.topDomains?.[0] === "b.example"));
  assert.match(rules.fault, /left out: 203/);
  // It is said of what is left out alone.
  const sites = settings.choices.all.map(({ site }) => site);
  const withFault = (choice, isOn) => sites.filter((site) => rules.choiceFault(site, choice, isOn)).length;
  assert.deepEqual([withFault("strict", true), withFault("strict", false), withFault("fonts", true)], [102, 0, 0]);
  assert.equal(rules.tabFault(3), null);
});

test("what the browser refuses once is tried again by itself", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { declarativeNetRequest: dnr } = fakeBrowser;
  dnr.getDynamicRules = dnr.getSessionRules = async () => [];
  dnr.updateDynamicRules = async () => { throw new Error("too many"); };
  const settings = new Settings();
  await settings.choose("a.example", "fonts", true);
  const rules = new SiteRules(settings, { loaded: [] });
  await rules.apply();
  assert.equal(rules.fault, "too many");
  assert.equal(rules.choiceFault("a.example", "fonts", true), "too many");
  assert.equal(rules.tabFault(1), null);
  const done = new Promise((resolve) => { dnr.updateDynamicRules = async (change) => { resolve(change); }; });
  context.mock.timers.tick(1000);
  assert.equal((await done).addRules.length, 1);
});

test("an expression that the browser cannot judge now is told, and tried again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { declarativeNetRequest: dnr } = fakeBrowser;
  dnr.getDynamicRules = dnr.getSessionRules = async () => [];
  dnr.updateDynamicRules = dnr.updateSessionRules = async () => {};
  dnr.isRegexSupported = async () => { throw new Error("not now"); };
  const rules = new SiteRules(new Settings(), { loaded: [[3, "https://b.example/*.jpg"]] });
  await rules.apply();
  assert.deepEqual([rules.fault, rules.tabFault(3), rules.choiceFault("b.example", "fonts", true)], ["not now", "not now", null]);
  dnr.isRegexSupported = async () => ({ isSupported: true });
  const done = new Promise((resolve) => { dnr.updateSessionRules = async (change) => { resolve(change); }; });
  context.mock.timers.tick(1000);
  assert.equal((await done).addRules.length, 1);
});

test("an engine without memory for a moment keeps no tab from being off, and no later choice from the browser", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { declarativeNetRequest: dnr } = fakeBrowser;
  dnr.getDynamicRules = dnr.getSessionRules = async () => [];
  let ofTabs = [];
  let chosen = [];
  dnr.updateSessionRules = async ({ addRules }) => { ofTabs = addRules; };
  dnr.updateDynamicRules = async ({ addRules }) => { chosen = addRules; };
  const settings = new Settings();
  await settings.choose("a.example", "fonts", true);
  await settings.tabsOff.begin(3, "b.example");
  settings.hasSitesBelow = (site) => {
    if (site === "a.example") throw new RangeError("no memory for a text of 9 bytes");
    return false;
  };
  const rules = new SiteRules(settings, { loaded: [] });
  await rules.apply();
  assert.match(rules.fault, /no memory/);
  assert.deepEqual([chosen.length, ofTabs.length], [0, 1]);
  settings.hasSitesBelow = () => false;
  await settings.choose("c.example", "fonts", true);
  await rules.apply();
  assert.deepEqual([rules.fault, chosen[0].condition.topDomains], [null, ["a.example", "c.example"]]);
});
