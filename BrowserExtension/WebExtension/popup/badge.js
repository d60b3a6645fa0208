// The number on the toolbar button.

import { button } from "../shared/browser.js";
import { milliseconds } from "../shared/timings.js";

/**
 * Shows the number of blocked loads of each tab on the toolbar button.
 *
 * The browser forgets a tab's number when another document comes; after a restart of the background
 * script the old one stays until the next load is blocked.
 */
export class Badge {
  /**
   * Tabs whose number will be shown in a moment.
   *
   * @type {Set<number>}
   */
  #waiting = new Set();
  #tabs;

  /** @param {import("../deciding/tabs.js").Tabs} tabs */
  constructor(tabs) {
    this.#tabs = tabs;
    Promise.resolve(button.setBadgeBackgroundColor({ color: "#3b5b8c" })).catch(() => {});
  }

  /**
   * Shows a tab's number in a moment, since many loads come at once.
   *
   * @param {number} tabId
   */
  show(tabId) {
    if (tabId < 0 || this.#waiting.has(tabId)) return;
    this.#waiting.add(tabId);
    setTimeout(() => {
      this.#waiting.delete(tabId);
      const count = this.#tabs.shown(tabId).journal.counts.block;
      Promise.resolve(button.setBadgeText({ tabId, text: count ? String(count) : "" }))
        .catch(() => {});
    }, milliseconds.badge);
  }
}
