import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { checkedGallery } = await import("../WebExtension/gallery/page-gallery.js");

const page = "https://a.example/site/tickbird-gallery/com.example.blocker.html";
const address = "https://a.example/site/tickbird-gallery.txt";

test("a page names its own gallery, and the extension that it is about", () => {
  assert.deepEqual(
    checkedGallery({ address: `${address}#part`, identifier: "com.example.blocker" }, page),
    { address, identifier: "com.example.blocker" },
  );
  assert.deepEqual(checkedGallery({ address, identifier: null }, page), { address, identifier: null });
  const local = "http://127.0.0.1:8000/tickbird-gallery.txt";
  assert.equal(checkedGallery({ address: local }, "http://127.0.0.1:8000/")?.address, local);
});

test("a page cannot name a list of another origin, of a file, or over plain http", () => {
  for (const [named, from] of [
    ["https://b.example/tickbird-gallery.txt", page], ["http://a.example/tickbird-gallery.txt", page],
    ["https://a.example:444/tickbird-gallery.txt", page],
    ["http://127.0.0.1:8000/tickbird-gallery.txt", page],
    ["http://192.168.0.1/tickbird-gallery.txt", "http://192.168.0.1/"],
    ["http://a.example/tickbird-gallery.txt", "http://a.example/"],
    ["http://127.0.0.1:8000/a.txt", "http://127.0.0.1:8001/"],
    ["file:///etc/tickbird-gallery.txt", "file:///etc/"], ["javascript:alert(1)", page],
    ["data:text/plain,a", page], ["", page], ["/tickbird-gallery.txt", page],
    ["https://user:word@a.example/tickbird-gallery.txt", page], [address, "about:blank"],
    [`https://a.example/${"x".repeat(5000)}`, page], ["null", "null"],
  ]) {
    assert.equal(checkedGallery({ address: named }, from), null, named);
  }
});

test("a page's script may have changed whatever was found", () => {
  for (const found of [undefined, null, "a", 7, [], {}, { address: 7 }, { address: { href: address } }]) {
    assert.equal(checkedGallery(found, page), null);
  }
  for (const identifier of [
    7, {}, "", "a b", "../a", "a..b", ".a", "a.", "a\nb", "<b>", "a".repeat(156), "\u202ea",
  ]) {
    assert.deepEqual(checkedGallery({ address, identifier }, page), { address, identifier: null });
  }
});
