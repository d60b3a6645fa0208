import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { calls } from "./Support/browser.js";
const { decision, fakeMatcher } = await import("./Support/matcher.js");
const { Documents } = await import("../WebExtension/hiding/documents.js");
const { Tabs } = await import("../WebExtension/deciding/tabs.js");
const { tickbirdNameTable } = globalThis;

beforeEach(() => { calls.length = 0; });

const inserted = () => calls.filter(([name]) => name === "insertCSS").map(([, { css }]) => css);
const names = Array.from({ length: 600 }, (_, number) => (number % 2 ? "." : "#") + `name-${number}`);
const sheet = [...names, "a[href*=ad] > img"].join(", ");
const document = { tabId: 1, frameId: 0, url: "https://a.example/", documentId: "top" };
const sender = { tab: { id: 1 }, frameId: 0, documentId: "top" };

/** A tab with a document, which has been hidden in. */
function documents(options = {}) {
  const tabs = new Tabs();
  const made = new Documents(tabs, { show() {} });
  made.matcher = fakeMatcher(() => decision({ sheets: [1] }), { sheet, ...options });
  made.committed(document, tabs.commit(document));
  return { tabs, made, frame: tabs.frame(document) };
}

test("a table has its names, and none of a million others", () => {
  const table = tickbirdNameTable.make(names);
  assert.equal(table.length, 7 * names.length);
  assert.equal(JSON.stringify(table).length, table.length + 2);
  for (const name of names) assert.ok(tickbirdNameTable.has(table, name), name);
  let found = 0;
  for (let number = 600; number < 1_000_600; number++) {
    if (tickbirdNameTable.has(table, `.name-${number}`)) found += 1;
  }
  // By chance one in seven thousand million.
  assert.equal(found, 0);
  for (const name of [".Name-1", ".name-2", "#name-1", "name-1", ".name-1 ", "", "."]) {
    assert.ok(!tickbirdNameTable.has(table, name), name);
  }
  assert.equal(tickbirdNameTable.make([]), "");
  assert.ok(!tickbirdNameTable.has("", ".a"));
});

test("a new document gets first what a script cannot look for, then what it has found, then the rest", async () => {
  const { made, frame } = documents();
  assert.deepEqual(inserted(), ["a[href*=ad] > img{display:none!important}"]);
  assert.deepEqual(made.tables(frame), [tickbirdNameTable.make(names)]);
  calls.length = 0;
  await made.hideNames(sender, [".name-1", "#name-2"]);
  assert.deepEqual(inserted(), [".name-1,#name-2{display:none!important}"]);
  calls.length = 0;
  await made.hideRest(sender);
  assert.deepEqual(inserted(), [`${names.join(",")}{display:none!important}`]);
  assert.deepEqual(made.tables(frame), []);
  calls.length = 0;
  await made.hideRest(sender);
  await made.hideNames(sender, [".name-1"]);
  assert.deepEqual(inserted(), []);
});

test("what a script says that the list does not have is not hidden", async () => {
  const { made } = documents();
  calls.length = 0;
  for (const said of [[".other", "#name-1", ".name-1{}", 7, null, {}], "x", null, undefined, { length: 3 }]) {
    await made.hideNames(sender, said);
  }
  assert.deepEqual(inserted(), []);
});

test("another document's script changes nothing in the one that is there", async () => {
  const { made, frame } = documents();
  calls.length = 0;
  for (const other of [{ documentId: "before" }, { frameId: 3 }, { tab: { id: 2 } }, { tab: undefined }]) {
    await made.hideNames({ ...sender, ...other }, [".name-1"]);
    await made.hideRest({ ...sender, ...other });
  }
  assert.deepEqual(inserted(), []);
  assert.equal(frame.deferred.size, 1);
});

test("a list of few selectors is inserted as a whole", () => {
  const { made, frame } = documents({ sheet: ".a, .b > .c" });
  assert.deepEqual(inserted(), [".a{display:none!important}\n.b > .c{display:none!important}"]);
  assert.deepEqual(made.tables(frame), []);
});

test("a list that was switched off meanwhile hides nothing more", async () => {
  const { made } = documents();
  calls.length = 0;
  made.matcher.lists.all[0].isOn = false;
  await made.hideNames(sender, [".name-1"]);
  await made.hideRest(sender);
  assert.deepEqual(inserted(), []);
});

test("a document whose script says nothing gets the rest, unless it is gone", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    documents();
    const other = documents();
    other.tabs.commit({ ...document, documentId: "next" });
    calls.length = 0;
    mock.timers.tick(10_000);
    assert.equal(inserted().length, 1);
  } finally {
    mock.timers.reset();
  }
});

test("a document whose script was answered before it was known has everything at once", () => {
  const tabs = new Tabs();
  const made = new Documents(tabs, { show() {} });
  made.matcher = fakeMatcher(() => decision({ sheets: [1] }), { sheet });
  made.answeredEarly("top");
  made.committed(document, tabs.commit(document));
  assert.equal(inserted().length, 1);
  assert.ok(inserted()[0].includes(".name-1"));
  assert.equal(tabs.frame(document).deferred.size, 0);
});
