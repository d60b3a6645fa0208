import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { calls, fakeBrowser } from "./Support/browser.js";
const { decision, fakeMatcher } = await import("./Support/matcher.js");
const { Documents } = await import("../WebExtension/hiding/documents.js");
const { FrameDocument } = await import("../WebExtension/deciding/page.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");

beforeEach(() => { calls.length = 0; });

const inserted = () => calls.filter(([name]) => name === "insertCSS").map(([, { css }]) => css);
const frame = { tabId: 1, frameId: 0 };
const load = { url: "https://a.example/", topURL: "https://a.example/", frameURL: "", type: "image",
  isTopFrame: true };
const hide = (slot) => ({ "css-display-none": [slot] });

test("a document gets each style sheet and each selector once", () => {
  const { hiding } = fakeMatcher(() => decision(), { sheet: ".all", selectors: (slot) => `.s${slot}` });
  const document = new FrameDocument("https://a.example/", "GET", "1");
  hiding.apply(frame, document, decision({ sheets: [1] }, hide(5)), load);
  hiding.apply(frame, document, decision({ sheets: [1] }, hide(5)), load);
  hiding.apply(frame, document, decision({ sheets: [1] }, hide(6)), load);
  assert.deepEqual(inserted(), [
    ".all{display:none!important}\n.s5{display:none!important}", ".s6{display:none!important}",
  ]);
  assert.deepEqual([...document.hidingRules.get("list")], [5, 6]);
});

test("hidings that were left out are asked for once a document", () => {
  const asked = [];
  const { hiding } = fakeMatcher((_, wantsAll) => {
    asked.push(wantsAll);
    return decision({ hidings: [9] }, hide(7));
  });
  const document = new FrameDocument("https://a.example/", "GET", "1");
  hiding.apply(frame, document, decision({ hidings: [9] }), load);
  hiding.apply(frame, document, decision({ hidings: [9] }), load);
  assert.deepEqual(asked, [true]);
  assert.equal(inserted().length, 1);
});

test("nothing is inserted where nothing is hidden", () => {
  const { hiding } = fakeMatcher(() => decision());
  const document = new FrameDocument("https://a.example/", "GET", "1");
  hiding.apply(frame, document, decision({ sheets: [1] }, { block: [1] }), load);
  assert.deepEqual(inserted(), []);
});

test("a document is held back only for what hides something", () => {
  const none = new Set();
  const empty = fakeMatcher(() => decision({}, hide(1)));
  assert.ok(!empty.hiding.isNeeded(decision({ sheets: [1] }), load, none));
  assert.ok(!empty.hiding.isNeeded(decision({}, { block: [1] }), load, none));
  assert.ok(empty.hiding.isNeeded(decision({}, hide(1)), load, none));
  assert.ok(empty.hiding.isNeeded(decision({ hidings: [4] }), load, none));
  assert.ok(!empty.hiding.isNeeded(decision({ hidings: [4] }), load, new Set(["1 1"])));
  assert.ok(fakeMatcher(() => decision(), { sheet: ".x" }).hiding
    .isNeeded(decision({ sheets: [1] }), load, none));
  assert.ok(!fakeMatcher(() => decision(), { sheet: ".x" }).hiding
    .isNeeded(decision({ sheets: [1] }), load, new Set(["1"])));
});

/** Documents of tabs, with loads that the engine was asked about. */
function documents(options) {
  const tabs = new Tabs();
  const asked = [];
  const told = [];
  const made = new Documents(tabs, { show() {} }, (...about) => told.push(about));
  made.matcher = fakeMatcher((each) => {
    asked.push(each);
    return decision({ sheets: [1] });
  }, { sheet: ".ad", ...options });
  const commit = (details) => made.committed(details, tabs.commit(details));
  return { tabs, asked, told, commit };
}

test("a document that was not requested is decided when it comes, a page of the browser's is not", () => {
  const { commit, asked } = documents();
  commit({ tabId: 1, frameId: 0, url: "about:blank" });
  commit({ tabId: 1, frameId: 0, url: "chrome://settings/" });
  assert.deepEqual(asked, []);
  commit({ tabId: 1, frameId: 0, url: "https://a.example/" });
  commit({ tabId: 1, frameId: 4, parentFrameId: 0, url: "about:srcdoc" });
  assert.deepEqual(asked.map(({ topURL, frameURL, type }) => [topURL, frameURL, type]), [
    ["https://a.example/", "https://a.example/", "top-document"],
    ["https://a.example/", "about:srcdoc", "child-document"],
  ]);
  assert.equal(inserted().length, 2);
});

