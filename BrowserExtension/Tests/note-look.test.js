import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
const { replaceAnswer } = await import("../WebExtension/notes/note-document.js");

const { duration, parts } = globalThis.tickbirdNote;
const note = (more = {}) => ({
  id: "1", displayText: "Words", emoji: "🌱", snoozeMinutes: 15, kind: "site", language: "ja",
  address: "example.com/a?b", ...more,
});

/** All elements of some parts. */
function elements(part) {
  if (typeof part === "string") return [];
  const [, , ...children] = part;
  return [part, ...children.flatMap(elements)];
}
const withClass = (part, name) => elements(part)
  .find(([, attributes]) => attributes.class?.split(" ").includes(name));

test("times are in their largest unit", () => {
  for (const [minutes, words] of [[1, "1 minute"], [15, "15 minutes"], [60, "1 hour"],
    [90, "90 minutes"], [120, "2 hours"], [1440, "1 day"], [2880, "2 days"], [1500, "25 hours"]]) {
    assert.equal(duration(minutes), words);
  }
});

test("longer texts are smaller", () => {
  const size = (text) => withClass(parts(note({ displayText: text })), "column")[1].class;
  assert.equal(size("x".repeat(110)), "column short");
  assert.equal(size("x".repeat(111)), "column medium");
  assert.equal(size("\n".repeat(4)), "column medium");
  assert.equal(size("x".repeat(421)), "column long");
  assert.equal(size("\n".repeat(9)), "column long");
});

test("a note without an emoji has no place for one", () => {
  assert.ok(withClass(parts(note()), "emoji"));
  assert.equal(withClass(parts(note({ emoji: "" })), "emoji"), undefined);
});

test("the words are in the note's language, and the rest in the document's", () => {
  const inLanguage = elements(parts(note())).filter(([, attributes]) => "lang" in attributes);
  assert.deepEqual(inLanguage.map(([, { class: name, lang }]) => [name, lang]),
    [["tickbird-note", "en"], ["words", "ja"]]);
});

test("the button says of which site, and for how long", () => {
  const [, , words] = withClass(parts(note({ snoozeMinutes: 60 })), "about");
  assert.equal(words, "“View Website” shows example.com for 1 hour.");
});

test("where scripts of the site can reach a note, its words are inert, and have labels instead", () => {
  const reachable = parts(note(), true);
  assert.ok("inert" in withClass(reachable, "column")[1]);
  assert.equal(withClass(reachable, "reading")[1].lang, "ja");
  assert.equal(withClass(reachable, "reading")[1]["aria-label"], "Words");
  assert.ok(!("inert" in withClass(parts(note()), "column")[1]));
});

/** The document and the fields that come in place of an answer. */
function replaced(text, responseHeaders = []) {
  const filter = { write: (bytes) => { filter.text = new TextDecoder().decode(bytes); }, close() {} };
  fakeBrowser.webRequest.filterResponseData = () => filter;
  const fields = replaceAnswer({ requestId: "1", responseHeaders },
    note({ displayText: text, address: '"><script>' }));
  filter.onstart();
  return { text: filter.text, fields };
}

test("no text of a note becomes markup", () => {
  const { text } = replaced("</p><script>alert('1')</script>&amp;\"");
  assert.ok(!/<script/i.test(text));
  assert.ok(text.includes("&#60;/p&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;&#34;"));
});

test("what the site said of its document goes, and the note's policy comes", () => {
  const { text, fields } = replaced("Words", [
    { name: "Content-Type", value: "image/png" }, { name: "LINK", value: "</x>; rel=preload" },
    { name: "Refresh", value: "0; url=/" }, { name: "Content-Security-Policy", value: "script-src *" },
    { name: "Cache-Control", value: "max-age=900" }, { name: "Set-Cookie", value: "a=b" },
  ]);
  const values = Object.fromEntries(fields.map(({ name, value }) => [name.toLowerCase(), value]));
  assert.deepEqual(Object.keys(values).sort(),
    ["cache-control", "content-security-policy", "content-type", "set-cookie"]);
  assert.equal(values["content-type"], "text/html; charset=utf-8");
  assert.equal(values["cache-control"], "no-store");
  const [, nonce] = values["content-security-policy"].match(
    /^sandbox; default-src 'none'; style-src 'nonce-([^']+)'; base-uri 'none'$/);
  assert.ok(text.includes(`<style nonce="${nonce}">`));
  assert.ok(!replaced("Words").text.includes(nonce));
});

test("View Website waits, and not at all in a focus session", () => {
  const waiting = withClass(parts(note({ wait: 12 })), "view");
  assert.equal(waiting[2], "View Website (12)");
  assert.equal(waiting[1]["data-wait"], "12");
  assert.ok("disabled" in waiting[1]);
  assert.ok(!("disabled" in withClass(parts(note()), "view")[1]));
  const focus = withClass(parts(note({ focusUntil: new Date(2026, 10, 24, 15, 40).getTime() })), "view");
  assert.match(focus[2], /^Focus until 3:40/);
  assert.ok("disabled" in focus[1]);
});

test("a note says how often it was left, and shows the last days", () => {
  assert.equal(withClass(parts(note()), "record"), undefined);
  const day = (left, viewed) => ({ visits: 0, seconds: 0, shown: 0, left, viewed });
  const counts = { shown: 14, left: 9, viewed: 3 };
  const all = parts(note({ counts, days: [day(0, 0), day(4, 1), day(0, 2)] }));
  assert.equal(withClass(all, "record")[2], "You left 9 of 12 times.");
  const chart = withClass(all, "days");
  assert.equal(chart[1]["aria-label"], "The last 3 days: left 4, viewed 3.");
  assert.deepEqual(chart.slice(2).map(([, , ...bars]) => bars.map(([, { class: name }]) => name)),
    [["none"], ["viewed h2", "left h8"], ["viewed h4"]]);
  // Counts of other devices have no days here.
  assert.equal(withClass(parts(note({ counts, days: [day(0, 0)] })), "days"), undefined);
});
