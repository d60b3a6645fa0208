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
  const first = tabs.page(ahead({ frameId: 100 }));
  for (let frameId = 101; frameId < 121; frameId++) tabs.page(ahead({ frameId }));
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
