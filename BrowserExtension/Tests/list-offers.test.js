import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import { messages } from "./Support/browser.js";
const { offered, purpose } = await import("../WebExtension/lists/list-offers.js");
const { backupText, readBackup } = await import("../WebExtension/options/backup-file.js");

const entry = (id, more = {}) => ({
  id, name: id, address: `https://${id}.example/`, mirrors: [], homepage: "", licence: "", purpose: "",
  languages: [], isRecommended: false, ...more,
});

test("recommended lists come first, then those of the person's languages; none that is there", () => {
  const entries = [entry("fr", { languages: ["fr"] }), entry("all"), entry("de", { languages: ["de"] }),
    entry("easy", { isRecommended: true }), entry("had", { isRecommended: true }), entry("mirror")];
  const lists = [
    { source: "https://had.example/", mirrors: [] },
    { source: "https://else.example/", mirrors: ["https://mirror.example/"] },
  ];
  assert.deepEqual(offered(entries, lists, ["de-AT", "en"]).map(({ id }) => id),
    ["easy", "de", "all", "fr"]);
});

test("a backup comes back as it was, and one with a fault says where", () => {
  const backup = { sites: ["a.example"], ownRules: "||x^\n", lists: [
    { source: "https://l.example/x.txt", mirrors: ["https://m.example/"], name: "L", isOn: false }] };
  assert.deepEqual(readBackup(backupText(backup)), backup);
  const file = (more) => JSON.stringify({ format: "tickbird-settings", version: 1, ...more });
  assert.deepEqual(readBackup(file({})), { sites: [], ownRules: "", lists: [] });
  assert.deepEqual(readBackup(file({ lists: [{ source: "http://a.example/" }] })).lists,
    [{ source: "http://a.example/", mirrors: [], name: "", isOn: true }]);
  for (const [text, words] of [
    ["{", "not JSON"], ["null", "format"], ["[]", "format"], [file({ version: 2 }), "version"],
    [file({ ownRules: 1 }), "ownRules"], [file({ sites: "a" }), "sites"], [file({ sites: ["a", 1] }), "sites[1]"],
    [file({ lists: [{ source: "file:///etc/passwd" }] }), "lists[0].source"],
    [file({ lists: [{ source: "https://a/", mirrors: 1 }] }), "lists[0].mirrors"],
    [file({ lists: [{ source: "https://a/", isOn: 1 }] }), "lists[0]"],
    [file({ lists: [null] }), "lists[0]"],
  ]) assert.throws(() => readBackup(text), new RegExp(words.replace(/[[\]]/g, "\\$&")), text);
});

test("what each list of the catalogue is for is said in the person's language", () => {
  const file = new URL("../../Service/Sources/ListSubscriptions/Resources/catalogue.json", import.meta.url);
  const all = JSON.parse(readFileSync(file, "utf8"));
  const entries = Array.isArray(all) ? all : all.lists;
  assert.ok(entries.length > 10);
  const keys = entries.map(({ id }) => `catalogue_${id.replaceAll("-", "_")}`);
  for (const [place, key] of keys.entries()) {
    assert.equal(messages[key]?.message, entries[place].purpose, `${key}, also in the other languages`);
  }
  assert.deepEqual(Object.keys(messages).filter((key) => /^catalogue_/.test(key)), keys);
  assert.equal(purpose({ id: "unknown", purpose: "New" }), "New");
});
