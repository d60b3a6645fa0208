import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { BrowserRules, ruleChange, ruleKey } = await import("../WebExtension/deciding/browser-rules.js");

const rule = (filter, more = {}) =>
  ({ priority: 1, action: { type: "block" }, condition: { regexFilter: filter }, ...more });

test("a rule has one key, whatever its number and the order of its parts", () => {
  const one = { id: 1, priority: 2, condition: { urlFilter: "a", topDomains: ["b"] } };
  const other = {
    condition: { topDomains: ["b"], urlFilter: "a", isUrlFilterCaseSensitive: false }, priority: 2,
    id: 9,
  };
  assert.equal(ruleKey(one), ruleKey(other));
  for (const different of [
    { ...one, priority: 3 }, { ...one, condition: { urlFilter: "a" } },
    { ...one, condition: { urlFilter: "a", topDomains: ["b", "c"] } },
    { ...one, condition: { urlFilter: "a", topDomains: ["b"], isUrlFilterCaseSensitive: true } },
  ]) assert.notEqual(ruleKey(different), ruleKey(one));
});

test("a text cannot look like the structure around it", () => {
  assert.notEqual(ruleKey({ a: "1,b:2" }), ruleKey({ a: "1", b: 2 }));
  assert.notEqual(ruleKey(["a,b"]), ruleKey(["a", "b"]));
});

test("only differences are handed over, and numbers are used once", () => {
  const present = new Map([[ruleKey(rule("a")), 100], [ruleKey(rule("b")), 102]]);
  const { removeRuleIds, addRules, next } =
    ruleChange(present, [rule("b"), rule("c"), rule("d"), rule("c")]);
  assert.deepEqual(removeRuleIds, [100]);
  assert.deepEqual(addRules.map(({ id, condition }) => [id, condition.regexFilter]),
    [[101, "c"], [103, "d"]]);
  assert.deepEqual([...next.values()], [102, 101, 103]);
});

test("a rule of the user's own keeps its number", () => {
  const { addRules } = ruleChange(new Map(), [rule("a", { id: 1 }), rule("b")]);
  assert.deepEqual(addRules.map(({ id }) => id), [1, 100]);
});

test("nothing is changed where nothing differs, and the browser is asked again after a failure", async () => {
  let kept = [{ ...rule("a"), id: 100 }, { ...rule("disarming"), id: 1_000_000 }];
  const asked = [];
  let fails = false;
  const rules = new BrowserRules(async () => {
    asked.push("get");
    return kept;
  }, async ({ removeRuleIds, addRules }) => {
    asked.push("update");
    if (fails) throw new Error("no");
    kept = [...kept.filter(({ id }) => !removeRuleIds.includes(id)), ...addRules];
  });
  await rules.become([rule("a")]);
  assert.deepEqual(asked, ["get"]);
  fails = true;
  await assert.rejects(rules.become([rule("b")]));
  fails = false;
  await rules.become([rule("b")]);
  assert.deepEqual(asked, ["get", "update", "get", "update"]);
  // The rule that disarms a page is none of the lists'.
  assert.deepEqual(kept.map(({ condition }) => condition.regexFilter), ["disarming", "b"]);
});

test("thousands of rules are taken over in parts, between which other work has its turn", async () => {
  const plain = (urlFilter) => ({ priority: 1, action: { type: "block" }, condition: { urlFilter } });
  const many = Array.from({ length: 20_000 }, (_, number) => plain(`a${number}`));
  let kept = many.map((each, place) => ({ ...each, id: 100 + place }));
  const sizes = [];
  const turnsBefore = [];
  let turnsOfOthers = 0;
  let isBusy = true;
  const others = () => {
    turnsOfOthers += 1;
    // As a message's event has it; a timer's turn comes after a millisecond at the earliest.
    if (isBusy) setImmediate(others);
  };
  setImmediate(others);
  const rules = new BrowserRules(async () => kept, async ({ removeRuleIds, addRules }) => {
    sizes.push(Math.max(removeRuleIds.length, addRules.length));
    turnsBefore.push(turnsOfOthers);
    kept = [...kept.filter(({ id }) => !removeRuleIds.includes(id)), ...addRules];
  });
  const wanted = [
    ...many.slice(9000), ...many.slice(0, 9000).map(({ condition }) => plain(`${condition.urlFilter}b`)),
  ];
  await rules.become(wanted, true);
  isBusy = false;
  assert.deepEqual(sizes, [4000, 4000, 1000]);
  // While rules are compared, and between two parts.
  assert.ok(turnsBefore[0] >= 50, `${turnsBefore[0]} turns`);
  assert.ok(turnsBefore[0] < turnsBefore[1] && turnsBefore[1] < turnsBefore[2], `turns ${turnsBefore}`);
  assert.deepEqual(new Set(kept.map(ruleKey)), new Set(wanted.map(ruleKey)));
  assert.equal(new Set(kept.map(({ id }) => id)).size, 20_000);
  // Where the browser's rules alone block, they change at once.
  await rules.become([], false);
  assert.deepEqual([sizes.length, kept.length], [4, 0]);
});

