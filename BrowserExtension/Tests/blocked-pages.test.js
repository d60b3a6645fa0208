import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./Support/timers.js";
import { calls, fakeBrowser } from "./Support/browser.js";
import { turns } from "./Support/turns.js";
const { BlockedPages, blockedAddress } = await import("../WebExtension/blocked/blocked-pages.js");
const { blocking, decision, fakeMatcher } = await import("./Support/matcher.js");
const { Passes, pagesOf } = await import("../WebExtension/deciding/passes.js");

beforeEach(() => { calls.length = 0; });

const url = "https://blocked.example/a?b=1&c";
const frame = { tabId: 1, frameId: 0 };
const siteOf = (each) => new URL(each).hostname;
const shown = () => calls.filter(([name]) => name === "tabs.update").map(([, tab, { url: to }]) => [tab, to]);

function pages() {
  const passes = new Passes(() => false);
  return { passes, pages: new BlockedPages(passes) };
}

test("a page that is blocked is replaced by one that names it, when its navigation is known", () => {
  const { pages: here } = pages();
  here.begun({ ...frame, url });
  here.blocked({ ...frame, url }, { journal: "journal", start: url }, true);
  assert.deepEqual(shown(), [[1, `chrome-extension://tickbird//blocked/blocked.html?url=${encodeURIComponent(url)}`]]);
  // The events may come the other way round.
  here.blocked({ tabId: 2, frameId: 0, url }, { journal: "journal", start: "https://start.example/" }, true);
  assert.equal(shown().length, 1);
  here.begun({ tabId: 2, frameId: 0, url: "https://start.example/" });
  assert.deepEqual(shown()[1][0], 2);
});

test("what is told late of a closed tab is not kept, and shows nothing", (context) => {
  const { pages: here } = pages();
  const navigation = { journal: "journal", start: url };
  const matcher = fakeMatcher(() => blocking);
  here.removed(1);
  const kept = context.mock.method(Map.prototype, "set").mock;
  here.begun({ ...frame, url });
  here.blocked({ ...frame, url }, navigation, true);
  here.report(1, url, matcher);
  assert.equal(kept.callCount(), 0);
  kept.restore();
  assert.deepEqual([here.in(1), shown()], [undefined, []]);
  here.begun({ tabId: 2, frameId: 0, url });
  here.blocked({ tabId: 2, frameId: 0, url }, navigation, true);
  assert.equal(here.in(2).url, url);
});

test("a document that is fetched ahead sends no tab anywhere", () => {
  const { pages: here } = pages();
  here.begun({ ...frame, url: "https://page.example/" });
  here.blocked({ ...frame, url }, { journal: "journal", start: url }, true);
  here.blocked({ ...frame, url, documentLifecycle: "prerender" }, { journal: "journal", start: url }, true);
  here.blocked({ ...frame, frameId: 4, url }, { journal: "journal", start: url }, true);
  here.blocked({ tabId: -1, frameId: 0, url }, { journal: "journal", start: url }, true);
  // Nor does it change what the pop-up is about.
  assert.equal(here.in(1), undefined);
  here.begun({ ...frame, url: "https://other.example/" });
  assert.deepEqual([shown(), here.in(1)], [[], undefined]);
});

test("the way back leads past the page that the browser's own rules have left in the history", () => {
  const { pages: here } = pages();
  const navigation = { journal: "journal", start: url };
  const gone = () => calls.filter(([name]) => name === "tabs.goBack").length;
  here.begun({ ...frame, url });
  here.blocked({ ...frame, url }, navigation, false);
  here.committed({ ...frame, url: blockedAddress(url) }, siteOf);
  assert.deepEqual([shown().length, gone()], [1, 0]);
  here.begun({ ...frame, url });
  here.blocked({ ...frame, url }, navigation, false);
  assert.deepEqual([shown().length, gone()], [1, 1]);
  here.committed({ ...frame, url: "https://before.example/" }, siteOf);
  here.begun({ ...frame, url });
  here.blocked({ ...frame, url }, navigation, false);
  assert.deepEqual([shown().length, gone()], [2, 1]);
  // Where the matcher stops it, nothing is left.
  here.committed({ ...frame, url: blockedAddress(url) }, siteOf);
  here.begun({ ...frame, url });
  here.blocked({ ...frame, url }, navigation, true);
  assert.deepEqual([shown().length, gone()], [3, 1]);
});

test("the page is known until another one comes", () => {
  const { pages: here } = pages();
  here.begun({ ...frame, url });
  here.blocked({ ...frame, url }, { journal: "journal", start: url }, true);
  here.committed({ ...frame, url: blockedAddress(url) }, siteOf);
  assert.deepEqual(here.in(1), { url, journal: "journal", isShown: true });
  here.committed({ ...frame, frameId: 3, url: "https://frame.example/" }, siteOf);
  assert.ok(here.in(1));
  here.committed({ ...frame, url: "https://other.example/" }, siteOf);
  assert.equal(here.in(1), undefined);
});

