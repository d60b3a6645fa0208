import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
import "./Support/timers.js";
fakeBrowser.runtime.getURL = (path) => `moz-extension://tickbird/${path}`;
fakeBrowser.contentScripts = { register: async () => ({ unregister: async () => {} }) };
fakeBrowser.tabs.insertCSS = async () => {};
globalThis.browser = fakeBrowser;
const { decision, fakeMatcher } = await import("./Support/matcher.js");
const { Passes } = await import("../WebExtension/deciding/passes.js");
const { Requests } = await import("../WebExtension/deciding/requests.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");

const frame = { tabId: 1, frameId: 0, parentFrameId: -1 };
const first = "https://page.example/";

/** A page that has changed its address, in a tab that goes to the one that it came with. */
function leaving() {
  const tabs = new Tabs();
  tabs.commit({ ...frame, url: first });
  tabs.rename({ ...frame, url: "https://page.example/b" });
  const requests = new Requests(tabs, { show() {} }, new Passes(() => false), {
    onStopped() {}, onPageBlocked() {},
  });
  requests.matcher = fakeMatcher(() => decision({ sheets: [1] }), { sheet: ".ad" });
  const page = tabs.shown(1);
  requests.decide({ ...frame, requestId: "0", method: "GET", type: "main_frame", url: first, originUrl: first });
  /** The page asks for something, by the address that Firefox names. */
  const ask = (url) => requests.decide({
    ...frame, requestId: url, method: "GET", type: "image", url, documentUrl: first, originUrl: first,
  });
  return { page, navigation: page.navigation(0), ask };
}

test("a page that has changed its address keeps its requests while the tab goes to its first one", () => {
  const { page, navigation, ask } = leaving();
  ask("https://img.example/1.png");
  assert.deepEqual([page.journal.loads, navigation.journal.loads, navigation.decisions.length], [1, 1, 1]);
  assert.ok(page.document(0).sheets.has(1));
});

test("what comes before the event of the document, but after its answer, belongs to its navigation", () => {
  const { page, navigation, ask } = leaving();
  navigation.mayHaveDocument = true;
  ask("https://img.example/1.png");
  assert.deepEqual([page.journal.loads, navigation.journal.loads, navigation.decisions.length], [0, 2, 2]);
});

test("a navigation keeps the first thousand decisions", () => {
  const { navigation, ask } = leaving();
  navigation.mayHaveDocument = true;
  for (let number = 0; number < 2000; number++) ask(`https://img.example/${number}.png`);
  assert.equal(navigation.decisions.length, 1000);
  assert.equal(navigation.decisions[0].load.type, "top-document");
});
