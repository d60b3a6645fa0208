import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import { messages } from "./Support/browser.js";
const { offered, purpose } = await import("../WebExtension/lists/list-offers.js");

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
