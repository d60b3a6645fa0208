// Notes in tabs: puts them in place of pages, and takes them away.
//
// In Firefox the answer itself is replaced. A page that is not fetched is replaced by the script in its
// document, as every page is in Chromium.

import { api, isFirefox } from "../shared/browser.js";
import { isPage, samePage } from "./note-addresses.js";
import { NoteCovers } from "./note-covers.js";
import { inDocument } from "./note-injection.js";
import { Disarmed } from "./note-disarm.js";
import { replaceAnswer } from "./note-document.js";
import { NoteLeaving } from "./note-leaving.js";
import { isShown } from "../hiding/hold.js";
import { withoutFragment } from "../deciding/loads.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {Messages.ShownNote} ShownNote */
/**
 * A note that a tab shows, with the address of the page and the document that it is in place of or, as a
 * cover, above.
 *
 * @typedef {ShownNote & { url: string, documentId?: string, isCover?: boolean }} TabNote
 */
/** @typedef {import("../deciding/page.js").Navigation} Navigation */

/**
 * Which tabs show notes, and how they come and go.
 *
 * All maps go by the tab's number, and are in memory. When the background script starts again, a note
 * that is shown stays; its buttons then go by the page's address, and "View Website" loads the page
 * again.
 */
export class NoteTabs {
  #notes;
  #tabs;
  /**
   * The notes that are shown.
   *
   * @type {Map<number, TabNote>}
   */
  #showing = new Map();
  /**
   * The notes whose documents are on their way.
   *
   * @type {Map<number, { note: ShownNote, url: string }>}
   */
  #coming = new Map();
  #leaving = new NoteLeaving();
  /**
   * Addresses that were loaded again because their documents were not fetched.
   *
   * @type {Map<number, string>}
   */
  #reloaded = new Map();
  /**
   * The URLs of documents that came without the right to run scripts.
   *
   * @type {Map<number, Set<string>>}
   */
  #inert = new Map();
  #disarmed = new Disarmed();
  #covers;

  /**
   * @param {import("./notes.js").Notes} notes
   * @param {import("../deciding/tabs.js").Tabs} tabs
   */
  constructor(notes, tabs) {
    this.#notes = notes;
    this.#tabs = tabs;
    this.#covers = new NoteCovers(notes, tabs, this.#showing, this.#coming, () => this.refreshed());
  }

  /**
   * The id of the note that a tab shows; undefined if it shows none. For tests.
   *
   * @param {number} tabId
   */
  shown(tabId) { return this.#showing.get(tabId)?.id; }

  /**
   * Whether an answer is to be replaced. The answer to a form is not: it would be sent twice.
   *
   * @param {WebExt.RequestDetails} details
   */
  #isReplaceable(details) {
    return details.type === "main_frame" && details.method === "GET" && details.tabId >= 0
      && this.#notes.due(details.url) !== null;
  }

  /**
   * In Firefox: replaces the answer to a page's request. Null if the page comes as it is.
   *
   * @param {WebExt.ReceivedDetails} details
   */
  replace(details) {
    const isWanted = this.#isReplaceable(details) && isShown(details, true);
    return isWanted ? this.#replace(details) : null;
  }

