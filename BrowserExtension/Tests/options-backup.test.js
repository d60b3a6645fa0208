import { fakeBrowser, storage } from "./Support/browser.js";
import { elements, FakeElement } from "./Support/elements.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const answers = {
  sites: { sites: [] }, subscriptions: { lists: [] }, ownRules: { text: "" }, page: { lists: [] },
  "change-note": { notes: [], next: null }, statistics: { isOn: true }, choices: { entries: [] },
  appearance: { showsBadge: true },
};
/** The engine's site of an address, for a test. */
const siteOf = (address) => new URL(address.includes(":") ? address : `https://${address}`).hostname.replace(/^www\./, "");
const asked = [];
fakeBrowser.runtime.sendMessage = async (message) => {
  asked.push(message);
  return message.type === "site" ? { site: siteOf(message.address), isSuffix: false } : answers[message.type] ?? {};
};
for (const key of Object.keys(storage)) delete storage[key];
await import("../WebExtension/options/options-backup.js");
const { isLocal } = await import("../WebExtension/options/imported-lists.js");
const { countRules, visible } = await import("../WebExtension/options/imported-rules.js");
const { backupText } = await import("../WebExtension/options/backup-file.js");

/** What is said of a file before it is taken. */
async function said(more) {
  const file = {
    sites: [], choices: [], lists: [], ownRules: "", notes: [], noteDefaults: null, countsStatistics: true,
    showsBadge: true, ...more,
  };
  const input = elements.get("import");
  input.files = [{ size: 1, name: "a.json", text: async () => backupText(file) }];
  input.fire("change");
  await new Promise((resolve) => setTimeout(resolve, 20));
  return elements.get("import-plan").all.map(({ textContent }) => textContent).join("\n");
}

/** Presses "Add them", and returns what was asked then. */
async function taken() {
  asked.length = 0;
  elements.get("import-plan").all.find(({ className }) => className === "primary").fire("click");
  await new Promise((resolve) => setTimeout(resolve, 20));
  return asked;
}

test("all addresses of a list are shown, and those on the own network are asked only where that is said", async () => {
  const [source, mirror] = ["https://easylist.to.invalid/easylist.txt", "http://127.0.0.1:18400/lan-secret-reboot"];
  const other = "http://192.168.1.1/reboot";
  const lists = [{ source, mirrors: [mirror, other], name: "Easy\u202eList", isOn: true, isOnHere: true }];
  const words = await said({ lists });
  for (const address of [source, mirror, other]) assert.ok(words.includes(address), address);
  assert.match(words, /Easy\\u202eList/);
  assert.match(words, /On your own machine or network/);
  const add = (all) => all.find(({ type }) => type === "addList");
  assert.deepEqual(add(await taken()).localAddresses, []);
  await said({ lists });
  const boxes = elements.get("import-plan").all.filter(({ type }) => type === "checkbox");
  assert.equal(boxes.length, 2);
  boxes[1].checked = true;
  assert.deepEqual(add(await taken()), {
    type: "addList", source, mirrors: [mirror, other], localAddresses: [other], name: "Easy\u202eList" });
  // Nobody is asked about public addresses.
  assert.ok(!(await said({ lists: [{ ...lists[0], mirrors: [] }] })).includes("your own machine"));
});

test("addresses of the own machine and network are told from public ones", () => {
  for (const host of ["127.1", "0x7f.1", "10.1.2.3", "100.64.0.1", "169.254.1.1", "172.31.0.1", "192.168.0.1", "[::1]", "[fe80::1]",
    "[::ffff:7f00:1]", "localhost", "localhost.", "router", "nas.local", "a.home.arpa", "x.internal", "224.0.0.1", "0.0.0.0"]) {
    assert.ok(isLocal(`http://${host}/`), host);
  }
  for (const host of ["easylist.to", "8.8.8.8", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]", "local.example", "11.0.0.1"]) {
    assert.ok(!isLocal(`http://${host}/`), host);
  }
});

