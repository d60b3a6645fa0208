import "./Support/browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { isPrerendered, Tabs } from "../WebExtension/deciding/tabs.js";

const document = (properties) => ({ tabId: 1, frameId: 0, parentFrameId: -1, ...properties });
const navigating = (properties) => ({
  requestId: "1", tabId: 1, frameId: 0, parentFrameId: -1, method: "GET", type: "main_frame",
  ...properties,
});

test("a navigation becomes the page's when its document comes", () => {
  const tabs = new Tabs();
  const begun = tabs.navigate(navigating({ url: "https://a.example/", method: "POST" }));
  const { document: made, navigation, wasPrerendered } =
    tabs.commit(document({ url: "https://a.example/#b", documentId: "1" }));
  assert.equal(navigation, begun);
  assert.ok(!wasPrerendered);
  assert.equal(made.method, "POST");
  assert.equal(tabs.shown(1).journal, begun.journal);
  assert.equal(tabs.shown(1).navigation(0), undefined);
});

test("a redirect goes on with the same navigation, another request begins a new one", () => {
  const tabs = new Tabs();
  const first = tabs.navigate(navigating({ url: "https://a.example/" }));
  const second = tabs.navigate(navigating({ url: "https://b.example/" }));
  assert.equal(first, second);
  assert.equal(second.url, "https://b.example/");
  assert.notEqual(tabs.navigate(navigating({ requestId: "2", url: "https://a.example/" })), first);
});

test("a document at another address is not that of the navigation", () => {
  const tabs = new Tabs();
  tabs.navigate(navigating({ url: "https://a.example/" }));
  const { navigation } = tabs.commit(document({ url: "about:blank" }));
  assert.equal(navigation, null);
});

test("a new page forgets its frames; a late event of the same document keeps the journal", () => {
  const tabs = new Tabs();
  tabs.commit(document({ url: "https://a.example/", documentId: "1" }));
  tabs.commit(document({ frameId: 3, parentFrameId: 0, url: "https://f.example/" }));
  const { journal } = tabs.shown(1);
  tabs.commit(document({ url: "https://a.example/", documentId: "1" }));
  assert.equal(tabs.shown(1).journal, journal);
  tabs.commit(document({ url: "https://b.example/", documentId: "2" }));
  assert.notEqual(tabs.shown(1).journal, journal);
  assert.equal(tabs.frame(document({ frameId: 3 })), undefined);
});

test("a stopped page has the journal of its navigation", () => {
  const tabs = new Tabs();
  const { journal } = tabs.navigate(navigating({ url: "https://a.example/" }));
  tabs.giveUp(navigating({}));
  assert.equal(tabs.shown(1).journal, journal);
  assert.equal(tabs.navigation(navigating({})), null);
});

test("a navigation that brings no document ends; another one that has taken its place goes on", () => {
  const tabs = new Tabs();
  tabs.commit(document({ url: "https://a.example/", documentId: "1" }));
  const { journal } = tabs.shown(1);
  const first = navigating({ url: "https://b.example/" });
  tabs.navigate(first);
  const second = tabs.navigate(navigating({ requestId: "2", url: "https://c.example/" }));
  assert.equal(tabs.end(first), null);
  assert.equal(tabs.giveUp(first), null);
  assert.equal(tabs.shown(1).navigation(0), second);
  assert.equal(tabs.end(navigating({ requestId: "2" })), second);
  assert.equal(tabs.shown(1).navigation(0), undefined);
  assert.equal(tabs.shown(1).journal, journal);
});

test("a navigation that has failed is awaited no more; a document that comes all the same has its findings", () => {
  const tabs = new Tabs();
  tabs.commit(document({ url: "https://a.example/", documentId: "1" }));
  const request = navigating({ url: "https://b.example/" });
  const begun = tabs.navigate(request);
  tabs.fail({ ...request, requestId: "0" });
  assert.equal(tabs.navigation(request), begun);
  tabs.fail(request);
  assert.deepEqual([tabs.navigation(request), tabs.shown(1).awaitedTop("https://b.example/")], [null, null]);
  const { navigation } = tabs.commit(document({ url: "https://b.example/", documentId: "2" }));
  assert.equal(navigation, begun);
  assert.equal(tabs.shown(1).journal, begun.journal);
});

const ahead = (properties) => ({
  ...navigating({ frameId: 7, ...properties }), documentLifecycle: "prerender",
});

