import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, fakeBrowser } from "./Support/browser.js";
import "./Support/timers.js";
const { blocking, decision, fakeMatcher } = await import("./Support/matcher.js");
const { Passes } = await import("../WebExtension/deciding/passes.js");
const { Requests } = await import("../WebExtension/deciding/requests.js");
const { SiteChoices } = await import("../WebExtension/shared/site-choices.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");

/** Requests in tab 1, which shows a page. */
function deciding(decide, options) {
  const tabs = new Tabs();
  tabs.commit({ tabId: 1, frameId: 0, url: "https://page.example/", documentId: "top" });
  const shown = [];
  const stopped = [];
  const blocked = [];
  const passes = new Passes(() => false);
  const requests = new Requests(tabs, { show: (tabId) => shown.push(tabId) }, passes, {
    onStopped: (id) => stopped.push(id),
    onPageBlocked: ({ url }, { start }) => blocked.push([url, start]),
  });
  requests.matcher = fakeMatcher(decide, options);
  return { tabs, requests, shown, stopped, blocked, passes };
}

const request = (more = {}) => ({
  requestId: "1", tabId: 1, frameId: 0, parentFrameId: -1, method: "GET", type: "script",
  url: "http://cdn.example/a.js", ...more,
});

test("a blocked load is stopped, counted and shown", () => {
  const { tabs, requests, shown, stopped } = deciding(() => blocking);
  assert.deepEqual(requests.decide(request()), { cancel: true });
  assert.deepEqual([shown, stopped], [[1], ["1"]]);
  const { journal } = tabs.shown(1);
  assert.equal(journal.counts.block, 1);
  assert.deepEqual(journal.rows[0].by, [{ identifier: "list", rules: [3] }]);
});

test("without a matcher, and on sites that are left alone, requests go on", () => {
  const { tabs, requests } = deciding(() => blocking, { allowed: ["page.example"] });
  assert.deepEqual(requests.decide(request()), {});
  assert.equal(tabs.shown(1).journal.loads, 0);
  requests.matcher = null;
  assert.deepEqual(requests.decide(request()), {});
  // A document's request is recorded all the same.
  requests.decide(request({ type: "main_frame", url: "https://next.example/" }));
  assert.equal(tabs.shown(1).navigation(0).url, "https://next.example/");
});

test("an upgrade is a redirect, whose own request is not matched again", () => {
  let decided = 0;
  const { requests, tabs } = deciding(() => {
    decided += 1;
    return decision({ makesHTTPS: true }, { "make-https": [4] });
  });
  assert.deepEqual(requests.decide(request()), { redirectUrl: "https://cdn.example/a.js" });
  assert.deepEqual(requests.decide(request({ url: "https://cdn.example/a.js" })), {});
  assert.equal(decided, 1);
  assert.equal(tabs.shown(1).journal.counts["make-https"], 1);
});

test("Chromium redirects no WebSockets, and nothing is upgraded that has https already", () => {
  const { requests, tabs } = deciding(() => decision({ makesHTTPS: true }, { "make-https": [4] }));
  assert.deepEqual(requests.decide(request({ type: "websocket", url: "ws://a.example/" })), {});
  assert.deepEqual(requests.decide(request({ url: "https://a.example/" })), {});
  assert.equal(tabs.shown(1).journal.counts["make-https"], 0);
});

test("what is blocked is neither upgraded nor stripped of cookies", () => {
  const { requests, tabs } = deciding(() => decision(
    { isBlocked: true, makesHTTPS: true, blocksCookies: true },
    { "block": [1], "make-https": [2], "block-cookies": [3] }));
  requests.decide(request());
  assert.deepEqual(tabs.shown(1).journal.counts,
    { "block": 1, "passed": 0, "make-https": 0, "block-cookies": 0 });
});

test("cookies are taken out of requests and answers of those loads alone", () => {
  const { requests } = deciding(({ url }) => (url.includes("cdn")
    ? decision({ blocksCookies: true }, { "block-cookies": [1] }) : decision()));
  const { onBeforeSendHeaders, onHeadersReceived, onCompleted } = fakeBrowser.webRequest;
  requests.listenAsNeeded({ mayDo: () => true }, new SiteChoices());
  requests.decide(request());
  requests.decide(request({ requestId: "2", url: "https://other.example/" }));
  const requestHeaders = [{ name: "COOKIE", value: "a" }, { name: "Accept", value: "b" }];
  const responseHeaders = [{ name: "Set-Cookie", value: "a" }, { name: "set-cookie", value: "c" }];
  assert.deepEqual(onBeforeSendHeaders.fire({ requestId: "1", requestHeaders }),
    [{ requestHeaders: [{ name: "Accept", value: "b" }] }]);
  assert.deepEqual(onHeadersReceived.fire({ requestId: "1", responseHeaders }),
    [{ responseHeaders: [] }]);
  assert.deepEqual(onBeforeSendHeaders.fire({ requestId: "2", requestHeaders }), [{}]);
  onCompleted.fire({ requestId: "1" });
  assert.deepEqual(onBeforeSendHeaders.fire({ requestId: "1", requestHeaders }), [{}]);

  requests.listenAsNeeded({ mayDo: (kind) => kind === "make-https" }, new SiteChoices());
  assert.deepEqual([onBeforeSendHeaders.listeners, onHeadersReceived.listeners], [[], []]);
  assert.equal(onCompleted.listeners.length, 1);
  // Where the browser lets nothing be changed, nothing has to be remembered.
  requests.listenAsNeeded({ mayDo: () => true }, new SiteChoices(), false);
  assert.deepEqual(onCompleted.listeners, []);
  requests.listenAsNeeded({ mayDo: (kind) => kind === "make-https" }, new SiteChoices());
  requests.listenAsNeeded({ mayDo: () => false }, new SiteChoices());
  assert.deepEqual(onCompleted.listeners, []);
});

