import { fakeBrowser } from "./Support/browser.js";
import { elements } from "./Support/elements.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const answers = {
  page: { host: { state: "connected", message: "" } },
  catalogue: { entries: [] },
  subscriptions: { lists: [{ source: "https://a.example/", mirrors: [], isOn: true }] },
  demonstrate: { sample: { url: "https://ad.example/", identifier: "ads", name: "Ads", number: 0, line: null } },
  demonstrated: { fate: "blocked" },
};
fakeBrowser.runtime.sendMessage = async ({ type }) => answers[type] ?? {};
await import("../WebExtension/first-run/first-run.js");
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

test("the rule that blocks is named by the number that people read elsewhere", async () => {
  elements.get("again").fire("click");
  await turn();
  elements.get("place").children[0].fire("error");
  await turn();
  assert.equal(elements.get("outcome").textContent, "By rule 1 of Ads. The request did not leave your browser.");
});
