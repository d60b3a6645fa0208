import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { awaited } from "./Support/timers.js";
import { fakeBrowser, sessionStorage, storage } from "./Support/browser.js";
import { turns } from "./Support/turns.js";
const { Settings } = await import("../WebExtension/shared/settings.js");

beforeEach(() => {
  for (const kept of [storage, sessionStorage]) for (const key of Object.keys(kept)) delete kept[key];
});

test("choices act at once, and are there after a restart", async () => {
  const settings = new Settings();
  await settings.load();
  const kept = [
    settings.setAllowed("b.example", true), settings.setAllowed("a.example", true),
    settings.setListOn("list", false),
  ];
  assert.ok(settings.isAllowed("a.example"));
  assert.ok(settings.isListOff("list"));
  await Promise.all(kept);
  const again = new Settings();
  await again.load();
  assert.deepEqual(again.allowedSites, ["a.example", "b.example"]);
  assert.deepEqual(again.listsOff, ["list"]);
});

test("a choice can be taken back", async () => {
  const settings = new Settings();
  await settings.setAllowed("a.example", true);
  await settings.setAllowed("a.example", false);
  await settings.setListOn("list", false);
  await settings.setListOn("list", true);
  assert.ok(!settings.isAllowed("a.example"));
  assert.deepEqual(storage, { allowedSites: [], listsOff: [] });
});

test("whatever else is in the storage counts as nothing chosen", async () => {
  for (const odd of ["words", 7, null, {}]) {
    Object.assign(storage, { allowedSites: odd, listsOff: odd });
    const settings = new Settings();
    await settings.load();
    assert.deepEqual([settings.allowedSites, settings.listsOff], [[], []]);
  }
});

test("a site is left alone for an hour, over a restart, and no longer", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_800_000_000_000 });
  const settings = new Settings();
  await settings.load();
  await settings.allowForAWhile("a.example");
  await settings.setAllowed("b.example", true);
  assert.ok(settings.isAllowed("a.example"));
  assert.deepEqual([settings.allowedSites, settings.exemptSites], [["b.example"], ["a.example", "b.example"]]);
  context.mock.timers.tick(3_000_000);
  const again = new Settings();
  let ends = 0;
  again.onEnded = () => { ends += 1; };
  await again.load();
  assert.equal(again.allowedUntil("a.example"), 1_800_003_600_000);
  assert.equal(again.allowedUntil("b.example"), null);
  context.mock.timers.tick(600_000);
  assert.equal(ends, 1);
  assert.ok(!again.isAllowed("a.example") && again.isAllowed("b.example"));
  assert.deepEqual(again.exemptSites, ["b.example"]);
});

test("an hour can be ended, and a kept end that is far away counts as none", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_800_000_000_000 });
  const settings = new Settings();
  await settings.allowForAWhile("a.example");
  await settings.setAllowed("a.example", false);
  assert.ok(!settings.isAllowed("a.example"));
  assert.deepEqual(storage.allowedUntil, {});
  for (const odd of [{ "a.example": 9e15 }, { "a.example": "x" }, [7], "words", null]) {
    Object.assign(storage, { allowedUntil: odd });
    const again = new Settings();
    await again.load();
    assert.ok(!again.isAllowed("a.example"));
  }
});

test("a clock that is put right ends what it left alone, within a minute and once", async (context) => {
  const now = 1_800_000_000_000;
  const day = 86_400_000;
  // A timer of more than 24.8 days would come at once, again and again.
  for (const days of [1, 10, 30, 4000]) {
    context.mock.timers.enable({ apis: ["Date", "setTimeout"], now: now + days * day });
    const settings = new Settings();
    let ends = 0;
    settings.onEnded = () => { ends += 1; };
    await settings.allowForAWhile("a.example");
    context.mock.timers.setTime(now);
    assert.deepEqual([settings.isAllowed("a.example"), settings.exemptSites], [false, []], `${days} days`);
    await settings.setAllowed("b.example", true);
    context.mock.timers.tick(60_000);
    assert.equal(ends, 1, `${days} days`);
    context.mock.timers.tick(3_600_000);
    assert.equal(ends, 1, `${days} days`);
    await settings.setAllowed("b.example", false);
    assert.deepEqual(storage.allowedUntil, {});
    context.mock.timers.reset();
  }
});

test("a clock that is set back by seconds ends no hour", async (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_800_000_000_000 });
  const settings = new Settings();
  await settings.allowForAWhile("a.example");
  context.mock.timers.setTime(1_800_000_000_000 - 5000);
  assert.ok(settings.isAllowed("a.example"));
  const again = new Settings();
  await again.load();
  assert.ok(again.isAllowed("a.example"));
});

