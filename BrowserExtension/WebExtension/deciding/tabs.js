// The pages that tabs have, shown and prerendered.

import { Journal } from "./journal.js";
import { withoutFragment } from "./loads.js";
import { FrameDocument, Navigation, Page } from "./page.js";

/** How many prerendered pages are kept for a tab; Chromium prerenders ten at a time. */
const prerenderedLimit = 20;

/**
 * Whether something comes from the outermost frame of a prerendered page.
 *
 * @param {WebExt.FrameDetails} details
 */
export function isPrerendered({ frameId, parentFrameId, documentLifecycle }) {
  return documentLifecycle === "prerender" && frameId !== 0 && parentFrameId === -1;
}

/** The pages of one tab. */
class Tab {
  shown = new Page(0);
  /**
   * Prerendered pages, by the numbers of their outermost frames.
   *
   * @type {Map<number, Page>}
   */
  prerendered = new Map();

  /**
   * The page that a request, a document or a script's message belongs to.
   *
   * @param {WebExt.FrameDetails} details
   */
  page(details) {
    const { frameId, parentFrameId, documentId, parentDocumentId } = details;
    if (isPrerendered(details)) return this.#prerendered(frameId);
    const id = documentId ?? parentDocumentId;
    for (const page of this.prerendered.values()) {
      const isIts = id !== undefined && page.hasDocument(id) || page.has(frameId)
        || parentFrameId !== undefined && page.has(parentFrameId);
      if (isIts) return page;
    }
    return this.shown;
  }

  /** @param {number} frameId */
  #prerendered(frameId) {
    let page = this.prerendered.get(frameId);
    if (page) return page;
    // No event reports that one is discarded, so the oldest goes.
    for (const oldest of this.prerendered.keys()) {
      if (this.prerendered.size < prerenderedLimit) break;
      this.prerendered.delete(oldest);
    }
    page = new Page(frameId);
    this.prerendered.set(frameId, page);
    return page;
  }

  /**
   * Shows the prerendered page that has a document, and returns that document; null if there is none.
   *
   * @param {string | undefined} documentId
   */
  show(documentId) {
    for (const page of documentId ? this.prerendered.values() : []) {
      const { top } = page;
      if (!top || top.id !== documentId) continue;
      page.show();
      this.shown = page;
      return top;
    }
    return null;
  }
}

/**
 * The documents that tabs and their frames have, and what has happened on each page. Whatever is asked
 * about is an event's details: of a request or of a document.
 *
 * All of it is in memory. When the background script starts again, `Documents.findOpenPages` asks the
 * browser which documents there are; their journals begin anew.
 */
export class Tabs {
  /** @type {Map<number, Tab>} */
  #tabs = new Map();

  /** The numbers of the tabs that are known. */
  get numbers() { return this.#tabs.keys(); }

  /** @param {number} tabId */
  #tab(tabId) {
    let tab = this.#tabs.get(tabId);
    if (!tab) this.#tabs.set(tabId, tab = new Tab());
    return tab;
  }

