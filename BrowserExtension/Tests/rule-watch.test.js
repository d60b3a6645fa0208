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
  web.onBeforeRequest = new FilteredEvent();
});

const request = (more = {}) => ({
  requestId: "1", tabId: 1, frameId: 0, parentFrameId: -1, method: "GET", type: "image",
  url: "https://ads.example/", ...more,
});
const stoppedByRule = { ...request(), error: "net::ERR_BLOCKED_BY_CLIENT" };

/** Lists of which one strips cookies, and lists of which none does. */
const [stripping, plain] = [true, false].map((strips) => ({
  mayDo: (kind) => strips && kind === "block-cookies",
  hidingHosts: () => [],
}));
/** Lists that hide by requests to some hosts, or by any request. */
const hiding = (hidingHosts) => ({ ...plain, hidingHosts: () => hidingHosts });

/** An event of requests that heeds its listeners' filters, as the browser's does. */
class FilteredEvent extends FakeEvent {
  filters = new Map();
  addListener(listener, filter) {
    super.addListener(listener);
    this.filters.set(listener, filter);
  }
  fire(details) {
    for (const listener of this.listeners) {
      const { urls, types, tabId } = this.filters.get(listener);
      const isMatch = urls.some((pattern) => pattern === "<all_urls>" || matches(pattern, details.url));
      if (isMatch && (types?.includes(details.type) ?? true) && (tabId ?? details.tabId) === details.tabId) listener(details);
    }
  }
}

/** Whether a match pattern of the form `scheme://*.host/*` matches. */
function matches(pattern, url) {
  const [, scheme, host] = /^(\*|\w+):\/\/\*\.(.*)\/\*$/.exec(pattern);
  const { protocol, hostname } = new URL(url);
  const isScheme = scheme === "*" ? /^https?:$/.test(protocol) : protocol === `${scheme}:`;
  return isScheme && (hostname === host || hostname.endsWith(`.${host}`));
}

/** A watch over tabs with a page; `found` is fulfilled when the open pages are known. */
function watching({ decide = () => blocking, found = Promise.resolve() } = {}) {
  /** The addresses that were decided. */
  const looked = [];
  const tabs = new Tabs();
  for (const tabId of [1, 2]) {
    tabs.commit({ tabId, frameId: 0, url: "https://page.example/", documentId: `top${tabId}` });
  }
  const requests = new Requests(tabs, { show() {} }, new Passes(() => false), {
    onStopped() {}, onPageBlocked() {},
  });
  const early = new EarlyRequests(tabs);
  const watch = new RuleWatch(requests, early, found);
  requests.matcher = fakeMatcher((load) => {
    looked.push(load.url);
    return decide(load);
  });
  return { tabs, requests, early, watch, looked, counts: () => tabs.shown(1).journal.counts };
}

