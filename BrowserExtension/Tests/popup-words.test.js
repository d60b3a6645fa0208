import "./Support/browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  declarativeWords, distinctTargets, pathOf, ruleWords, sentence, stateWords, summary, targetWords,
} from "../WebExtension/popup/popup-words.js";

test("rules are named by their numbers from one, and their lines", () => {
  for (const [numbers, lines, words] of [
    [[0], [12], "Ads, rule 1, line 12"],
    [[0], [null], "Ads, rule 1"],
    [[1233, 5], [10000, 7], "Ads, rules 1,234 and 6, lines 10,000 and 7"],
    [[0, 1, 2], [null, null, null], "Ads, rules 1, 2, and 3"],
    [[0, 1], [null, 4], "Ads, rules 1 and 2, lines 4"],
    [[0, 1, 2, 3, 4], [1, 2, 3], "Ads, rules 1, 2, 3, and 2 more, lines 1, 2, and 3"],
  ]) assert.equal(ruleWords("Ads", numbers, lines), words);
});

test("of a request its path is shown, under its host", () => {
  assert.equal(pathOf("https://a.example/b?c#d"), "/b?c#d");
  assert.equal(pathOf("wss://a.example:81/"), "/");
  assert.equal(pathOf("https://a.example?b"), "?b");
  assert.equal(pathOf("data:text/plain,a"), "data:text/plain,a");
});

const page = (more = {}) => ({
  site: "a.example", isSource: false, isAllowed: false, lists: [{ isOn: true }], host: { state: "connected" }, blocked: null,
  counts: { "block": 0, "passed": 0, "make-https": 0, "block-cookies": 0 }, ...more,
});

test("the summary names what was done, or why nothing was", () => {
  assert.equal(summary(page({ site: null }), 0), "Pages of the browser’s own are left alone.");
  assert.equal(summary(page({ isAllowed: true }), 3), "Allowed: nothing is blocked or hidden here.");
  assert.equal(summary(page({ lists: [] }), 0), "There is no list yet.");
  assert.equal(summary(page({ lists: [], host: { state: "missing" } }), 0),
    "No list is known, because Tickbird’s service is not reached.");
  assert.equal(summary(page({ lists: [{ isOn: false }] }), 0), "All lists are off.");
  assert.equal(summary(page({ blocked: { isBlocked: true } }), 0), "The page itself is blocked.");
  assert.equal(summary(page(), 0), "Nothing was blocked or hidden here.");
  assert.equal(summary(page({ site: null, isSource: true }), 0), "The source of a page is shown as it is.");
  assert.equal(summary(page(), null), "Nothing was blocked. What is hidden is counted when the page answers.");
  const counts = { "block": 1, "passed": 2, "make-https": 4, "block-cookies": 5 };
  assert.equal(summary(page({ counts }), 3),
    "1 blocked, 2 came through, 3 hidden, 4 upgraded, 5 without cookies");
  assert.equal(summary(page({ counts: { ...counts, "make-https": 0 } }), null),
    "1 blocked, 2 came through, 5 without cookies. What is hidden is counted when the page answers.");
});

test("the browser's own rules are in one of four states", () => {
  const rules = { exact: 1000, approximated: 20, notExpressible: 3, isReady: true, fault: null };
  const start = "This browser blocks by its own rules";
  assert.equal(declarativeWords({ ...rules, isReady: false, fault: "not connected" }, false),
    `${start}, which Tickbird’s service makes.`);
  assert.equal(declarativeWords(null, false), `${start}, which Tickbird’s service makes.`);
  assert.equal(declarativeWords({ ...rules, isReady: false }, true), `${start}, and is still taking them over.`);
  assert.equal(declarativeWords({ ...rules, fault: "no room" }, true),
    `${start}, which could not all be activated.`);
  assert.equal(declarativeWords(rules, false),
    `${start}: 1,000 of 1,023 are exact, 20 nearly so, 3 missing.`);
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
  const words = (date, shape) => `Not shown yet, rests until ${date.toLocaleString("en", shape)}`;
  assert.equal(state(0, 0, today.getTime()), words(today, { timeStyle: "short" }));
  assert.equal(state(0, 0, other.getTime()),
    words(other, { dateStyle: "medium", timeStyle: "short" }));
});
