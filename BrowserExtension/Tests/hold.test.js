import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { Documents } = await import("../WebExtension/hiding/documents.js");
const { isShown } = await import("../WebExtension/hiding/hold.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");

const answer = (type, statusCode = 200, more = []) => ({
  statusCode, responseHeaders: [...(type === null ? [] : [{ name: "Content-Type", value: type }]), ...more],
});

test("documents are shown", () => {
  for (const type of ["text/html", " Text/HTML; charset=utf-8", "application/xhtml+xml",
    "image/svg+xml", "text/xml", "application/xml"]) assert.ok(isShown(answer(type)), type);
  assert.ok(isShown(answer("text/html", 404)));
});

test("other answers are shown only where any type counts", () => {
  for (const type of ["application/json", "image/png", null, "", "x text/html"]) {
    assert.ok(!isShown(answer(type)), String(type));
    assert.ok(isShown(answer(type), true), String(type));
  }
});

test("a document is awaited from its answer on; downloads, and answers without content, bring none", () => {
  const download = [{ name: "content-disposition", value: "attachment" }];
  for (const [received, isThere, mayHaveDocument] of [
    [answer("text/html"), true, true], [answer("text/html", 302), true, false],
    [answer("application/pdf"), true, false],
    [answer("text/html", 204), false], [answer("text/html", 200, download), false],
  ]) {
    const tabs = new Tabs();
    const request = { tabId: 1, frameId: 0, requestId: "1", type: "main_frame", url: "https://a.example/" };
    tabs.navigate(request).mayHaveDocument = false;
    const documents = new Documents(tabs, { show() {} }, () => {});
    documents.answered({ ...request, requestId: "2", ...answer("text/html") });
    documents.answered({ ...request, ...received });
    const navigation = tabs.navigation(request);
    assert.equal(navigation !== null, isThere);
    assert.equal(navigation?.mayHaveDocument, mayHaveDocument);
  }
});

test("redirects, empty answers and downloads are not shown", () => {
  for (const status of [301, 302, 304, 307, 204, 205]) {
    assert.ok(!isShown(answer("text/html", status), true), String(status));
  }
  const download = [{ name: "content-disposition", value: " Attachment; filename=a.html" }];
  assert.ok(!isShown(answer("text/html", 200, download), true));
  const inline = [{ name: "Content-Disposition", value: "inline" }];
  assert.ok(isShown(answer("text/html", 200, inline)));
});