test("a site that is left alone for an hour, and then for good, is so whenever the script ends", async () => {
  const { set } = fakeBrowser.storage.local;
  for (const steps of [0, 1, 2]) {
    for (const kept of Object.keys(storage)) delete storage[kept];
    const settings = new Settings();
    await settings.allowForAWhile("a.example");
    let written = 0;
    // So many writes come through before the browser ends the script.
    fakeBrowser.storage.local.set = async (values) => {
      written += 1;
      return written > steps ? new Promise(() => {}) : set(values);
    };
    settings.setAllowed("a.example", true);
    await new Promise((resolve) => setImmediate(resolve));
    fakeBrowser.storage.local.set = set;
    const again = new Settings();
    await again.load();
    assert.ok(again.isAllowed("a.example"), `${steps} writes`);
  }
});

test("choices for sites are there after a restart, whatever the site is called", async () => {
  const settings = new Settings();
  await settings.load();
  await settings.choose("__proto__", "fonts", true);
  await settings.choose("a.example", "scripts", true);
  await settings.choose("a.example", "relaxed", true);
  await settings.choose("a.example", "strict", true);
  await settings.choose("constructor", "media", true);
  await settings.choose("constructor", "media", false);
  const again = new Settings();
  await again.load();
  assert.deepEqual(again.choices.all, [
    { site: "__proto__", choices: ["fonts"] }, { site: "a.example", choices: ["scripts", "strict"] },
  ]);
  assert.ok(again.choices.has("fonts") && !again.choices.has("media") && !again.choices.has("relaxed"));
  assert.deepEqual([...again.choices.of("toString")], []);
  assert.deepEqual([...again.choices.of(null)], []);
  assert.deepEqual(Object.keys({}), []);
});

test("choices that nobody could have made count as none", async () => {
  const odd = [
    "words", 7, null, {}, [[]], [["a.example", ["fonts", "fonts"]]], [["a.example", ["other"]]],
    [["a.example", []]], [["a.example", ["strict", "relaxed"]]], [["", ["fonts"]]], [[7, ["fonts"]]],
    [["a".repeat(256), ["fonts"]]], [["a.example", "fonts"]], [null],
  ];
  for (const siteChoices of odd) {
    Object.assign(storage, { siteChoices });
    const settings = new Settings();
    await settings.load();
    assert.ok(settings.choices.isEmpty, JSON.stringify(siteChoices));
  }
});

test("a thousand sites have settings and no more; a refusal changes nothing", async () => {
  const settings = new Settings();
  const entries = Array.from({ length: 999 }, (_, place) => ({ site: `s${place}.example`, choices: ["fonts"] }));
  await settings.takeChoices(entries);
  const two = ["x.example", "y.example"].map((site) => ({ site, choices: ["fonts"] }));
  await assert.rejects(settings.takeChoices(two), RangeError);
  assert.equal(settings.choices.all.length, 999);
  await settings.choose("x.example", "fonts", true);
  await assert.rejects(settings.choose("y.example", "fonts", true), /1,000 sites/);
  // Those that are there can still be changed, and make room.
  await settings.choose("x.example", "media", true);
  await settings.takeChoices([{ site: "s0.example", choices: [] }]);
  await settings.choose("y.example", "fonts", true);
  await assert.rejects(settings.choose("z".repeat(300), "fonts", true), RangeError);
  assert.equal(storage.siteChoices.length, 1000);
});

test("a site that has choices keeps them when others are taken for it, and loses them where there are none", async () => {
  const settings = new Settings();
  await settings.choose("a.example", "strict", true);
  await settings.takeChoices([{ site: "a.example", choices: ["relaxed"] }, { site: "b.example", choices: ["fonts"] },
    { site: "b.example", choices: ["media"] }]);
  assert.deepEqual(settings.choices.all,
    [{ site: "a.example", choices: ["strict"] }, { site: "b.example", choices: ["fonts"] }]);
  await settings.takeChoices([{ site: "a.example", choices: [] }]);
  assert.deepEqual([...settings.choices.of("a.example")], []);
});

test("a tab is off for its site alone, over a restart, and nothing of it is on the disk", async () => {
  const settings = new Settings();
  await settings.tabsOff.begin(3, "a.example");
  const again = new Settings();
  await again.load();
  assert.ok(again.isAllowed("a.example", 3));
  assert.ok(!again.isAllowed("a.example", 4) && !again.isAllowed("b.example", 3) && !again.isAllowed("a.example"));
  assert.deepEqual(storage, {});
  assert.equal(await again.tabsOff.end(3, "a.example"), false);
  assert.equal(await again.tabsOff.end(3, "b.example"), true);
  assert.ok(!again.isAllowed("a.example", 3));
  assert.deepEqual(sessionStorage, { tabsOff: [] });
  for (const odd of ["words", 7, {}, [["3", "a.example"]], [[3, 4]], [null]]) {
    Object.assign(sessionStorage, { tabsOff: odd });
    const odder = new Settings();
    await odder.load();
    assert.deepEqual(odder.tabsOff.all, []);
  }
});

