import { fakeBrowser } from "./Support/browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Tabs } from "../WebExtension/deciding/tabs.js";
import { Documents } from "../WebExtension/hiding/documents.js";

const top = (more) => ({ tabId: 1, frameId: 0, parentFrameId: -1, url: "https://a.example/", ...more });
const frame = (frameId, more) => ({ tabId: 1, frameId, parentFrameId: 0, url: `https://f.example/${frameId}`, ...more });
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Documents of tabs, with the questions that the browser was asked; its answer is `frames`. */
function documents() {
  const tabs = new Tabs();
  const all = new Documents(tabs, { show() {} }, () => {});
  const state = { tabs, all, asked: 0, frames: /** @type {object[] | null} */ ([]), commit(details) {
    const committed = tabs.commit(details);
    all.committed(details, committed);
    return committed;
  } };
  fakeBrowser.webNavigation = { getAllFrames: async () => {
    state.asked += 1;
    if (!state.frames) throw new Error("the tab is gone");
    return structuredClone(state.frames);
  } };
  return state;
}

test("the frames of a page that comes back and is not known are asked for", async () => {
  const state = documents();
  state.frames = [frame(4), top()];
  state.tabs.navigate({ ...top(), requestId: "1", method: "GET", type: "main_frame" });
  state.commit(top());
  await settled();
  assert.equal(state.asked, 0);
  state.commit(top({ transitionQualifiers: ["forward_back"] }));
  await settled();
  assert.equal(state.asked, 1);
  assert.equal(state.tabs.frame(frame(4)).url, "https://f.example/4");
});

test("an answer about a page that has left meanwhile says nothing, and none of pages in the cache", async () => {
  const state = documents();
  state.frames = [frame(4), top()];
  state.commit(top({ transitionQualifiers: ["forward_back"] }));
  state.commit(top({ url: "https://b.example/" }));
  await settled();
  assert.equal(state.tabs.frame(frame(4)), undefined);
  state.frames = [top({ documentId: "b" }), frame(4)];
  state.commit(top({ documentId: "c", transitionQualifiers: ["forward_back"] }));
  await settled();
  assert.equal(state.tabs.frame(frame(4)), undefined);
  fakeBrowser.tabs.query = async () => [{ id: 1 }];
  state.frames = [top({ documentId: "c" }), frame(5, { documentLifecycle: "cached" }), frame(6, { documentLifecycle: "active" })];
  await state.all.findOpenPages();
  assert.deepEqual([5, 6].map((number) => state.tabs.frame(frame(number))?.url), [undefined, "https://f.example/6"]);
});

test("a page that makes and removes frames without end has few documents, and those that are there", async () => {
  const state = documents();
  state.commit(top({ documentId: "a" }));
  state.commit(frame(1, { documentId: "f1" }));
  const page = state.tabs.shown(1);
  for (let number = 2; number < 3000; number++) {
    state.frames = [top({ documentId: "a" }), frame(1), frame(number)];
    state.commit(frame(number, { documentId: `f${number}` }));
    if (number % 10 === 0) await settled();
  }
  assert.ok(page.documents.size <= 220, String(page.documents.size));
  assert.ok(state.asked < 30, String(state.asked));
  assert.equal(state.tabs.frame(frame(1)).id, "f1");
  // Where it cannot be asked, or another page answers, all stay, up to the page's own bound.
  for (const frames of [null, [top({ documentId: "b" })]]) {
    state.frames = frames;
    const before = page.documents.size;
    for (let number = 0; number < 500; number++) state.commit(frame(10_000 * before + number, { documentId: `g${before} ${number}` }));
    await settled();
    assert.equal(page.documents.size, before + 500);
  }
});