test("between two parts there are never more rules of a kind than the browser takes", async () => {
  /** Rules as of one list, those that are limited behind the others. */
  const list = (name, plain, changing, expressions) => [
    ...Array.from({ length: plain }, (_, number) => ({
      priority: 1, action: { type: "block" }, condition: { urlFilter: `${name}${number}` },
    })),
    ...Array.from({ length: changing }, (_, number) => ({
      priority: 1, action: { type: "modifyHeaders", requestHeaders: [] },
      condition: { urlFilter: `${name}${number}` },
    })),
    ...Array.from({ length: expressions }, (_, number) => rule(`${name}${number}`)),
  ];
  const limits = [30_000, 5_000, 1_000];
  const counts = (rules) => [
    rules.length, rules.filter(({ action }) => action.type === "modifyHeaders").length,
    rules.filter(({ condition }) => condition.regexFilter).length,
  ];
  let kept = [];
  const rules = new BrowserRules(async () => kept, async ({ removeRuleIds, addRules }) => {
    const removed = new Set(removeRuleIds);
    const next = [...kept.filter(({ id }) => !removed.has(id)), ...addRules];
    counts(next).forEach((count, kind) => {
      if (count > limits[kind]) throw new Error(`${count} rules, and ${limits[kind]} are the most`);
    });
    kept = next;
  });
  // From each to each of the others, in both directions.
  const lists = [
    list("a", 24_000, 5_000, 1_000), list("b", 10, 5_000, 1_000), list("c", 29_000, 0, 1_000),
    list("d", 3_990, 5_000, 10), list("e", 0, 0, 1_000), list("f", 25_000, 5_000, 0), [],
  ];
  for (const from of lists) {
    for (const to of lists) {
      await rules.become(from, true);
      await rules.become(to, true);
      assert.deepEqual(counts(kept), counts(to));
    }
  }
});

/** Rules as Chromium keeps them: numbers are used once, and a change is made whole or not at all. */
class FakeRules {
  kept = [];
  updates = 0;
  limit = 30_000;
  /** Why a rule is refused, by what it is about; undefined if it is not. */
  refuses = () => undefined;
  rules = new BrowserRules(async () => structuredClone(this.kept), async ({ removeRuleIds, addRules }) => {
    this.updates += 1;
    const removed = new Set(removeRuleIds);
    const next = [...this.kept.filter(({ id }) => !removed.has(id)), ...addRules];
    if (new Set(next.map(({ id }) => id)).size < next.length) throw new Error("an id that is not unique");
    if (next.length > this.limit) throw new Error("too many");
    for (const each of addRules) if (this.refuses(each)) throw new Error(this.refuses(each));
    this.kept = next;
  });
}
const plain = (urlFilter, more = {}) => ({ priority: 1, action: { type: "block" }, condition: { urlFilter }, ...more });
const many = (count, name = "a") => Array.from({ length: count }, (_, number) => plain(`${name}${number}`));

test("the user's own rule changes in one step, however many rules of lists go before it", async () => {
  const browser = new FakeRules();
  const own = (site) => ({ id: 1, priority: 9, action: { type: "allow" }, condition: { topDomains: [site] } });
  await browser.rules.become(many(9000), true);
  await browser.rules.become([own("a.example"), ...many(9000)], true);
  assert.equal(browser.kept.findIndex(({ id }) => id === 1), 9000);
  // The next start of the browser, which names it as the last one.
  const again = new FakeRules();
  again.kept = browser.kept;
  await again.rules.become([own("b.example")], true);
  assert.deepEqual(again.kept, [own("b.example")]);
  // Also where no room is left for it before the lists' rules go.
  browser.kept = many(30_000).map((each, place) => ({ ...each, id: 100 + place }));
  const rules = new FakeRules();
  rules.kept = browser.kept;
  await rules.rules.become([own("c.example"), ...many(29_000)], true);
  assert.deepEqual([rules.kept.length, rules.kept.some(({ id }) => id === 1)], [29_001, true]);
});

test("the number of a rule that is there twice is given to no other while it is there", async () => {
  const browser = new FakeRules();
  browser.kept = [{ ...plain("a"), id: 100 }, { ...plain("a"), id: 101 }, { ...plain("b"), id: 102 }];
  await browser.rules.become([plain("a"), plain("c"), plain("d")]);
  assert.deepEqual(browser.kept.map(({ condition }) => condition.urlFilter).sort(), ["a", "c", "d"]);
});

test("rules are replaced in one step, and what the browser refuses keeps no other part from acting", async () => {
  const browser = new FakeRules();
  browser.kept = [{ ...plain("old"), id: 7 }, { ...plain("tab"), id: 1_000_001 }];
  await browser.rules.replace(many(10));
  assert.equal(browser.updates, 1);
  assert.equal(browser.kept.length, 11);
  const own = { id: 1, priority: 9, action: { type: "allow" }, condition: { topDomains: ["a.example"] } };
  browser.refuses = ({ condition }) => (condition.urlFilter === "b5000" ? "nobody takes it" : undefined);
  await assert.rejects(browser.rules.replace([own, ...many(12_000, "b")]), /nobody takes it/);
  assert.equal(browser.kept.length, 1 + 1 + 8000);
  assert.deepEqual(browser.rules.own, [own]);
  browser.refuses = () => undefined;
  await browser.rules.become([own, ...many(12_000, "b")]);
  assert.equal(browser.kept.length, 1 + 1 + 12_000);
});
