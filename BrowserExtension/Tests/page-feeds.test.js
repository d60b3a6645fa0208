import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { checkedFeeds } = await import("../WebExtension/links/page-feeds.js");

test("feeds come once each, in the page's order", () => {
  assert.deepEqual(checkedFeeds([
    { address: "https://a.example/rss", title: "News" },
    { address: "https://a.example/atom", title: "" },
    { address: "https://A.example/rss", title: "Again" },
  ]), [
    { address: "https://a.example/rss", title: "News" },
    { address: "https://a.example/atom", title: "" },
  ]);
});

test("a page's script may have changed whatever was found", () => {
  for (const found of [undefined, null, "feeds", 7, { length: 1 }, [null], [[]], [{}], ["x"]]) {
    assert.deepEqual(checkedFeeds(found), []);
  }
  assert.deepEqual(checkedFeeds([
    { address: "javascript:alert(1)", title: "" },
    { address: "file:///etc/passwd", title: "" },
    { address: `https://a.example/${"x".repeat(5000)}`, title: "" },
    { address: { toString: () => "https://b.example/" }, title: 5 },
  ]), [{ address: "https://b.example/", title: "5" }]);
});

test("a title is cut", () => {
  const [feed] = checkedFeeds([{ address: "https://a.example/", title: "x".repeat(1000) }]);
  assert.equal(feed.title.length, 200);
});
