// What the package promises: values, errors, memory, and the example of its document.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { packageFolder, root, tickbird } from "./support.js";

const { check, compile, open, report, RuleLists } = tickbird;
const json = `[
 {"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
 {"trigger": {"url-filter": "/ads/ours/"}, "action": {"type": "ignore-previous-rules"}},
 {"trigger": {"url-filter": "^http://"}, "action": {"type": "make-https"}},
 {"trigger": {"url-filter": "pixel"}, "action": {"type": "block-cookies"}}
]`;
const ad = { url: "https://cdn.test/ads/a.js", page: "https://news.test/", type: "script" };

test("a list is compiled, stored, opened, and decides", () => {
  const list = compile(json, "ads.json");
  for (const each of [list, open(list.bytes, "ads.json"), open(list.bytes.slice().buffer)]) {
    assert.deepEqual(each.decide(ad), {
      blocked: true, cookiesBlocked: false, makesHTTPS: false, rules: [0], exceptions: [], lists: [0],
      exceptionLists: [], hidingRules: 0, attachedSheets: 0,
    });
    assert.equal(each.ruleCount, 4);
    assert.equal(each.source, json);
  }
  const decided = list.decide({ ...ad, url: "http://cdn.test/ads/ours/pixel" });
  assert.deepEqual(decided, {
    blocked: false, cookiesBlocked: true, makesHTTPS: true, rules: [2, 3], exceptions: [1], lists: [0, 0],
    exceptionLists: [0], hidingRules: 0, attachedSheets: 0,
  });
});

test("all forms of a text are the same", () => {
  const bytes = new TextEncoder().encode(json);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const forms = [json, bytes, bytes.buffer, Buffer.from(bytes), shifted.subarray(3),
    new DataView(shifted.buffer, 3)];
  for (const form of forms) assert.deepEqual(compile(form).bytes, compile(json).bytes);
});

test("findings have places in bytes, and names", () => {
  const faulty = "[{\"trigger\": {\"url-filter\": \"é(\"}, \"action\": {\"type\": \"block\"}}]";
  const [finding] = check(faulty, "ads.json").filter(({ severity }) => severity === "error");
  assert.equal(typeof finding.code, "string");
  assert.equal(finding.line, 1);
  assert.equal(finding.rule, 0);
  const found = report(faulty, "ads.json");
  assert.equal(found.file, "ads.json");
  assert.equal(found.accepted, false);
  assert.equal(report(json).accepted, true);
  assert.deepEqual(check(json), report(json).diagnostics);
  assert.throws(() => compile(faulty, "ads.json"), (error) => (
    error instanceof tickbird.RefusedError && error.code === "refused"
    && error.name === "RefusedError" && error.message.includes("ads.json:1:")
    && error.report.diagnostics.length > 0));
});

test("lists do not see each other's ignore rules", () => {
  const block = compile(json, "a");
  const ignore = compile(
    "[{\"trigger\": {\"url-filter\": \".*\"}, \"action\": {\"type\": \"ignore-previous-rules\"}}]", "b");
  const lists = new RuleLists([ignore, block]);
  const decided = lists.decide(ad);
  assert.deepEqual([decided.blocked, decided.rules, decided.lists], [true, [0], [1]]);
  assert.deepEqual(lists.explain(ad).matches.map(({ list, rule, file }) => [list, rule, file]),
    [[0, 0, "b"], [1, 0, "a"]]);
  assert.throws(() => new RuleLists([json]), TypeError);
  assert.equal(new RuleLists([]).decide(ad).blocked, false);
});

test("explanations name rules, their places and fates", () => {
  const list = compile(json, "ads.json");
  const found = list.explain({ ...ad, url: "https://cdn.test/ads/ours/a.js" });
  assert.deepEqual(found.decided_by, { list: 0, rule: 1 });
  assert.deepEqual(found.matches.map(({ rule, line, fate, file }) => [rule, line, fate, file]),
    [[0, 2, "cancelled", "ads.json"], [1, 3, "applied", "ads.json"]]);
  assert.equal(found.method, "get");
  const document = { url: "https://news.test/", type: "document" };
  assert.equal(list.explain(document).matches.length, 0);
  const hiding = compile(`[{"trigger": {"url-filter": "news"},
    "action": {"type": "css-display-none", "selector": ".ad"}}]`);
  assert.equal(hiding.explain(document).matches.length, 0);
  assert.equal(hiding.explain(document).hiding_rules, 1);
  assert.equal(hiding.explain(document, { hiding: true }).matches[0].action, "css-display-none");
  assert.equal(hiding.explain(document, { hiding: true }).decision.actions[0].selector, ".ad");
  assert.equal(hiding.globalSelectors, null);
  const everywhere = compile(`[{"trigger": {"url-filter": ".*"},
    "action": {"type": "css-display-none", "selector": ".ad, #b"}}]`);
  assert.equal(everywhere.globalSelectors, ".ad, #b");
  assert.equal(everywhere.decide(document).attachedSheets, 1);
});

