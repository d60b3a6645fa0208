// Which tabs are private, as far as the browser lets the extension see them at all.

import { api } from "../shared/browser.js";

/** How many things wait at most until it is known whose tab they belong to. */
const waitingLimit = 1000;

/**
 * Says of tabs whether they are private.
 *
 * What is known is in memory; after a restart of the background script the browser is asked again.
 */
export class PrivateTabs {
  /** @type {Map<number, boolean>} */
  #known = new Map();
  /**
   * What is done if a tab is not private, by its number.
   *
   * @type {Map<number, Array<() => void>>}
   */
  #waiting = new Map();
  #waitingCount = 0;
  /**
   * Whether private windows can be seen; true until that is known.
   */
  #mayBePrivate = true;

  constructor() {
    api.tabs.onCreated.addListener(({ id, incognito }) => {
      if (id !== undefined) this.#known.set(id, incognito !== false);
    });
    api.tabs.onRemoved.addListener((id) => { this.#known.delete(id); });
    api.extension.isAllowedIncognitoAccess().then((isAllowed) => { this.#mayBePrivate = isAllowed; }, () => {});
  }

  /**
   * Does something at once, or as soon as it is known that a tab is not private; never if it is, or if
   * it cannot be known.
   *
   * @param {number} tabId
   * @param {boolean | undefined} isPrivate what the browser says of the request itself
   * @param {() => void} action
   */
  ifPublic(tabId, isPrivate, action) {
    if (isPrivate !== undefined) {
      if (!isPrivate) action();
      return;
    }
    if (tabId < 0) {
      // A worker: of whose windows is unknown, unless there are none but public ones.
      if (!this.#mayBePrivate) action();
      return;
    }
    const known = this.#known.get(tabId);
    if (known === false) action();
    if (known !== undefined || this.#waitingCount >= waitingLimit) return;
    this.#waitingCount += 1;
    const waiting = this.#waiting.get(tabId);
    if (waiting) waiting.push(action);
    else {
      this.#waiting.set(tabId, [action]);
      this.#ask(tabId);
    }
  }

  /** @param {number} tabId */
  async #ask(tabId) {
    /** @type {WebExt.Tab | null} */
    const tab = await Promise.resolve(api.tabs.get(tabId)).catch(() => null);
    const isPublic = tab?.incognito === false;
    if (tab) this.#known.set(tabId, !isPublic);
    const waiting = this.#waiting.get(tabId) ?? [];
    this.#waiting.delete(tabId);
    this.#waitingCount -= waiting.length;
    if (isPublic) for (const action of waiting) action();
  }
}
