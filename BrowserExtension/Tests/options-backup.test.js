import { fakeBrowser, storage } from "./Support/browser.js";
import { elements } from "./Support/elements.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const answers = {
  sites: { sites: [] }, subscriptions: { lists: [] }, ownRules: { text: "" }, page: { lists: [] },
  "change-note": { notes: [], next: null }, statistics: { isOn: true }, choices: { entries: [] },
  appearance: { showsBadge: true },
};
fakeBrowser.runtime.sendMessage = async ({ type }) => answers[type] ?? {};
for (const key of Object.keys(storage)) delete storage[key];
await import("../WebExtension/options/options-backup.js");
const { countRules } = await import("../WebExtension/options/imported-rules.js");
const { backupText } = await import("../WebExtension/options/backup-file.js");

/** What is said of a file before it is taken. */
async function said(more) {
  const file = {
    sites: [], choices: [], lists: [], ownRules: "", notes: [], noteDefaults: null, countsStatistics: true,
    showsBadge: true, ...more,
  };
  const input = elements.get("import");
  input.files = [{ size: 1, name: "a.json", text: async () => backupText(file) }];
  input.fire("change");
  await new Promise((resolve) => setTimeout(resolve, 20));
  return elements.get("import-plan").all.map(({ textContent }) => textContent).join("\n");
}

test("nobody agrees to exempt sites that are not named", async () => {
  const words = await said({ sites: ["com", "bank.example"], choices: [{ site: "shop.example", choices: ["relaxed"] }] });
  for (const site of ["com", "bank.example", "shop.example"]) assert.match(words, new RegExp(`^${site}|, ${site}`, "m"));
  const many = await said({ sites: Array.from({ length: 1000 }, (_, number) => `s${number}.example`) });
  assert.match(many, /s29\.example, and 970 more/);
  assert.ok(!many.includes("s30.example"));
});

test("own rules of a file are shown, and asked about before anything is added", async () => {
  const words = await said({ ownRules: "! mine\n||bank.example^\u202e\n##.login\n", sites: ["a.example"] });
  assert.match(words, /brings 2 rules of your own/);
  assert.match(words, /^\|\|bank\.example\^\\u202e$/m);
  const { all } = elements.get("import-plan");
  const button = all.find(({ className }) => className === "primary");
  const [use, discard] = all.filter(({ type }) => type === "radio");
  assert.equal(button.disabled, true);
  const written = [];
  fakeBrowser.runtime.sendMessage = async (message) => {
    if (message.type === "host" || message.text) written.push(message);
    return answers[message.type] ?? { wrong: [] };
  };
  discard.checked = true;
  discard.fire("change");
  assert.equal(button.disabled, false);
  button.fire("click");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(!JSON.stringify(written).includes("bank.example"));
  // Rules alone: leaving them out leaves nothing to add.
  await said({ ownRules: "||bank.example^\n" });
  const second = elements.get("import-plan").all;
  const [useOnly, discardOnly] = second.filter(({ type }) => type === "radio");
  const only = second.find(({ className }) => className === "primary");
  discardOnly.checked = true;
  discardOnly.fire("change");
  assert.equal(only.disabled, true);
  discardOnly.checked = false;
  useOnly.checked = true;
  useOnly.fire("change");
  assert.equal(only.disabled, false);
  only.fire("click");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(JSON.stringify(written).includes("bank.example"));
  assert.ok(use);
});

test("rules are counted as they are written", () => {
  assert.equal(countRules('[{"a": 1}, {"b": 2}]'), 2);
  assert.equal(countRules("[Adblock Plus 2.0]\n! one\n\n||a^\r\n##.b\n"), 2);
  assert.equal(countRules(""), 0);
});

test("a file that was mended can be chosen again", () => {
  elements.get("import").value = "a.json";
  elements.get("import").fire("click");
  assert.equal(elements.get("import").value, "");
});
