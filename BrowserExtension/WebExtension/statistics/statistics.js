// In the background: how much was blocked, on which sites, by which lists, each day.
//
// A blocked request costs a look-up and a few additions; what was counted is written together with what
// follows in the next seconds. Nothing is counted of private windows.

import { api } from "../shared/browser.js";
import { milliseconds } from "../shared/timings.js";
import { DayCounts } from "./day-counts.js";
import { dayName, lastDays } from "./days.js";
import { PrivateTabs } from "./private-tabs.js";

/** @typedef {import("../deciding/observer.js").Decided} Decided */
/** @typedef {import("../deciding/matcher.js").Matcher} Matcher */

/** How many sites and lists are told. */
const told = 25;
/** The most days that are told of. */
const longestRange = 400;

/**
 * Counts what is blocked.
 *
 * What was not written yet is in memory: a background script that ends takes the counts of its last few
 * seconds with it.
 */
export class Statistics {
  /** Whether anything is counted. */
  isOn = false;
  /** What is not written yet; the day is known when something is counted. */
  #waiting = new DayCounts("");
  /** When the day of `#waiting` begins and ends, in milliseconds since 1970. */
  #begin = 0;
  #end = 0;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  /** Changes of the store, one after the other. */
  #work = Promise.resolve();
  #lastTop = "";
  /** @type {string | null} */
  #lastSite = null;
  #store;
  #tabs;
  /** Fulfilled when it is known whether anything is counted. */
  ready;
  /** Whether the person has chosen meanwhile, so that an older choice no longer counts. */
  #isChosen = false;

  /**
   * @param {Pick<import("./statistics-store.js").StatisticsStore,
   *   "add" | "days" | "deleteDay" | "deleteSite" | "deleteAll">} store
   * @param {Pick<PrivateTabs, "ifPublic">} [tabs]
   */
  constructor(store, tabs = new PrivateTabs()) {
    this.#store = store;
    this.#tabs = tabs;
    this.ready = api.storage.local.get(["statisticsOff"]).then(({ statisticsOff }) => {
      if (!this.#isChosen) this.isOn = statisticsOff !== true;
    });
    // It may have been turned off; who asks for counts is told.
    this.ready.catch((error) => console.debug(error));
  }

  /**
   * Counts a blocked request.
   *
   * @param {Decided} decided
   * @param {Array<{ identifier: string, name: string }>} lists those that block it
   * @param {Pick<import("../deciding/engine.js").Engine, "site">} engine
   */
  blocked({ load, tabId, isPrivate }, lists, engine) {
    if (!this.isOn) return;
    this.#tabs.ifPublic(tabId, isPrivate, () => {
      if (!this.isOn) return;
      // Requests come by pages, so the page is mostly the one of the last.
      if (load.topURL !== this.#lastTop) {
        this.#lastTop = load.topURL;
        this.#lastSite = engine.site(load.topURL);
      }
      this.#today().add(this.#lastSite, lists);
      this.#timer ??= setTimeout(() => { this.#write(); }, milliseconds.statisticsWritten);
    });
  }

  /** The counts of today that are not written yet. */
  #today() {
    const now = Date.now();
    if (now < this.#begin || now >= this.#end) {
      // What is left of another day is written as its own.
      if (this.#waiting.blocked > 0) this.#write();
      const date = new Date(now);
      this.#begin = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
      this.#end = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
      this.#waiting = new DayCounts(dayName(date));
    }
    return this.#waiting;
  }

  /** Writes what is waiting; where that fails, it goes on waiting. */
  #write() {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const counts = this.#waiting;
    this.#waiting = new DayCounts(counts.day);
    if (counts.blocked === 0) return this.#work;
    return this.#next(async () => {
      try {
        await this.#store.add(counts);
      } catch (error) {
        console.debug(error);
        // Of another day there is no place to wait.
        if (counts.day === this.#waiting.day) this.#waiting.addRecord(counts.record);
      }
    });
  }

  /**
   * Does something with the store after all that was to be done before.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  #next(work) {
    const result = this.#work.then(work);
    this.#work = result.then(() => {}, () => {});
    return result;
  }

  /** How much was blocked today; null while nothing is counted. */
  async today() {
    await this.ready;
    if (!this.isOn) return null;
    const day = dayName(new Date());
    const [record] = await this.#next(() => this.#store.days(day, day));
    const counts = new DayCounts(day);
    counts.addRecord(record);
    return counts.blocked + (this.#waiting.day === day ? this.#waiting.blocked : 0);
  }

  /**
   * What was blocked on the last days, today included.
   *
   * @param {number} count how many days
   * @param {Matcher | null} matcher
   * @returns {Promise<Messages.StatisticsReport>}
   */
  async report(count, matcher) {
    await this.ready;
    await this.#write();
    const names = lastDays(Math.min(Math.max(1, Math.trunc(count) || 1), longestRange), new Date());
    const records = await this.#next(() => this.#store.days(names[0], names[names.length - 1]));
    const blocked = new Map(names.map((name) => [name, 0]));
    /** @type {Map<string, number>} */
    const sites = new Map();
    /** @type {Map<string, { name: string, blocked: number }>} */
    const lists = new Map();
    let others = 0;
    for (const record of records) {
      const counts = new DayCounts(record.day);
      counts.addRecord(record);
      blocked.set(record.day, counts.blocked);
      others += counts.otherSites;
      for (const [site, number] of counts.sites) sites.set(site, (sites.get(site) ?? 0) + number);
      for (const [identifier, { count: number, name }] of counts.lists) {
        const known = lists.get(identifier) ?? { name, blocked: 0 };
        // The newest name, unless the list has one now.
        lists.set(identifier, { name, blocked: known.blocked + number });
      }
    }
    for (const { identifier, name } of matcher?.lists.all ?? []) {
      const known = lists.get(identifier);
      if (known) known.name = name;
    }
    const top = [...sites].sort(([, a], [, b]) => b - a);
    return {
      isOn: this.isOn,
      days: names.map((day) => ({ day, blocked: blocked.get(day) ?? 0 })),
      sites: top.slice(0, told).map(([site, number]) => ({ site, blocked: number })),
      otherSites: top.slice(told).reduce((sum, [, number]) => sum + number, others),
      lists: [...lists].map(([identifier, list]) => ({ identifier, ...list }))
        .sort((a, b) => b.blocked - a.blocked).slice(0, told),
    };
  }

  /**
   * Counts from now on, or no longer; what was counted stays.
   *
   * @param {boolean} isOn
   */
  async setOn(isOn) {
    this.#isChosen = true;
    this.isOn = isOn;
    await api.storage.local.set({ statisticsOff: !isOn });
    await this.#write();
  }

  /**
   * Deletes a day, a site, or everything, also what is not written yet.
   *
   * @param {{ day?: string, site?: string }} what
   */
  async forget({ day, site }) {
    await this.#write();
    // What could not be written waits, and would come back.
    if (site !== undefined) this.#waiting.forgetSite(site);
    else if (day === undefined || day === this.#waiting.day) this.#waiting = new DayCounts(this.#waiting.day);
    if (day !== undefined) await this.#next(() => this.#store.deleteDay(day));
    else if (site !== undefined) await this.#next(() => this.#store.deleteSite(site));
    else await this.#next(() => this.#store.deleteAll());
  }
}
