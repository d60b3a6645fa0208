// The documents that tabs and their frames show, and what has happened on each page.

import { Journal } from "./journal.js";

const withoutFragment = (url) => url.split("#", 1)[0];

/** A document of a frame. */
class FrameDocument {
  constructor(url, method, id) {
    this.url = url;
    this.method = method;
    /** The browser's own number for it, if it has one. */
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

class Tab {
  documents = new Map();
  navigations = new Map();
  parents = new Map();
  journal = new Journal();
}

/** All tabs. */
export class Tabs {
  #tabs = new Map();

  /** A tab; made if it is new. */
  tab(tabId) {
    let tab = this.#tabs.get(tabId);
    if (!tab) this.#tabs.set(tabId, tab = new Tab());
    return tab;
  }

  /** Forgets a tab. */
  remove(tabId) { this.#tabs.delete(tabId); }

  /** The document that a frame shows. */
  frame(tabId, frameId) { return this.#tabs.get(tabId)?.documents.get(frameId); }

  /** The document of the page that a request belongs to: at least `{url}`; null if unknown. */
  top(details) {
    const known = this.frame(details.tabId, 0);
    const ancestors = details.frameAncestors;
    const said = ancestors?.length ? ancestors[ancestors.length - 1].url : details.documentUrl;
    if (!said || details.frameId !== 0 && !ancestors?.length) {
      return details.frameId === 0 ? this.document(details) : known ?? null;
    }
    return this.#preferring(known, said);
  }

  /** The document that starts a request: at least `{url}`; null if unknown. */
  document(details) {
    const known = this.frame(details.tabId, details.frameId);
    if (details.documentUrl) return this.#preferring(known, details.documentUrl);
    if (known && (!details.documentId || !known.id || details.documentId === known.id)) {
      return known;
    }
    // A new document's first requests may be told before the document is.
    const navigation = this.#tabs.get(details.tabId)?.navigations.get(details.frameId);
    return navigation ?? known ?? null;
  }

  /** The known document, which has a fragment and a method, if it is the one that is meant. */
  #preferring(known, url) {
    return known && withoutFragment(known.url) === withoutFragment(url) ? known : { url };
  }

  /** Takes note of a request for a document, or of its next hop. */
  navigate(details) {
    const tab = this.tab(details.tabId);
    let navigation = tab.navigations.get(details.frameId);
    if (!navigation || navigation.requestId !== details.requestId) {
      navigation = new Navigation(details);
      tab.navigations.set(details.frameId, navigation);
    }
    navigation.url = details.url;
    navigation.method = details.method;
    return navigation;
  }

  /** The navigation that a request for a document belongs to. */
  navigation(details) {
    const navigation = this.#tabs.get(details.tabId)?.navigations.get(details.frameId);
    return navigation?.requestId === details.requestId ? navigation : null;
  }

  /**
   * The navigation whose document starts a request although it has not been told of yet.
   *
   * Requests and documents come to the background by different ways.
   */
  awaited(tabId, frameId, url) {
    const navigation = this.#tabs.get(tabId)?.navigations.get(frameId);
    const known = this.frame(tabId, frameId);
    if (!navigation || !url || withoutFragment(navigation.url) !== withoutFragment(url)) return null;
    return known && withoutFragment(known.url) === withoutFragment(url) ? null : navigation;
  }

  /** Makes a navigation's journal the tab's although no document of it comes. */
  giveUp(details) {
    const tab = this.tab(details.tabId);
    const navigation = tab.navigations.get(details.frameId);
    tab.navigations.delete(details.frameId);
    if (details.frameId === 0 && navigation) tab.journal = navigation.journal;
  }

  /** Takes note of a new document in a frame, and returns it with its navigation, if one is known. */
  commit({ tabId, frameId, parentFrameId, url, documentId }) {
    const tab = this.tab(tabId);
    const navigation = tab.navigations.get(frameId);
    const isIts = navigation && withoutFragment(navigation.url) === withoutFragment(url);
    if (navigation) tab.navigations.delete(frameId);
    if (frameId === 0) {
      const { navigations } = tab;
      // Late news of a document that was found.
      const isKnown = documentId && tab.documents.get(0)?.id === documentId;
      tab.documents.clear();
      tab.parents.clear();
      navigations.clear();
      if (isIts) tab.journal = navigation.journal;
      else if (!isKnown) tab.journal = new Journal();
    }
    tab.parents.set(frameId, parentFrameId);
    const document = new FrameDocument(url, isIts ? navigation.method : "GET", documentId);
    tab.documents.set(frameId, document);
    return { document, navigation: isIts ? navigation : null };
  }

  /** Takes note of a document that was there first; returns it unless its frame is known already. */
  find({ tabId, frameId, parentFrameId, url, documentId }) {
    const tab = this.tab(tabId);
    if (tab.documents.has(frameId)) return null;
    tab.parents.set(frameId, parentFrameId);
    const document = new FrameDocument(url, "GET", documentId);
    tab.documents.set(frameId, document);
    return document;
  }

  /** Takes note that a document has changed its own address. */
  rename({ tabId, frameId, url }) {
    const document = this.frame(tabId, frameId);
    if (document) document.url = url;
  }
}
