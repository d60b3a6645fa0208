import { calls, fakeBrowser, storage } from "./Support/browser.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

fakeBrowser.tabs.create = (properties) => { calls.push(["tabs.create", properties]); return Promise.resolve({}); };
const { openAtInstall } = await import("../WebExtension/first-run/opening.js");
const { Demonstration } = await import("../WebExtension/first-run/demonstration.js");
const { samplePage, samples } = await import("../WebExtension/first-run/samples.js");
const { loadOf } = await import("../WebExtension/deciding/loads.js");

const opened = () => calls.filter(([name]) => name === "tabs.create").length;

beforeEach(() => {
  calls.length = 0;
  for (const key of Object.keys(storage)) delete storage[key];
});

test("the first page is opened once, at an installation and never at an update", async () => {
  for (const reason of ["update", "browser_update", "chrome_update", "shared_module_update"]) {
    await openAtInstall({ reason });
  }
  await openAtInstall({ reason: "install", temporary: true });
  assert.equal(opened(), 0);
  await openAtInstall({ reason: "install" });
  await openAtInstall({ reason: "install" });
  assert.equal(opened(), 1);
  assert.equal(calls[0][1].url, "chrome-extension://tickbird//first-run/first-run.html");
});

/** A background whose only list blocks these addresses. */
const background = (blocked, more = {}) => ({
  canBlock: true, ...more,
  matcher: {
    decide: ({ url, topURL, type }) => {
      assert.deepEqual([topURL, type], [samplePage, "image"]);
      const isBlocked = blocked.includes(url);
      return { isBlocked, actions: isBlocked ? [{ kind: "block", list: 7, rules: [3, 4] }] : [] };
    },
    lists: { withHandle: (handle) => (handle === 7 ? { identifier: "ads", name: "Ads" } : undefined) },
    texts: { know: async () => {}, line: () => 12 },
  },
});

test("a sample is one that the lists block, with the rule that does it", async () => {
  const demonstration = new Demonstration();
  assert.equal(await demonstration.sample({ matcher: null, canBlock: true }), null);
  assert.equal(await demonstration.sample(background([])), null);
  assert.deepEqual(await demonstration.sample(background([samples[1]])),
    { url: samples[1], identifier: "ads", name: "Ads", number: 3, line: 12 });
});

test("where the browser's own rules block, a sample is one that they block", async () => {
  const demonstration = new Demonstration();
  const rules = fakeBrowser.declarativeNetRequest;
  const ordinary = background(samples, { canBlock: false });
  assert.equal(await demonstration.sample(ordinary), null);
  const actions = { _dynamic: "allow", _session: "block" };
  const matched = new Map([[samples[0], "_dynamic"], [samples[1], "_session"]]);
  rules.testMatchOutcome = async ({ url, initiator }) => {
    assert.equal(initiator, "chrome-extension://tickbird/");
    return { matchedRules: [{ ruleId: 5, rulesetId: matched.get(url) }] };
  };
  rules.getDynamicRules = async ({ ruleIds }) => [{ id: ruleIds[0], action: { type: actions._dynamic } }];
  rules.getSessionRules = async ({ ruleIds }) => [{ id: ruleIds[0], action: { type: actions._session } }];
  assert.equal((await demonstration.sample(ordinary)).url, samples[1]);
  actions._dynamic = "block";
  assert.equal((await demonstration.sample(ordinary)).url, samples[0]);
  rules.testMatchOutcome = async () => ({ matchedRules: [] });
  assert.equal(await demonstration.sample(ordinary), null);
});

test("what became of a request is that of the first page's own, and of the last one", async () => {
  const demonstration = new Demonstration();
  const { onErrorOccurred, onCompleted } = fakeBrowser.webRequest;
  onErrorOccurred.listeners = [];
  onCompleted.listeners = [];
  const [url] = samples;
  const own = { url, type: "image", initiator: "chrome-extension://tickbird" };
  await demonstration.sample(background(samples));
  await demonstration.sample(background(samples));
  assert.equal(onErrorOccurred.listeners.length, 1);
  assert.equal(demonstration.fate(url), null);
  onErrorOccurred.fire({ ...own, initiator: "https://news.example", error: "net::ERR_BLOCKED_BY_CLIENT" });
  assert.equal(demonstration.fate(url), null);
  onErrorOccurred.fire({ ...own, error: "net::ERR_NAME_NOT_RESOLVED" });
  assert.equal(demonstration.fate(url), "passed");
  onErrorOccurred.fire({ ...own, error: "net::ERR_BLOCKED_BY_CLIENT" });
  assert.equal(demonstration.fate(url), "blocked");
  await demonstration.sample(background(samples));
  assert.equal(demonstration.fate(url), null);
  onCompleted.fire(own);
  assert.equal(demonstration.fate(url), "passed");
});

test("of the extension's own requests, only the samples of its pages are decided", () => {
  const request = (url, more = {}) => ({ url, type: "image", frameId: 0, tabId: 1,
    initiator: "chrome-extension://tickbird", ...more });
  const tabs = { top: () => assert.fail("no page is asked for"), shown: () => ({}) };
  assert.equal(loadOf(request(samples[0]), tabs).topURL, samplePage);
  assert.equal(loadOf(request(samples[0], { documentUrl: "chrome-extension://tickbird/first-run/first-run.html" }),
    tabs).type, "image");
  assert.equal(loadOf(request(`${samples[0]}?x`), tabs), null);
  assert.equal(loadOf(request(samples[0], { type: "xmlhttprequest" }), tabs), null);
  assert.equal(loadOf(request(samples[0], { initiator: "chrome-extension://tickbirdx" }), tabs), null);
  assert.equal(loadOf(request("https://other.example/a.png"), tabs), null);
});