test("a prerendered page is a page of its own, until it is shown", () => {
  const tabs = new Tabs();
  tabs.commit(document({ url: "https://a.example/", documentId: "shown" }));
  tabs.navigate(ahead({ url: "https://b.example/" }));
  tabs.commit(ahead({ url: "https://b.example/", documentId: "ahead" }));
  const page = tabs.page(ahead({}));
  assert.notEqual(page, tabs.shown(1));
  assert.equal(tabs.shown(1).top.url, "https://a.example/");
  assert.ok(page.isTop(7));
  // Frames of it are found by their parent.
  assert.equal(tabs.page({ tabId: 1, frameId: 9, parentFrameId: 7 }), page);

  const { document: top, wasPrerendered } =
    tabs.commit(document({ url: "https://b.example/", documentId: "ahead" }));
  assert.ok(wasPrerendered);
  assert.equal(top.url, "https://b.example/");
  assert.equal(tabs.shown(1), page);
  assert.ok(page.isTop(0));
  assert.equal(page.document(7), undefined);
});

test("of prerendered pages that are never shown, twenty are kept", () => {
  const tabs = new Tabs();
  const begin = (frameId) => {
    tabs.navigate(ahead({ frameId, url: "https://b.example/" }));
    return tabs.page(ahead({ frameId }));
  };
  const first = begin(100);
  assert.equal(tabs.page(ahead({ frameId: 100 })), first);
  for (let frameId = 101; frameId < 121; frameId++) begin(frameId);
  assert.notEqual(tabs.page(ahead({ frameId: 100 })), first);
  const recent = tabs.page(ahead({ frameId: 120 }));
  assert.equal(tabs.page(ahead({ frameId: 120 })), recent);
});

test("only the outermost frame of a prerendered page is one", () => {
  assert.ok(isPrerendered(ahead({})));
  assert.ok(!isPrerendered(ahead({ parentFrameId: 7, frameId: 8 })));
  assert.ok(!isPrerendered(ahead({ frameId: 0 })));
  assert.ok(!isPrerendered(navigating({})));
});

test("what happens before the event of a document belongs to its navigation", () => {
  const tabs = new Tabs();
  tabs.commit(document({ url: "https://a.example/", documentId: "1" }));
  const navigation = tabs.navigate(navigating({ requestId: "2", url: "https://b.example/" }));
  const page = tabs.shown(1);
  assert.equal(page.awaitedTop("https://b.example/#x"), navigation);
  assert.equal(page.awaitedTop("https://a.example/"), null);
  assert.equal(page.awaitedTop(undefined), null);
  tabs.commit(document({ url: "https://b.example/", documentId: "2" }));
  assert.equal(page.awaitedTop("https://b.example/"), null);
});

test("documents that were there before are found once", () => {
  const tabs = new Tabs();
  const found = tabs.find(document({ url: "https://a.example/", documentId: "1" }));
  assert.equal(found.url, "https://a.example/");
  assert.equal(tabs.find(document({ url: "https://a.example/", documentId: "1" })), null);
});

test("a document may change its address, and a tab be forgotten", () => {
  const tabs = new Tabs();
  tabs.commit(document({ url: "https://a.example/" }));
  tabs.rename(document({ url: "https://a.example/next" }));
  assert.equal(tabs.shown(1).top.url, "https://a.example/next");
  tabs.rename({ tabId: 4, frameId: 0, url: "https://b.example/" });
  assert.equal(tabs.shown(4).top, undefined);
  tabs.remove(1);
  assert.equal(tabs.shown(1).top, undefined);
});

test("looking for a tab or a page makes none, and what is late for a closed tab is not kept", () => {
  const tabs = new Tabs();
  const look = (tabId) => {
    const details = navigating({ tabId, url: "https://a.example/" });
    tabs.shown(tabId);
    tabs.page(details);
    tabs.page(ahead({ tabId }));
    tabs.frame(details);
    tabs.top(details);
    tabs.document(details);
    tabs.navigation(details);
    tabs.giveUp(details);
    tabs.rename(details);
  };
  for (let tabId = 1; tabId <= 3000; tabId++) {
    look(tabId);
    tabs.commit(document({ tabId, url: "https://a.example/", documentId: `d${tabId}` }));
    assert.equal(tabs.shown(tabId).top.url, "https://a.example/");
    tabs.remove(tabId);
    assert.ok(tabs.isClosed(tabId));
    look(tabId);
    // All of these are decided as before, for those who wait for it.
    assert.equal(tabs.navigate(navigating({ tabId, url: "https://b.example/" })).url, "https://b.example/");
    assert.equal(tabs.commit(document({ tabId, url: "https://b.example/" })).document.url, "https://b.example/");
    tabs.find(document({ tabId, url: "https://b.example/" }));
  }
  assert.deepEqual([...tabs.numbers], []);
});