test("a site is shown and taken as the engine makes it of an address, and nothing is hidden in it", async () => {
  const words = await said({
    sites: ["https://www.shop.example/a/b", "b.example"], choices: [{ site: "https://www.pay.example/", choices: ["fonts", "strict"] }] });
  assert.match(words, /^shop\.example, b\.example$/m);
  assert.match(words, /^pay\.example: No web fonts, Strict$/m);
  const all = await taken();
  assert.equal(all.find(({ type }) => type === "allow-sites").addresses[0], "shop.example");
  assert.deepEqual(all.find(({ type }) => type === "take-choices").entries, [{ site: "pay.example", choices: ["fonts", "strict"] }]);
  // A name that the engine leaves as it is, and a long one.
  fakeBrowser.runtime.sendMessage = ((before) => async (message) =>
    (message.type === "site" ? { site: null } : before(message)))(fakeBrowser.runtime.sendMessage);
  assert.match(await said({ sites: ["a\u202eb.example"] }), /a\\u202eb\.example/);
  assert.match(await said({ sites: ["a".repeat(300)] }), /^a{100}…$/m);
});

test("a site that has settings keeps them, whatever the file calls it, and of two entries the first is taken", async () => {
  const { sendMessage } = fakeBrowser.runtime;
  fakeBrowser.runtime.sendMessage = async (message) => {
    asked.push(message);
    if (message.type === "choices") return { entries: [{ site: "bank.example", choices: ["strict"] }] };
    return message.type === "site" ? { site: siteOf(message.address), isSuffix: false } : answers[message.type] ?? {};
  };
  const others = Array.from({ length: 40 }, (_, number) => ({ site: `s${number}.example`, choices: ["fonts"] }));
  const words = await said({ choices: [
    ...others, { site: "www.bank.example", choices: ["relaxed"] }, { site: "https://bank.example/a", choices: ["fonts"] },
    { site: "www.other.example", choices: ["fonts"] }, { site: "other.example", choices: ["media"] },
  ] });
  assert.match(words, /Settings for 41 new sites/);
  const { entries } = (await taken()).find(({ type }) => type === "take-choices");
  assert.deepEqual(entries.slice(40), [{ site: "other.example", choices: ["fonts"] }]);
  fakeBrowser.runtime.sendMessage = sendMessage;
});

test("a note is shown with the pages that it covers, and how it begins", async () => {
  const note = (kind, address, text) => ({ kind, address, text, emoji: "", snoozeMinutes: 5, plan: {} });
  const words = await said({ notes: [
    note("site", "https://bank.example/", "Your bank\nhas moved\u202e to\n" + "x".repeat(500)),
    note("page", `${"a.".repeat(60)}evil.example/${"p".repeat(300)}`, "Hello"),
    ...Array.from({ length: 40 }, (_, number) => note("host", `n${number}.example`, "N")),
  ] });
  assert.match(words, /^bank\.example \(The whole site\): “Your bank has moved\\u202e to x+…”$/m);
  assert.match(words, /^(?:a\.){60}evil\.example\/p{99}… \(Only this page\): “Hello”$/m);
  assert.match(words, /n27\.example/);
  assert.match(words, /^and 12 more$/m);
});

test("nobody agrees to exempt sites that are not named", async () => {
  const words = await said({ sites: ["com", "bank.example"], choices: [{ site: "shop.example", choices: ["relaxed"] }] });
  for (const site of ["com", "bank.example", "shop.example"]) assert.match(words, new RegExp(`^${site}|, ${site}`, "m"));
  const many = await said({ sites: Array.from({ length: 1000 }, (_, number) => `s${number}.example`) });
  assert.match(many, /s29\.example, and 970 more/);
  assert.ok(!many.includes("s30.example"));
});