test("parts of a load that are absent, empty, or change from one load to the next", () => {
  const list = compile(`[
    {"trigger": {"url-filter": ".*", "if-domain": ["*news.test"], "load-type": ["third-party"]},
     "action": {"type": "block"}},
    {"trigger": {"url-filter": "é|%C3%A9".slice(0, 1)}, "action": {"type": "block"}}]`
    .replace("\"é|%C3%A9\".slice(0, 1)", "\"%C3%A9\""));
  const decided = (load) => list.decide(load).rules;
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual(decided(ad), [0]);
    assert.deepEqual(decided({ ...ad, page: "" }), []);
    assert.deepEqual(decided({ ...ad, page: undefined }), []);
    assert.deepEqual(decided({ ...ad, page: "https://www.news.test/é" }), [0]);
    assert.deepEqual(decided({ ...ad, party: "first-party" }), []);
    assert.deepEqual(decided({ ...ad, page: "", url: "https://a.test/é" }), [1]);
    assert.deepEqual(decided({ ...ad, page: "", url: `https://a.test/${"x".repeat(5000)}é` }), [1]);
    assert.throws(() => decided({ ...ad, url: "no" }), tickbird.LoadError);
  }
});

test("a freed list says so", () => {
  const list = compile(json);
  list.decide(ad);
  list.free();
  list.free();
  for (const use of [() => list.decide(ad), () => list.bytes, () => list.source]) {
    assert.throws(use, (error) => error.code === "freed");
  }
  if (Symbol.dispose) assert.equal(typeof list[Symbol.dispose], "function");
});

test("more lists than memory would hold at their largest", () => {
  const { bytes } = compile(json);
  for (let number = 0; number < 2000; number += 1) {
    assert.equal(open(bytes).decide(ad).blocked, true);
  }
});

test("memory is used again", () => {
  const rules = Array.from({ length: 20_000 }, (_, number) => (
    { trigger: { "url-filter": `/ad${number}/` }, action: { type: "block" } }));
  const text = JSON.stringify(rules);
  const list = compile(text);
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 30; round += 1) {
    compile(text).free();
    check(text);
    for (let number = 0; number < 200; number += 1) list.decide({ ...ad, url: `${ad.url}?${number}` });
    list.explain(ad);
  }
  globalThis.gc?.();
  assert.ok(process.memoryUsage().arrayBuffers - before < 512 << 20);
});

test("the example of the package's document", () => {
  const document = readFileSync(join(root, "JavaScript/README.md"), "utf8");
  const [, example] = /```js\n([^]*?)```/.exec(document);
  const [, output] = /```text\n([^]*?)```/.exec(document);
  const program = example.replace("\"tickbird\"", JSON.stringify(join(packageFolder, "node.js")));
  const done = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  assert.equal(done.stderr, "");
  assert.equal(done.stdout, output);
});

test("the version is the product's", () => {
  const source = readFileSync(join(root, "Sources/TextOutput/ProductVersion.swift"), "utf8");
  const version = /static let text = "(.*)"/.exec(source)[1];
  assert.equal(tickbird.version(), version);
  assert.equal(JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")).version, version);
  assert.equal(tickbird.formatVersion(), 8);
});

test("numbers of 128 bits are multiplied, and numbers read, as natively", () => {
  // Priorities are read as numbers with fractions; the text of a list's rule says what was read.
  const priorities = ["1", "1.0", "1e2", "2147483647", "1E+2", "0.5e1"];
  for (const priority of priorities) {
    const list = compile(`[{"trigger": {"url-filter": "a"}, "action": {"type": "modify-headers",
      "priority": ${priority}, "request-headers": [{"operation": "remove", "header": "x"}]}}]`);
    const { actions } = list.explain({ url: "https://a.test/", type: "image" }).decision;
    assert.equal(actions[0].priority, Number(priority), priority);
  }
});