  /**
   * @param {WebExt.ReceivedDetails} details
   * @returns {Promise<WebExt.BlockingResponse>}
   */
  async #replace(details) {
    const { tabId, url } = details;
    if (this.#leaving.isIn(tabId)) {
      this.#leaving.goAway(tabId);
      return { cancel: true };
    }
    const note = await this.#note(url, await this.#disarmed.end(tabId));
    if (!note) return {};
    this.#coming.set(tabId, { note, url });
    return { responseHeaders: replaceAnswer(details, note) };
  }

  /**
   * In Chromium: keeps the scripts of a page from running whose place a note takes.
   *
   * @param {WebExt.ReceivedDetails} details
   * @returns {WebExt.BlockingResponse}
   */
  disarm(details) {
    // Several: prerendered documents come beside the one that is shown.
    const inert = this.#inert.get(details.tabId) ?? new Set();
    const url = withoutFragment(details.url);
    inert.delete(url);
    if (!this.#isReplaceable(details) || !isShown(details, true)) return {};
    this.#inert.set(details.tabId, inert.add(url));
    const policy = { name: "Content-Security-Policy", value: "sandbox; default-src 'none'" };
    // Both fields act without any script.
    const rest = details.responseHeaders.filter(({ name }) => !/^(?:link|refresh)$/i.test(name));
    return { responseHeaders: [...rest, policy] };
  }

  /**
   * What the script at a document's start has to do.
   *
   * @param {WebExt.MessageSender} sender
   * @param {boolean} isBack
   * @returns {Promise<Messages.DocumentAnswer>}
   */
  async document(sender, isBack) {
    const tabId = sender.tab?.id;
    const { url } = sender;
    if (isFirefox || sender.frameId !== 0 || tabId === undefined || !url || !isPage(url)) return {};
    await this.#notes.known;
    const again = isBack ? undefined : await this.#disarmed.end(tabId);
    const inert = this.#inert.get(tabId);
    const wasInert = inert?.has(withoutFragment(url)) || again !== undefined;
    if (!isBack) inert?.delete(withoutFragment(url));
    const page = this.#tabs.page({ tabId, frameId: 0, documentId: sender.documentId });
    const method = (page.awaitedTop(url) ?? page.top)?.method;
    if (!this.#notes.due(url) || method !== undefined && method !== "GET") {
      return wasInert && !isBack ? { reload: true } : {};
    }
    if (this.#leaving.isIn(tabId)) {
      await this.#leaving.goAway(tabId);
      return {};
    }
    // A page that comes back from the cache still runs.
    if (isBack) return { reload: true };
    const note = await this.#note(url, again);
    if (!note) {
      if (!wasInert) return {};
      await this.#notes.refresh();
      return { reload: true };
    }
    this.#showing.set(tabId, { ...note, url, documentId: sender.documentId });
    return { note };
  }

  /**
   * The note that is to be shown now; null if none is.
   *
   * @param {string} url
   * @param {string | undefined} again the id of a note that is counted already
   */
  async #note(url, again) {
    const due = this.#notes.due(url);
    return due && due.id === again ? this.#notes.inItsLanguage(due) : this.#notes.show(url);
  }

  /**
   * Scripts of a page go on changing the note's document: it is loaded again without them.
   *
   * @param {WebExt.MessageSender} sender
   */
  async disturbed(sender) {
    const tabId = sender.tab?.id;
    const shown = tabId === undefined ? undefined : this.#showing.get(tabId);
    if (tabId === undefined || !shown || sender.frameId !== 0) return {};
    if (!isFirefox && shown.documentId !== sender.documentId) return {};
    // A page that goes on until it is loaded again is loaded once, or its note would be counted twice.
    if (this.#disarmed.has(tabId)) return {};
    await this.#disarmed.begin(tabId, shown.id);
    // Past a service worker, too: no rule changes its answers.
    await api.tabs.reload(tabId, { bypassCache: true });
    return {};
  }

  /**
   * A new document is in a tab.
   *
   * @param {WebExt.NavigationDetails} details
   * @param {Navigation | null} navigation
   */
  async committed({ tabId, frameId, url, documentId }, navigation) {
    if (frameId !== 0) return;
    const coming = this.#coming.get(tabId);
    this.#coming.delete(tabId);
    const shown = this.#showing.get(tabId);
    if (shown?.documentId === undefined || shown.documentId !== documentId) {
      this.#showing.delete(tabId);
    }
    if (!isFirefox || !isPage(url)) return;
    if (coming && withoutFragment(coming.url) === withoutFragment(url)) {
      this.#showing.set(tabId, { ...coming.note, url });
      const isThere = await inDocument(tabId, "listen", [], "document_end");
      // A service worker's answer may not have been replaced.
      if (isThere === false) await inDocument(tabId, "show", [coming.note]);
      return;
    }
    if (!this.#notes.due(url) || navigation && navigation.method !== "GET") return;
    if (this.#leaving.isIn(tabId)) return this.#leaving.goAway(tabId);
    if (!navigation && this.#reloaded.get(tabId) !== url) {
      this.#reloaded.set(tabId, url);
      await api.tabs.reload(tabId);
      return;
    }
    // It is not fetched even now: a service worker answers, for example.
    this.#reloaded.delete(tabId);
    const note = await this.#notes.show(url);
    if (!note) return;
    this.#showing.set(tabId, { ...note, url });
    await inDocument(tabId, "show", [note]);
  }

  /**
   * A document has given itself another address.
   *
   * @param {WebExt.NavigationDetails} details
   * @param {string} oldURL
   */
  async renamed({ tabId, frameId, url }, oldURL) {
    if (frameId !== 0 || samePage(url, oldURL)) return;
    const shown = this.#showing.get(tabId);
    const due = this.#notes.due(url);
    if (due && this.#leaving.isIn(tabId)) return this.#leaving.goAway(tabId);
    this.#leaving.arrived(tabId);
    if (shown && due?.id === shown.id) {
      shown.url = url;
    } else if (shown?.isCover) {
      await (due ? this.#covers.cover(tabId, url) : this.#covers.uncover(tabId));
    } else if (shown) {
      // The page is not under the note; that of the new address has to come.
      this.#reload(tabId);
    } else if (due) {
      await this.#covers.cover(tabId, url);
    }
  }

  /**
   * A tab was closed.
   *
   * @param {number} tabId
   */
  removed(tabId) {
    for (const map of [this.#showing, this.#coming, this.#reloaded, this.#inert]) map.delete(tabId);
    this.#leaving.removed(tabId);
    this.#notes.drafts.delete(tabId);
    this.#disarmed.end(tabId);
  }

  /**
   * Carries out what a person chose on a note.
   *
   * @param {WebExt.MessageSender} sender
   * @param {"leave" | "view" | "now"} choice
   */
  async choose(sender, choice) {
    const tabId = sender.tab?.id ?? -1;
    const known = this.#showing.get(tabId) ?? this.#notes.find(sender.url ?? "");
    if (sender.frameId !== 0 || !known) throw new Error("there is no note");
    const note = this.#notes.withID(known.id) ?? known;
    if (choice === "now") {
      await this.#covers.cover(tabId, sender.url ?? "");
    } else if (choice === "leave") {
      const leaving = this.#leaving.leave(tabId, this.#showing.get(tabId)?.isCover === true);
      if (leaving) await Promise.all([this.#notes.leave(note), leaving]);
    } else {
      this.#checkWait(this.#showing.get(tabId));
      // The note may have been shown before this background script restarted.
      const wasKnown = this.#showing.has(tabId) || this.#covers.isAnnouncedIn(tabId);
      // Once: a page whose process was taken over may say so again and again.
      if (!this.#notes.isResting(note)) await this.#notes.view(note);
      this.refreshed();
      if (!wasKnown) this.#reload(tabId);
    }
    return {};
  }

  /**
   * Throws as long as "View Website" waits; the buttons say so before.
   *
   * @param {TabNote | undefined} shown
   */
  #checkWait(shown) {
    if (this.#notes.focusUntil !== null) throw new Error("a focus session lets no page be seen");
    const end = (shown?.shownAt ?? 0) + (shown?.wait ?? 0) * 1000;
    // Clocks of the page and of this script may differ a little.
    if (Date.now() < end - milliseconds.noteWaitTolerance) throw new Error("it is too early");
  }

  /**
   * The index has come again, or a note was snoozed: tabs whose note has changed or gone follow, and
   * notes that are due are announced.
   */
  refreshed() {
    for (const [tabId, shown] of this.#showing) {
      const due = this.#notes.due(shown.url);
      const holds = due?.id === shown.id && due.displayText === shown.displayText
        && due.emoji === shown.emoji && due.snoozeMinutes === shown.snoozeMinutes
        && (shown.focusUntil ?? null) === this.#notes.focusUntil;
      if (holds) continue;
      if (!shown.isCover) this.#reload(tabId);
      else if (due) this.#covers.cover(tabId, shown.url);
      else this.#covers.uncover(tabId);
    }
    this.#covers.announce();
  }

  /** Covers pages that are open already with their notes. */
  cover() { return this.#covers.coverAll(); }

  /** @param {number} tabId */
  #reload(tabId) {
    this.#showing.delete(tabId);
    // Fails where it was closed meanwhile.
    Promise.resolve(api.tabs.reload(tabId)).catch(() => {});
  }
}