test("the rules are those that the engine names for the address, whatever a page says", () => {
  const { pages: here } = pages();
  const report = here.report(1, url, fakeMatcher((load) => {
    assert.deepEqual([load.url, load.topURL, load.type], [url, url, "top-document"]);
    return blocking;
  }));
  assert.deepEqual(report, {
    url, site: "blocked.example", isBlocked: true,
    rules: [{ identifier: "list", name: "List", number: 3, line: null }],
  });
  assert.equal(here.report(1, url, fakeMatcher(() => decision())).isBlocked, false);
  const allowing = fakeMatcher(() => blocking, { allowed: ["blocked.example"] });
  assert.equal(here.report(1, url, allowing).isBlocked, false);
  for (const other of ["", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "moz-extension://x/"]) {
    assert.equal(here.report(3, other, fakeMatcher(() => blocking)), null, other);
  }
  assert.equal(here.report(9, undefined, fakeMatcher(() => blocking)), null);
});

test("“once” holds for a tab as long as it is on the site, and there alone", async () => {
  const { pages: here, passes } = pages();
  const matcher = fakeMatcher(() => blocking);
  here.report(1, url, matcher);
  await here.open(1, url, "once", matcher, () => assert.fail("nothing is exempted"));
  assert.deepEqual(shown(), [[1, url]]);
  assert.ok(passes.has(1, "blocked.example"));
  assert.ok(!passes.has(1, "other.example") && !passes.has(2, "blocked.example") && !passes.has(1, null));
  const rules = calls.filter(([name]) => name === "updateSessionRules").at(-1)[1].addRules;
  assert.deepEqual(rules.map(({ action, condition }) => [action.type, condition]), [["allow", {
    tabIds: [1], requestDomains: ["blocked.example"], resourceTypes: ["main_frame"],
  }]]);
  here.committed({ ...frame, url }, siteOf);
  here.committed({ ...frame, url: "https://blocked.example/next" }, siteOf);
  assert.ok(passes.has(1, "blocked.example"));
  here.committed({ ...frame, url: "https://other.example/" }, siteOf);
  assert.ok(!passes.has(1, "blocked.example"));
  await turns();
  assert.deepEqual(calls.filter(([name]) => name === "updateSessionRules").at(-1)[1].addRules, []);
});

test("“once” says why it does not, where the browser refuses its rule, and gives nothing then", async () => {
  const { declarativeNetRequest: dnr } = fakeBrowser;
  const { updateSessionRules } = dnr;
  const { pages: here, passes } = pages();
  const matcher = fakeMatcher(() => blocking);
  here.report(1, url, matcher);
  await turns();
  dnr.updateSessionRules = async () => { throw new Error("too many rules"); };
  await assert.rejects(here.open(1, url, "once", matcher, () => {}), /too many rules/);
  assert.deepEqual([shown(), passes.has(1, "blocked.example"), passes.fault], [[], false, "too many rules"]);
  dnr.updateSessionRules = updateSessionRules;
  await here.open(1, url, "once", matcher, () => {});
  assert.deepEqual([passes.has(1, "blocked.example"), passes.fault], [true, null]);
  // Of two at once, the one that fails takes nothing from the other.
  let refusals = 1;
  dnr.updateSessionRules = async (change) => {
    if (refusals-- > 0) throw new Error("too many rules");
    return updateSessionRules(change);
  };
  const both = await Promise.allSettled([passes.give(3, "a.example"), passes.give(3, "b.example")]);
  assert.deepEqual([both.map(({ status }) => status), passes.has(3, "b.example")], [["rejected", "fulfilled"], true]);
  // Where the extension decides itself, its rules are not needed.
  const deciding = new Passes(() => false, () => false);
  dnr.updateSessionRules = async () => { throw new Error("too many rules"); };
  await deciding.give(2, "a.example");
  assert.ok(deciding.has(2, "a.example"));
  dnr.updateSessionRules = updateSessionRules;
});

test("“always” exempts the site; where nothing is blocked, nothing is opened", async () => {
  const { pages: here, passes } = pages();
  const matcher = fakeMatcher(() => blocking);
  const exempted = [];
  const exempt = async (site) => { exempted.push(site); };
  await assert.rejects(here.open(1, url, "always", matcher, exempt), /no page is blocked/);
  here.report(1, url, matcher);
  await here.open(1, url, "always", matcher, exempt);
  assert.deepEqual(exempted, ["blocked.example"]);
  assert.deepEqual(shown(), [[1, url]]);
  assert.ok(!passes.has(1, "blocked.example"));
  // What was chosen for one page does not open the next.
  const other = "https://other.example/";
  await assert.rejects(here.open(1, other, "always", matcher, exempt), /another page/);
  assert.equal(exempted.length, 1);
  here.removed(1);
  await assert.rejects(here.open(1, url, "once", matcher, exempt), /no page is blocked/);
});

test("opening a page of a public suffix once opens no site below it", () => {
  assert.deepEqual(pagesOf("a.example", false), { requestDomains: ["a.example"] });
  const opened = new RegExp(pagesOf("github.io", true).regexFilter);
  for (const url of ["https://github.io/", "http://github.io:8080/a?b"]) assert.ok(opened.test(url), url);
  for (const url of ["https://evil.github.io/", "https://x.example/https://github.io/", "https://githubxio/",
    "https://github.io.evil.example/", "https://a@github.io/"]) assert.ok(!opened.test(url), url);
});
