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

test("a request of which nothing is heard is not said to have passed", async (context) => {
  for (const [fate, words] of [[null, /^It is not known/], ["passed", /^Not blocked/]]) {
    answers.demonstrated = { fate };
    elements.get("again").fire("click");
    await turn();
    const later = context.mock.method(globalThis, "setTimeout", (work) => { queueMicrotask(work); return 0; });
    elements.get("place").children[0].fire("error");
    for (let step = 0; step < 5000; step += 1) await null;
    later.mock.restore();
    assert.match(elements.get("place").children[0].children[0].textContent, words);
  }
});