test("a page that comes back has its frames again, and what is hidden in them", () => {
  const tabs = new Tabs();
  tabs.navigate(navigating({ url: "https://a.example/", method: "POST" }));
  tabs.commit(document({ url: "https://a.example/", documentId: "a" }));
  const frame = { frameId: 3, parentFrameId: 0, url: "https://f.example/f", documentId: "f", parentDocumentId: "a" };
  const { document: framed } = tabs.commit(document(frame));
  const page = tabs.shown(1);
  tabs.navigate(navigating({ requestId: "2", url: "https://b.example/" }));
  tabs.commit(document({ url: "https://b.example/", documentId: "b" }));
  // What it sends as it is left is told late, and what it asks for as it comes back may be told early.
  const asked = navigating({ frameId: 3, parentFrameId: 0, documentId: "f", parentDocumentId: "a", type: "image" });
  assert.equal(tabs.page(asked), page);
  assert.equal(tabs.top(asked).url, "https://a.example/");
  assert.equal(tabs.frame(document({ frameId: 3, documentId: "unknown" })), undefined);

  const back = tabs.commit(document({ url: "https://a.example/", documentId: "a", transitionQualifiers: ["forward_back"] }));
  assert.ok(back.isRestored && !back.mayHaveFrames && !back.wasPrerendered);
  assert.equal(back.document.method, "POST");
  assert.equal(tabs.shown(1), page);
  assert.equal(tabs.document(asked), framed);
  // And forward again.
  assert.ok(tabs.commit(document({ url: "https://b.example/", documentId: "b" })).isRestored);
  assert.equal(tabs.frame(document({ frameId: 3 })), undefined);
  assert.ok(tabs.commit(document({ url: "https://a.example/", documentId: "a" })).isRestored);
  assert.equal(tabs.document(asked), framed);
});

test("a page that was left as a prerendered one was shown comes back as well", () => {
  const tabs = new Tabs();
  tabs.commit(document({ url: "https://a.example/", documentId: "a" }));
  tabs.navigate(ahead({ url: "https://b.example/" }));
  tabs.commit(ahead({ url: "https://b.example/", documentId: "b" }));
  tabs.commit(document({ frameId: 9, parentFrameId: 7, url: "https://f.example/", documentId: "f" }));
  assert.ok(tabs.commit(document({ url: "https://b.example/", documentId: "b" })).wasPrerendered);
  assert.equal(tabs.frame(document({ frameId: 9 })).url, "https://f.example/");
  assert.ok(tabs.commit(document({ url: "https://a.example/", documentId: "a" })).isRestored);
  assert.equal(tabs.frame(document({ frameId: 9 })), undefined);
  assert.ok(tabs.commit(document({ url: "https://b.example/", documentId: "b" })).isRestored);
  assert.equal(tabs.frame(document({ frameId: 9 })).url, "https://f.example/");
});

test("six pages of a tab are kept that may come back", () => {
  const tabs = new Tabs();
  for (let number = 0; number < 8; number++) {
    tabs.commit(document({ url: `https://a${number}.example/`, documentId: `d${number}` }));
  }
  const isKept = (number) => tabs.page(document({ frameId: 5, parentFrameId: 0, parentDocumentId: `d${number}` })) !== tabs.shown(1);
  assert.deepEqual([0, 1, 2, 6, 7].map(isKept), [false, true, true, true, false]);
});

test("frames are asked for where a page comes as a whole and is not known, and else never", () => {
  const qualifiers = { transitionQualifiers: ["forward_back"] };
  const tabs = new Tabs();
  const commit = (more) => tabs.commit(document({ url: "https://a.example/", ...more })).mayHaveFrames;
  tabs.navigate(navigating({ url: "https://a.example/" }));
  assert.ok(!commit({}));
  assert.ok(!commit({ url: "https://b.example/" }), "a service worker answered");
  assert.ok(commit(qualifiers), "back, and not asked for");
  assert.ok(!commit({ ...qualifiers, frameId: 4, parentFrameId: 0 }));
  tabs.navigate(navigating({ requestId: "2", url: "https://a.example/" }));
  assert.ok(!commit(qualifiers), "back, and loaded anew");
  for (let frameId = 100; frameId < 121; frameId++) tabs.navigate(ahead({ frameId, url: "https://b.example/" }));
  assert.ok(commit({ documentId: "x" }), "perhaps the prerendered page that was forgotten");
  assert.ok(!commit({ documentId: "y" }));
});

test("a late event of a document that is there keeps its frames", () => {
  const tabs = new Tabs();
  tabs.find(document({ url: "https://a.example/", documentId: "1" }));
  tabs.find(document({ frameId: 3, parentFrameId: 0, url: "https://f.example/", documentId: "2" }));
  tabs.commit(document({ url: "https://a.example/", documentId: "1" }));
  assert.equal(tabs.frame(document({ frameId: 3 })).url, "https://f.example/");
});

