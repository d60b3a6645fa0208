import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { calls, fakeBrowser } from "./Support/browser.js";
fakeBrowser.runtime.getURL = (path) => `moz-extension://tickbird/${path}`;
globalThis.browser = fakeBrowser;
/** What Firefox puts into documents by itself. */
const acting = new Set();
fakeBrowser.contentScripts = {
  register: async (script) => {
    acting.add(script);
    return { unregister: async () => { acting.delete(script); } };
  },
};
fakeBrowser.tabs.insertCSS = async (_tabId, { code }) => { calls.push(["insertCSS", code]); };
const { decision, fakeMatcher } = await import("./Support/matcher.js");
const { FrameDocument, Navigation } = await import("../WebExtension/deciding/page.js");

beforeEach(() => {
  calls.length = 0;
  acting.clear();
});

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const inserted = () => calls.filter(([name]) => name === "insertCSS").map(([, css]) => css);
const loadOf = (url) => ({
  url, topURL: url, frameURL: url, type: "top-document", isTopFrame: true, method: "GET",
});
/** The numbers of pages' hidings are never used again. */
let lastHidings = 0;

/** A list that hides `.all` everywhere, `.most` but on one site, `.here` on another, and `.top` in pages. */
function matcher({ hidesInPages = false } = {}) {
  return fakeMatcher(({ url, isTopFrame }, wantsAll) => {
    const { hostname } = new URL(url);
    const actions = [
      hostname === "without.example" ? [] : [["css-display-none", [2]]],
      hostname === "with.example" ? [["css-display-none", [3]]] : [],
      isTopFrame && hidesInPages ? [["css-display-none", [4]]] : [],
    ].flat();
    const made = decision({ sheets: [1], hidings: wantsAll ? [] : [++lastHidings] });
    if (wantsAll) made.actions = actions.map(([kind, rules]) => ({ list: 1, kind, slot: rules[0], rules }));
    return made;
  }, { sheet: ".all", selectors: (slot) => ["", "", ".most", ".here", ".top"][slot] });
}

/** What a new page is hidden by: what the browser has put in, and what is inserted. */
async function visit({ engine, hiding }, url) {
  const load = loadOf(url);
  const navigation = new Navigation({ url, method: "GET", requestId: "1" });
  const decided = { decision: engine.decide(load), load };
  const waiting = hiding.prepare(url, navigation, [decided]);
  await waiting;
  const isHeld = hiding.isNeeded(decided.decision, load, navigation.registered);
  const host = `*://${new URL(url).hostname}/*`;
  const registered = [...acting].filter(({ excludeMatches = [] }) => !excludeMatches.includes(host))
    .flatMap(({ css }) => css.map(({ code }) => code));
  const document = new FrameDocument(url, "GET", undefined);
  hiding.committed(document, navigation);
  calls.length = 0;
  hiding.apply({ tabId: 1, frameId: 0 }, document, decided.decision, load);
  await document.pending;
  const names = (/** @type {string[]} */ sheets) => sheets.join("\n").match(/\.\w+(?=\{)/g) ?? [];
  return {
    waits: waiting !== null, isHeld, registered: names(registered).sort(), inserted: names(inserted()),
    rules: [...document.hidingRules.get("list") ?? []].sort(),
  };
}

test("what is hidden on a page that no list knows is registered, and the page waits for nothing", async () => {
  const made = matcher();
  await settled();
  assert.equal(acting.size, 2);
  assert.deepEqual(await visit(made, "https://news.example/"), {
    waits: false, isHeld: false, registered: [".all", ".most"], inserted: [], rules: [2],
  });
});

test("a site that is not to have all of it keeps what is hidden everywhere", async () => {
  const made = matcher();
  await settled();
  assert.deepEqual(await visit(made, "https://without.example/"), {
    waits: true, isHeld: false, registered: [".all"], inserted: [], rules: [],
  });
  assert.deepEqual((await visit(made, "https://without.example/again")).waits, false);
  // Others are as they were.
  assert.deepEqual((await visit(made, "https://news.example/")).registered, [".all", ".most"]);
});

test("what a site has besides is inserted, and the document is held back for it", async () => {
  const made = matcher();
  await settled();
  assert.deepEqual(await visit(made, "https://with.example/"), {
    waits: false, isHeld: true, registered: [".all", ".most"], inserted: [".here"], rules: [2, 3],
  });
});

test("what only pages hide, and frames do not, is not registered", async () => {
  const made = matcher({ hidesInPages: true });
  await settled();
  assert.deepEqual((await visit(made, "https://news.example/")).inserted, [".top"]);
  assert.ok(![...acting].some(({ css }) => css.some(({ code }) => code.includes(".top"))));
});
