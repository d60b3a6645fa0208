import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, fakeBrowser } from "./Support/browser.js";
const { decision, fakeMatcher } = await import("./Support/matcher.js");
const { applyChoices, isLarge, SiteEffects } = await import("../WebExtension/deciding/site-effects.js");
const { Journal } = await import("../WebExtension/deciding/journal.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");
const { LargeMedia } = await import("../WebExtension/media/large-media.js");
const { SiteChoices } = await import("../WebExtension/shared/site-choices.js");

const load = (more = {}) => ({
  url: "https://other.example/x", topURL: "https://page.example/", frameURL: "https://page.example/",
  type: "script", isTopFrame: true, ...more,
});
/** What choices make of a load; null if it is not looked at. */
const applied = (words, more = {}, before = {}) => {
  const made = decision(before);
  return applyChoices(new Set(words), load(more), made) ? made : null;
};

test("each choice blocks its own kind of load", () => {
  const blocks = (words, type, isFirstParty = false) => {
    const made = applied(words, { type }, { isFirstParty });
    return made.isBlocked ? made.choice : null;
  };
  assert.equal(blocks(["fonts"], "font", true), "fonts");
  assert.equal(blocks(["fonts"], "script"), null);
  assert.equal(blocks(["scripts"], "script", true), "scripts");
  assert.equal(blocks(["scripts"], "fetch"), null);
  assert.equal(blocks(["strict"], "script"), "strict");
  assert.equal(blocks(["strict"], "child-document"), "strict");
  assert.equal(blocks(["strict"], "script", true), null);
  assert.equal(blocks(["strict"], "image"), null);
  assert.equal(blocks(["media", "cookies", "shown"], "image"), null);
});

test("other sites' loads lose their cookies, and no others", () => {
  assert.ok(applied(["cookies"]).blocksCookies);
  assert.ok(!applied(["cookies"], {}, { isFirstParty: true }).blocksCookies);
  assert.ok(!applied(["fonts"]).blocksCookies);
});

test("where a list blocks too, the list is named", () => {
  const made = applied(["scripts"], {}, { isBlocked: true });
  assert.deepEqual([made.isBlocked, made.choice], [true, null]);
});

test("relaxed leaves the site's own loads alone, and hides nothing", () => {
  assert.equal(applied(["relaxed"], {}, { isFirstParty: true, isBlocked: true }), null);
  const made = decision({ isBlocked: true, sheets: [1], hidings: [1] }, { "css-display-none": [0], "block": [1] });
  assert.ok(applyChoices(new Set(["relaxed"]), load(), made));
  assert.ok(made.isBlocked);
  assert.deepEqual([made.sheets, made.hidings, made.actions.map(({ kind }) => kind)], [[], [], ["block"]]);
});

test("relaxed lets the site load nothing that was chosen not to load", () => {
  for (const [choice, type] of [["fonts", "font"], ["scripts", "script"]]) {
    const before = { isFirstParty: true, isBlocked: true, blocksCookies: true };
    const made = applied(["relaxed", choice], { type }, before);
    assert.deepEqual([made?.isBlocked, made?.choice, made?.blocksCookies, made?.actions], [true, choice, false, []]);
    assert.equal(applied(["relaxed", choice], { type: "image" }, { isFirstParty: true }), null);
  }
});

test("an exempted site and a tab that is off have no choices", () => {
  const choices = [{ site: "page.example", choices: ["fonts"] }];
  const font = load({ type: "font" });
  assert.equal(fakeMatcher(() => decision(), { choices }).decide(font, 1).choice, "fonts");
  assert.equal(fakeMatcher(() => decision(), { choices, allowed: ["page.example"] }).decide(font, 1), null);
  // A frame of the site on another page follows that page.
  const framed = load({ type: "font", topURL: "https://b.example/", frameURL: "https://page.example/" });
  assert.equal(fakeMatcher(() => decision(), { choices }).decide(framed, 1).choice, null);
});

test("a journal names the choice in place of a list", () => {
  const matcher = fakeMatcher(() => decision(), { choices: [{ site: "page.example", choices: ["strict"] }] });
  const journal = new Journal();
  matcher.record("block", { decision: matcher.decide(load(), 1), load: load(), journal });
  assert.deepEqual(journal.rows[0].by, [{ identifier: "choice:strict", rules: [] }]);
});

test("an answer is large by its length, that of the whole, or a film's missing one", () => {
  const large = (type, fields) => isLarge({
    type, responseHeaders: Object.entries(fields).map(([name, value]) => ({ name, value })),
  });
  assert.ok(large("image", { "Content-Length": "50000" }));
  assert.ok(!large("image", { "content-length": "49999" }));
  assert.ok(!large("image", {}) && large("media", {}));
  assert.ok(large("media", { "Content-Range": "bytes 0-99/1000000", "Content-Length": "100" }));
  assert.ok(!large("media", { "Content-Range": "bytes 0-99/*", "Content-Length": "100" }));
  assert.ok(!large("image", { "Content-Length": "1e9" }));
});

