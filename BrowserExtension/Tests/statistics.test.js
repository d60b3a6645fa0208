import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { FakeEvent, fakeBrowser, storage } from "./Support/browser.js";
import { turns as soon } from "./Support/turns.js";

fakeBrowser.tabs.onCreated = new FakeEvent();
fakeBrowser.tabs.onRemoved = new FakeEvent();
fakeBrowser.extension = { isAllowedIncognitoAccess: async () => true };
const { DayCounts, keptLists, keptSites } = await import("../WebExtension/statistics/day-counts.js");
const { dayName, lastDays, noonOf } = await import("../WebExtension/statistics/days.js");
const { PrivateTabs } = await import("../WebExtension/statistics/private-tabs.js");
const { Statistics } = await import("../WebExtension/statistics/statistics.js");
const { columns } = await import("../WebExtension/statistics/columns.js");

/** Keeps days as the browser's database does: copies of them, in their order. */
class FakeStore {
  kept = new Map();
  writes = 0;
  isFull = false;
  async add(counts) {
    if (this.isFull) throw new Error("full");
    this.writes += 1;
    const sum = new DayCounts(counts.day);
    sum.addRecord(this.kept.get(counts.day));
    sum.addRecord(counts.record);
    this.kept.set(counts.day, structuredClone(sum.record));
  }
  async days(first, last) {
    return [...this.kept.values()].filter(({ day }) => first <= day && day <= last);
  }
  async deleteDay(day) { this.kept.delete(day); }
  async deleteAll() { this.kept.clear(); }
}

const list = { identifier: "ads", name: "Ads" };
const engine = { site: (url) => new URL(url).hostname.split(".").slice(-2).join(".") };
const publicTabs = { ifPublic: (tabId, isPrivate, action) => { if (!isPrivate) action(); } };
const request = (url, more = {}) => ({ load: { topURL: url }, tabId: 1, ...more });

beforeEach(() => {
  for (const key of Object.keys(storage)) delete storage[key];
});

async function counting(context, now = new Date(2026, 10, 24, 12).getTime()) {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"], now });
  const store = new FakeStore();
  const statistics = new Statistics(store, publicTabs);
  await statistics.ready;
  return { store, statistics, count: (url, lists = [list], more) => statistics.blocked(request(url, more), lists, engine) };
}

test("requests are counted by day, site and list, and written together", async (context) => {
  const { store, statistics, count } = await counting(context);
  for (let number = 0; number < 100_000; number += 1) count("https://news.example/");
  count("https://www.shop.example/", [list, { identifier: "more", name: "More" }]);
  assert.equal(store.writes, 0);
  assert.equal(await statistics.today(), 100_001);
  context.mock.timers.tick(4000);
  await soon();
  assert.equal(store.writes, 1);
  count("https://news.example/");
  const report = await statistics.report(7, null);
  assert.equal(await statistics.today(), 100_002);
  assert.equal(report.days.length, 7);
  assert.deepEqual(report.days.at(-1), { day: "2026-11-24", blocked: 100_002 });
  assert.deepEqual(report.sites, [{ site: "news.example", blocked: 100_001 }, { site: "shop.example", blocked: 1 }]);
  assert.deepEqual(report.lists, [
    { identifier: "ads", name: "Ads", blocked: 100_002 }, { identifier: "more", name: "More", blocked: 1 },
  ]);
});

test("what is counted after midnight belongs to the next day, and a new name of a list is shown", async (context) => {
  const { statistics, count } = await counting(context, new Date(2026, 10, 24, 23, 59, 59).getTime());
  count("https://a.example/");
  context.mock.timers.tick(2000);
  count("https://a.example/");
  count("https://a.example/");
  const { days, lists } = await statistics.report(2, { lists: { all: [{ identifier: "ads", name: "New" }] } });
  assert.deepEqual(days, [{ day: "2026-11-24", blocked: 1 }, { day: "2026-11-25", blocked: 2 }]);
  assert.deepEqual(lists, [{ identifier: "ads", name: "New", blocked: 3 }]);
});