test("own rules of a file are shown, and asked about before anything is added", async () => {
  const words = await said({ ownRules: "! mine\n||bank.example^\u202e\n##.login\n", sites: ["a.example"] });
  assert.match(words, /brings 2 rules of your own/);
  assert.match(words, /^\|\|bank\.example\^\\u202e$/m);
  const { all } = elements.get("import-plan");
  const button = all.find(({ className }) => className === "primary");
  const [use, discard] = all.filter(({ type }) => type === "radio");
  assert.equal(button.disabled, true);
  const written = [];
  fakeBrowser.runtime.sendMessage = async (message) => {
    if (message.type === "host" || message.text) written.push(message);
    return answers[message.type] ?? { wrong: [] };
  };
  discard.checked = true;
  discard.fire("change");
  assert.equal(button.disabled, false);
  button.fire("click");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(!JSON.stringify(written).includes("bank.example"));
  // Rules alone: leaving them out leaves nothing to add.
  await said({ ownRules: "||bank.example^\n" });
  const second = elements.get("import-plan").all;
  const [useOnly, discardOnly] = second.filter(({ type }) => type === "radio");
  const only = second.find(({ className }) => className === "primary");
  discardOnly.checked = true;
  discardOnly.fire("change");
  assert.equal(only.disabled, true);
  discardOnly.checked = false;
  useOnly.checked = true;
  useOnly.fire("change");
  assert.equal(only.disabled, false);
  only.fire("click");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(JSON.stringify(written).includes("bank.example"));
  assert.ok(use);
});

test("an export leaves out the list of own rules alone, whatever other lists are called", async () => {
  const list = (source, isOwn) => ({
    id: "own-rules", identifier: "list:own-rules", source, mirrors: [], name: "Own rules", isOn: true, isFile: isOwn, isOwn });
  fakeBrowser.runtime.sendMessage = async ({ type }) => (type === "subscriptions"
    ? { lists: [list("https://l.example/x", false), list("/home/a/Own/rules.txt", true)] } : answers[type] ?? {});
  FakeElement.prototype.click = () => {};
  let file;
  URL.createObjectURL = (blob) => { file = blob; return "blob:"; };
  URL.revokeObjectURL = () => {};
  elements.get("export").fire("click");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(JSON.parse(await file.text()).lists.map(({ source }) => source), ["https://l.example/x"]);
});

test("rules are counted as they are written", () => {
  assert.equal(countRules('[{"a": 1}, {"b": 2}]'), 2);
  assert.equal(countRules("[Adblock Plus 2.0]\n! one\n\n||a^\r\n##.b\n"), 2);
  assert.equal(countRules(""), 0);
});

test("a file that was mended can be chosen again", () => {
  elements.get("import").value = "a.json";
  elements.get("import").fire("click");
  assert.equal(elements.get("import").value, "");
});

test("no character of a file stays unseen, or looks like a space that it is not", () => {
  const ranges = [[0, 8], [0xb, 0xc], [0xe, 0x1f], [0x7f, 0xa0], [0xad], [0x34f], [0x61c], [0x115f, 0x1160], [0x1680],
    [0x17b4, 0x17b5], [0x180b, 0x180f], [0x2000, 0x200f], [0x2028, 0x202f], [0x205f, 0x206f], [0x2800], [0x3000],
    [0x3164], [0xd800, 0xdfff], [0xe000], [0xfe00, 0xfe0f], [0xfeff], [0xffa0], [0xfff0, 0xfffc], [0xfffe],
    [0x13430, 0x1343f], [0x13441, 0x13442], [0x16fe4], [0x1bca0, 0x1bca3], [0x1d159], [0x1d173, 0x1d17a],
    [0xe0000, 0xe0fff], [0xf0000]];
  for (const [first, last = first] of ranges) {
    for (let code = first; code <= last; code++) {
      assert.match(visible(`a${String.fromCodePoint(code)}b`), /^a\\u(?:[\da-f]{4}|\{[\da-f]{5,6}\})b$/, code.toString(16));
    }
  }
  assert.equal(visible("a\rb"), "a\\u000db", "it ends no line");
  for (const seen of ["||a.example^ $b\n\tc\r\nd", "ä é e\u0301 日本 한 العربية עברית 😀 ‹›"]) assert.equal(visible(seen), seen);
});
