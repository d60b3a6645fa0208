// "Off for this tab": tabs in which a site is left alone until they leave it or are closed.

import { api } from "./browser.js";
import { fromStorage } from "./in-time.js";

/**
 * The tabs that are off, each with the site that it shows.
 *
 * Kept in the browser's memory, so that they are there when the background script starts again, and gone
 * with the browser; nothing of them is ever on the disk.
 */
export class TabsOff {
  /**
   * Sites by the tab's number.
   *
   * @type {Map<number, string>}
   */
  #sites = new Map();

  /** Reads what was kept. */
  async load() {
    const { tabsOff } = await fromStorage(api.storage.session.get(["tabsOff"]));
    const pairs = Array.isArray(tabsOff) ? tabsOff : [];
    this.#sites = new Map(pairs.filter((pair) =>
      Array.isArray(pair) && Number.isInteger(pair[0]) && typeof pair[1] === "string"));
  }

  /** All tabs with their sites. */
  get all() { return [...this.#sites]; }

  /**
   * Whether a tab is off for the pages of a site.
   *
   * @param {number} tabId
   * @param {string | null} site
   */
  has(tabId, site) {
    return this.#sites.size > 0 && site !== null && this.#sites.get(tabId) === site;
  }

  /**
   * @param {number} tabId
   * @param {string} site
   */
  async begin(tabId, site) {
    const before = this.#sites.get(tabId);
    this.#sites.set(tabId, site);
    try {
      await this.#keep();
    } catch (error) {
      if (before === undefined) this.#sites.delete(tabId);
      else this.#sites.set(tabId, before);
      throw error;
    }
  }

  /**
   * Ends it for a tab, unless the tab shows its site; true if there was something to end.
   *
   * @param {number} tabId
   * @param {string | null} site what the tab shows now
   */
  async end(tabId, site = null) {
    if (!this.#sites.has(tabId) || this.has(tabId, site)) return false;
    this.#sites.delete(tabId);
    // It has ended whether or not that is kept; at most it is off again after the next start of the script.
    await this.#keep().catch((error) => console.debug(error));
    return true;
  }

  #keep() { return api.storage.session.set({ tabsOff: this.all }); }
}