/** Effects in tab 1, which shows a page. */
function effects(choices) {
  const tabs = new Tabs();
  tabs.commit({ tabId: 1, frameId: 0, url: "https://page.example/", documentId: "top" });
  const matcher = fakeMatcher(() => decision(), { choices });
  const shown = [];
  let loads = 0;
  const media = new LargeMedia(tabs, { show: (tabId) => shown.push(tabId) }, () => matcher, async () => { loads += 1; });
  const made = new SiteEffects(tabs, media);
  made.matcher = matcher;
  const chosen = new SiteChoices();
  chosen.take(choices);
  return { tabs, media, effects: made, chosen, shown, loads: () => loads };
}

const answer = (more = {}) => ({
  requestId: "1", tabId: 1, frameId: 0, parentFrameId: -1, method: "GET", type: "image",
  url: "https://cdn.example/a.jpg", statusCode: 200,
  responseHeaders: [{ name: "Content-Length", value: "60000" }], ...more,
});

test("listeners are there while a choice needs them, and no longer", () => {
  const { onHeadersReceived } = fakeBrowser.webRequest;
  const { effects: made, chosen } = effects([{ site: "page.example", choices: ["scripts", "media"] }]);
  const before = onHeadersReceived.listeners.length;
  made.listenAsNeeded(chosen);
  made.listenAsNeeded(chosen);
  assert.equal(onHeadersReceived.listeners.length, before + 2);
  made.listenAsNeeded(new SiteChoices());
  assert.equal(onHeadersReceived.listeners.length, before);
});

test("documents of the site and their frames get a policy in addition to their own", () => {
  const { effects: made, chosen, tabs } = effects([{ site: "page.example", choices: ["scripts"] }]);
  made.listenAsNeeded(chosen);
  const { onHeadersReceived } = fakeBrowser.webRequest;
  const [listener] = onHeadersReceived.listeners.slice(-1);
  const own = [{ name: "Content-Security-Policy", value: "default-src *" }];
  const policies = (details) => listener({ ...answer(details), responseHeaders: own }).responseHeaders?.length ?? 1;
  assert.equal(policies({ type: "main_frame", url: "https://page.example/" }), 2);
  assert.equal(policies({ type: "main_frame", url: "https://b.example/" }), 1);
  assert.equal(policies({ type: "sub_frame", frameId: 2, parentFrameId: 0, url: "https://b.example/" }), 2);
  // On another page the site's frame has none.
  tabs.commit({ tabId: 1, frameId: 0, url: "https://b.example/", documentId: "b" });
  assert.equal(policies({ type: "sub_frame", frameId: 2, parentFrameId: 0, url: "https://page.example/" }), 1);
  made.listenAsNeeded(new SiteChoices());
});

test("what is large waits until a person clicks on it, in its tab and until the page goes", async () => {
  const { effects: made, chosen, media, loads, shown, tabs } = effects([{ site: "page.example", choices: ["media"] }]);
  made.listenAsNeeded(chosen);
  const [listener] = fakeBrowser.webRequest.onHeadersReceived.listeners.slice(-1);
  assert.deepEqual(listener(answer()), { cancel: true });
  assert.deepEqual(tabs.shown(1).journal.rows[0].by, [{ identifier: "choice:media", rules: [] }]);
  assert.deepEqual(shown, [1]);
  const sender = { tab: { id: 1 } };
  await assert.rejects(media.load(sender, "https://cdn.example/other.jpg"), /nothing was stopped/);
  await assert.rejects(media.load({ tab: { id: 2 } }, answer().url), /nothing was stopped/);
  await assert.rejects(media.load({}, answer().url), /nothing was stopped/);
  await media.load(sender, answer().url);
  assert.equal(loads(), 1);
  assert.deepEqual(listener(answer()), {});
  assert.deepEqual(media.loaded, [[1, answer().url]]);
  assert.deepEqual(listener(answer({ url: "https://cdn.example/b.jpg" })), { cancel: true });
  media.forget(1);
  assert.deepEqual(listener(answer()), { cancel: true });
  made.listenAsNeeded(new SiteChoices());
  await new Promise((resolve) => setTimeout(resolve, 400));
  const told = calls.filter(([name, each]) => name === "executeScript" && each.args).at(-1);
  assert.ok(told[1].args[0].includes(answer().url));
});

test("a page cannot fill the memory with what is large, and its end can be loaded", async () => {
  const { effects: made, chosen, media } = effects([{ site: "page.example", choices: ["media"] }]);
  made.listenAsNeeded(chosen);
  const [listener] = fakeBrowser.webRequest.onHeadersReceived.listeners.slice(-1);
  const url = (place) => `https://cdn.example/${place}.jpg`;
  for (let place = 0; place < 600; place++) listener(answer({ url: url(place) }));
  assert.deepEqual(listener(answer({ url: url(599) })), { cancel: true });
  await assert.rejects(media.load({ tab: { id: 1 } }, url(99)), /nothing/);
  for (let place = 400; place < 600; place++) await media.load({ tab: { id: 1 } }, url(place));
  assert.equal(media.loaded.length, 100);
  assert.deepEqual(listener(answer({ url: url(599) })), {});
  assert.deepEqual(listener(answer({ url: url(400) })), { cancel: true });
  made.listenAsNeeded(new SiteChoices());
});