  /**
   * The page that a tab shows.
   *
   * @param {number} tabId
   */
  shown(tabId) { return this.#tab(tabId).shown; }

  /**
   * The page that something belongs to.
   *
   * @param {WebExt.FrameDetails} details
   */
  page(details) { return this.#tab(details.tabId).page(details); }

  /**
   * Forgets a tab.
   *
   * @param {number} tabId
   */
  remove(tabId) { this.#tabs.delete(tabId); }

  /**
   * The document of a frame.
   *
   * @param {WebExt.FrameDetails} details
   */
  frame(details) { return this.page(details).document(details.frameId); }

  /**
   * The document of the page that a request belongs to; null if unknown.
   *
   * @param {WebExt.RequestDetails} details
   * @returns {{ url: string, method?: string } | null}
   */
  top(details) {
    const page = this.page(details);
    const isTop = page.isTop(details.frameId);
    const outermost = details.frameAncestors?.at(-1);
    const named = outermost?.url ?? details.documentUrl;
    if (!named || !isTop && !outermost) {
      return isTop ? this.document(details) : page.top ?? null;
    }
    return this.#preferring(page.top, named);
  }

  /**
   * The document that starts a request; null if unknown.
   *
   * @param {WebExt.RequestDetails} details
   * @returns {{ url: string, method?: string } | null}
   */
  document(details) {
    const page = this.page(details);
    const known = page.document(details.frameId);
    if (details.documentUrl) return this.#preferring(known, details.documentUrl);
    if (known && (!details.documentId || !known.id || details.documentId === known.id)) {
      return known;
    }
    // A new document's first requests may be reported before the document is.
    return page.navigation(details.frameId) ?? known ?? null;
  }

  /**
   * The known document, which has a fragment and a method, if it is the one at a URL.
   *
   * @param {FrameDocument | undefined} known
   * @param {string} url
   * @returns {{ url: string, method?: string }}
   */
  #preferring(known, url) {
    return known && withoutFragment(known.url) === withoutFragment(url) ? known : { url };
  }

  /**
   * Records a request for a document, or its next redirect.
   *
   * @param {WebExt.RequestDetails} details
   */
  navigate(details) {
    const page = this.page(details);
    let navigation = page.navigation(details.frameId);
    if (!navigation || navigation.requestId !== details.requestId) {
      navigation = new Navigation(details);
      page.begin(details.frameId, navigation);
    }
    navigation.url = details.url;
    navigation.method = details.method;
    return navigation;
  }

  /**
   * The navigation that a request for a document belongs to; null if there is none.
   *
   * @param {WebExt.RequestDetails} details
   */
  navigation(details) {
    const navigation = this.page(details).navigation(details.frameId);
    return navigation?.requestId === details.requestId ? navigation : null;
  }

  /**
   * Makes a navigation's journal the page's although no document of it comes, and returns it.
   *
   * @param {WebExt.FrameDetails} details
   */
  giveUp(details) {
    const page = this.page(details);
    const navigation = page.end(details.frameId);
    if (page.isTop(details.frameId) && navigation) page.journal = navigation.journal;
    return navigation;
  }

  /**
   * Records a new document in a frame.
   *
   * @param {WebExt.NavigationDetails} details
   * @returns {{ document: FrameDocument, navigation: Navigation | null, wasPrerendered: boolean }}
   *   the document and its navigation, if one is known; one that was prerendered is new to the tab only
   */
  commit(details) {
    const { tabId, frameId, url, documentId } = details;
    const tab = this.#tab(tabId);
    if (frameId === 0) {
      const document = tab.show(documentId);
      tab.prerendered.clear();
      if (document) return { document, navigation: null, wasPrerendered: true };
    }
    const page = tab.page(details);
    const ended = page.end(frameId);
    const navigation =
      ended && withoutFragment(ended.url) === withoutFragment(url) ? ended : null;
    if (page.isTop(frameId)) {
      // A late event of a document that was found already.
      const isKnown = documentId && page.top?.id === documentId;
      page.empty();
      if (navigation) page.journal = navigation.journal;
      else if (!isKnown) page.journal = new Journal();
    }
    const document = new FrameDocument(url, navigation?.method ?? "GET", documentId);
    page.add(frameId, document);
    return { document, navigation, wasPrerendered: false };
  }

  /**
   * Records a document that was there before; returns it unless its frame is known already.
   *
   * @param {WebExt.NavigationDetails} details
   */
  find(details) {
    const { frameId, url, documentId } = details;
    const page = this.page(details);
    if (page.document(frameId)) return null;
    const navigation = page.awaited(frameId, url);
    // Its event is still to come; what happens until then belongs to it.
    if (navigation && page.isTop(frameId)) page.journal = navigation.journal;
    const document = new FrameDocument(url, navigation?.method ?? "GET", documentId);
    page.add(frameId, document);
    return document;
  }

  /**
   * Records that a document has changed its own address.
   *
   * @param {WebExt.NavigationDetails} details
   */
  rename(details) {
    const document = this.frame(details);
    if (document) document.url = details.url;
  }
}
