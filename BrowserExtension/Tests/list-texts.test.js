import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ListTexts } from "../WebExtension/lists/list-texts.js";

/** Texts of one list with this source. */
function texts(source) {
  const read = [];
  const list = { handle: 1 };
  const lists = {
    all: [list],
    source: async () => {
      read.push("source");
      return new TextEncoder().encode(source);
    },
  };
  return { texts: new ListTexts(lists), list, lists, read };
}

const hide = (selector, filter = ".*", trigger = {}) => ({
  trigger: { "url-filter": filter, ...trigger }, action: { type: "css-display-none", selector },
});

test("rules come as values, in the order of their numbers", async () => {
  const { texts: all, list } = texts('[{"a": 1},\n{"b": "ü"},\n{"c": 3}]');
  assert.deepEqual(await all.rules(list, [2, 0, 7]), [{ c: 3 }, { a: 1 }, null]);
  assert.deepEqual(await all.rules(list, []), []);
  assert.equal(all.line(list, 1), 2);
  assert.equal(all.line(list, null), null);
  assert.deepEqual(await all.rules({ handle: 0 }, [0]), [null]);
});

test("a rule that is no JSON is told from one that is", async () => {
  const { texts: all, list } = texts('[{"a": 01}, {"b": 2}]');
  assert.deepEqual(await all.rules(list, [0, 1]), [null, { b: 2 }]);
});

test("rules that hide on every page are found, once", async () => {
  const { texts: all, list, read } = texts(JSON.stringify([
    hide(".a, .b"), hide(".c", "^.*$"), hide(".d", "example"), hide(".e", ".*", { "if-domain": ["x"] }),
    hide(".f", ".*", { "url-filter-is-case-sensitive": true }), hide(7),
    { trigger: { "url-filter": ".*" }, action: { type: "block" } },
  ]));
  const expected = [
    { number: 0, selector: ".a, .b", selectors: [".a", ".b"] },
    { number: 1, selector: ".c", selectors: [".c"] },
    { number: 4, selector: ".f", selectors: [".f"] },
  ];
  assert.deepEqual(await all.hidingEverywhere(list), expected);
  assert.deepEqual(await all.hidingEverywhere(list), expected);
  assert.deepEqual(read, ["source"]);
});

test("behind a rule that ignores others, nothing is certain", async () => {
  const ignore = { trigger: { "url-filter": "x" }, action: { type: "ignore-previous-rules" } };
  const { texts: all, list } = texts(JSON.stringify([hide(".a"), ignore, hide(".b")]));
  assert.deepEqual((await all.hidingEverywhere(list)).map(({ number }) => number), [0]);
});

test("lines are known once the texts were read, each once", async () => {
  const { texts: all, list, read } = texts('[{"a": 1},\n{"b": 2}]');
  assert.equal(all.line(list, 1), null);
  await all.know();
  await all.know();
  assert.equal(all.line(list, 1), 2);
  assert.equal(all.line(list, 9), null);
  assert.deepEqual(read, ["source"]);
});

test("a list that was replaced, or a store that fails, has no lines, and nothing else fails", async () => {
  const { texts: all, list, lists } = texts("");
  await all.know();
  assert.equal(all.line(list, 0), null);
  assert.deepEqual(await all.rules(list, [0]), [null]);
  lists.source = async () => { throw new Error("the store is gone"); };
  await all.know();
  assert.equal(all.line(list, 0), null);
});

test("a text that cannot be had is not asked for at every look, but when something has changed", async () => {
  mock.timers.enable({ apis: ["Date"], now: 1_790_000_000_000 });
  try {
    for (const failure of [async () => { throw new Error("the host is away"); }, async () => new Uint8Array()]) {
      const { texts: all, list, lists } = texts("");
      const asked = [];
      const [missing, there] = [failure, async () => new TextEncoder().encode('[{"a": 1}]')].map((answer) =>
        async (each) => { asked.push(each); return answer(); });
      lists.source = missing;
      const look = async () => {
        for (let tick = 0; tick < 100; tick++) await all.know();
        return asked.splice(0).length;
      };
      assert.equal(await look(), 1);
      // Some time has passed, then as much: not yet.
      mock.timers.tick(10_001);
      assert.equal(await look(), 1);
      mock.timers.tick(10_001);
      assert.equal(await look(), 0);
      mock.timers.tick(10_000);
      assert.equal(await look(), 1);
      // The list was replaced.
      lists.all = [{ ...list }];
      assert.equal(await look(), 1);
      // Who asks for a rule is answered as soon as its text is there.
      lists.source = there;
      assert.deepEqual(await all.rules(lists.all[0], [0]), [{ a: 1 }]);
      lists.all = [{ ...list }];
      lists.source = missing;
      asked.length = 0;
      assert.equal(await look(), 1);
      lists.source = there;
      all.hostChanged();
      assert.equal(await look(), 1);
      assert.equal(all.line(lists.all[0], 0), 1);
      assert.equal(await look(), 0);
    }
  } finally {
    mock.timers.reset();
  }
});
