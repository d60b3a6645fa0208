// The file of settings may come from anybody: whatever its bytes are, it is read whole or refused in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { additions, backupText, longestBackup, readBackup } = await import("../WebExtension/options/backup-file.js");

/** Numbers that are the same on each run. */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const plan = {
  times: [{ days: [1, 5], from: 540, to: 1020 }], limit: { visits: 3 }, delay: { seconds: 5, growth: 10 },
};
const seeds = [
  { format: "tickbird-settings", version: 1, sites: ["a.example"], lists: [{ source: "http://a.example/" }], ownRules: "x" },
  {
    format: "tickbird-settings", version: 2, sites: ["a.example", "b.example"],
    choices: [{ site: "a.example", choices: ["fonts", "strict"] }], ownRules: "||x^\n",
    lists: [{ source: "https://l.example/x.txt", mirrors: ["https://m.example/"], name: "L", isOn: false, isOnHere: true }],
    notes: [{ kind: "site", address: "news.example", text: "Once", emoji: "⏳", snoozeMinutes: 20, plan }],
    noteDefaults: { emoji: "", snoozeMinutes: 5, plan: {} }, countsStatistics: false,
  },
];
const values = [
  null, true, 0, -1, 1e308, 0.5, "", "a", "\ud800", "__proto__", "constructor", "javascript:1", "https://", "x".repeat(5000),
  [], [[]], {}, { length: 9 }, { toString: 1 }, { "__proto__": null }, plan,
];

/** Every place in a value where another can stand: the object or array, and the key. */
function places(value, found = []) {
  if (value === null || typeof value !== "object") return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    places(value[key], found);
  }
  return found;
}

/** Reads a text as the options page does, and checks what must hold of any. */
function checkText(text) {
  let read;
  try {
    read = readBackup(text);
  } catch (error) {
    // A fault of the reader itself would be a TypeError or a RangeError.
    assert.equal(error.constructor, Error, `${error} for ${text.slice(0, 500)}`);
    assert.ok(error.message.length > 0 && error.message.length < 20_000, text.slice(0, 500));
    return false;
  }
  assert.deepEqual(readBackup(backupText(read)), read, text.slice(0, 500));
  const here = { sites: [], choices: [], ownRules: "", lists: [], notes: [], noteDefaults: null, countsStatistics: true };
  additions(read, here);
  assert.equal(Object.getPrototypeOf({}).polluted, undefined);
  return true;
}

test("values in each place of a file are read whole, or refused in words", () => {
  let taken = 0;
  for (const seed of seeds) {
    for (let place = 0; place < places(structuredClone(seed)).length; place += 1) {
      for (const value of values) {
        const file = structuredClone(seed);
        const [owner, key] = places(file)[place];
        owner[key] = value;
        if (checkText(JSON.stringify(file))) taken += 1;
      }
      const file = structuredClone(seed);
      const [owner, key] = places(file)[place];
      delete owner[key];
      if (checkText(JSON.stringify(file))) taken += 1;
    }
  }
  assert.ok(taken > 20, `${taken} files were taken`);
});

test("damaged texts are read whole, or refused in words", () => {
  const random = randomNumbers(17);
  const parts = ["{", "}", "[", "]", ",", ":", "\"", "\\u0000", "\"__proto__\":{\"polluted\":1}", "1e999", "-", "null", "\ud800", "😀"];
  for (let round = 0; round < 4000; round += 1) {
    let text = JSON.stringify(seeds[round % seeds.length]);
    for (let change = random(3) + 1; change > 0; change -= 1) {
      const place = random(text.length);
      const count = random(8);
      const part = random(3) === 0 ? "" : parts[random(parts.length)];
      text = text.slice(0, place) + part + text.slice(place + count);
    }
    checkText(text);
  }
});

test("depth and length cost no more than reading", () => {
  const deep = (count) => `{"format":"tickbird-settings","version":2,"notes":[${"[".repeat(count)}${"]".repeat(count)}]}`;
  for (const count of [10, 1000, 100_000]) checkText(deep(count));
  const wide = { format: "tickbird-settings", version: 2, sites: Array.from({ length: 100_001 }, () => "a") };
  assert.equal(checkText(JSON.stringify(wide)), false);
  wide.sites.pop();
  assert.equal(checkText(JSON.stringify(wide)), true);
  assert.ok(longestBackup <= 64 << 20);
});