test("where the rules alone block, what they have stopped is counted once", async () => {
  const { watch, counts } = watching();
  watch.isAlone = true;
  watch.listenAsNeeded(hiding(null), new SiteChoices());
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
  watch.listenAsNeeded(hiding(null), new SiteChoices());
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

test("requests are looked at when they begin as far as lists hide by them", () => {
  const { watch, looked } = watching({ decide: () => decision() });
  watch.isAlone = true;
  const ask = () => {
    looked.length = 0;
    for (const url of ["https://a.example/", "wss://x.a.example/", "https://b.example/", "https://nota.example/"]) {
      web.onBeforeRequest.fire(request({ url }));
    }
    web.onBeforeRequest.fire(request({ url: "https://frame.a.example/", type: "sub_frame", frameId: 3, parentFrameId: 0 }));
    return looked.map((url) => new URL(url).host);
  };
  const [document, all] = ["frame.a.example", ["a.example", "x.a.example", "b.example", "nota.example"]];
  assert.deepEqual(ask(), [document]);
  for (const [lists, expected] of [
    [plain, []], [hiding(["a.example"]), ["a.example", "x.a.example"]], [hiding(["a.example", "b.example"]), all.slice(0, 3)],
    [hiding(null), all], [plain, []], [stripping, all],
  ]) {
    watch.listenAsNeeded(lists, new SiteChoices());
    watch.listenAsNeeded(lists, new SiteChoices());
    assert.deepEqual(ask(), [...expected, document]);
  }
});

test("while a logger is open all requests are looked at", () => {
  const { watch, requests, looked } = watching({ decide: () => decision() });
  watch.isAlone = true;
  const told = [];
  requests.onDecided = (details) => told.push(details.url);
  watch.listenAsNeeded(plain, new SiteChoices());
  web.onBeforeRequest.fire(request());
  requests.onDecided = null;
  watch.listenAsNeeded(plain, new SiteChoices());
  web.onBeforeRequest.fire(request());
  assert.deepEqual([told.length, looked.length], [1, 1]);
});

test("in a tab with a document that an ignore rule acts on all requests are looked at, until another page comes", () => {
  const { watch, requests, looked } = watching({ decide: () => decision() });
  watch.isAlone = true;
  watch.listenAsNeeded(hiding(["ads.example"]), new SiteChoices());
  const look = () => {
    looked.length = 0;
    for (const tabId of [1, 2]) web.onBeforeRequest.fire(request({ url: "https://other.example/", tabId }));
    web.onBeforeRequest.fire(request());
    return looked.length;
  };
  const plainly = decision({}, { block: [1] });
  assert.equal(look(), 1);
  watch.documentDecided(1, true, [plainly, decision({ ignoring: [1] })]);
  assert.equal(look(), 2);
  // A frame without such a rule does not end it.
  watch.documentDecided(1, false, [plainly]);
  assert.equal(look(), 2);
  watch.documentDecided(1, true, [plainly]);
  assert.equal(look(), 1);
  // Other lists decide from here on.
  watch.pageIsStale(1);
  assert.equal(look(), 2);
  watch.documentDecided(1, true, [plainly]);
  assert.equal(look(), 1);
  // One that the engine does not look at itself, and one that is left alone.
  watch.documentDecided(2, false, []);
  assert.equal(look(), 2);
  watch.documentDecided(2, true, null);
  assert.equal(look(), 1);
  watch.documentDecided(2, true, []);
  watch.tabClosed(2);
  assert.equal(look(), 1);
  // What comes of a tab after it was closed.
  watch.documentDecided(2, true, []);
  watch.pageIsStale(2);
  assert.equal(look(), 1);
  // What is in no tab: the browser would take it for all.
  watch.documentDecided(-1, true, []);
  assert.equal(look(), 1);
  // A list that hides nothing.
  requests.matcher.lists.hides = (handle) => handle !== 1;
  watch.documentDecided(1, true, [decision({ ignoring: [1] })]);
  assert.equal(look(), 1);
  // Lists of which none hides anything: no page is stale for it.
  requests.matcher.lists.anyHides = false;
  watch.pageIsStale(1);
  assert.equal(look(), 1);
});

test("the empty document of a new tab is looked at until its first page is asked for", () => {
  const { tabs, watch, looked } = watching({ decide: () => decision() });
  watch.isAlone = true;
  tabs.commit({ tabId: 5, frameId: 0, url: "about:blank", documentId: "empty" });
  watch.documentDecided(5, true, []);
  web.onBeforeRequest.fire(request({ tabId: 5 }));
  web.onBeforeRequest.fire(request({ tabId: 5, requestId: "2", type: "main_frame", url: "https://page.example/" }));
  web.onBeforeRequest.fire(request({ tabId: 5, requestId: "3" }));
  assert.deepEqual(looked, ["https://ads.example/", "https://page.example/"]);
});

test("an ignore rule that acts on a document's request is heeded before the document is there", () => {
  const { watch, looked } = watching({ decide: () => decision({ ignoring: [1] }) });
  watch.isAlone = true;
  web.onBeforeRequest.fire(request({ type: "main_frame", url: "https://cut.example/" }));
  web.onBeforeRequest.fire(request({ requestId: "2" }));
  assert.deepEqual(looked, ["https://cut.example/", "https://ads.example/"]);
  watch.end();
  web.onBeforeRequest.fire(request({ requestId: "3" }));
  assert.equal(looked.length, 2);
});

test("what the rules stop is counted, whether or not it was looked at when it began", async () => {
  const { watch, counts } = watching();
  watch.isAlone = true;
  watch.listenAsNeeded(plain, new SiteChoices());
  web.onBeforeRequest.fire(request());
  web.onErrorOccurred.fire(stoppedByRule);
  await turns();
  assert.equal(counts().block, 1);
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
