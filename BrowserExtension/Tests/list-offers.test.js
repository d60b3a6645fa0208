import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { offered } = await import("../WebExtension/lists/list-offers.js");

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
