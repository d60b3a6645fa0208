import { FakeEvent, fakeBrowser } from "./Support/browser.js";
import { elements, FakeElement } from "./Support/elements.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const port = { onMessage: new FakeEvent(), onDisconnect: new FakeEvent() };
fakeBrowser.runtime.connect = () => port;
fakeBrowser.runtime.sendMessage = async () => ({ canBlock: true });
fakeBrowser.tabs.get = async () => ({ id: 7, url: "https://a.example/" });
globalThis.location = new URL("chrome-extension://tickbird/logger/logger.html?tab=7");
globalThis.ResizeObserver = class { observe() {} };
for (const name of ["HTMLInputElement", "HTMLElement", "Element", "Node"]) globalThis[name] = FakeElement;
Object.assign(FakeElement.prototype, {
  value: "", clientHeight: 100, scrollTop: 0, removeAttribute() {}, remove() {}, insertBefore() {},
});
await import("../WebExtension/logger/logger.js");
const { KeptRequests } = await import("../WebExtension/logger/kept-requests.js");

const row = (id, fate = "waiting") => ({
  id, time: 0, url: `https://a.example/${id}`, type: "image", method: "GET", frameId: 0, fate, initiator: "", page: "",
  frame: "", resourceType: "image", rules: [], choice: null, status: null, error: "",
});
const numbers = (first, last) => Array.from({ length: last - first + 1 }, (_, place) => first + place);
const status = () => elements.get("status").textContent;

test("a paused logger shows what it showed, and has the newest requests when it goes on", () => {
  port.onMessage.fire({ rows: [row(1)] });
  assert.equal(status(), "One request.");
  elements.get("pause").fire("click");
  for (let id = 2; id <= 30_000; id += 50) {
    const some = numbers(id, Math.min(30_000, id + 49));
    port.onMessage.fire({ rows: some.map((each) => row(each)) });
    port.onMessage.fire({ rows: some.map((each) => row(each, "loaded")) });
  }
  elements.get("search").fire("input");
  assert.equal(status(), "One request.");
  elements.get("pause").fire("click");
  assert.equal(status(), "10,000 requests. 20,000 older requests were dropped.");
  elements.get("search").value = "a.example/30000";
  elements.get("search").fire("input");
  assert.match(status(), /^1 of 10,000/);
});

test("what happens to requests while it is paused is seen when it goes on", () => {
  const kept = new KeptRequests(3);
  kept.take([row(1), row(2)]);
  kept.isPaused = true;
  kept.take([row(1, "loaded"), row(3)]);
  assert.deepEqual(kept.all.map(({ id, fate }) => [id, fate]), [[1, "waiting"], [2, "waiting"]]);
  kept.isPaused = false;
  assert.deepEqual(kept.all.map(({ id, fate }) => [id, fate]), [[1, "loaded"], [2, "waiting"], [3, "waiting"]]);
  assert.equal(kept.dropped, 0);
  kept.isPaused = true;
  kept.take([row(4)]);
  assert.equal(kept.dropped, 0);
  kept.clear();
  assert.deepEqual([kept.all, kept.isPaused], [[], true]);
  kept.take([row(5)]);
  kept.isPaused = false;
  assert.deepEqual([kept.all.map(({ id }) => id), kept.dropped], [[5], 0]);
});

test("a request of which the logger keeps a newer state is asked about once", async () => {
  const { exceptionQuestion } = await import("../WebExtension/logger/log-exceptions.js");
  const one = { ...row(1), page: "https://a.example/" };
  assert.deepEqual(exceptionQuestion(one, [{ ...one, fate: "blocked" }, { ...row(2), page: one.page }]).question.load, 1);
});
