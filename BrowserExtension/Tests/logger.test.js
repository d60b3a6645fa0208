import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { FakeEvent, fakeBrowser } from "./Support/browser.js";

for (const name of ["onBeforeRequest", "onBeforeRedirect"]) fakeBrowser.webRequest[name] = new FakeEvent();
fakeBrowser.runtime.onConnect = new FakeEvent();
const { archive, blockingRule, matches, testLine } = await import("../WebExtension/logger/log-words.js");
const { RequestLog } = await import("../WebExtension/logger/request-log.js");

const row = (more = {}) => ({
  id: 1, time: 0, url: "https://cdn.example/a.js?b=1", type: "script", method: "GET", frameId: 0,
  fate: "blocked", initiator: "https://page.example/", page: "https://page.example/", frame: "https://page.example/",
  resourceType: "script",
  rules: [{ kind: "block", identifier: "l", name: "My List", number: 3, line: 4 }], status: null, error: "",
  ...more,
});

test("requests are found by words, fields, and what must not be there", () => {
  for (const [search, isFound] of [
    ["", true], ["cdn a.js", true], ["cdn other", false], ["-cdn", false], ["-other", true], ["-", true],
    ["type:script", true], ["type:image", false], ["-type:image fate:blocked", true], ["fate:loaded", false],
    ["list:my", true], ["list:other", false], ["METHOD:get", true], ["page.example", true],
  ]) assert.equal(matches(row(), search), isFound, search);
});

test("a request becomes a rule, a line of a test, and a network log", () => {
  const rule = JSON.parse(blockingRule(row()));
  assert.deepEqual(rule, {
    trigger: { "url-filter": "^https://cdn\\.example/a\\.js\\?b=1$", "resource-type": ["script"] },
    action: { type: "block" },
  });
  assert.ok(new RegExp(rule.trigger["url-filter"]).test(row().url));
  assert.equal(testLine(row()), "https://cdn.example/a.js?b=1 script on https://page.example/ => block");
  assert.match(testLine(row({ fate: "stripped" })), / => cookies stripped$/);
  assert.match(testLine(row({ fate: "failed" })), / => load$/);
  const rows = [row({ type: "main_frame", url: "https://page.example/", initiator: "" }), row({ status: 200 })];
  const { log } = JSON.parse(archive(rows, "1.0"));
  assert.equal(log.pages.length, 1);
  assert.deepEqual(log.entries.map(({ pageref, _resourceType }) => [pageref, _resourceType]),
    [["page_1", "document"], ["page_1", "script"]]);
  assert.equal(log.entries[1]._initiator.url, "https://page.example/");
});

/** A log, with what a logger for tab 7 was told. */
function logging() {
  const requests = { onDecided: null };
  const list = { identifier: "l", name: "My List" };
  // Lines are known when the lists' texts were read.
  let line = null;
  const texts = { know: async () => { line = 4; }, line: () => line };
  const matcher = { lists: { all: [list], withHandle: () => list }, texts };
  // The log of another test listens no more.
  fakeBrowser.runtime.onConnect.listeners = [];
  const listening = [];
  void new RequestLog(requests, () => matcher, () => listening.push(requests.onDecided !== null));
  const told = [];
  const port = (name, url = "chrome-extension://tickbird/logger/logger.html") => ({
    name, sender: { url }, onDisconnect: new FakeEvent(),
    postMessage: ({ rows }) => told.push(...structuredClone(rows)),
  });
  const { webRequest, runtime } = fakeBrowser;
  return { requests, told, listening, port, webRequest, connect: (each) => runtime.onConnect.fire(each) };
}

