// The documents that tabs and their frames have, and what has happened on each page.

import { Journal } from "./journal.js";
import { withoutFragment } from "./loads.js";

/** How many pages that are loaded ahead are kept for a tab; Chromium loads ten at a time. */
const aheadLimit = 20;

/** A document of a frame. */
class FrameDocument {
  constructor(url, method, id) {
    this.url = url;
    this.method = method;
    /** The browser's own word for it, if it has one. */
    this.id = id;
    /** Lists whose global sheets it has. */
    this.sheets = new Set();
    /** What of `Decision.hidings` it has. */
    this.hidings = new Set();
    /** Selectors that it has by single loads. */
    this.selectors = new Set();
    /** Style sheets on their way; what shows the document waits for them. */
    this.pending = Promise.resolve();
    /** The rules behind the hidings and selectors, by their list's identifier. */
    this.hidingRules = new Map();
  }

  addHidingRules(identifier, rules) {
    let known = this.hidingRules.get(identifier);
    if (!known) this.hidingRules.set(identifier, known = new Set());
    for (const rule of rules) known.add(rule);
  }
}

/** What a frame's navigation has found out before there is a document. */
class Navigation {
  decisions = [];
  constructor(details) {
    this.url = details.url;
    this.method = details.method;
    this.requestId = details.requestId;
    /** The journal of the page to come; only for main frames. */
    this.journal = new Journal();
    /** Lets the document through that is kept back. */
    this.open = null;
  }
}

/**
 * A page: a document with those of its frames.
 *
 * Frames have numbers. The outermost one's is 0 as soon as the page is shown; a page that the browser
 * loads ahead has another one until then.
 */
class Page {
  documents = new Map();
  journal = new Journal();
  #navigations = new Map();
  #outermost;

