import assert from "node:assert/strict";
import { test } from "node:test";

await import("../WebExtension/picker/element-selectors.js");
const { chosen, isStable, proposals } = globalThis.tickbirdSelectors;

/** As CSS.escape does for what is tested here. */
const escape = (name) => name.replace(/[^\w\u0080-\uffff-]/g, "\\$&").replace(/^\d/, "\\3$& ");
const element = (more = {}) => ({ tag: "div", id: "", classes: [], attributes: [], place: 1, same: 1, ...more });
const selectors = (...path) => proposals(path.map(element), escape).map(({ selector }) => selector);

test("names that people choose are stable, and those that programs make are not", () => {
  for (const name of ["ad", "banner", "ad-banner", "adBanner", "AdSlot", "sidebar_right", "col-2", "h1", "mt-10",
    "top-stories", "Header", "top300", "über-uns", "広告", "x-large", "promo2"]) assert.ok(isStable(name), name);
  for (const name of ["a", "css-1x2y3z", "sc-bdVaJa", "jsx-1234567", "_3xYz9", "svelte-x7ab", "a1b2c3d4", "deadbeef42",
    "id-20231104", "Kx9aQz7", "emotion-0", "bcdfgh", "x".repeat(65), "", "a b", "1st", "{x}", "bXcYdZ"]) {
    assert.ok(!isStable(name), name);
  }
});

test("selectors go from the id over classes and attributes to the place in the page", () => {
  assert.deepEqual(selectors({ id: "ad", classes: ["banner", "css-1x2y"], attributes: [["role", "complementary"]] },
    { tag: "main", classes: ["content"] }, { tag: "body" }), [
    "#ad", "div.banner", "div[role=\"complementary\"]", ".banner", ".content > div.banner", "body > main > div",
  ]);
  assert.deepEqual(selectors({ tag: "iframe", attributes: [["src", "https://ads.example/x?y=1"]], place: 2, same: 3 }, { tag: "body" }),
    ["iframe[src^=\"https://ads.example/\"]", "body > iframe:nth-of-type(2)"]);
  // A place begins at the nearest name that stays.
  assert.equal(selectors({ place: 3, same: 3 }, { tag: "p" }, { id: "main" }, { tag: "body" }).at(-1), "#main > p > div:nth-of-type(3)");
});

test("hostile names are escaped or left out", () => {
  const all = selectors({
    tag: "x{y", id: "a,b", classes: ["a}b{", "ok", "c:has(*)"],
    attributes: [["title", "\"] , body {"], ["alt", "a{b"], ["src", "https://a.example\"],x/y"]],
  }, { tag: "body" });
  for (const each of all) {
    const plain = each.replace(/\\./g, "");
    assert.ok(!/[{},]|body\b.*ok|:has/.test(plain), each);
  }
  assert.ok(all.includes(".ok"));
});

test("three to five are offered, narrow first, and a place only where it is needed", () => {
  const all = ["#a", ".b", ".c", ".d", ".e", ".f"].map((selector) => ({ selector, isPlace: false }))
    .concat({ selector: "p > i", isPlace: true });
  const counts = { "#a": 1, ".b": 3, ".c": 3, ".d": 3, ".e": 9, ".f": 20, "p > i": 1 };
  assert.deepEqual(chosen(all, (selector) => counts[selector]).map(({ selector }) => selector), ["#a", ".b", ".c", ".e", ".f"]);
  // One that selects something else, or the page, is none.
  assert.deepEqual(chosen(all, (selector) => (selector === "p > i" || selector === ".b" ? 1 : 0)).map(({ selector }) => selector),
    ["p > i", ".b"]);
  // Where no name is narrow, the place is offered as well.
  assert.equal(chosen(all, (selector) => (selector === "p > i" ? 1 : 7))[0].selector, "p > i");
  assert.deepEqual(chosen([{ selector: `#${"x".repeat(400)}`, isPlace: false }], () => 1), []);
});

test("the work does not grow with the number of elements", () => {
  let counted = 0;
  const path = Array.from({ length: 12 }, (_, place) => ({
    id: `part-${place}`, classes: Array.from({ length: 20 }, (_each, number) => `name${"abcdefghijklmnopqrst"[number]}o`),
    attributes: [["role", "x"], ["title", "y"], ["name", "z"]],
  }));
  chosen(proposals(path.map(element), escape), () => { counted += 1; return 100_000; });
  assert.ok(counted > 3 && counted <= 16, String(counted));
});
