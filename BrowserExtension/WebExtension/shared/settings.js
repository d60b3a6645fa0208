// What the user has chosen in this browser: sites that are left alone, lists that are off.

import { api } from "./browser.js";

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

  /** Reads what was kept. */
  async load() {
    const kept = await api.storage.local.get(["allowedSites", "listsOff"]);
    this.#allowedSites = stringSet(kept.allowedSites);
    this.#listsOff = stringSet(kept.listsOff);
  }

  /** All sites on whose pages nothing is done, sorted. */
  get allowedSites() { return [...this.#allowedSites].sort(); }

  /** All lists that the user has switched off in this browser, sorted. */
  get listsOff() { return [...this.#listsOff].sort(); }

  /**
   * Whether nothing is done on pages of a site.
   *
   * @param {string} site
   */
  isAllowed(site) { return this.#allowedSites.has(site); }

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
   * @param {string} identifier
   * @param {boolean} isOn
   */
  async setListOn(identifier, isOn) {
    if (isOn) this.#listsOff.delete(identifier);
    else this.#listsOff.add(identifier);
    await api.storage.local.set({ listsOff: [...this.#listsOff] });
  }
}
