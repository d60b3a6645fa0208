import { fakeBrowser, messages } from "./Support/browser.js";
import { elements, FakeElement } from "./Support/elements.js";
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.location = { search: "?tab=1", hash: "" };
globalThis.Node = FakeElement;
globalThis.Element = globalThis.HTMLElement = FakeElement;
const page = {
  fault: null, site: "page.example", isSource: false, isAllowed: false, isTabOff: false, choices: [], allowedUntil: null,
  blocked: null, canBlock: true, declarative: null, host: { state: "connecting", message: "" }, listsFault: null,
  lists: [], loads: 0,
  counts: { "block": 0, "passed": 0, "make-https": 0, "block-cookies": 0 }, rows: [], isCut: false,
  page: "https://page.example/", seen: [],
};
let refused = null;
fakeBrowser.extension = { isAllowedIncognitoAccess: async () => true };
fakeBrowser.runtime.sendMessage = async ({ type }) => {
  if (type === "page") return structuredClone(page);
  if (type === "hidden") return { rules: [], isAnswered: true };
  if (type === "linkSources") return { sources: [], subscribed: {} };
  return refused ? { error: refused } : {};
};
await import("../WebExtension/popup/popup.js");
const turn = () => new Promise((resolve) => setTimeout(resolve, 10));

test("what a switch could not do is said, and the switch is as it was", async () => {
  refused = "the disk is full";
  const allow = elements.get("allow-switch");
  allow.checked = true;
  allow.onchange();
  await turn();
  const said = elements.get("notices").all.map(({ textContent }) => textContent).join("\n");
  assert.ok(said.includes(messages.rule_failed.message.replace("$1", refused)), said);
  assert.equal(allow.checked, false);
});

test("rules for the start that the browser has not taken are told, and a site is not said to be allowed in vain", async () => {
  refused = null;
  Object.assign(page, { canBlock: true, isAllowed: true, isAllowanceRefused: true,
    declarative: { exact: 0, approximated: 0, notExpressible: 0, isReady: false, fault: "Internal error" } });
  elements.get("allow-switch").onchange();
  await turn();
  const said = elements.get("notices").all.map(({ textContent }) => textContent).join("\n");
  assert.ok(said.includes(messages.start_rules_old.message), said);
  for (const id of ["allow-note", "summary"]) assert.equal(elements.get(id).textContent, messages.allow_refused.message);
});