test("documents of frames that were removed are forgotten, those that are there are not", () => {
  const tabs = new Tabs();
  const frame = (frameId) => document({
    frameId, parentFrameId: 0, url: "https://f.example/", documentId: `f${frameId}`, parentDocumentId: "a",
  });
  tabs.commit(document({ url: "https://a.example/", documentId: "a" }));
  const page = tabs.shown(1);
  for (let frameId = 1; frameId < 199; frameId++) tabs.commit(frame(frameId));
  assert.ok(!page.isCrowded);
  tabs.commit(frame(199));
  assert.ok(page.isCrowded);
  const forget = page.askForFrames();
  assert.ok(!page.isCrowded, "once is enough");
  tabs.commit(frame(200));
  forget(new Set([0, 5]));
  assert.deepEqual([...page.documents.keys()], [0, 5, 200]);
  assert.ok(page.hasDocument("f5") && !page.hasDocument("f6"));
  // Where it is not told, none is forgotten, and it is asked again later.
  for (let frameId = 201; frameId < 400; frameId++) tabs.commit(frame(frameId));
  assert.ok(page.isCrowded);
  page.askForFrames()(null);
  assert.equal(page.documents.size, 202);
  assert.ok(!page.isCrowded);
  // Chromium tells nothing of frames that have come back, which are there.
  tabs.commit(document({ url: "https://b.example/", documentId: "b" }));
  tabs.commit(document({ url: "https://a.example/", documentId: "a" }));
  for (let frameId = 400; !page.isCrowded; frameId++) tabs.commit(frame(frameId));
  page.askForFrames()(new Set([0]));
  assert.deepEqual([page.documents.size, page.documents.has(5)], [202, true]);
});

test("a page has a bound, whatever it does and nobody tells", () => {
  const tabs = new Tabs();
  tabs.commit(document({ url: "https://a.example/", documentId: "a" }));
  for (let frameId = 1; frameId < 20_000; frameId++) {
    const frame = { frameId, parentFrameId: 0, parentDocumentId: "a", url: "https://f.example/" };
    const navigation = tabs.navigate(navigating({ ...frame, requestId: String(frameId), type: "sub_frame" }));
    assert.equal(tabs.navigation(navigating({ ...frame, requestId: String(frameId) })), navigation);
    if (frameId % 2) tabs.commit(document({ ...frame, documentId: `f${frameId}` }));
  }
  assert.equal(tabs.shown(1).documents.size, 5000);
  assert.equal(tabs.shown(1).top.url, "https://a.example/");
  assert.equal(tabs.shown(1).navigation(2), undefined);
});

test("frames that come back before their page, as in Firefox, are those that it had", () => {
  const tabs = new Tabs();
  const commit = (more) => tabs.commit(document({ transitionQualifiers: ["forward_back"], ...more }));
  const frame = { frameId: 3, parentFrameId: 0, url: "https://f.example/f", documentId: "f" };
  commit({ url: "https://a.example/", documentId: "a" });
  const { document: framed } = commit(frame);
  commit({ url: "https://b.example/", documentId: "b" });
  assert.equal(commit(frame).document, framed, "with what is hidden in it");
  assert.equal(tabs.shown(1).top.url, "https://b.example/");
  assert.equal(tabs.shown(1).document(3), undefined);
  assert.ok(commit({ url: "https://a.example/", documentId: "a" }).isRestored);
  assert.equal(tabs.frame(document({ frameId: 3 })), framed);
});

test("of pages with addresses of megabytes that were left, as many are kept as have few characters", () => {
  const tabs = new Tabs();
  const commit = (number, length) => tabs.commit({
    tabId: 1, frameId: 0, url: `https://a.example/${"x".repeat(length)}${number}`, documentId: `top ${number}`,
  });
  for (let number = 0; number < 5; number++) commit(number, 3_000_000);
  const isKept = (number) => commit(number, 9).isRestored;
  assert.deepEqual([3, 0].map(isKept), [true, false]);
});

test("a page is asked which frames it has, also where a few have long addresses", () => {
  const tabs = new Tabs();
  tabs.commit({ tabId: 1, frameId: 0, url: "https://a.example/", documentId: "top" });
  const page = tabs.shown(1);
  const add = (frameId) => tabs.commit({
    tabId: 1, frameId, url: `data:text/html,${"x".repeat(1_000_000)}${frameId}`, documentId: `frame ${frameId}`,
  });
  add(1);
  assert.ok(!page.isCrowded);
  add(2);
  assert.ok(page.isCrowded);
  const forget = page.askForFrames();
  assert.ok(!page.isCrowded);
  forget(new Set([0, 2]));
  assert.deepEqual([...page.documents.keys()], [0, 2]);
  assert.ok(!page.isCrowded);
});
