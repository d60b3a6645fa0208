import { fakeBrowser } from "./Support/browser.js";
import { elements } from "./Support/elements.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** What the service has; a text that was made of another one is refused. */
let kept = "";
let written = [];
fakeBrowser.runtime.sendMessage = async (asked) => {
  if (asked.type === "setOwnRules") {
    if (asked.before !== kept) return { error: "changed elsewhere meanwhile" };
    kept = asked.text;
    written.push(kept);
  }
  return { text: kept, rules: 1, notes: [] };
};
const editor = document.getElementById("own-text");
editor.value = "";
document.getElementById("own-theirs").value = "";
document.getElementById("own-form").querySelector = () => ({});
const { showOwnRules, together } = await import("../WebExtension/options/options-own.js");

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
const at = (id) => elements.get(id);
const press = async (id, name = "click") => {
  at(id).fire(name, { preventDefault() {} });
  await turn();
};

beforeEach(async () => {
  kept = "||a^\n";
  editor.value = "";
  written = [];
  await press("own-revert");
  editor.value = "||mine^\n";
  kept = "||theirs^\n";
});

test("what was typed stays beside what was changed elsewhere", async () => {
  await press("own-form", "submit");
  assert.equal(editor.value, "||mine^\n");
  assert.deepEqual([at("own-conflict").hidden, at("own-theirs").value], [false, "||theirs^\n"]);
  assert.deepEqual(written, []);
  await press("own-keep-mine");
  assert.deepEqual([written, kept, at("own-conflict").hidden], [["||mine^\n"], "||mine^\n", true]);
});

test("who comes back to the page sees that it was changed", async () => {
  await showOwnRules();
  assert.deepEqual([editor.value, at("own-conflict").hidden], ["||mine^\n", false]);
});

test("what is replaced is what was shown, not what came later", async () => {
  await press("own-form", "submit");
  kept = "||later^\n";
  await press("own-keep-mine");
  assert.deepEqual([written, at("own-theirs").value], [[], "||later^\n"]);
});

test("both are put together, and nothing is saved before the person does", async () => {
  await press("own-form", "submit");
  await press("own-both");
  assert.deepEqual([editor.value, written], ["||mine^\n||theirs^\n", []]);
  await press("own-form", "submit");
  assert.deepEqual(written, ["||mine^\n||theirs^\n"]);
});

test("what was typed is brought back after the other was taken, or after changes were undone", async () => {
  await press("own-form", "submit");
  await press("own-take-theirs");
  assert.deepEqual([editor.value, at("own-bring-back").hidden], ["||theirs^\n", false]);
  await press("own-bring-back");
  assert.deepEqual([editor.value, at("own-bring-back").hidden], ["||mine^\n", true]);
  await press("own-revert");
  assert.equal(editor.value, "||theirs^\n");
  await press("own-bring-back");
  assert.equal(editor.value, "||mine^\n");
});

test("texts are put together in one syntax, each rule once", () => {
  assert.equal(together("||a^\n||b^", "||b^\r\n||c^\n"), "||a^\n||b^\n||c^\n");
  assert.deepEqual(JSON.parse(together('[{"a": 1}]', '[{"a":1}, {"b": 2}]')), [{ a: 1 }, { b: 2 }]);
  assert.equal(together("||a^", '[{"a": 1}]'), null);
  assert.equal(together('[{"a": 1},]', '[{"a": 1}]'), null);
  assert.equal(together(" ", "||a^"), "||a^");
});
