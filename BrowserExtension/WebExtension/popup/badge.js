// The toolbar button: the number on it, and what it looks like.

import { api, button } from "../shared/browser.js";
import { milliseconds } from "../shared/timings.js";
import { ToolbarIcon } from "./toolbar-icon.js";

/** @typedef {import("./toolbar-icon.js").IconState} IconState */

/**
 * Shows the number of blocked loads of each tab on the toolbar button, and whether lists act there.
 *
 * The browser forgets a tab's button when another document comes; after a restart of the background
 * script the old number stays until the next load is blocked.
 */
export class Badge {
  /**
   * Tabs whose number will be shown in a moment.
   *
   * @type {Set<number>}
   */
  #waiting = new Set();
  /**
   * Tabs whose button says something for a moment, with what ends it.
   *
   * @type {Map<number, ReturnType<typeof setTimeout>>}
   */
  #told = new Map();
  #tabs;
  #settings;
  #stateOf;
  #icon = new ToolbarIcon();

  /**
   * @param {import("../deciding/tabs.js").Tabs} tabs
   * @param {{ showsBadge: boolean }} settings
   * @param {(tabId: number) => IconState} stateOf whether lists act on the page that a tab shows
   */
  constructor(tabs, settings, stateOf) {
    this.#tabs = tabs;
    this.#settings = settings;
    this.#stateOf = stateOf;
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
      // It was closed meanwhile.
      if (!this.#waiting.delete(tabId)) return;
      // It is shown when what the button says is over.
      if (this.#told.has(tabId)) return;
      const count = this.#tabs.shown(tabId).journal.counts.block;
      const state = this.#stateOf(tabId);
      const text = !this.#settings.showsBadge ? "" : state === "absent" ? "!" : count ? String(count) : "";
      Promise.resolve(button.setBadgeText({ tabId, text })).catch(() => {});
      this.#icon.show(tabId, state);
    }, milliseconds.badge);
  }

  /**
   * Says on a tab's button for a moment why nothing was done: by a mark, and by the button's title.
   *
   * @param {number} tabId
   * @param {string} words
   */
  async tell(tabId, words) {
    const told = this.#told.get(tabId);
    if (told !== undefined) clearTimeout(told);
    this.#told.set(tabId, setTimeout(() => {
      this.#told.delete(tabId);
      this.#icon.forget(tabId);
      this.#icon.showTitle(tabId, this.#stateOf(tabId)).catch(() => {});
      this.show(tabId);
    }, milliseconds.told));
    await Promise.all([
      button.setBadgeText({ tabId, text: "✕" }), button.setTitle({ tabId, title: words }),
    ]).catch(() => {});
  }

  /** Shows all tabs' buttons anew, because lists, choices or the service have changed. */
  async showAll() {
    for (const { id } of await api.tabs.query({})) if (id !== undefined) this.show(id);
  }

  /**
   * Another document is in a tab.
   *
   * @param {number} tabId
   */
  committed(tabId) {
    this.#icon.forget(tabId);
    this.show(tabId);
  }

  /**
   * A tab is closed.
   *
   * @param {number} tabId
   */
  removed(tabId) {
    clearTimeout(this.#told.get(tabId));
    this.#told.delete(tabId);
    this.#waiting.delete(tabId);
    this.#icon.forget(tabId);
  }
}
