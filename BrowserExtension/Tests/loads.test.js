import "./Support/browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDocument, loadOf, resourceType, withoutFragment } from
  "../WebExtension/deciding/loads.js";
import { Tabs } from "../WebExtension/deciding/tabs.js";

/** Tabs in which tab 1 shows a page with a frame, number 5. */
function tabsWithPage() {
  const tabs = new Tabs();
  tabs.commit({ tabId: 1, frameId: 0, url: "https://page.example/a#part", documentId: "top" });
  tabs.commit({
    tabId: 1, frameId: 5, parentFrameId: 0, url: "https://frame.example/", documentId: "frame",
  });
  return tabs;
}

const request = (properties) => ({
  requestId: "1", tabId: 1, frameId: 0, parentFrameId: -1, method: "GET", type: "script",
  url: "https://cdn.example/a.js", ...properties,
});

test("browsers' types have words of the rule language", () => {
  for (const [type, word] of [
    ["main_frame", "top-document"], ["sub_frame", "child-document"], ["imageset", "image"],
    ["xmlhttprequest", "fetch"], ["beacon", "other"], ["csp_report", "csp-report"],
    ["something_new", "other"], ["constructor", "other"],
  ]) assert.equal(resourceType({ type }), word, type);
});

test("only frames' requests are for documents", () => {
  assert.ok(isDocument({ type: "main_frame" }));
  assert.ok(isDocument({ type: "sub_frame" }));
  assert.ok(!isDocument({ type: "object" }));
});

test("a fragment begins at the first number sign", () => {
  assert.equal(withoutFragment("https://a.example/#b#c"), "https://a.example/");
  assert.equal(withoutFragment("#"), "");
  assert.equal(withoutFragment("https://a.example/"), "https://a.example/");
});

test("a load of the page is judged by its document, fragment and all", () => {
  const load = loadOf(request({}), tabsWithPage());
  assert.deepEqual(load, {
    url: "https://cdn.example/a.js", topURL: "https://page.example/a#part",
    frameURL: "https://page.example/a#part", type: "script", isTopFrame: true, method: "GET",
  });
});

test("a load of a frame is judged by both documents", () => {
  const load = loadOf(request({ frameId: 5, parentFrameId: 0 }), tabsWithPage());
  assert.equal(load.topURL, "https://page.example/a#part");
  assert.equal(load.frameURL, "https://frame.example/");
  assert.ok(!load.isTopFrame);
});

test("a page's own load is judged by itself, and its frame is what the tab shows until then", () => {
  const load = loadOf(request({
    type: "main_frame", url: "https://next.example/#x", method: "POST",
  }), tabsWithPage());
  assert.deepEqual(load, {
    url: "https://next.example/#x", topURL: "https://next.example/",
    frameURL: "https://page.example/a#part", type: "top-document", isTopFrame: true,
    method: "POST",
  });
});

test("the first load of a frame has no document before", () => {
  const load = loadOf(request({ type: "sub_frame", frameId: 9, parentFrameId: 0 }), tabsWithPage());
  assert.equal(load.frameURL, "about:blank");
  assert.ok(!load.isTopFrame);
});

test("what Firefox says of the document is preferred", () => {
  const tabs = tabsWithPage();
  const other = loadOf(request({ documentUrl: "https://other.example/" }), tabs);
  assert.equal(other.topURL, "https://other.example/");
  const same = loadOf(request({ documentUrl: "https://page.example/a" }), tabs);
  assert.equal(same.topURL, "https://page.example/a#part");
  const framed = loadOf(request({
    frameId: 5, parentFrameId: 0, documentUrl: "https://frame.example/",
    frameAncestors: [{ url: "https://between.example/" }, { url: "https://outermost.example/" }],
  }), tabs);
  assert.equal(framed.topURL, "https://outermost.example/");
  assert.equal(framed.frameURL, "https://frame.example/");
});

test("loads of the browser and of extensions are not looked at", () => {
  const tabs = tabsWithPage();
  for (const initiator of ["chrome://settings", "moz-extension://x/a.html", "about:preferences"]) {
    assert.equal(loadOf(request({ initiator }), tabs), null, initiator);
  }
  assert.notEqual(loadOf(request({ initiator: "about:blank" }), tabs), null);
});

test("a worker without a page is judged by its origin; without an origin it is not looked at", () => {
  const tabs = new Tabs();
  const load = loadOf(request({ tabId: -1, initiator: "https://worker.example" }), tabs);
  assert.equal(load.topURL, "https://worker.example/");
  assert.equal(loadOf(request({ tabId: -1 }), tabs), null);
  assert.equal(loadOf(request({ tabId: -1, initiator: "null" }), tabs), null);
});

test("in a tab that nothing is known of, nothing is looked at", () => {
  assert.equal(loadOf(request({}), new Tabs()), null);
});

test("a frame that is not known stands for its origin, if the browser names it", () => {
  const tabs = tabsWithPage();
  const frame = (initiator) => loadOf(request({ frameId: 8, parentFrameId: 0, initiator }), tabs).frameURL;
  assert.equal(frame("https://other.example"), "https://other.example/");
  for (const initiator of [undefined, "null", "https://page.example"]) {
    assert.equal(frame(initiator), "https://page.example/a#part", initiator);
  }
});