test("of requests that never end the newest are remembered, and no long addresses", () => {
  const { requests } = deciding(({ url }) => decision(
    { blocksCookies: true, makesHTTPS: url.startsWith("http:") }, { "block-cookies": [1], "make-https": [2] }));
  const { onBeforeSendHeaders } = fakeBrowser.webRequest;
  requests.listenAsNeeded({ mayDo: () => true }, new SiteChoices());
  const isStripped = (requestId) => "requestHeaders"
    in onBeforeSendHeaders.fire({ requestId, requestHeaders: [{ name: "Cookie", value: "a" }] })[0];
  for (let number = 0; number <= 5000; number++) requests.decide(request({ requestId: String(number) }));
  assert.deepEqual([isStripped("0"), isStripped("1"), isStripped("5000")], [false, true, true]);
  // One that goes on is among the newest again.
  requests.decide(request({ requestId: "1", url: "http://next.example/" }));
  requests.decide(request({ requestId: "5001" }));
  assert.deepEqual([isStripped("1"), isStripped("2")], [true, false]);

  const long = `cdn.example/${"a".repeat(5000)}`;
  requests.decide(request({ url: `http://${long}` }));
  assert.deepEqual(requests.decide(request({ url: `https://${long}` })), {});
  assert.ok(isStripped("1"));
  requests.listenAsNeeded({ mayDo: () => false }, new SiteChoices());
});

test("a document's decision waits for the document, and its journal with it", () => {
  const { requests, tabs } = deciding(() => decision({ sheets: [1] }));
  requests.decide(request({ type: "main_frame", url: "https://next.example/" }));
  const navigation = tabs.shown(1).navigation(0);
  assert.equal(navigation.decisions.length, 1);
  assert.equal(navigation.journal.loads, 1);
  assert.equal(tabs.shown(1).journal.loads, 0);
});

test("a page that is stopped shows in its tab what has stopped it", () => {
  const { requests, tabs } = deciding(() => blocking);
  requests.decide(request({ type: "main_frame", url: "https://next.example/" }));
  assert.equal(tabs.shown(1).journal.counts.block, 1);
});

test("what a page asks for is the page's again when its next document fails, is none, or was given up", () => {
  const { requests, tabs } = deciding(() => decision({ sheets: [1] }));
  requests.listenToEnds();
  const page = tabs.shown(1);
  const { onErrorOccurred, onCompleted } = fakeBrowser.webRequest;
  const begin = (more) => {
    const next = request({ type: "main_frame", url: "https://next.example/", ...more });
    requests.decide(next);
    return next;
  };
  for (const end of [
    (next) => onErrorOccurred.fire({ ...next, error: "net::ERR_ABORTED" }),
    (next) => onErrorOccurred.fire({ ...next, error: "NS_ERROR_UNKNOWN_HOST" }),
    (next) => onCompleted.fire({ ...next, statusCode: 204 }),
  ]) {
    const next = begin();
    onErrorOccurred.fire({ ...next, requestId: "0", error: "net::ERR_ABORTED" });
    onCompleted.fire({ ...next, statusCode: 200 });
    assert.ok(page.navigation(0));
    end(next);
    assert.equal(page.navigation(0), undefined);
  }
  // `stopped` is called for what the browser's own rules block.
  onErrorOccurred.fire({ ...begin(), error: "net::ERR_BLOCKED_BY_CLIENT" });
  assert.ok(page.navigation(0));
  const inFrame = begin({ type: "sub_frame", frameId: 4, parentFrameId: 0 });
  onErrorOccurred.fire({ ...inFrame, error: "net::ERR_BLOCKED_BY_CLIENT" });
  assert.equal(page.navigation(4), undefined);
});

test("a load hides in the document that makes it", () => {
  const { requests } = deciding(() => decision({ sheets: [1] }), { sheet: ".ad" });
  calls.length = 0;
  requests.decide(request());
  assert.deepEqual(calls.filter(([name]) => name === "insertCSS").map(([, { target, css }]) =>
    [target, css]), [[{ tabId: 1, documentIds: ["top"] }, ".ad{display:none!important}"]]);
});

test("a page that is blocked as a whole is reported with the start of its way, and not where it has a pass", () => {
  const { requests, blocked, passes } = deciding(() => decision({ isBlocked: true }, { block: [3] }));
  const page = (url, more = {}) => request({ type: "main_frame", url, requestId: "9", ...more });
  requests.matcher.engine.decide = ({ url }) =>
    (url.includes("start") ? decision() : decision({ isBlocked: true }, { block: [3] }));
  assert.deepEqual(requests.decide(page("https://start.example/")), {});
  assert.deepEqual(requests.decide(page("https://blocked.example/")), { cancel: true });
  assert.deepEqual(blocked, [["https://blocked.example/", "https://start.example/"]]);
  assert.deepEqual(requests.decide(request({ url: "https://blocked.example/x" })), { cancel: true });
  assert.equal(blocked.length, 1);
  passes.give(1, "blocked.example");
  assert.deepEqual(requests.decide(page("https://blocked.example/")), {});
  // What the page loads is decided as ever, and so are other sites' pages.
  assert.deepEqual(requests.decide(request({ url: "https://blocked.example/x" })), { cancel: true });
  assert.deepEqual(requests.decide(page("https://other.example/")), { cancel: true });
});
