import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FakeEvent, fakeBrowser } from "./Support/browser.js";
import "./Support/timers.js";
import { awaited } from "./Support/timers.js";
import { turns } from "./Support/turns.js";
const { blocking, decision, fakeMatcher } = await import("./Support/matcher.js");
const { EarlyRequests } = await import("../WebExtension/deciding/early-requests.js");
const { Passes } = await import("../WebExtension/deciding/passes.js");
const { Requests } = await import("../WebExtension/deciding/requests.js");
const { RuleWatch } = await import("../WebExtension/deciding/rule-watch.js");
const { SiteChoices } = await import("../WebExtension/shared/site-choices.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");
const { milliseconds } = await import("../WebExtension/shared/timings.js");

const events = ["onBeforeRequest", "onErrorOccurred", "onBeforeRedirect", "onSendHeaders"];
let web;

beforeEach(() => {
  web = fakeBrowser.webRequest;
  for (const event of events) web[event] = new FakeEvent();
});

const request = (more = {}) => ({
  requestId: "1", tabId: 1, frameId: 0, parentFrameId: -1, method: "GET", type: "image",
  url: "https://ads.example/", ...more,
});
const stoppedByRule = { ...request(), error: "net::ERR_BLOCKED_BY_CLIENT" };

/** Lists of which one strips cookies, and lists of which none does. */
const [stripping, plain] = [true, false].map((strips) => ({
  mayDo: (kind) => strips && kind === "block-cookies",
}));

/** A watch over a tab with a page; `found` is fulfilled when the open pages are known. */
function watching({ decide = () => blocking, found = Promise.resolve() } = {}) {
  const tabs = new Tabs();
  tabs.commit({ tabId: 1, frameId: 0, url: "https://page.example/", documentId: "top" });
  const requests = new Requests(tabs, { show() {} }, new Passes(), {
    onStopped() {}, onPageBlocked() {},
  });
  const early = new EarlyRequests(tabs);
  const watch = new RuleWatch(requests, early, found);
  requests.matcher = fakeMatcher(decide);
  return { tabs, requests, early, watch, counts: () => tabs.shown(1).journal.counts };
}

test("where the rules alone block, what they have stopped is counted once", async () => {
  const { watch, counts } = watching();
  watch.isAlone = true;
  web.onBeforeRequest.fire(request());
  assert.equal(counts().block, 0);
  web.onErrorOccurred.fire(stoppedByRule);
  web.onErrorOccurred.fire(stoppedByRule);
  await turns();
  assert.equal(counts().block, 1);
});

test("what went through is not counted, whatever the engine says of it", () => {
  const { watch, counts } = watching();
  watch.isAlone = true;
  web.onBeforeRequest.fire(request());
  web.onErrorOccurred.fire({ ...request(), error: "net::ERR_NAME_NOT_RESOLVED" });
  web.onBeforeRequest.fire(request());
  assert.equal(counts().block, 0);
});

test("upgrades and cookies are counted as the browser's events tell", () => {
  const { watch, counts } = watching({
    decide: () => decision({ makesHTTPS: true, blocksCookies: true },
      { "make-https": [1], "block-cookies": [2] }),
  });
  watch.isAlone = true;
  watch.listenAsNeeded(stripping, new SiteChoices());
  web.onBeforeRequest.fire(request({ url: "http://a.example/" }));
  web.onSendHeaders.fire({ ...request(), requestHeaders: [{ name: "Cookie", value: "x" }] });
  web.onBeforeRedirect.fire(
    { ...request({ url: "http://a.example/" }), redirectUrl: "https://a.example/" });
  web.onBeforeRequest.fire(request({ requestId: "2" }));
  web.onSendHeaders.fire({ ...request({ requestId: "2" }), requestHeaders: [] });
  assert.deepEqual([counts()["make-https"], counts()["block-cookies"]], [1, 1]);
});

test("beside the matcher only failures at the start are looked at, once the pages are known", async () => {
  let pagesAreKnown;
  const found = new Promise((resolve) => { pagesAreKnown = resolve; });
  const { watch, counts } = watching({ found });
  web.onBeforeRequest.fire(request());
  web.onErrorOccurred.fire(stoppedByRule);
  await turns();
  assert.equal(counts().block, 0);
  pagesAreKnown();
  await turns();
  assert.equal(counts().block, 1);
  // The matcher has counted its own already.
  watch.stoppedByMatcher("2");
  web.onErrorOccurred.fire({ ...stoppedByRule, requestId: "2", url: "https://other.example/" });
  await turns();
  assert.equal(counts().block, 1);
});

test("headers are looked at only while a list strips cookies", () => {
  const { watch } = watching();
  const listeners = () => web.onSendHeaders.listeners.length;
  assert.equal(listeners(), 0);
  watch.listenAsNeeded(stripping, new SiteChoices());
  watch.listenAsNeeded(stripping, new SiteChoices());
  assert.equal(listeners(), 1);
  watch.listenAsNeeded(plain, new SiteChoices());
  assert.equal(listeners(), 0);
  watch.end();
  watch.listenAsNeeded(stripping, new SiteChoices());
  assert.equal(listeners(), 0);
});

test("when it ends, nothing is listened to", () => {
  const { watch } = watching();
  watch.listenAsNeeded(stripping, new SiteChoices());
  assert.ok(events.every((event) => web[event].listeners.length === 1));
  watch.end();
  assert.ok(events.every((event) => web[event].listeners.length === 0));
});

test("early requests that the lists block have passed, unless they have failed", async () => {
  const { tabs, requests, early, counts } = watching({
    decide: ({ url }) => (url.includes("ads") ? blocking : decision()),
  });
  early.add(request({ requestId: "1", url: "https://ads.example/1" }));
  early.add(request({ requestId: "2", url: "https://ads.example/2" }));
  early.add(request({ requestId: "3", url: "https://other.example/" }));
  early.catchUp(requests.matcher);
  assert.equal(tabs.shown(1).journal.loads, 3);
  web.onErrorOccurred.fire({ ...stoppedByRule, requestId: "2", url: "https://ads.example/2" });
  await awaited(new Promise((resolve) => { setTimeout(resolve, milliseconds.earlyRequest + 1); }));
  assert.deepEqual([counts().passed, counts().block], [1, 1]);
  assert.equal(tabs.shown(1).journal.rows[0].url, "https://ads.example/2");
});
