import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
const { decision } = await import("./Support/matcher.js");
const { Hiding } = await import("../WebExtension/hiding/hiding.js");
const { FrameDocument } = await import("../WebExtension/deciding/page.js");

const frame = { tabId: 1, frameId: 0 };
const load = { url: "https://a.example/", topURL: "https://a.example/", frameURL: "", type: "image", isTopFrame: true };

/** The style sheets that the document has, as the browser knows them. */
let sheets = [];
/** Selectors that are to be hidden at every moment. */
let wanted = [];
let isRefusing = false;

const hidden = () => new Set(sheets.join("\n").match(/[.#][\w-]+(?=[{,])/g));
const check = () => { for (const selector of wanted) assert.ok(hidden().has(selector), selector); };

fakeBrowser.scripting.insertCSS = async ({ css }) => {
  if (isRefusing) throw new Error("the frame is on its way");
  sheets.push(css);
};
fakeBrowser.scripting.removeCSS = async ({ css }) => {
  assert.ok(sheets.includes(css), css);
  // As Firefox does it: all of one text.
  sheets = sheets.filter((each) => each !== css);
  check();
};

beforeEach(() => {
  sheets = [];
  wanted = [];
  isRefusing = false;
});

/** Lists, each with a global sheet and actions by their slots, and a document. */
function hiding() {
  /** By the handle. */
  const lists = new Map();
  const engine = {
    decide: () => decision(), globalSheet: (handle) => lists.get(handle).sheet,
    selectors: (handle, slot) => lists.get(handle).actions[slot],
  };
  const made = new Hiding(engine, { withHandle: (handle) => lists.get(handle) });
  const document = new FrameDocument("https://a.example/", "GET", "1");
  let last = 0;
  return {
    lists, document,
    /** Opens a list's new version in place of the old one, and returns its handle. */
    open: (identifier, sheet, actions = []) => {
      for (const [handle, list] of lists) if (list.identifier === identifier) lists.delete(handle);
      lists.set(++last, { identifier, sheet, actions, isOn: true });
      made.listsChanged();
      return last;
    },
    close: (handle) => {
      lists.delete(handle);
      made.listsChanged();
    },
    /** A load that asks for global sheets, and for actions of a list. */
    apply: async (handles, list, slots) => {
      const asked = decision({ sheets: handles });
      asked.actions = slots.map((slot) => ({ kind: "css-display-none", list, slot, rules: [slot] }));
      made.apply(frame, document, asked, load);
      await document.pending;
    },
  };
}

test("a document that stays open has no more sheets for new versions, and shows nothing in between", async () => {
  const { open, apply, document } = hiding();
  const other = open("other", ".other", [".o"]);
  wanted = [".other", ".o", ".same", ".first", ".once"];
  for (let version = 0; version < 50; version++) {
    const list = open("list", `.same, .v${version}`, [`.first, .a${version}`, ".stays", ".once"]);
    await apply(version === 0 ? [list, other] : [list], list, version === 0 ? [0, 1, 2] : [0, 1]);
    if (version === 0) await apply([], other, [0]);
    check();
  }
  assert.ok(sheets.length <= 4, String(sheets.length));
  assert.ok(hidden().has(".v49") && !hidden().has(".v48"));
  // What the new version does not have may be what a load of before has asked for.
  assert.ok(hidden().has(".a48"));
  assert.equal(sheets.join("\n").match(/\.once\b/g).length, 1);
  assert.deepEqual([...document.sheets].sort(), [1, 51]);
  assert.deepEqual([...document.parts].sort(), ["1", "1 0", "51", "51 0", "51 1"]);
});

test("of what former versions of actions hid, the newest stays", async () => {
  const { open, apply } = hiding();
  for (let version = 0; version < 6; version++) {
    const selectors = Array.from({ length: 1000 }, (_, number) => `.v${version}-${number}`);
    const list = open("list", "", [selectors.join(", ")]);
    await apply([], list, [0]);
  }
  assert.equal(hidden().size, 3000);
  assert.ok(hidden().has(".v3-0") && !hidden().has(".v2-999"));
});

test("what a new version has as it was is neither inserted again nor removed", async () => {
  const { open, apply } = hiding();
  for (let version = 0; version < 5; version++) {
    const list = open("list", ".all", [".one"]);
    await apply([list], list, []);
    await apply([list], list, [0]);
  }
  assert.deepEqual(sheets, [".all{display:none!important}", ".one{display:none!important}"]);
});

test("what a list hid that is gone, or that has no global sheet any more, stays", async () => {
  const { open, close, apply } = hiding();
  const list = open("list", ".all", [".one"]);
  const other = open("other", ".other");
  await apply([list], list, [0]);
  close(list);
  await apply([other], other, []);
  const next = open("list", "", [".two"]);
  await apply([], next, [0]);
  assert.deepEqual([...hidden()].sort(), [".all", ".one", ".other", ".two"]);
});

test("nothing is removed as long as the new sheet is not in", async () => {
  const { open, apply } = hiding();
  const first = open("list", ".old", [".one"]);
  await apply([first], first, [0]);
  const second = open("list", ".new", []);
  isRefusing = true;
  await apply([second], second, []);
  assert.deepEqual([...hidden()].sort(), [".old", ".one"]);
  isRefusing = false;
  await apply([second], second, []);
  assert.deepEqual([...hidden()].sort(), [".new", ".one"]);
});

test("one text of two lists stays as long as one of them hides by it", async () => {
  const { open, apply } = hiding();
  const before = open("list", ".before");
  await apply([before], before, []);
  const list = open("list", ".ad");
  const other = open("other", ".ad");
  await apply([other, list], list, []);
  wanted = [".ad"];
  const next = open("list", ".new");
  await apply([next], next, []);
  check();
});