test("what cannot be written is written with what follows", async (context) => {
  const { store, statistics, count } = await counting(context);
  store.isFull = true;
  count("https://a.example/");
  context.mock.timers.tick(4000);
  await soon();
  store.isFull = false;
  count("https://b.example/");
  context.mock.timers.tick(4000);
  await soon();
  assert.equal(store.kept.get("2026-11-24").blocked, 2);
  assert.equal(await statistics.today(), 2);
});

test("counting can be ended, over a restart, and what was counted goes when it is deleted", async (context) => {
  const { store, statistics, count } = await counting(context);
  count("https://a.example/");
  await statistics.setOn(false);
  count("https://a.example/");
  assert.equal(await statistics.today(), null);
  assert.equal(store.kept.get("2026-11-24").blocked, 1);
  const again = new Statistics(store, publicTabs);
  await again.ready;
  assert.ok(!again.isOn);
  await again.setOn(true);
  again.blocked(request("https://a.example/"), [list], engine);
  await again.forget({ day: "2026-11-24" });
  assert.equal(await again.today(), 0);
  again.blocked(request("https://a.example/"), [list], engine);
  await again.forget({});
  assert.equal(store.kept.size, 0);
});

test("a day keeps a bounded number of sites and lists, and sums the others", () => {
  const counts = new DayCounts("2026-11-24");
  for (let number = 0; number < 50_000; number += 1) {
    counts.add(`s${number}.example`, [{ identifier: `l${number}`, name: "x".repeat(5000) }]);
  }
  for (let number = 0; number < 3; number += 1) counts.add("often.example", []);
  counts.add("x".repeat(70_000), []);
  counts.add(null, []);
  const { record } = counts;
  assert.equal(record.sites.length, keptSites);
  assert.equal(record.lists.length, keptLists);
  assert.equal(record.blocked, 50_005);
  assert.equal(record.sites.reduce((sum, [, number]) => sum + number, record.otherSites), 50_005);
  assert.ok(JSON.stringify(record).length < 40_000);
  // A site that is frequent has a place, however many others there were on the day.
  const next = new DayCounts("2026-11-24");
  for (let number = 0; number < 3; number += 1) next.add("often.example", []);
  next.addRecord(record);
  assert.deepEqual(next.record.sites[0], ["often.example", 3]);
});

test("odd names are names, and odd records count as nothing", () => {
  const counts = new DayCounts("2026-11-24");
  for (const site of ["__proto__", "constructor", "xn--mnchen-3ya.de", "[::1]", "127.0.0.1"]) counts.add(site, []);
  counts.addRecord(structuredClone(counts.record));
  assert.deepEqual(counts.record.sites.map(([, number]) => number), [2, 2, 2, 2, 2]);
  assert.equal({}.polluted, undefined);
  for (const odd of [null, undefined, {}, { blocked: "7", sites: 7, lists: {} },
    { blocked: -1, sites: [null, ["a"], ["a", "1"], [7, 1]], lists: [[], [null, 1]] }]) {
    const none = new DayCounts("2026-11-24");
    none.addRecord(odd);
    assert.deepEqual(none.record, { day: "2026-11-24", blocked: 0, sites: [], otherSites: 0, lists: [] });
  }
});

