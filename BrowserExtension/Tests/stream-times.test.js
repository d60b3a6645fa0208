import { fakeBrowser } from "./Support/browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { dateOf, dayWords, exactWords, relativeWords } from "../WebExtension/stream/stream-times.js";

// Of one place, since Americans write dates in another order.
fakeBrowser.i18n.getUILanguage = () => "en-GB";

// Times of the local time zone, whichever it is.
const now = new Date(2024, 2, 15, 12, 30);
const at = (...parts) => new Date(...parts);

test("any number of the host becomes a date", () => {
  assert.equal(dateOf(0).getTime(), 0);
  assert.equal(dateOf(1.5).getTime(), 1500);
  assert.equal(dateOf("12").getTime(), 12000);
  for (const odd of [NaN, Infinity, -Infinity, null, undefined, {}, "words"]) {
    assert.equal(dateOf(odd).getTime(), 0, String(odd));
  }
  for (const far of [1e300, -1e300]) assert.ok(dateOf(far).toISOString());
});

test("near days have names", () => {
  assert.equal(dayWords(at(2024, 2, 15, 0, 0), now), "Today");
  assert.equal(dayWords(at(2024, 2, 15, 23, 59), now), "Today");
  assert.equal(dayWords(at(2024, 2, 14, 23, 59), now), "Yesterday");
  assert.equal(dayWords(at(2024, 2, 16, 0, 0), now), "Tomorrow");
});

test("a day of this week has its weekday, one of another year its year", () => {
  assert.equal(dayWords(at(2024, 2, 11), now), "Monday 11 March");
  assert.equal(dayWords(at(2024, 2, 8), now), "8 March");
  assert.equal(dayWords(at(2024, 2, 17), now), "17 March");
  assert.equal(dayWords(at(2023, 2, 8), now), "8 March 2023");
});

test("times are relative within a week", () => {
  for (const [date, words] of [
    [at(2024, 2, 15, 12, 29, 30), "now"],
    [at(2024, 2, 15, 12, 30, 30), "now"],
    [at(2024, 2, 15, 12, 28), "2 min ago"],
    [at(2024, 2, 15, 12, 45), "in 15 min"],
    [at(2024, 2, 15, 9, 0), "3 hr ago"],
    [at(2024, 2, 14, 20, 0), "yesterday"],
    [at(2024, 2, 13), "2 days ago"],
    [at(2024, 2, 16, 13, 0), "tomorrow"],
    [at(2024, 2, 8), "8 Mar"],
    [at(2022, 11, 31), "31 Dec 2022"],
  ]) assert.equal(relativeWords(date, now), words);
});

test("shortly after midnight, the evening before is still counted in hours", () => {
  const midnight = at(2024, 2, 15, 0, 30);
  assert.equal(relativeWords(at(2024, 2, 14, 22, 30), midnight), "2 hr ago");
  assert.equal(dayWords(at(2024, 2, 14, 22, 30), midnight), "Yesterday");
});

test("words are in the language of the texts, dates in the person's locale", () => {
  const { getUILanguage } = fakeBrowser.i18n;
  fakeBrowser.i18n.getUILanguage = () => "de-AT";
  try {
    assert.equal(relativeWords(at(2024, 2, 14), now), "yesterday");
    assert.equal(relativeWords(at(2022, 11, 31), now), "31. Dez. 2022");
  } finally { fakeBrowser.i18n.getUILanguage = getUILanguage; }
});

test("the exact time has a day and an hour", () => {
  assert.match(exactWords(now), /2024/);
  assert.match(exactWords(now), /30/);
});