/** Lets all promises go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const details = (more = {}) => ({
  requestId: "1", tabId: 7, frameId: 0, method: "GET", type: "script", url: "https://cdn.example/a.js", ...more,
});
const decided = {
  decision: { actions: [{ list: 1, kind: "block", rules: [3] }, { list: 1, kind: "css-display-none", rules: [9] }] },
  load: { topURL: "https://page.example/", frameURL: "https://page.example/", type: "script" },
};

test("a logger that outlives the background is told of no request by the number of another", async () => {
  mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_790_000_000_000 });
  const numbers = [];
  for (const url of ["https://a.example/", "https://b.example/"]) {
    const { told, port, webRequest, connect } = logging();
    const one = port("log:7");
    connect(one);
    webRequest.onBeforeRequest.fire(details({ url }));
    mock.timers.tick(1000);
    await settled();
    numbers.push(...told.map(({ id }) => id));
    one.onDisconnect.fire();
  }
  mock.timers.reset();
  assert.equal(new Set(numbers).size, 2);
  assert.ok(numbers.every(Number.isSafeInteger));
});

test("nothing is listened to before a logger is open, and after the last is closed", () => {
  const { requests, listening, port, webRequest, connect } = logging();
  for (const [name, url] of [["other", undefined], ["log:x", undefined], ["log:7", "https://page.example/"]]) {
    connect(port(name, url));
    assert.equal(webRequest.onBeforeRequest.listeners.length, 0, name);
  }
  const one = port("log:7");
  connect(one);
  assert.equal(webRequest.onBeforeRequest.listeners.length, 1);
  assert.ok(requests.onDecided);
  one.onDisconnect.fire();
  assert.equal(webRequest.onBeforeRequest.listeners.length, 0);
  assert.equal(webRequest.onCompleted.listeners.length, 0);
  assert.equal(requests.onDecided, null);
  assert.deepEqual(listening, [true, false]);
});

test("a request is told of with its rules and its end, other tabs' are not", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { requests, told, port, webRequest, connect } = logging();
    connect(port("log:7"));
    webRequest.onBeforeRequest.fire(details());
    webRequest.onBeforeRequest.fire(details({ tabId: 8, requestId: "2" }));
    requests.onDecided(details(), decided);
    webRequest.onErrorOccurred.fire(details({ error: "NS_ERROR_ABORT" }));
    webRequest.onCompleted.fire(details({ requestId: "3", url: "https://cdn.example/b.png", statusCode: 404 }));
    webRequest.onBeforeRequest.fire(details({ requestId: "4" }));
    webRequest.onBeforeRedirect.fire(details({ requestId: "4", redirectUrl: "https://x.example/" }));
    webRequest.onErrorOccurred.fire(details({ requestId: "4", url: "https://x.example/", error: "NS_ERROR_ABORT" }));
    assert.deepEqual(told, []);
    mock.timers.tick(100);
    await settled();
    assert.deepEqual(told.map(({ fate, url, status }) => [fate, url, status]), [
      ["blocked", "https://cdn.example/a.js", null], ["loaded", "https://cdn.example/b.png", 404],
      ["redirected", "https://cdn.example/a.js", null], ["failed", "https://x.example/", null],
    ]);
    assert.deepEqual(told[0].rules, [{ kind: "block", identifier: "l", name: "My List", number: 3, line: 4 }]);
    assert.equal(told[0].page, "https://page.example/");
  } finally {
    mock.timers.reset();
  }
});

test("whatever addresses a page has, all loggers go on being told", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { told, port, webRequest, connect } = logging();
    const full = { ...port("log:8"), postMessage: () => { throw new Error("the message is too long"); } };
    connect(full);
    const sizes = [];
    const measuring = port("log:7");
    const { postMessage } = measuring;
    measuring.postMessage = (message) => {
      sizes.push(JSON.stringify(message).length);
      postMessage(message);
    };
    connect(measuring);
    const page = `https://page.example/${"p".repeat(1_900_000)}`;
    for (let number = 0; number < 1000; number++) {
      const url = `https://cdn.example/${"x".repeat(number < 50 ? 1_000_000 : 9)}${number}`;
      for (const tabId of [8, 7]) {
        webRequest.onBeforeRequest.fire(details({ url, tabId, requestId: `${tabId} ${number}`, documentUrl: page }));
      }
    }
    mock.timers.tick(100);
    await settled();
    assert.equal(told.length, 1000);
    assert.ok(sizes.length > 1 && Math.max(...sizes) < 4_000_000, `${sizes}`);
    assert.ok(told.every(({ url, initiator }) => url.length <= 8001 && initiator.length === 8001));
    assert.ok(told[0].url.endsWith("x…"));
    const rule = JSON.parse(blockingRule(told[0]));
    assert.ok(new RegExp(rule.trigger["url-filter"]).test(`https://cdn.example/${"x".repeat(1_000_000)}0`));
    webRequest.onBeforeRequest.fire(details({ requestId: "last" }));
    mock.timers.tick(100);
    await settled();
    assert.equal(told.length, 1001);
  } finally {
    mock.timers.reset();
  }
});
