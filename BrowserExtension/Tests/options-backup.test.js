import { fakeBrowser, storage } from "./Support/browser.js";
import { elements } from "./Support/elements.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const answers = {
  sites: { sites: [] }, subscriptions: { lists: [] }, ownRules: { text: "" }, page: { lists: [] },
  "change-note": { notes: [], next: null }, statistics: { isOn: true }, choices: { entries: [] },
};
fakeBrowser.runtime.sendMessage = async ({ type }) => answers[type] ?? {};
for (const key of Object.keys(storage)) delete storage[key];
await import("../WebExtension/options/options-backup.js");
const { backupText } = await import("../WebExtension/options/backup-file.js");

/** What is said of a file before it is taken. */
async function said(more) {
  const file = {
    sites: [], choices: [], lists: [], ownRules: "", notes: [], noteDefaults: null, countsStatistics: true, ...more,
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

test("a file that was mended can be chosen again", () => {
  elements.get("import").value = "a.json";
  elements.get("import").fire("click");
  assert.equal(elements.get("import").value, "");
});
