import { FakeEvent, fakeBrowser, messages } from "./Support/browser.js";
import { elements } from "./Support/elements.js";
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.location = { search: "?tab=7" };
const port = {
  told: [], onMessage: new FakeEvent(), onDisconnect: new FakeEvent(),
  postMessage: (message) => { port.told.push(message); },
};
fakeBrowser.runtime.connect = () => port;
const asked = [];
let fault = null;
const picked = {
  site: "news.example", name: "div#ad", isFramed: false,
  candidates: [{ selector: "#ad", here: 1, all: 1 }, { selector: ".ad", here: 2, all: 2 }],
};
let text = "";
let written = null;
fakeBrowser.runtime.sendMessage = async (message) => {
  asked.push(message);
  if (fault) return { error: fault };
  if (message.type === "picked") return picked;
  if (message.type === "ownRules") return { text };
  if (message.type === "setOwnRules") {
    await new Promise((resolve) => { written = resolve; });
    text = message.text;
  }
  return {};
};
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
await import("../WebExtension/picker/picker-window.js");
const chooser = elements.get("chooser").children[0];
const find = (test) => chooser.all.filter(test);

test("what a button could not do is said", async () => {
  for (const id of ["again", "wider", "narrower"]) {
    document.getElementById("fault").textContent = "";
    fault = "the page is gone";
    elements.get(id).fire("click");
    await turn();
    assert.equal(elements.get("fault").textContent, "the page is gone", id);
  }
  fault = null;
});

test("while a rule is saved, no other is shown in its place", async () => {
  const json = () => find(({ className }) => className === "rule-json")[0].textContent;
  const status = () => find(({ className }) => className === "rule-status")[0].textContent;
  const inputs = () => find(({ name, type }) => name?.startsWith("choice-") && type === "radio");
  find(({ className }) => className === "save-rule")[0].fire("click");
  await turn();
  assert.ok(written);
  assert.ok(inputs().every(({ disabled }) => disabled));
  picked.candidates = [{ selector: "#other", here: 1, all: 1 }];
  port.onMessage.fire({ type: "chosen" });
  await turn();
  assert.match(json(), /#ad/);
  written();
  await turn();
  assert.match(text, /#ad/);
  // What is said of the one is not said of the other.
  assert.match(json(), /#other/);
  assert.equal(status(), "");
});

test("a window whose background has ended says so, and offers nothing more", () => {
  port.onDisconnect.fire();
  assert.equal(elements.get("fault").textContent, messages.pick_ended.message);
  assert.ok(elements.get("again").disabled && elements.get("wider").disabled);
  window.fire("pagehide");
  assert.deepEqual(port.told, []);
});
