// What the user has chosen in this browser: sites that are left alone, lists that are off.

import { api } from "./browser.js";
import { SiteChoices } from "./site-choices.js";
import { TabsOff } from "./tabs-off.js";
import { milliseconds } from "./timings.js";

/** @typedef {import("./site-choices.js").Choice} Choice */

/** A kept value as a set of strings; anything else that may be there counts as empty. */
const stringSet = (/** @type {unknown} */ value) =>
  new Set(Array.isArray(value) ? value.map(String) : []);

/**
 * The user's choices. They act at once, and are kept in the browser's storage, from which `load` reads
 * them when the background script starts again.
 */
export class Settings {
  /** @type {Set<string>} */
  #allowedSites = new Set();
  /** @type {Set<string>} */
  #listsOff = new Set();
  /**
   * Until when sites are left alone that are not for good, in milliseconds since 1970.
   *
   * @type {Map<string, number>}
   */
  #allowedUntil = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** What was chosen for sites besides; changed by the methods here, which keep it. */
  choices = new SiteChoices();
  tabsOff = new TabsOff();
  /** Whether the toolbar button has the number of blocked requests. */
  showsBadge = true;
  /**
   * Whether other sites are below a site's name; the engine says so as soon as it has started.
   *
   * @type {(site: string) => boolean}
   */
  hasSitesBelow = () => false;
  /** Called when a site is no longer left alone because its time is over. */
  onEnded = () => {};

  /** Reads what was kept. */
  async load() {
    const kept = await api.storage.local.get(
      ["allowedSites", "listsOff", "allowedUntil", "siteChoices", "showsBadge"]);
    await this.tabsOff.load();
    this.choices.load(kept.siteChoices);
    this.showsBadge = kept.showsBadge !== false;
    this.#allowedSites = stringSet(kept.allowedSites);
    this.#listsOff = stringSet(kept.listsOff);
    const { allowedUntil } = kept;
    const ends = allowedUntil && typeof allowedUntil === "object" ? Object.entries(allowedUntil) : [];
    // A clock that was far ahead must not leave a site alone for years.
    const latest = Date.now() + milliseconds.allowed;
    this.#allowedUntil = new Map(ends.filter(([, end]) => typeof end === "number" && end <= latest));
    this.#awaitEnd();
  }

  /** All sites on whose pages nothing is done, sorted; not those that are so for a while alone. */
  get allowedSites() { return [...this.#allowedSites].sort(); }

  /** All sites on whose pages nothing is done now, sorted. */
  get exemptSites() {
    const now = Date.now();
    const passing = [...this.#allowedUntil].flatMap(([site, end]) => (now < end ? site : []));
    return [...new Set([...this.#allowedSites, ...passing])].sort();
  }

  /** All lists that the user has switched off in this browser, sorted. */
  get listsOff() { return [...this.#listsOff].sort(); }

  /**
   * Whether nothing is done on pages of a site, in a tab or in all.
   *
   * @param {string} site
   * @param {number} tabId
   */
  isAllowed(site, tabId = -1) {
    return this.#allowedSites.has(site) || this.allowedUntil(site) !== null || this.tabsOff.has(tabId, site);
  }

  /**
   * Until when a site is left alone, in milliseconds since 1970; null if it is not, or for good.
   *
   * @param {string} site
   */
  allowedUntil(site) {
    if (this.#allowedUntil.size === 0) return null;
    const end = this.#allowedUntil.get(site) ?? 0;
    return Date.now() < end ? end : null;
  }

  /**
   * Leaves a site alone for an hour.
   *
   * @param {string} site
   */
  async allowForAWhile(site) {
    this.#allowedUntil.set(site, Date.now() + milliseconds.allowed);
    await this.#keepEnds();
  }

  /** Keeps the ends that have not come, and waits for the first. */
  async #keepEnds() {
    const now = Date.now();
    for (const [site, end] of this.#allowedUntil) if (end <= now) this.#allowedUntil.delete(site);
    this.#awaitEnd();
    await api.storage.local.set({ allowedUntil: Object.fromEntries(this.#allowedUntil) });
  }

  #awaitEnd() {
    clearTimeout(this.#timer);
    if (this.#allowedUntil.size === 0) return;
    const wait = Math.min(...this.#allowedUntil.values()) - Date.now();
    this.#timer = setTimeout(() => {
      this.#keepEnds().catch((error) => console.debug(error));
      this.onEnded();
    }, Math.max(0, wait));
  }

  /**
   * Whether the user has switched a list off in this browser.
   *
   * @param {string} identifier
   */
  isListOff(identifier) { return this.#listsOff.has(identifier); }

  /**
   * @param {string} site
   * @param {boolean} isAllowed
   */
  async setAllowed(site, isAllowed) {
    if (isAllowed) this.#allowedSites.add(site);
    else this.#allowedSites.delete(site);
    if (this.#allowedUntil.delete(site)) await this.#keepEnds();
    await api.storage.local.set({ allowedSites: [...this.#allowedSites] });
  }

  /**
   * Leaves sites alone, besides those that are already.
   *
   * @param {string[]} sites
   */
  async allowAll(sites) {
    for (const site of sites) this.#allowedSites.add(site);
    await api.storage.local.set({ allowedSites: [...this.#allowedSites] });
  }

  /**
   * Makes a choice for a site, or takes it back.
   *
   * @param {string} site
   * @param {Choice} choice
   * @param {boolean} isOn
   */
  async choose(site, choice, isOn) {
    this.choices.set(site, choice, isOn);
    await this.#keepChoices();
  }

  /**
   * Gives sites these choices instead of those that they have; none where the array is empty.
   *
   * @param {import("./site-choices.js").SiteEntry[]} entries
   */
  async takeChoices(entries) {
    this.choices.take(entries);
    await this.#keepChoices();
  }

  #keepChoices() { return api.storage.local.set({ siteChoices: this.choices.kept }); }

  /** @param {boolean} showsBadge */
  async setShowsBadge(showsBadge) {
    await api.storage.local.set({ showsBadge });
    this.showsBadge = showsBadge;
  }

  /**
   * @param {string} identifier
   * @param {boolean} isOn
   */
  async setListOn(identifier, isOn) {
    if (isOn) this.#listsOff.delete(identifier);
    else this.#listsOff.add(identifier);
    await api.storage.local.set({ listsOff: [...this.#listsOff] });
  }
}
