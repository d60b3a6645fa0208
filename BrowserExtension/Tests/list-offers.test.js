import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { offered } = await import("../WebExtension/lists/list-offers.js");
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
