// "Leave": a tab goes back from a page that has a note, or is closed.

import { api, tabWith } from "../shared/browser.js";
import { milliseconds } from "../shared/timings.js";
import { inDocument } from "./note-injection.js";

/**
 * The tabs in which "Leave" was chosen.
 *
 * A page whose process was taken over can say at any time that a person has chosen it: one "Leave" has to end
 * in a tab before there is another one.
 */
export class NoteLeaving {
  /**
   * By the tab's number: when it was chosen, in milliseconds since 1970, and whether the tab is being closed.
   *
   * @type {Map<number, { since: number, isClosing: boolean }>}
   */
  #tabs = new Map();
  /**
   * The tabs of which it is not known yet whether they go back, each with what tells this "Leave" from a later one.
   *
   * @type {Map<number, symbol>}
   */
  #goingBack = new Map();

  /**
   * Whether a tab is on its way from a note, so that it is to show none.
   *
   * @param {number} tabId
   */
  isIn(tabId) { return this.#recent(tabId)?.isClosing === false; }

  /** @param {number} tabId */
  #recent(tabId) {
    const known = this.#tabs.get(tabId);
    return known && Date.now() - known.since < milliseconds.noteLeaving ? known : undefined;
  }

  /**
   * A tab is where it was left to; from there a person may come to a note, and leave it, at once.
   *
   * @param {number} tabId
   */
  arrived(tabId) {
    if (!this.isIn(tabId)) return;
    this.#tabs.delete(tabId);
    this.#goingBack.delete(tabId);
  }

  /**
   * A tab was closed.
   *
   * @param {number} tabId
   */
  removed(tabId) { this.#tabs.delete(tabId); }

  /**
   * Goes back, or away if there is nothing to go back to; null if the tab does so already.
   *
   * @param {number} tabId
   * @param {boolean} isCover whether the note is above the page, and not in its place
   */
  leave(tabId, isCover) {
    if (this.#goingBack.has(tabId) || this.#recent(tabId)) return null;
    this.#tabs.set(tabId, { since: Date.now(), isClosing: false });
    const own = Symbol(tabId);
    this.#goingBack.set(tabId, own);
    return this.#goBack(tabId, isCover).finally(() => {
      if (this.#goingBack.get(tabId) === own) this.#goingBack.delete(tabId);
    });
  }

  /**
   * @param {number} tabId
   * @param {boolean} isCover
   */
  async #goBack(tabId, isCover) {
    let isGoing = false;
    const go = (/** @type {WebExt.NavigationDetails} */ details) => {
      if (details.tabId === tabId && details.frameId === 0) isGoing = true;
    };
    const { onBeforeNavigate, onCommitted, onHistoryStateUpdated, onReferenceFragmentUpdated } =
      api.webNavigation;
    // The page before may be the same document under another address.
    const events = [onBeforeNavigate, onCommitted, onHistoryStateUpdated, onReferenceFragmentUpdated];
    for (const event of events) event.addListener(go);
    const wait = () => new Promise((resolve) => setTimeout(resolve, milliseconds.noteGoingBack));
    try {
      await api.tabs.goBack(tabId);
      await wait();
    } catch {
      // There was no page before, or Chromium leaves it out, because nobody has clicked there.
      if (isCover) {
        await inDocument(tabId, "back");
        await wait();
      }
    }
    for (const event of events) event.removeListener(go);
    if (!isGoing) await this.goAway(tabId);
  }

  /**
   * Closes a tab, once; one that no other tab has opened is replaced by a new tab.
   *
   * @param {number} tabId
   */
  async goAway(tabId) {
    if (this.#recent(tabId)?.isClosing) return;
    this.#tabs.set(tabId, { since: Date.now(), isClosing: true });
    const tab = await tabWith(tabId);
    if (!tab) {
      this.#tabs.delete(tabId);
      return;
    }
    try {
      const { index, active, windowId } = tab;
      if (tab.openerTabId === undefined) await api.tabs.create({ index, active, windowId });
      await api.tabs.remove(tabId);
    } catch {
      // It was closed meanwhile, or the browser closes none now, as while a person drags it.
    }
  }
}
