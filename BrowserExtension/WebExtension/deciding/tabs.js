// The pages that tabs have, shown and prerendered.

import { ClosedTabs } from "./closed-tabs.js";
import { Journal } from "./journal.js";
import { withoutFragment } from "./loads.js";
import { FrameDocument, Navigation, Page } from "./page.js";

/** How many prerendered pages are kept for a tab; Chromium prerenders ten at a time. */
const prerenderedLimit = 20;
/**
 * How many of a tab's pages are kept after they were left, since they may come back; Chromium keeps six. Fewer, where
 * their addresses have more characters together.
 */
const leftLimits = { pages: 6, characters: 16_000_000 };

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
   * Pages that were left and may come back out of the back/forward cache as they were, by the names of their own
   * documents; empty in a Firefox that names none.
   *
   * @type {Map<string, Page>}
   */
  #left = new Map();
  /** Whether a prerendered page was forgotten that may yet be shown. */
  hasForgotten = false;

  /**
   * The page that a request, a document or a script's message belongs to; undefined for a prerendered one that is not
   * known.
   *
   * @param {WebExt.FrameDetails} details
   */
  page(details) {
    const { frameId, parentFrameId, documentId, parentDocumentId } = details;
    if (isPrerendered(details)) return this.prerendered.get(frameId);
    const id = documentId ?? parentDocumentId;
    if (id !== undefined && this.shown.hasDocument(id)) return this.shown;
    for (const page of this.prerendered.values()) {
      const isIts = id !== undefined && page.hasDocument(id) || page.has(frameId)
        || parentFrameId !== undefined && page.has(parentFrameId);
      if (isIts) return page;
    }
    // What a page sends as it is left may be told after that, and in Firefox its frames come back before it.
    if (id !== undefined) for (const page of this.#left.values()) if (page.hasDocument(id)) return page;
    return this.shown;
  }

  /**
   * The same for what begins there: a prerendered page begins with it.
   *
   * @param {WebExt.FrameDetails} details
   */
  begun(details) { return this.page(details) ?? this.#prerender(details.frameId); }

  /** @param {number} frameId */
  #prerender(frameId) {
    // No event reports that one is discarded, so the oldest goes.
    for (const oldest of this.prerendered.keys()) {
      if (this.prerendered.size < prerenderedLimit) break;
      this.prerendered.delete(oldest);
      this.hasForgotten = true;
    }
    const page = new Page(frameId);
    this.prerendered.set(frameId, page);
    return page;
  }

  /**
   * Shows the page with a document that was prerendered, or left before, and returns its document and which of both it
   * is; null if there is none.
   *
   * @param {string | undefined} documentId
   */
  show(documentId) {
    if (documentId === undefined) return null;
    for (const page of this.prerendered.values()) {
      const { top } = page;
      if (!top || top.id !== documentId) continue;
      page.show();
      this.#replace(page);
      return { document: top, wasPrerendered: true, isRestored: false };
    }
    const page = this.#left.get(documentId);
    if (!page?.top) return null;
    page.restore();
    this.#left.delete(documentId);
    this.#replace(page);
    return { document: page.top, wasPrerendered: false, isRestored: true };
  }

  /** Shows a new page, and returns it. */
  showNew() { return this.#replace(new Page(0)); }

  /** @param {Page} page */
  #replace(page) {
    const id = this.shown.top?.id;
    if (id !== undefined) {
      this.shown.leave();
      this.#left.delete(id);
      this.#left.set(id, this.shown);
      let characters = 0;
      for (const left of this.#left.values()) characters += left.characters;
      for (const [oldest, left] of this.#left) {
        if (this.#left.size <= leftLimits.pages && characters <= leftLimits.characters) break;
        this.#left.delete(oldest);
        characters -= left.characters;
      }
    }
    this.shown = page;
    return page;
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
  #closed = new ClosedTabs();

  /** The numbers of the tabs that are known. */
  get numbers() { return this.#tabs.keys(); }

  /**
   * A tab in which something begins; one that nobody keeps if it is closed.
   *
   * @param {number} tabId
   */
  #tab(tabId) {
    const known = this.#tabs.get(tabId);
    if (known) return known;
    const tab = new Tab();
    if (!this.#closed.has(tabId)) this.#tabs.set(tabId, tab);
    return tab;
  }

  /**
   * The page that a tab shows; an empty one, which nobody keeps, for a tab that is not known.
   *
   * @param {number} tabId
   */
  shown(tabId) { return this.#tabs.get(tabId)?.shown ?? new Page(0); }

  /**
   * The page that something belongs to; an empty one, which nobody keeps, if it is not known.
   *
   * @param {WebExt.FrameDetails} details
   */
  page(details) {
    return this.#tabs.get(details.tabId)?.page(details) ?? new Page(isPrerendered(details) ? details.frameId : 0);
  }

  /**
   * Forgets a tab that is closed; what is told of it from here on is not kept.
   *
   * @param {number} tabId
   */
  remove(tabId) {
    this.#tabs.delete(tabId);
    this.#closed.add(tabId);
  }

  /**
   * Whether a tab is closed.
   *
   * @param {number} tabId
   */
  isClosed(tabId) { return this.#closed.has(tabId); }

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
    const page = this.#tab(details.tabId).begun(details);
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
   * Ends the navigation that a request for a document belongs to, because no document comes, and returns it; null if
   * there is none, or another one has taken its place. The page before it goes on.
   *
   * @param {WebExt.RequestDetails} details
   */
  end(details) {
    const navigation = this.navigation(details);
    if (navigation) this.page(details).end(details.frameId);
    return navigation;
  }

  /**
   * Records that a request for a document has failed, or was given up. Its navigation is awaited no more; a document
   * that comes all the same, as in Firefox the page about the failure, has what it has found out.
   *
   * @param {WebExt.RequestDetails} details
   */
  fail(details) {
    const navigation = this.navigation(details);
    if (navigation) navigation.hasFailed = true;
  }

  /**
   * Ends the navigation of a document that was blocked, as `end` does; its journal becomes the page's.
   *
   * @param {WebExt.RequestDetails} details
   */
  giveUp(details) {
    const navigation = this.end(details);
    const page = this.page(details);
    if (navigation && page.isTop(details.frameId)) page.journal = navigation.journal;
    return navigation;
  }

  /**
   * Records a new document in a frame.
   *
   * @param {WebExt.CommittedDetails} details
   * @returns {{
   *   document: FrameDocument, navigation: Navigation | null, wasPrerendered: boolean, isRestored: boolean,
   *   mayHaveFrames: boolean,
   * }} the document and its navigation, if one is known. One that was prerendered is new to the tab only; one that is
   *   restored was shown before, and has its frames. `mayHaveFrames` says that it may have frames that are not known
   */
  commit(details) {
    const { tabId, frameId, url, documentId } = details;
    const tab = this.#tab(tabId);
    let hasForgotten = false;
    if (frameId === 0) {
      ({ hasForgotten } = tab);
      const shown = tab.show(documentId);
      tab.prerendered.clear();
      tab.hasForgotten = false;
      if (shown) return { ...shown, navigation: null, mayHaveFrames: false };
    }
    let page = tab.begun(details);
    const ended = page.end(frameId);
    const navigation =
      ended && withoutFragment(ended.url) === withoutFragment(url) ? ended : null;
    if (page.isTop(frameId)) {
      // A late event of a document that was found already.
      const isKnown = documentId && page.top?.id === documentId;
      if (!isKnown && page === tab.shown) page = tab.showNew();
      else if (!isKnown) page.empty();
      if (navigation) page.journal = navigation.journal;
      else if (!isKnown) page.journal = new Journal();
    }
    const known = page.document(frameId);
    const isSame = documentId !== undefined && known?.id === documentId && !navigation;
    const document = known && isSame ? known : new FrameDocument(url, navigation?.method ?? "GET", documentId);
    document.url = document.firstURL = url;
    if (!isSame) page.add(frameId, document);
    // No request brings a page that comes back.
    const isBack = details.transitionQualifiers?.includes("forward_back") ?? false;
    const mayHaveFrames = frameId === 0 && !navigation && (isBack || hasForgotten);
    return { document, navigation, wasPrerendered: false, isRestored: false, mayHaveFrames };
  }

  /**
   * Records a document that was there before; returns it unless its frame is known already.
   *
   * @param {WebExt.NavigationDetails} details
   */
  find(details) {
    const { tabId, frameId, url, documentId } = details;
    const page = this.#tab(tabId).begun(details);
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
