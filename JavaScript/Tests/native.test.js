// The module beside the native command: the same reports, compiled files and explanations, byte for byte.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import {
  absent, dataBytes, dataFolder, listNames, native, randomSource, runNative, tickbird, vectorFolders,
  vectors,
} from "./support.js";

const folder = mkdtempSync(join(tmpdir(), "tickbird-npm-"));
after(() => rmSync(folder, { recursive: true }));

const needsNative = native === null && "the native command is not built";
const needsData = needsNative || dataFolder === null && absent;

/** Lists of all kinds, most of them with faults. */
function hostileLists() {
  const cases = ["errors", "errors-observed"].flatMap((name) => vectors(vectorFolders.at(-1), name))
    .flatMap((group) => group.cases).filter((vector) => vector.json !== undefined)
    .map((vector) => vector.json);
  const patterns = ["url-filter", "url-filter-observed"]
    .flatMap((name) => vectors(vectorFolders.at(-1), name)).flatMap((group) => group.cases)
    .filter((vector) => vector.pattern !== undefined).map((vector) => JSON.stringify(
      [{ trigger: { "url-filter": vector.pattern }, action: { type: "block" } }]));
  const rules = [
    { "if-domain": ["a.b", "*c.d", "é.test", "A.B"] }, { "load-type": ["third-party", "x"] },
    { "resource-type": ["image", "imagee"] }, { "request-method": "post" }, { "request-method": "getx" },
    { "load-context": ["top-frame"] }, { "if-top-url": ["^https?://a"] }, { "if-frame-url": [".*"] },
  ].map((trigger) => JSON.stringify(
    [{ trigger: { "url-filter": "a", ...trigger }, action: { type: "block" } }]));
  const actions = [
    { type: "css-display-none", selector: "a:has(> b:nth-child(2n + 1 of c))::before, :is(" },
    { type: "redirect", redirect: { url: "https://x.test/" } }, { type: "notify", notification: "n" },
    { type: "redirect", redirect: { transform: { port: "99999", scheme: "ftp" } } },
    { type: "modify-headers", priority: 1e300, "request-headers": [{ operation: "set", header: "a" }] },
    { type: "modify-headers", priority: 2147483647,
      "response-headers": [{ operation: "remove", header: "x" }] },
    { type: "bloc" },
  ].map((action) => JSON.stringify([{ trigger: { "url-filter": "a.b" }, action, _identifier: 4294967296.5 },
    { trigger: { "url-filter": "(a?b?c?){2,4294967295}" }, action: { type: "block" } }]));
  return [...cases, ...patterns, ...rules, ...actions];
}

// The native command takes many lists at once, each as a file.
function nativeReports(lists, name) {
  const paths = lists.map((list, place) => {
    const path = join(folder, `${name}-${place}.json`);
    writeFileSync(path, list);
    return path;
  });
  const found = runNative("check", "--format", "json", ...paths).stdout.toString("utf8");
  return { paths, reports: found.split("\n").slice(0, -1) };
}

function expectSameReports(lists, name) {
  const { paths, reports } = nativeReports(lists, name);
  assert.equal(reports.length, lists.length);
  lists.forEach((list, place) => {
    assert.equal(tickbird.reportText(list, paths[place]), `${reports[place]}\n`, String(list).slice(0, 300));
  });
}

test("reports of faulty lists", { skip: needsNative }, (context) => {
  const lists = hostileLists();
  assert.ok(lists.length > 200);
  expectSameReports(lists, "faulty");
  context.diagnostic(`${lists.length} lists`);
});

test("reports of damaged lists", { skip: needsNative }, (context) => {
  const random = randomSource(7);
  const seeds = hostileLists().map((list) => Buffer.from(list)).filter((list) => list.length < 4000);
  const lists = Array.from({ length: 600 }, () => {
    const list = Buffer.from(seeds[random(seeds.length)]);
    for (let change = random(4); change >= 0; change -= 1) {
      if (list.length > 0) list[random(list.length)] = random(256);
    }
    return random(4) === 0 ? list.subarray(0, random(list.length + 1)) : list;
  });
  expectSameReports(lists, "damaged");
  context.diagnostic(`${lists.length} lists`);
});

for (const name of listNames) {
  test(`report and compiled file: ${name}`, { skip: needsData }, () => {
    const text = dataBytes(`lists/${name}.json`);
    expectSameReports([text], name);
    const path = join(folder, `${name}.tickbird`);
    assert.equal(runNative("compile", join(folder, `${name}-0.json`), "-o", path).status, 0);
    const list = tickbird.compile(text, name);
    assert.ok(readFileSync(path).equals(list.bytes), "the compiled files differ");
    assert.equal(tickbird.open(readFileSync(path)).ruleCount, list.ruleCount);
  });
}

for (const [hiding, count] of [[false, 200], [true, 12]]) {
  test(`explanations${hiding ? " with what is hidden" : ""}`, { skip: needsData }, (context) => {
    const { loads, matches } = expectSameExplanations(hiding, count);
    assert.ok(matches > 20);
    context.diagnostic(`${loads} loads with ${matches} matches`);
  });
}

function expectSameExplanations(hiding, count) {
  const names = ["conv-easylist-2026", "focus-disconnect-advertising", "kittytail-japanese-annoyances"];
  const paths = names.map((name) => {
    const path = join(folder, `${name}.json`);
    writeFileSync(path, dataBytes(`lists/${name}.json`));
    return path;
  });
  const lists = new tickbird.RuleLists(
    paths.map((path) => tickbird.compile(readFileSync(path), path)));
  const rows = dataBytes("requests/top500-2019.tsv").toString("utf8").split("\n").slice(1, -1);
  const random = randomSource(3);
  const loads = Array.from({ length: count }, () => {
    const [url, page, , type] = rows[random(rows.length)].split("\t");
    return { url, page, type };
  }).filter(({ url, page }) => URL.canParse(url) && URL.canParse(page));
  const log = join(folder, "log.jsonl");
  writeFileSync(log, loads.map(({ url, page, type }) => `${JSON.stringify(
    { url, top_url: page, resource_type: type })}\n`).join(""));
  const found = runNative("explain", "--format", "json", ...hiding ? ["--hidden"] : [],
    ...paths.flatMap((path) => ["--list", path]), log);
  const lines = found.stdout.toString("utf8").split("\n").slice(0, -1);
  assert.equal(lines.length, loads.length);
  let matches = 0;
  loads.forEach((load, place) => {
    // A load that is explained alone is the first of its log and page.
    const line = lines[place].replace(/"load":\d+/, '"load":0').replace(/"page":\d+/, '"page":0');
    assert.equal(withoutCauses(lists.explanationText(load, { hiding })), withoutCauses(`${line}\n`));
    matches += JSON.parse(line).matches.length;
  });
  return { loads: loads.length, matches };
}

// Which other load a load depends on is known of a log alone.
function withoutCauses(line) { return line.replace(/"prevented_by":\{[^}]*\},/, ""); }
