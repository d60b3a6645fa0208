// Documents in the background: hides in each new one what its navigation has found out.

import { api } from "../shared/browser.js";
import { holdsAddress, isOwn } from "../deciding/loads.js";
import { hold, isRedirect, isShown } from "./hold.js";

/** @typedef {import("../deciding/engine.js").Decision} Decision */
/** @typedef {import("../deciding/page.js").FrameDocument} FrameDocument */
/** @typedef {import("../deciding/page.js").Navigation} Navigation */

/** Addresses of pages that are the browser's own, or an extension's. */
const ownPages = /^(?:about|chrome|moz-extension|chrome-extension|data):/;

/** Hides in documents. It keeps nothing itself: `Tabs` knows the documents, and each what it has. */
export class Documents {
  /**
   * What decides; null until it has started.
   *
   * @type {import("../deciding/matcher.js").Matcher | null}
   */
  matcher = null;
  #tabs;
  #badge;
  #onDocument;

  /**
   * @param {import("../deciding/tabs.js").Tabs} tabs
   * @param {import("../popup/badge.js").Badge} badge
   * @param {(tabId: number, isPage: boolean, decisions: Decision[] | null) => void} onDocument called for each
   *   document with the decisions about its requests; they are empty where they do not tell what other requests hide, and
   *   null where it is left alone; `isPage` says that it is the tab's page now
   */
  constructor(tabs, badge, onDocument) {
    this.#tabs = tabs;
    this.#badge = badge;
    this.#onDocument = onDocument;
  }

  /**
   * In Firefox: an answer to a request for a document begins. Downloads, and answers without content, bring none.
   *
   * @param {WebExt.ReceivedDetails} details
   */
  answered(details) {
    const navigation = this.#tabs.navigation(details);
    if (!navigation || isRedirect(details)) return;
    if (isShown(details, true)) navigation.mayHaveDocument = isShown(details);
    else this.#tabs.end(details);
  }

  /**
   * Holds a document back whose navigation has found out that something is to be hidden.
   *
   * @param {WebExt.ReceivedDetails} details
   */
  hold(details) {
    const { matcher } = this;
    const navigation = this.#tabs.navigation(details);
    if (!matcher || !navigation || navigation.open || !isShown(details)) return;
    const { url, type, tabId } = details;
    const hides = matcher.hidingDecisions(navigation.decisions, url, type === "main_frame", tabId)
      .some(({ decision, load }) => matcher.hiding.isNeeded(decision, load, navigation.registered));
    if (hides) navigation.open = hold(details.requestId);
  }

  /**
   * Hides in a new document, and releases it if it was held back.
   *
   * @param {WebExt.NavigationDetails} details
   * @param {ReturnType<import("../deciding/tabs.js").Tabs["commit"]>} committed
   */
  committed(details, { document, navigation, wasPrerendered, mayHaveFrames }) {
    if (mayHaveFrames) this.#findFrames(details);
    this.#forgetRemoved(details);
    if (!this.matcher) return;
    if (wasPrerendered) this.#badge.show(details.tabId);
    else this.#apply(details, document, navigation);
    if (navigation?.open) document.pending.then(navigation.open);
  }

  /**
   * Hides in a new document what its navigation has found out.
   *
   * @param {WebExt.NavigationDetails} details
   * @param {FrameDocument} document
   * @param {Navigation | null} navigation
   */
  #apply(details, document, navigation) {
    const { matcher } = this;
    if (!matcher) return;
    const { tabId, frameId, url } = details;
    const page = this.#tabs.page(details);
    const isTop = page.isTop(frameId);
    matcher.hiding.committed(document, navigation);
    const { top } = page;
    const isBrowsers = !top || isTop && ownPages.test(url);
    let decisions = navigation?.decisions ?? [];
    // Documents that were not requested, as srcdoc and those that a script made: only hiding counts.
    if (decisions.length === 0 && !isBrowsers) decisions = this.#decisionWithoutRequest(details, top.url, isTop);
    // The browser inserts nothing into documents of data.
    const isLeftAlone = !top || isOwn(top.url) || /^data:/.test(url) || matcher.isAllowed(top.url, tabId);
    // Scripts change what an address holds, and requests for documents do not have its fragment.
    const known = !top || holdsAddress(top.url) ? [] : decisions.map(({ decision }) => decision);
    this.#onDocument(tabId, frameId === 0, isLeftAlone ? null : known);
    if (isBrowsers && decisions.length === 0) return;
    for (const { decision, load } of matcher.hidingDecisions(decisions, url, isTop, tabId)) {
      matcher.hiding.apply(details, document, decision, load);
    }
    if (frameId === 0) this.#badge.show(tabId);
  }

  /**
   * @param {WebExt.NavigationDetails} details
   * @param {string} topURL
   * @param {boolean} isTop
   * @returns {Navigation["decisions"]}
   */
  #decisionWithoutRequest({ tabId, url }, topURL, isTop) {
    const load = {
      url, topURL, frameURL: url, type: isTop ? "top-document" : "child-document",
      isTopFrame: isTop, method: "GET",
    };
    const decision = this.matcher?.decide(load, tabId);
    return decision ? [{ decision, load }] : [];
  }

  /** Finds the pages that were open before the extension was there, and hides in them. */
  async findOpenPages() {
    for (const { id: tabId } of await api.tabs.query({})) {
      if (tabId !== undefined) this.#found(tabId, await framesOf(tabId) ?? []);
    }
  }

  /**
   * Hides in those documents of a tab that are not known yet.
   *
   * @param {number} tabId
   * @param {WebExt.NavigationDetails[]} frames
   */
  #found(tabId, frames) {
    // A page before its frames, whose loads are judged by it.
    for (const frame of frames.sort((one, other) => one.frameId - other.frameId)) {
      const details = { ...frame, tabId };
      const document = this.#tabs.find(details);
      if (document) this.#apply(details, document, null);
    }
  }

  /**
   * Finds the frames of a page that was there before as a whole.
   *
   * @param {WebExt.NavigationDetails} details
   */
  async #findFrames({ tabId }) {
    const page = this.#tabs.shown(tabId);
    const frames = await framesOf(tabId);
    if (frames && isOf(frames, page) && this.#tabs.shown(tabId) === page) this.#found(tabId, frames);
  }

  /**
   * Forgets documents of a page whose frames were removed, once many are known.
   *
   * @param {WebExt.NavigationDetails} details
   */
  async #forgetRemoved(details) {
    const page = this.#tabs.page(details);
    if (!page.isCrowded) return;
    const forget = page.askForFrames();
    const frames = await framesOf(details.tabId);
    const isIts = frames && isOf(frames, page) && this.#tabs.page(details) === page;
    forget(isIts ? new Set(frames.map(({ frameId }) => frameId)) : null);
  }
}

/**
 * The frames of a tab; null where they are not told. Those of pages that it does not show are left out.
 *
 * @param {number} tabId
 */
async function framesOf(tabId) {
  const frames = await api.webNavigation.getAllFrames({ tabId }).catch(() => null);
  return frames?.filter(({ documentLifecycle: cycle = "active" }) => cycle === "active" || cycle === "prerender") ?? null;
}

/**
 * Whether frames are those of a page, and not of another one that has taken its place.
 *
 * @param {WebExt.NavigationDetails[]} frames
 * @param {import("../deciding/page.js").Page} page
 */
function isOf(frames, page) {
  return frames.some(({ frameId, documentId }) => page.isTop(frameId) && documentId === page.top?.id);
}