test("nothing is counted of private tabs, nor of those that cannot be known", async () => {
  const tabs = new PrivateTabs();
  const seen = [];
  const count = (tabId, isPrivate) => tabs.ifPublic(tabId, isPrivate, () => seen.push(tabId));
  count(1, true);
  count(2, false);
  assert.deepEqual(seen, [2]);
  fakeBrowser.tabs.onCreated.fire({ id: 3, incognito: true });
  fakeBrowser.tabs.onCreated.fire({ id: 4, incognito: false });
  count(3);
  count(4);
  assert.deepEqual(seen, [2, 4]);
  const asked = mock.method(fakeBrowser.tabs, "get", async (id) => {
    if (id === 7) throw new Error("no such tab");
    return { id, incognito: id === 5 };
  });
  for (const id of [5, 6, 6, 7, -1]) count(id);
  await soon();
  assert.deepEqual(seen, [2, 4, 6, 6]);
  assert.equal(asked.mock.callCount(), 3);
  count(5);
  assert.deepEqual(seen, [2, 4, 6, 6]);
  // Workers belong to no tab; without private windows they can only be public.
  fakeBrowser.extension.isAllowedIncognitoAccess = async () => false;
  const all = new PrivateTabs();
  await soon();
  all.ifPublic(-1, undefined, () => seen.push(-1));
  assert.deepEqual(seen, [2, 4, 6, 6, -1]);
});

test("days have names that are sorted as they follow", () => {
  assert.deepEqual(lastDays(3, new Date(2024, 2, 1, 0, 5)), ["2024-02-28", "2024-02-29", "2024-03-01"]);
  assert.equal(dayName(noonOf("2024-02-29")), "2024-02-29");
  assert.equal(lastDays(365, new Date(2026, 10, 24)).length, 365);
});

test("a chart has a column for each day, or each week of a year, under a round top", () => {
  const days = lastDays(7, new Date(2026, 10, 24)).map((day, place) => ({ day, blocked: place * 30 }));
  const week = columns(days);
  assert.equal(week.columns.length, 7);
  assert.equal(week.top, 200);
  assert.equal(week.columns.at(-1).blocked, 180);
  const year = columns(lastDays(365, new Date(2026, 10, 24)).map((day) => ({ day, blocked: 1 })));
  assert.equal(year.columns.length, 53);
  assert.equal(year.columns.reduce((sum, { blocked }) => sum + blocked, 0), 365);
  // The week that is not over is the last.
  assert.deepEqual([year.columns.at(-1).last, year.columns.at(-1).blocked], ["2026-11-24", 7]);
  assert.equal(columns([]).top, 1);
  for (const [most, top] of [[0, 1], [1, 1], [3, 4], [5, 6], [9, 10], [11, 20], [201, 400], [5800, 6000]]) {
    assert.equal(columns([{ day: "2026-11-24", blocked: most }]).top, top, String(most));
  }
});

test("what could not be written is deleted too", async (context) => {
  const { store, statistics, count } = await counting(context);
  store.deleteSite = async () => {};
  store.isFull = true;
  count("https://news.example/");
  count("https://shop.example/");
  await statistics.forget({ site: "news.example" });
  store.isFull = false;
  let report = await statistics.report(1, null);
  assert.deepEqual([report.sites, report.otherSites], [[{ site: "shop.example", blocked: 1 }], 1]);
  for (const what of [{}, { day: "2026-11-24" }]) {
    await statistics.forget({});
    store.isFull = true;
    count("https://news.example/");
    await statistics.forget(what);
    store.isFull = false;
    report = await statistics.report(1, null);
    assert.deepEqual([report.days[0].blocked, report.sites], [0, []]);
  }
});

test("a choice is not undone by what was kept before, which comes late; nothing counts that may be off", async () => {
  const { get } = fakeBrowser.storage.local;
  let arrive = () => {};
  fakeBrowser.storage.local.get = () => new Promise((resolve) => { arrive = () => resolve({}); });
  const statistics = new Statistics(new FakeStore(), publicTabs);
  await statistics.setOn(false);
  arrive();
  await statistics.ready;
  assert.equal(statistics.isOn, false);
  fakeBrowser.storage.local.get = async () => { throw new Error("the storage is damaged"); };
  const unknown = new Statistics(new FakeStore(), publicTabs);
  await assert.rejects(unknown.report(7, null), /the storage is damaged/);
  assert.equal(unknown.isOn, false);
  fakeBrowser.storage.local.get = get;
});
