import assert from "node:assert/strict";
import { test } from "node:test";
import {
  declarativeWords, distinctTargets, ruleWords, sentence, shortened, stateWords, summary, targetWords,
} from "../WebExtension/popup/popup-words.js";

test("rules are named by their numbers from one, and their lines", () => {
  for (const [numbers, lines, words] of [
    [[0], [12], "rule 1, line 12"],
    [[0], [null], "rule 1"],
    [[1233, 5], [10000, 7], "rules 1,234, 6, lines 10,000, 7"],
    [[0, 1, 2], [null, null, null], "rules 1, 2, 3"],
    [[0, 1], [null, 4], "rules 1, 2, lines 4"],
    [[0, 1, 2, 3, 4], [1, 2, 3], "rules 1, 2, 3, lines 1, 2, 3 and 2 more"],
  ]) assert.equal(ruleWords(numbers, lines), words);
});

test("a URL is shown without its scheme", () => {
  assert.equal(shortened("https://a.example/http://b"), "a.example/http://b");
  assert.equal(shortened("wss://a.example/"), "wss://a.example/");
});

const page = (more = {}) => ({
  site: "a.example", isAllowed: false, lists: [{}],
  counts: { "block": 0, "passed": 0, "make-https": 0, "block-cookies": 0 }, ...more,
});

test("the summary names what was done, or why nothing was", () => {
  assert.equal(summary(page({ site: null }), 0), "There is nothing to do on this page.");
  assert.equal(summary(page({ isAllowed: true }), 3), "Allowed: nothing is blocked or hidden here.");
  assert.equal(summary(page({ lists: [] }), 0), "No list is on yet.");
  assert.equal(summary(page(), 0), "Nothing was blocked or hidden here.");
  const counts = { "block": 1, "passed": 2, "make-https": 4, "block-cookies": 5 };
  assert.equal(summary(page({ counts }), 3),
    "1 blocked, 2 came through, 3 hidden, 4 upgraded, 5 without cookies");
});

test("the browser's own rules are in one of four states", () => {
  const rules = { exact: 1000, approximated: 20, notExpressible: 3, isReady: true, fault: null };
  assert.equal(declarativeWords(null, false), "Its rules are made by Tickbird's service.");
  assert.equal(declarativeWords({ ...rules, isReady: false }, true), "The browser is taking the rules over; until then those from before act.");
  assert.equal(declarativeWords({ ...rules, fault: "no room" }, true),
    "Its rules could not be activated: no room.");
  assert.equal(declarativeWords(rules, false),
    "1,000 of 1,023 rules are exact, 20 approximated, 3 not expressible.");
});

test("a sentence has one full stop", () => {
  assert.equal(sentence("no room"), "no room.");
  for (const text of ["No.", "No!", "No?"]) assert.equal(sentence(text), text);
});

test("targets are named, and each once", () => {
  assert.equal(targetWords({ kind: "site", address: "a.example" }), "All of a.example");
  assert.equal(targetWords({ kind: "host", address: "a.example" }),
    "a.example, not what is below it");
  assert.equal(targetWords({ kind: "path", address: "a.example/b" }), "Everything below a.example/b");
  assert.equal(targetWords({ kind: "page", address: "a.example/b" }), "Only this page");
  const targets = (host) => [
    { kind: "page", address: `${host}/b` }, { kind: "path", address: `${host}/b` },
    { kind: "path", address: host }, { kind: "host", address: host },
    { kind: "site", address: "a.example" },
  ];
  assert.deepEqual(distinctTargets(targets("a.example")).map(({ kind }) => kind),
    ["page", "path", "site"]);
  assert.deepEqual(distinctTargets(targets("www.a.example")).map(({ kind }) => kind),
    ["page", "path", "host", "site"]);
});

test("a note's counts are in words, and so is the end of its snooze", () => {
  const now = new Date(2024, 2, 15, 12, 0);
  const state = (shown, left, snoozedUntil = null) => stateWords(
    { counts: { shown, left, viewed: 0 }, snoozedUntil, isSnoozed: snoozedUntil !== null }, now);
  assert.equal(state(0, 0), "Not shown yet");
  assert.equal(state(1, 0), "Shown 1 time");
  assert.equal(state(2, 1), "Shown 2 times, left 1 time");
  const today = new Date(2024, 2, 15, 13, 37);
  const other = new Date(2025, 2, 16, 13, 37);
  const words = (date, shape) => `Not shown yet, rests until ${date.toLocaleString(undefined, shape)}`;
  assert.equal(state(0, 0, today.getTime()), words(today, { timeStyle: "short" }));
  assert.equal(state(0, 0, other.getTime()),
    words(other, { dateStyle: "medium", timeStyle: "short" }));
});