  constructor(outermost) { this.#outermost = outermost; }

  /** The document of the page itself. */
  get top() { return this.documents.get(this.#outermost); }

  /** The document that a frame has. */
  document(frameId) { return this.documents.get(this.#number(frameId)); }

  /** Whether a frame is the outermost one. */
  isTop(frameId) { return this.#number(frameId) === this.#outermost; }

  /** News of a page that is shown may come before the news that it is. */
  #number(frameId) { return frameId === 0 ? this.#outermost : frameId; }

  /** Whether a frame is one of this page's, which is not shown. */
  has(frameId) { return this.documents.has(frameId) || this.#navigations.has(frameId); }

  /** Whether a document is one of this page's. */
  hasDocument(id) {
    for (const document of this.documents.values()) if (document.id === id) return true;
    return false;
  }

  /** Takes note that the page is shown now. */
  show() {
    const { top } = this;
    this.documents.delete(this.#outermost);
    this.#navigations.delete(this.#outermost);
    this.#outermost = 0;
    this.documents.set(0, top);
  }

  add(frameId, document) { this.documents.set(this.#number(frameId), document); }

  /** The navigation that a frame is in. */
  navigation(frameId) { return this.#navigations.get(this.#number(frameId)); }

  begin(frameId, navigation) { this.#navigations.set(this.#number(frameId), navigation); }

  /** Ends a frame's navigation, and returns it. */
  end(frameId) {
    const navigation = this.navigation(frameId);
    this.#navigations.delete(this.#number(frameId));
    return navigation;
  }

  /** Forgets all documents and navigations, for another document is in the page's place. */
  empty() {
    this.documents.clear();
    this.#navigations.clear();
  }

  /**
   * The navigation whose document is at a URL although it has not been reported yet.
   *
   * Requests and documents come to the background by different ways.
   */
  awaited(frameId, url) {
    const navigation = this.navigation(frameId);
    const known = this.document(frameId);
    if (!navigation || !url || withoutFragment(navigation.url) !== withoutFragment(url)) return null;
    return known && withoutFragment(known.url) === withoutFragment(url) ? null : navigation;
  }

  /** The same for the page itself. */
  awaitedTop(url) { return this.awaited(this.#outermost, url); }
}

/** Whether something comes from the outermost frame of a page that is loaded ahead. */
export function isAhead({ frameId, parentFrameId, documentLifecycle }) {
  return documentLifecycle === "prerender" && frameId !== 0 && parentFrameId === -1;
}

class Tab {
  shown = new Page(0);
  /** Pages that the browser has loaded ahead, by the numbers of their outermost frames. */
  ahead = new Map();

  /** The page that a request, a document or a script's message belongs to. */
  page(details) {
    const { frameId, parentFrameId, documentId, parentDocumentId } = details;
    if (isAhead(details)) {
      if (!this.ahead.has(frameId)) {
        // Nobody says that one is given up.
        if (this.ahead.size >= aheadLimit) this.ahead.delete(this.ahead.keys().next().value);
        this.ahead.set(frameId, new Page(frameId));
      }
      return this.ahead.get(frameId);
    }
    const id = documentId ?? parentDocumentId;
    for (const page of this.ahead.values()) {
      if (id && page.hasDocument(id) || page.has(frameId) || page.has(parentFrameId)) return page;
    }
    return this.shown;
  }

  /** Shows the page that was loaded ahead and has this document; null if there is none. */
  show(documentId) {
    for (const page of documentId ? this.ahead.values() : []) {
      if (page.top?.id !== documentId) continue;
      page.show();
      this.shown = page;
      return page;
    }
    return null;
  }
}

/** All tabs. Whatever is asked about is an event's details: of a request or of a document. */
export class Tabs {
  #tabs = new Map();

  #tab(tabId) {
    let tab = this.#tabs.get(tabId);
    if (!tab) this.#tabs.set(tabId, tab = new Tab());
    return tab;
  }

  /** The page that a tab shows. */
  shown(tabId) { return this.#tab(tabId).shown; }

  /** The page that something belongs to. */
  page(details) { return this.#tab(details.tabId).page(details); }

  /** Forgets a tab. */
  remove(tabId) { this.#tabs.delete(tabId); }

  /** The document of a frame. */
  frame(details) { return this.page(details).document(details.frameId); }

  /** The document of the page that a request belongs to: at least `{url}`; null if unknown. */
  top(details) {
    const page = this.page(details);
    const isTop = page.isTop(details.frameId);
    const ancestors = details.frameAncestors;
    const said = ancestors?.length ? ancestors[ancestors.length - 1].url : details.documentUrl;
    if (!said || !isTop && !ancestors?.length) {
      return isTop ? this.document(details) : page.top ?? null;
    }
    return this.#preferring(page.top, said);
  }

  /** The document that starts a request: at least `{url}`; null if unknown. */
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

  /** The known document, which has a fragment and a method, if it is the one that is meant. */
  #preferring(known, url) {
    return known && withoutFragment(known.url) === withoutFragment(url) ? known : { url };
  }

  /** Takes note of a request for a document, or of its next hop. */
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

  /** The navigation that a request for a document belongs to. */
  navigation(details) {
    const navigation = this.page(details).navigation(details.frameId);
    return navigation?.requestId === details.requestId ? navigation : null;
  }

  /** Makes a navigation's journal the page's although no document of it comes. */
  giveUp(details) {
    const page = this.page(details);
    const navigation = page.end(details.frameId);
    if (page.isTop(details.frameId) && navigation) page.journal = navigation.journal;
  }

  /**
   * Takes note of a new document in a frame.
   *
   * Returns it with its navigation, if one is known; `wasAhead` says that it was loaded ahead, and is
   * new to the tab only.
   */
  commit(details) {
    const { tabId, frameId, url, documentId } = details;
    const tab = this.#tab(tabId);
    if (frameId === 0) {
      const page = tab.show(documentId);
      tab.ahead.clear();
      if (page) return { document: page.top, navigation: null, wasAhead: true };
    }
    const page = tab.page(details);
    const navigation = page.end(frameId);
    const isIts = navigation && withoutFragment(navigation.url) === withoutFragment(url);
    if (page.isTop(frameId)) {
      // Late news of a document that was found.
      const isKnown = documentId && page.top?.id === documentId;
      page.empty();
      if (isIts) page.journal = navigation.journal;
      else if (!isKnown) page.journal = new Journal();
    }
    const document = new FrameDocument(url, isIts ? navigation.method : "GET", documentId);
    page.add(frameId, document);
    return { document, navigation: isIts ? navigation : null, wasAhead: false };
  }

  /** Takes note of a document that was there first; returns it unless its frame is known already. */
  find(details) {
    const { frameId, url, documentId } = details;
    const page = this.page(details);
    if (page.document(frameId)) return null;
    const navigation = page.awaited(frameId, url);
    // News of it are to come; what happens until then belongs to it.
    if (navigation && page.isTop(frameId)) page.journal = navigation.journal;
    const document = new FrameDocument(url, navigation?.method ?? "GET", documentId);
    page.add(frameId, document);
    return document;
  }

  /** Takes note that a document has changed its own address. */
  rename(details) {
    const document = this.frame(details);
    if (document) document.url = details.url;
  }
}
