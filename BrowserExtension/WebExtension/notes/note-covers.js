// Notes above pages that are open already: when they come, and how. The page stays as it is underneath.

import { api, tabWith } from "../shared/browser.js";
import { isPage, samePage } from "./note-addresses.js";
import { inDocument } from "./note-injection.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {import("./note-tabs.js").TabNote} TabNote */

/**
 * Covers pages with notes that become due while nobody navigates, after an announcement.
 *
 * Timers and announcements are in memory. When the background script starts again, the index comes
 * anew, and what is due is announced again.
 */
export class NoteCovers {
  #notes;
  #tabs;
  #showing;
  #coming;
  /**
   * The timers of the tabs in which a note is announced; null while it is about to be.
   *
   * @type {Map<number, ReturnType<typeof setTimeout> | null>}
   */
  #announced = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #onTime;

  /**
   * @param {import("./notes.js").Notes} notes
   * @param {import("../deciding/tabs.js").Tabs} tabs
   * @param {Map<number, TabNote>} showing the notes that tabs show, which is kept up to date
   * @param {Map<number, unknown>} coming the notes whose documents are on their way
   * @param {() => void} onTime called when other notes may be due; announces them
   */
  constructor(notes, tabs, showing, coming, onTime = () => this.announce()) {
    this.#notes = notes;
    this.#tabs = tabs;
    this.#showing = showing;
    this.#coming = coming;
    this.#onTime = onTime;
  }

  /**
   * Whether a note is announced in a tab.
   *
   * @param {number} tabId
   */
  isAnnouncedIn(tabId) { return this.#announced.has(tabId); }

  /** Announces the notes that are due in open pages, now and whenever others may be. */
  async announce() {
    clearTimeout(this.#timer);
    const { nextDue } = this.#notes;
    if (nextDue !== null) {
      const wait = Math.min(nextDue - Date.now(), milliseconds.longestTimer);
      this.#timer = setTimeout(() => this.#onTime(), Math.max(0, wait));
    }
    const uncovered = await this.#uncovered();
    for (const tabId of this.#announced.keys()) {
      if (!uncovered.some((tab) => tab.tabId === tabId)) this.#takeBack(tabId);
    }
    for (const { tabId, url } of uncovered) await this.#announceIn(tabId, url);
  }

  /** Covers all open pages whose notes are due. */
  async coverAll() {
    for (const { tabId, url } of await this.#uncovered()) await this.cover(tabId, url);
  }

  /**
   * Covers a tab's page with its note, if one is due.
   *
   * @param {number} tabId
   * @param {string} url
   */
  async cover(tabId, url) {
    if (this.#announced.has(tabId)) this.#takeBack(tabId);
    const note = await this.#notes.show(url);
    const now = await this.#address(tabId);
    if (!note || !samePage(now, url)) return;
    const documentId = this.#tabs.shown(tabId).top?.id;
    this.#showing.set(tabId, { ...note, url: now, documentId, isCover: true });
    if (await inDocument(tabId, "cover", [note]) !== true) await this.#reload(tabId);
  }

  /**
   * Takes the note away that covers a tab's page.
   *
   * @param {number} tabId
   */
  async uncover(tabId) {
    this.#showing.delete(tabId);
    if (await inDocument(tabId, "uncover") !== true) await this.#reload(tabId);
  }

  /**
   * @param {number} tabId
   * @param {string} url
   */
  async #announceIn(tabId, url) {
    const due = this.#notes.due(url);
    if (!due || this.#announced.has(tabId)) return;
    this.#announced.set(tabId, null);
    const { id, displayText, emoji, snoozeMinutes, kind, address } = due;
    const note = { id, displayText, emoji, snoozeMinutes, kind, address, language: "" };
    const isAnnounced = await inDocument(tabId, "announce", [note]);
    if (isAnnounced !== true) {
      this.#announced.delete(tabId);
      // A note is there that this script does not know of, because it was started again.
      if (isAnnounced === false) this.#showing.set(tabId, { ...note, url });
      return;
    }
    // Whether it is due still is looked at then.
    const cover = async () => {
      this.#takeBack(tabId);
      const now = await this.#address(tabId);
      if (this.#notes.due(now) && !this.#showing.has(tabId)) await this.cover(tabId, now);
    };
    this.#announced.set(tabId, setTimeout(cover, milliseconds.noteAnnouncement));
  }

  /**
   * Ends the announcement in a tab.
   *
   * @param {number} tabId
   */
  #takeBack(tabId) {
    clearTimeout(this.#announced.get(tabId) ?? undefined);
    this.#announced.delete(tabId);
    inDocument(tabId, "conceal");
  }

  /** The tabs that show a page although its note is due; the answer to a form has none. */
  async #uncovered() {
    const tabs = await api.tabs.query({});
    return tabs.flatMap(({ id: tabId, url }) => {
      if (tabId === undefined || !url || !isPage(url) || !this.#notes.due(url)) return [];
      const method = this.#tabs.shown(tabId).top?.method ?? "GET";
      const isOpen = method === "GET" && !this.#showing.has(tabId) && !this.#coming.has(tabId);
      return isOpen ? [{ tabId, url }] : [];
    });
  }

  /**
   * The address of a tab's page; empty if the tab is gone.
   *
   * @param {number} tabId
   */
  async #address(tabId) {
    return (await tabWith(tabId))?.url ?? "";
  }

  /** @param {number} tabId */
  async #reload(tabId) {
    this.#showing.delete(tabId);
    // Fails where the tab was closed meanwhile.
    await Promise.resolve(api.tabs.reload(tabId)).catch(() => {});
  }
}