test("the number on the button is shown unless it is switched off", async () => {
  const settings = new Settings();
  await settings.load();
  assert.ok(settings.showsBadge);
  await settings.setShowsBadge(false);
  const again = new Settings();
  await again.load();
  assert.ok(!again.showsBadge);
});

test("settings that cannot be read are read again, and never replaced by what is not known", async () => {
  const kept = { allowedSites: ["a.example"], listsOff: ["list"], allowedUntil: {}, showsBadge: false };
  Object.assign(storage, structuredClone(kept));
  const { get } = fakeBrowser.storage.local;
  let failures = 2;
  fakeBrowser.storage.local.get = async (...keys) => {
    failures -= 1;
    if (failures >= 0) throw new Error("the storage is busy");
    return get(...keys);
  };
  const settings = new Settings();
  await awaited(settings.load());
  assert.deepEqual([settings.fault, settings.allowedSites], [null, ["a.example"]]);

  failures = Infinity;
  const unread = new Settings();
  await assert.rejects(awaited(unread.load()), /the storage is busy/);
  assert.equal(unread.fault, "the storage is busy");
  for (const change of [
    () => unread.setAllowed("b.example", true), () => unread.allowForAWhile("b.example"),
    () => unread.allowAll(["b.example"]), () => unread.choose("b.example", "fonts", true),
    () => unread.takeChoices([]), () => unread.setShowsBadge(true), () => unread.setListOn("list", true),
  ]) await assert.rejects(change(), /not start.*the storage is busy/, String(change));
  assert.deepEqual(storage, kept);

  failures = 0;
  await unread.load();
  await unread.setAllowed("b.example", true);
  assert.deepEqual(storage.allowedSites, ["a.example", "b.example"]);
  fakeBrowser.storage.local.get = get;
});

test("a storage that never answers is a fault, and no start that never ends", async (context) => {
  for (const kind of ["local", "session"]) {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { get } = fakeBrowser.storage[kind];
    fakeBrowser.storage[kind].get = () => new Promise(() => {});
    const begun = performance.now();
    context.mock.method(performance, "now", () => begun + Number(isOver) * 10_000);
    let isOver = false;
    const settings = new Settings();
    const refused = assert.rejects(settings.load(), /storage does not answer/);
    await turns();
    isOver = true;
    context.mock.timers.tick(10_000);
    await refused;
    assert.throws(() => settings.mustBeKnown(), /storage does not answer/);
    fakeBrowser.storage[kind].get = get;
    await settings.load();
    settings.mustBeKnown();
    context.mock.timers.reset();
    context.mock.reset();
  }
});

test("a choice that cannot be kept is none, and is not kept with the next one", async () => {
  const settings = new Settings();
  await settings.load();
  await settings.setAllowed("a.example", true);
  const { set } = fakeBrowser.storage.local;
  const refuse = async () => { throw new Error("the disk is full"); };
  const changes = [
    () => settings.setAllowed("b.example", true), () => settings.setAllowed("a.example", false),
    () => settings.allowForAWhile("b.example"), () => settings.allowAll(["b.example"]),
    () => settings.choose("b.example", "fonts", true), () => settings.setListOn("list", false),
    () => settings.takeChoices([{ site: "b.example", choices: ["fonts"] }]),
  ];
  for (const change of changes) {
    fakeBrowser.storage.local.set = refuse;
    await assert.rejects(change(), /disk is full/);
    fakeBrowser.storage.local.set = set;
    assert.deepEqual([settings.exemptSites, settings.listsOff, settings.choices.all], [["a.example"], [], []]);
  }
  // One that is being kept meanwhile stays.
  let release = () => {};
  fakeBrowser.storage.local.set = (values) => new Promise((resolve) => {
    release = () => resolve(set(values));
  });
  const kept = settings.setAllowed("c.example", true);
  fakeBrowser.storage.local.set = refuse;
  const refused = assert.rejects(settings.choose("b.example", "fonts", true), /disk is full/);
  await turns();
  fakeBrowser.storage.local.set = set;
  release();
  await Promise.all([kept, refused]);
  assert.deepEqual([settings.exemptSites, settings.choices.all], [["a.example", "c.example"], []]);
  const { set: keep } = fakeBrowser.storage.session;
  fakeBrowser.storage.session.set = refuse;
  await assert.rejects(settings.tabsOff.begin(1, "a.example"), /disk is full/);
  assert.ok(!settings.tabsOff.has(1, "a.example"));
  fakeBrowser.storage.session.set = keep;
  await settings.tabsOff.begin(1, "a.example");
  fakeBrowser.storage.session.set = refuse;
  assert.ok(await settings.tabsOff.end(1));
  assert.ok(!settings.tabsOff.has(1, "a.example"));
  fakeBrowser.storage.session.set = keep;
});
