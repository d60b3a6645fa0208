// The patterns of Safari's older extensions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { everywhere, functions } from "./Support/safari.js";

const { matchesPattern, matchesStars, canAccess, isPage } = functions(
  ["patterns"], "matchesPattern", "matchesStars", "canAccess", "isPage",
);

test("stars stand for any text, also none", () => {
  for (const [pattern, text, expected] of [
    ["a*b", "ab", true], ["a*b", "axxb", true], ["a*b", "axbx", false], ["*", "", true],
    ["a*a", "a", false], ["*a*a*", "xaxax", true], ["*ab*b", "ab", false], ["a", "A", false],
  ]) {
    assert.equal(matchesStars(pattern, text), expected, `${pattern} ${text}`);
  }
});

test("many stars end soon", () => {
  assert.equal(matchesStars("*a".repeat(2000) + "b", "a".repeat(20_000)), false);
});

test("a pattern's host and path are compared apart", () => {
  for (const [pattern, url, expected] of [
    ["http://*.a.example/*", "http://a.example/", true],
    ["http://*.a.example/*", "http://b.a.example/x?y", true],
    ["http://*.a.example/*", "http://evil.example/x.a.example/", false],
    ["http://www.search.*/find*", "http://www.search.co.example/find?q=1", true],
    ["http://www.search.*/find*", "https://www.search.de/find", false],
    ["*://*/*", "https://a.example/", true],
    ["http://a.example:8080/*", "http://a.example:8080/", true],
    ["http://a.example:8080/*", "http://a.example/", false],
    ["nothing", "http://nothing/", false],
  ]) {
    assert.equal(matchesPattern(pattern, new URL(url)), expected, `${pattern} ${url}`);
  }
});

test("access is by scheme and domain, and what is no address has none", () => {
  assert.ok(canAccess(everywhere, "https://a.example/"));
  assert.ok(!canAccess(everywhere, "file:///etc/passwd"));
  assert.ok(!canAccess(everywhere, "x"));
  const some = { schemes: ["http"], domains: ["a.example", "*.b.example"] };
  assert.deepEqual(
    ["http://a.example/", "http://x.a.example/", "http://b.example/", "https://b.example/"].map((url) =>
      canAccess(some, url)),
    [true, false, true, false],
  );
});

test("an exception wins", () => {
  const pages = { allowed: ["*://*.a.example/*"], excluded: ["*://b.a.example/*"] };
  assert.ok(isPage(pages, "http://c.a.example/"));
  assert.ok(!isPage(pages, "http://b.a.example/"));
  assert.ok(isPage({ allowed: null, excluded: [] }, "http://b.a.example/"));
});
