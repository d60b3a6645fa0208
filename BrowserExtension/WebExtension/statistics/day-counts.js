// What was blocked on one day, by site and by list; bounded, whatever pages do.
//
// Names come from pages, so they are keys of maps and places of arrays, and never keys of objects.

/** The most sites and lists that a day keeps; the others are counted together. */
export const keptSites = 200;
export const keptLists = 60;
/** The most sites that are counted apart before a day is written. */
const waitingSites = 1000;
/** The longest name of a site or list that is kept. */
const longestName = 253;

/**
 * A day as it is kept.
 *
 * @typedef {object} DayRecord
 * @property {string} day as `2026-11-24`, in the time zone of the machine
 * @property {number} blocked
 * @property {Array<[site: string, count: number]>} sites the most frequent first
 * @property {number} otherSites what was blocked on the sites that are not named
 * @property {Array<[identifier: string, count: number, name: string]>} lists
 */

/** A number that is kept, as one that can be added up. */
const count = (/** @type {unknown} */ value) =>
  (typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0);

/**
 * The rows of a table that is kept; none where there is no table.
 *
 * @param {unknown} value
 * @returns {unknown[][]}
 */
const rows = (value) => (Array.isArray(value) ? value.filter(Array.isArray) : []);

/** Counts of one day. */
export class DayCounts {
  blocked = 0;
  otherSites = 0;
  /** @type {Map<string, number>} */
  sites = new Map();
  /** @type {Map<string, { count: number, name: string }>} */
  lists = new Map();

  /** @param {string} day */
  constructor(day) { this.day = day; }

  /**
   * Counts what was blocked once.
   *
   * @param {string | null} site that of the page; null if it has none
   * @param {Array<{ identifier: string, name: string }>} lists those that block it
   */
  add(site, lists) {
    this.blocked += 1;
    this.#addSite(site, 1);
    for (const { identifier, name } of lists) this.#addList(identifier, 1, name);
  }

  /**
   * @param {string | null} site
   * @param {number} number
   */
  #addSite(site, number) {
    const known = site === null ? undefined : this.sites.get(site);
    if (known !== undefined && site !== null) this.sites.set(site, known + number);
    else if (site && site.length <= longestName && this.sites.size < waitingSites) this.sites.set(site, number);
    else this.otherSites += number;
  }

  /**
   * @param {string} identifier
   * @param {number} number
   * @param {string} name
   */
  #addList(identifier, number, name) {
    const known = this.lists.get(identifier);
    if (known) known.count += number;
    else if (this.lists.size < keptLists) this.lists.set(identifier, { count: number, name: name.slice(0, longestName) });
  }

  /**
   * Counts what was blocked on a site with the other sites; false if there was nothing.
   *
   * @param {string} site
   */
  forgetSite(site) {
    const number = this.sites.get(site);
    if (number === undefined) return false;
    this.sites.delete(site);
    this.otherSites += number;
    return true;
  }

  /**
   * Adds the counts of a record; whatever in it is none counts as nothing.
   *
   * @param {Partial<DayRecord> | null | undefined} record
   */
  addRecord(record) {
    this.blocked += count(record?.blocked);
    this.otherSites += count(record?.otherSites);
    for (const [site, number] of rows(record?.sites)) {
      if (typeof site === "string" && count(number) > 0) this.#addSite(site, count(number));
    }
    for (const [identifier, number, name] of rows(record?.lists)) {
      if (typeof identifier === "string" && count(number) > 0) this.#addList(identifier, count(number), String(name));
    }
  }

  /**
   * The day as it is kept: the least frequent sites above the limit are counted together.
   *
   * @returns {DayRecord}
   */
  get record() {
    const sites = [...this.sites].sort(([, a], [, b]) => b - a);
    const others = sites.slice(keptSites).reduce((sum, [, number]) => sum + number, this.otherSites);
    return {
      day: this.day, blocked: this.blocked, sites: sites.slice(0, keptSites), otherSites: others,
      lists: [...this.lists].map(([identifier, { count: number, name }]) => [identifier, number, name]),
    };
  }
}