test("of each document it is told what is decided about it, and which ones are left alone", () => {
  const { commit, told, tabs } = documents({ allowed: ["allowed.example"] });
  commit({ tabId: 1, frameId: 0, url: "https://page.example/" });
  commit({ tabId: 1, frameId: 4, url: "about:srcdoc", parentFrameId: 0 });
  commit({ tabId: 1, frameId: 0, url: "https://allowed.example/" });
  commit({ tabId: 1, frameId: 0, url: "chrome://settings/" });
  // Domains are found in an address within the page's.
  commit({ tabId: 1, frameId: 0, url: "https://page.example/#https://other.example/" });
  // A window that a script writes into: what it asks for is looked at.
  commit({ tabId: 2, frameId: 0, url: "about:blank" });
  const navigation = tabs.navigate({ tabId: 3, frameId: 0, type: "main_frame", url: "https://cut.example/", requestId: "1" });
  const cut = decision({ ignoring: [1] });
  navigation.decisions.push({ decision: cut, load: { topURL: "https://cut.example/" } });
  commit({ tabId: 3, frameId: 0, url: "https://cut.example/" });
  assert.deepEqual(told.map(([tab, isPage, decisions]) => [tab, isPage, decisions?.length]), [
    [1, true, 1], [1, false, 1], [1, true, undefined], [1, true, undefined], [1, true, 0], [2, true, 0], [3, true, 1]]);
  assert.equal(told[6][2][0], cut);
});

test("what a navigation has found out is hidden when its document comes, unless the site is allowed", () => {
  for (const [allowed, count] of [[[], 1], [["a.example"], 0]]) {
    calls.length = 0;
    const { tabs, asked, commit } = documents({ allowed });
    const navigation = tabs.navigate({
      tabId: 1, frameId: 0, requestId: "1", url: "https://a.example/", method: "GET",
    });
    navigation.decisions.push({ decision: decision({}, hide(1)), load });
    commit({ tabId: 1, frameId: 0, url: "https://a.example/" });
    assert.deepEqual(asked, []);
    assert.equal(inserted().length, count);
  }
});

test("a document that was held back is released when its sheets are in", async () => {
  const { tabs, commit } = documents();
  const navigation = tabs.navigate({
    tabId: 1, frameId: 0, requestId: "1", url: "https://a.example/", method: "GET",
  });
  let isOpen = false;
  navigation.decisions.push({ decision: decision({}, hide(1)), load });
  const opened = new Promise((resolve) => {
    navigation.open = () => {
      isOpen = true;
      resolve();
    };
  });
  commit({ tabId: 1, frameId: 0, url: "https://a.example/" });
  assert.ok(!isOpen);
  await opened;
});

test("on a page that others have redirected to, what is hidden follows from the page's own address", () => {
  for (const [options, count] of [
    [{}, 1], [{ allowed: ["end.example"] }, 0], [{ allowed: ["hop.example"] }, 1],
    [{ choices: [{ site: "end.example", choices: ["shown"] }] }, 0],
    [{ choices: [{ site: "end.example", choices: ["relaxed"] }] }, 0],
  ]) {
    calls.length = 0;
    const { tabs, commit } = documents(options);
    const request = { tabId: 1, frameId: 0, requestId: "1", method: "GET" };
    tabs.navigate({ ...request, url: "https://hop.example/" }).decisions.push({ decision: decision({}, hide(1)), load: {
      ...load, url: "https://hop.example/", topURL: "https://hop.example/", type: "top-document",
    } });
    tabs.navigate({ ...request, url: "https://end.example/" });
    commit({ tabId: 1, frameId: 0, url: "https://end.example/" });
    assert.equal(inserted().length, count, JSON.stringify(options));
  }
});

test("what could not be inserted is tried again with the next load, a few times", async (context) => {
  const { hiding } = fakeMatcher(() => decision(), { sheet: ".all", selectors: (slot) => `.s${slot}` });
  const document = new FrameDocument("https://a.example/", "GET", "1");
  let failing = 2;
  const tried = [];
  context.mock.method(fakeBrowser.scripting, "insertCSS", async ({ css }) => {
    tried.push(css.match(/\.\w+/g).join(" "));
    if (failing-- > 0) throw new Error("the frame is on its way");
  });
  for (const slot of [5, 6, 6, 6]) {
    hiding.apply(frame, document, decision({ sheets: [1] }, hide(slot)), load);
    await document.pending;
  }
  assert.deepEqual(tried, [".all .s5", ".all .s5 .s6", ".all .s5 .s6"]);

  tried.length = 0;
  failing = Infinity;
  const closed = new FrameDocument("https://a.example/", "GET", "2");
  for (let number = 0; number < 20; number++) {
    hiding.apply(frame, closed, decision({ sheets: [1] }), load);
    await closed.pending;
  }
  assert.equal(tried.length, 4);
});
