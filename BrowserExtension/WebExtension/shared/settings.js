// What the user has chosen in this browser: sites that are left alone, lists that are off.

import { api } from "./browser.js";
import { messageOf } from "./errors.js";
import { fromStorage } from "./in-time.js";
import { SiteChoices } from "./site-choices.js";
import { TabsOff } from "./tabs-off.js";
import { text } from "./texts.js";
import { milliseconds } from "./timings.js";

/** @typedef {import("./site-choices.js").Choice} Choice */

/** A kept value as a set of strings; anything else that may be there counts as empty. */
const stringSet = (/** @type {unknown} */ value) =>
  new Set(Array.isArray(value) ? value.map(String) : []);

/**
 * Whether the end of a site's exemption is still to come. One that is farther away than any can be was made by
 * a clock that was ahead, and is over: it must not leave a site alone for years.
 *
 * @param {unknown} end in milliseconds since 1970, as `now`
 * @param {number} now
 */
const isComing = (end, now) => typeof end === "number" && now < end
  && end - now <= milliseconds.allowed + milliseconds.clockSet;

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
  /** How many changes are being kept. */
  #writing = 0;
  /** Whether one of them was refused. */
  #isUnsure = false;
  /** What was chosen for sites besides; changed by the methods here, which keep it. */
  choices = new SiteChoices();
  tabsOff = new TabsOff();
  /** Whether the toolbar button has the number of blocked requests. */
  showsBadge = true;
  /**
   * Fulfilled when what was kept is read; rejected where it could not be.
   *
   * @type {Promise<void>}
   */
  known = Promise.resolve();
  /**
   * Why what was kept could not be read; null if it could. With a fault nothing is known to be chosen, and nothing
   * can be: what is kept would be lost.
   *
   * @type {string | null}
   */
  fault = null;
  /**
   * Whether other sites are below a site's name; the engine says so as soon as it has started.
   *
   * @type {(site: string) => boolean}
   */
  hasSitesBelow = () => false;
  /** Called when a site is no longer left alone because its time is over. */
  onEnded = () => {};

  /**
   * Reads what was kept, a few times where the browser cannot read it; whoever calls it after that reads it anew.
   *
   * @throws what the browser says, which is in `fault` from then on
   */
  load() {
    this.known = this.#load();
    return this.known;
  }

  async #load() {
    const begin = performance.now();
    const isLate = () => performance.now() - begin >= milliseconds.settingsRead;
    for (;;) {
      try {
        await this.#read();
        this.fault = null;
        return;
      } catch (error) {
        this.fault = messageOf(error);
        if (isLate()) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, milliseconds.settingsRetry));
    }
  }

  async #read() {
    await this.tabsOff.load();
    await this.#readKept();
  }

  async #readKept() {
    const kept = await fromStorage(
      api.storage.local.get(["allowedSites", "listsOff", "allowedUntil", "siteChoices", "showsBadge"]));
    this.choices.load(kept.siteChoices);
    this.showsBadge = kept.showsBadge !== false;
    this.#allowedSites = stringSet(kept.allowedSites);
    this.#listsOff = stringSet(kept.listsOff);
    const { allowedUntil } = kept;
    const ends = allowedUntil && typeof allowedUntil === "object" ? Object.entries(allowedUntil) : [];
    const now = Date.now();
    this.#allowedUntil = new Map(ends.filter(([, end]) => isComing(end, now)));
    this.#awaitEnd();
  }

  /**
   * Keeps values. Where the browser refuses, what it has kept counts again: who was told that a choice was not kept
   * must not find it kept with the next one.
   *
   * @param {Record<string, unknown>} values
   */
  async #keep(values) {
    this.#writing += 1;
    try {
      await api.storage.local.set(values);
    } catch (error) {
      this.#isUnsure = true;
      throw error;
    } finally {
      this.#writing -= 1;
      // Not while another change is being kept, which would be lost.
      if (this.#isUnsure && this.#writing === 0) {
        this.#isUnsure = false;
        await this.#readKept().catch((error) => console.debug(error));
      }
    }
  }

  /** All sites on whose pages nothing is done, sorted; not those that are so for a while alone. */
  get allowedSites() { return [...this.#allowedSites].sort(); }

  /** All sites on whose pages nothing is done now, sorted. */
  get exemptSites() {
    const now = Date.now();
    const passing = [...this.#allowedUntil].flatMap(([site, end]) => (isComing(end, now) ? site : []));
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
    return isComing(end, Date.now()) ? end : null;
  }

  /**
   * Leaves a site alone for an hour.
   *
   * @param {string} site
   */
  async allowForAWhile(site) {
    this.mustBeKnown();
    this.#allowedUntil.set(site, Date.now() + milliseconds.allowed);
    await this.#keepEnds();
  }

  /** Keeps the ends that have not come, and waits for the first. */
  async #keepEnds() {
    this.#dropEnded();
    this.#awaitEnd();
    await this.#keep({ allowedUntil: Object.fromEntries(this.#allowedUntil) });
  }

  /** Drops the ends that have come; true if there are any. */
  #dropEnded() {
    const now = Date.now();
    const ended = [...this.#allowedUntil].filter(([, end]) => !isComing(end, now));
    for (const [site] of ended) this.#allowedUntil.delete(site);
    return ended.length > 0;
  }

  /** Looks again and again whether an end has come: a timer knows neither that the clock was set nor of sleep. */
  #awaitEnd() {
    clearTimeout(this.#timer);
    if (this.#allowedUntil.size === 0) return;
    const wait = Math.min(...this.#allowedUntil.values()) - Date.now();
    this.#timer = setTimeout(() => {
      if (!this.#dropEnded()) {
        this.#awaitEnd();
        return;
      }
      this.#keepEnds().catch((error) => console.debug(error));
      this.onEnded();
    }, Math.min(Math.max(0, wait), milliseconds.allowedLook));
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
    this.mustBeKnown();
    if (isAllowed) this.#allowedSites.add(site);
    else this.#allowedSites.delete(site);
    const hadEnd = this.#allowedUntil.delete(site);
    if (hadEnd) this.#dropEnded();
    this.#awaitEnd();
    // In one step: between two, a site that is to be left alone for good would not even be so for its hour.
    await this.#keep({
      allowedSites: [...this.#allowedSites],
      ...hadEnd ? { allowedUntil: Object.fromEntries(this.#allowedUntil) } : {},
    });
  }

  /**
   * Leaves sites alone, besides those that are already.
   *
   * @param {string[]} sites
   */
  async allowAll(sites) {
    this.mustBeKnown();
    for (const site of sites) this.#allowedSites.add(site);
    await this.#keep({ allowedSites: [...this.#allowedSites] });
  }

  /**
   * Makes a choice for a site, or takes it back.
   *
   * @param {string} site
   * @param {Choice} choice
   * @param {boolean} isOn
   */
  async choose(site, choice, isOn) {
    this.mustBeKnown();
    this.choices.set(site, choice, isOn);
    await this.#keepChoices();
  }

  /**
   * Gives sites these choices; a site that has some keeps them, but loses them where the array is empty.
   *
   * @param {import("./site-choices.js").SiteEntry[]} entries
   */
  async takeChoices(entries) {
    this.mustBeKnown();
    this.choices.take(entries);
    await this.#keepChoices();
  }

  /** Throws where what is kept could not be read: it is neither to be shown as nothing nor to be replaced. */
  mustBeKnown() {
    if (this.fault !== null) throw new Error(text("not_started", this.fault));
  }

  #keepChoices() { return this.#keep({ siteChoices: this.choices.kept }); }

  /** @param {boolean} showsBadge */
  async setShowsBadge(showsBadge) {
    this.mustBeKnown();
    await api.storage.local.set({ showsBadge });
    this.showsBadge = showsBadge;
  }

  /**
   * @param {string} identifier
   * @param {boolean} isOn
   */
  async setListOn(identifier, isOn) {
    this.mustBeKnown();
    if (isOn) this.#listsOff.delete(identifier);
    else this.#listsOff.add(identifier);
    await this.#keep({ listsOff: [...this.#listsOff] });
  }
}
