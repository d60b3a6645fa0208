import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { isShown } = await import("../WebExtension/hiding/hold.js");

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

test("redirects, empty answers and downloads are not shown", () => {
  for (const status of [301, 302, 304, 307, 204, 205]) {
    assert.ok(!isShown(answer("text/html", status), true), String(status));
  }
  const download = [{ name: "content-disposition", value: " Attachment; filename=a.html" }];
  assert.ok(!isShown(answer("text/html", 200, download), true));
  const inline = [{ name: "Content-Disposition", value: "inline" }];
  assert.ok(isShown(answer("text/html", 200, inline)));
});
