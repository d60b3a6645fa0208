import assert from "node:assert/strict";
import { test } from "node:test";
import { targetKey, targetKeys } from "../WebExtension/notes/note-addresses.js";

test("a page belongs to itself, its paths, its host and its sites, the most exact first", () => {
  assert.deepEqual(targetKeys("https://news.example.co.uk/a/b?c=d#e"), [
    "page news.example.co.uk/a/b?c=d",
    "path news.example.co.uk/a/b", "path news.example.co.uk/a", "path news.example.co.uk",
    "host news.example.co.uk",
    "site news.example.co.uk", "site example.co.uk", "site co.uk", "site uk",
  ]);
});

test("what is not a page of http or https belongs to nothing", () => {
  for (const address of ["", "example.com", "about:blank", "file:///etc/passwd", "ftp://a.example/",
    "javascript:alert(1)", "http://", "chrome-extension://abc/popup.html"]) {
    assert.deepEqual(targetKeys(address), [], address);
  }
});

test("one page is written in many ways", () => {
  const [page] = targetKeys("https://example.com/a?b=c");
  for (const address of [
    "http://example.com/a?b=c", "HTTPS://EXAMPLE.com:443/a?b=c", "https://example.com./a?b=c",
    "http://example.com:80/a?b=c#part", "https://example.com/%61?b=%63",
    "https://user:secret@example.com/a?b=c", "https://example.com/x/../a?b=c",
    "https://example.com/a?utm_source=x&b=c&fbclid=1",
  ]) assert.equal(targetKeys(address)[0], page, address);
});

test("other pages stay others", () => {
  const pages = ["https://example.com/a", "https://example.com/A", "https://example.com/a/",
    "https://example.com/a?", "https://example.com/a?b", "https://example.com/a?b=",
    "https://example.com/a?utmost=1", "https://example.com:8080/a", "https://example.com/a%2Fb",
    "https://example.com/a/b", "https://example.com/a#/b", "https://example.com/a#!b"];
  const keys = pages.map((address) => targetKeys(address)[0]);
  // An empty query is none.
  assert.equal(keys[3], keys[0]);
  assert.equal(new Set(keys).size, pages.length - 1);
});

test("percent-encoding has one form", () => {
  assert.equal(targetKeys("https://a.example/%e4%f6%7e%2f")[0], "page a.example/%E4%F6~%2F");
});

test("numbers have nothing below them", () => {
  assert.deepEqual(targetKeys("http://192.168.0.1:8080/").slice(1), [
    "path 192.168.0.1:8080", "host 192.168.0.1", "site 192.168.0.1",
  ]);
  assert.deepEqual(targetKeys("http://[::1]/").slice(2), ["host [::1]", "site [::1]"]);
});

test("of a very deep path the sixty-four outermost folders count", () => {
  const address = `https://a.example/${"x/".repeat(100)}`;
  const paths = targetKeys(address).filter((key) => key.startsWith("path "));
  assert.equal(paths.length, 65);
  assert.equal(paths.at(-1), "path a.example");
  assert.equal(paths[0], `path a.example${"/x".repeat(64)}`);
});

test("a key has the kind and the address", () => {
  assert.equal(targetKey("site", "example.com"), "site example.com");
});

test("of a host with very many labels the sites of up to 128 labels count", () => {
  const keys = targetKeys(`https://${"a.".repeat(300)}example/`);
  const sites = keys.filter((key) => key.startsWith("site "));
  assert.equal(sites.length, 129);
  assert.equal(sites[0], `site ${"a.".repeat(300)}example`);
  assert.equal(sites[1], `site ${"a.".repeat(127)}example`);
  assert.equal(sites.at(-1), "site example");
});

test("a long address takes time in proportion to its length", () => {
  // In proportion to its square, it would be hours.
  const length = 2_000_000;
  for (const address of [
    `https://a.example/${"/".repeat(length)}x`, `https://a.example/${"/".repeat(length)}`,
    `https://a.example/${"a/".repeat(length / 2)}`, `https://${"a.".repeat(length / 2)}example/`,
    `https://a.example/?${"&".repeat(length)}`, `https://a.example/?${"%41".repeat(length / 3)}`,
    `https://a.example/#/${"/".repeat(length)}x`,
  ]) {
    const keys = targetKeys(address);
    assert.ok(keys.length >= 4 && keys.length <= 4 + 64 + 128, address.slice(0, 40));
  }
});
