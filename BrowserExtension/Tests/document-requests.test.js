import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
import { awaited } from "./Support/timers.js";
const { likelyType, withDocumentRequests } = await import("../WebExtension/popup/document-requests.js");

/** Documents that know of requests, as `[address, initiator]`. */
function answering(...documents) {
  fakeBrowser.scripting.executeScript = async () => documents.map((entries) => ({
    result: entries?.map(([url, initiator]) => ({ url, initiator })),
  }));
}

test("what documents know of is added to what is known, each address once", async () => {
  answering([["https://a.example/x.js", "script"], ["https://a.example/p.png#x", "css"]], undefined,
    [["https://a.example/x.js", "other"], ["blob:https://a.example/1", "img"], ["https://b.example/", "iframe"]]);
  const seen = [{ url: "https://a.example/p.png", type: "image" }];
  assert.deepEqual(await withDocumentRequests(1, seen), [
    ...seen, { url: "https://a.example/x.js", type: "script" }, { url: "https://b.example/", type: "child-document" },
  ]);
  assert.equal(seen.length, 1);
});

test("more are not added than are kept of any page", async () => {
  answering(Array.from({ length: 900 }, (_, number) => [`https://a.example/${number}`, "img"]));
  assert.equal((await withDocumentRequests(1, [])).length, 500);
});

test("a page that does not answer, or may not be asked, adds nothing", async () => {
  const seen = [{ url: "https://a.example/", type: "image" }];
  fakeBrowser.scripting.executeScript = () => new Promise(() => {});
  assert.deepEqual(await awaited(withDocumentRequests(1, seen)), seen);
  fakeBrowser.scripting.executeScript = async () => { throw new Error("no access"); };
  assert.deepEqual(await withDocumentRequests(1, seen), seen);
});

test("the type of a request follows from what has made it, else from its address", () => {
  for (const [url, initiator, type] of [
    ["https://a.example/x", "img", "image"], ["https://a.example/x", "fetch", "fetch"], ["https://a.example/x", "beacon", "ping"],
    ["https://a.example/x.css?v=1.js", "link", "style-sheet"], ["https://a.example/x.woff2#i", "css", "font"],
    ["https://a.example/x.PNG", "css", "image"], ["https://a.example/x.mjs", "link", "script"], ["https://a.example/", "link", ""],
  ]) assert.equal(likelyType(url, initiator), type, `${url} by ${initiator}`);
});
