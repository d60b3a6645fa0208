import assert from "node:assert/strict";
import { test } from "node:test";
import { Observer } from "../WebExtension/deciding/observer.js";

const loadOf = (url = "https://a.example/") => ({ url, topURL: "https://a.example/", frameURL: "https://a.example/" });

/** An observer whose engine decides all requests in one way. */
function observing(decision, url = "https://a.example/x.js") {
  const recorded = [];
  const details = { requestId: "1", url };
  const observer = new Observer({
    decide: (each) => observer.note(each, { decision, load: loadOf(each.url), journal: {} }),
    record: (kind) => recorded.push(kind),
  });
  return { observer, recorded, details };
}

const blocked = "net::ERR_BLOCKED_BY_CLIENT";

test("what the browser has stopped is reported if a rule explains it", () => {
  const { observer, recorded, details } = observing({ isBlocked: true });
  observer.note(details, { decision: { isBlocked: true }, load: loadOf(), journal: {} });
  assert.ok(observer.failed({ ...details, error: blocked }));
  assert.deepEqual(recorded, ["block"]);
});

test("a request that was stopped unseen is decided afterwards", () => {
  const { observer, recorded, details } = observing({ isBlocked: true });
  assert.ok(observer.failed({ ...details, error: blocked }));
  assert.deepEqual(recorded, ["block"]);
});

test("no other failure is called blocked", () => {
  const { observer, recorded, details } = observing({ isBlocked: true });
  observer.note(details, { decision: { isBlocked: true }, load: loadOf(), journal: {} });
  assert.ok(!observer.failed({ ...details, error: "net::ERR_CONNECTION_RESET" }));
  const other = observing({ isBlocked: false });
  assert.ok(!other.observer.failed({ ...other.details, error: blocked }));
  assert.deepEqual([...recorded, ...other.recorded], []);
});

test("only a redirect to the https URL is an upgrade", () => {
  const upgraded = "https://a.example/";
  const decision = { makesHTTPS: true };
  for (const [redirectUrl, expected] of [
    [upgraded, ["make-https"]], ["https://b.example/", []], ["http://a.example/", []],
  ]) {
    const { observer, recorded, details } = observing(decision, "http://a.example/");
    observer.redirected({ ...details, redirectUrl }, upgraded);
    assert.deepEqual(recorded, expected, redirectUrl);
  }
  const same = observing(decision, upgraded);
  same.observer.redirected({ ...same.details, redirectUrl: upgraded }, upgraded);
  assert.deepEqual(same.recorded, []);
});

test("cookies are reported as taken away only if there are none", () => {
  const decision = { blocksCookies: true };
  const { observer, recorded, details } = observing(decision);
  const send = (...names) =>
    observer.sent({ ...details, requestHeaders: names.map((name) => ({ name })) });
  send("Accept");
  assert.deepEqual(recorded, []);
  observer.note(details, { decision, load: loadOf(), journal: {} });
  send("Accept", "COOKIE");
  assert.deepEqual(recorded, []);
  send("Accept");
  assert.deepEqual(recorded, ["block-cookies"]);
});

test("a decision goes with its request and its URL", () => {
  const { observer, recorded, details } = observing({ isBlocked: true });
  observer.note({ ...details, url: "https://before.example/" },
    { decision: { isBlocked: false }, load: loadOf(), journal: {} });
  assert.ok(observer.failed({ ...details, error: blocked }));
  observer.note(details, { decision: { blocksCookies: true }, load: loadOf(), journal: {} });
  observer.failed({ ...details, error: "net::ERR_ABORTED" });
  observer.sent({ ...details, requestHeaders: [] });
  assert.deepEqual(recorded, ["block"]);
});

test("of decisions the newest thousand are kept", () => {
  const { observer, recorded } = observing({ isBlocked: true });
  const decision = { blocksCookies: true };
  for (let number = 0; number <= 1000; number++) {
    observer.note({ requestId: String(number), url: "https://a.example/" },
      { decision, load: loadOf(), journal: {} });
  }
  observer.sent({ requestId: "0", url: "https://a.example/", requestHeaders: [] });
  assert.deepEqual(recorded, []);
  observer.sent({ requestId: "1", url: "https://a.example/", requestHeaders: [] });
  assert.deepEqual(recorded, ["block-cookies"]);
  // Long addresses of pages take no more memory than short ones.
  const frameURL = `https://a.example/${"x".repeat(1_000_000)}`;
  for (let number = 0; number < 8; number++) {
    const url = `https://a.example/${number}`;
    observer.note({ requestId: `long ${number}`, url }, { decision, load: { ...loadOf(url), frameURL }, journal: {} });
  }
  observer.sent({ requestId: "1000", url: "https://a.example/", requestHeaders: [] });
  observer.sent({ requestId: "long 0", url: "https://a.example/0", requestHeaders: [] });
  assert.deepEqual(recorded, ["block-cookies"]);
  observer.sent({ requestId: "long 7", url: "https://a.example/7", requestHeaders: [] });
  assert.deepEqual(recorded, ["block-cookies", "block-cookies"]);
});
