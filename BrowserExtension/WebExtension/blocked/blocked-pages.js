// Pages that are blocked as a whole: what is shown in their place, and how they are opened all the same.
//
// The page in their place is no resource of the web: no site can go to it, frame it or ask for it. Its
// address has the blocked page's, and nothing of what it says or does comes from anywhere but the
// engine's decision about that address.

import { ClosedTabs } from "../deciding/closed-tabs.js";
import { api, isFirefox } from "../shared/browser.js";
import { messageOf } from "../shared/errors.js";
import { text } from "../shared/texts.js";
import { withoutFragment } from "../deciding/loads.js";

/** @typedef {import("../deciding/journal.js").Journal} Journal */
/** @typedef {import("../deciding/page.js").Navigation} Navigation */
/** @typedef {import("../deciding/passes.js").Passes} Passes */

/**
 * A page that was blocked in a tab, and whether the tab shows the one in its place.
 *
 * @typedef {{ url: string, journal: Journal | null, isShown: boolean }} BlockedPage
 */

/** The address of the page in a blocked page's place. */
export const blockedAddress = (/** @type {string} */ url) =>
  `${api.runtime.getURL("/blocked/blocked.html")}?url=${encodeURIComponent(url)}`;

/**
 * The pages that are blocked in tabs.
 *
 * In memory; when the background script starts again, the page in the place of another says which one
 * it is about, and the engine is asked again.
 */
export class BlockedPages {
  /**
   * By the tab's number.
   *
   * @type {Map<number, BlockedPage>}
   */
  #pages = new Map();
  /**
   * Chromium: the URLs that navigations of tabs began with.
   *
   * @type {Map<number, string>}
   */
  #begun = new Map();
  /**
   * Chromium: blocked documents whose navigations have not been reported yet, with their first URL; they
   * may be fetched ahead.
   *
   * @type {Map<number, BlockedPage & { start: string }>}
   */
  #awaited = new Map();
  #closed = new ClosedTabs();
  #passes;

  /** @param {Passes} passes */
  constructor(passes) { this.#passes = passes; }

  /**
   * The page that is blocked in a tab; undefined if none is.
   *
   * @param {number} tabId
   */
  in(tabId) { return this.#pages.get(tabId); }

  /**
   * A page was blocked.
   *
   * @param {WebExt.RequestDetails} details
   * @param {Pick<Navigation, "journal" | "start">} navigation
   * @param {boolean} isStoppedHere and not by the browser's own rules, which leave a page of the
   *   browser's in the tab's history
   */
  blocked({ tabId, frameId, url, documentLifecycle }, { journal, start }, isStoppedHere) {
    // Nobody sees a page that is loaded ahead.
    if (tabId < 0 || frameId !== 0 || documentLifecycle === "prerender" || this.#closed.has(tabId)) return;
    const before = this.#pages.get(tabId);
    const isBack = !isStoppedHere && before?.isShown === true && before.url === url;
    // A page could let a document be fetched ahead to send the tab elsewhere, or to make the pop-up be
    // about another site: only navigations count.
    if (!isFirefox && this.#begun.get(tabId) !== start) {
      this.#awaited.set(tabId, { url, journal, isShown: false, start });
      return;
    }
    this.#pages.set(tabId, { url, journal, isShown: false });
    if (isBack) {
      // On its way back the tab has come to the browser's page: it goes on to the one before.
      Promise.resolve(api.tabs.goBack(tabId)).catch(() => this.#show(tabId, url));
    } else {
      this.#show(tabId, url);
    }
  }

  /**
   * A navigation of a tab begins.
   *
   * @param {WebExt.NavigationDetails} details
   */
  begun({ tabId, frameId, url, documentLifecycle }) {
    if (frameId !== 0 || documentLifecycle === "prerender" || this.#closed.has(tabId)) return;
    this.#begun.set(tabId, url);
    const awaited = this.#awaited.get(tabId);
    this.#awaited.delete(tabId);
    if (awaited?.start !== url) return;
    const { start: _, ...blocked } = awaited;
    this.#pages.set(tabId, blocked);
    this.#show(tabId, blocked.url);
  }

  /**
   * A new document is in a tab.
   *
   * @param {WebExt.NavigationDetails} details
   * @param {(url: string) => string | null} siteOf the site of a page
   */
  committed({ tabId, frameId, url }, siteOf) {
    if (frameId !== 0) return;
    this.#awaited.delete(tabId);
    const blocked = this.#pages.get(tabId);
    if (blocked && url === blockedAddress(blocked.url)) blocked.isShown = true;
    else this.#pages.delete(tabId);
    if (!this.#passes.has(tabId, siteOf(url))) this.#passes.end(tabId);
  }

  /**
   * A tab was closed; what is told of it from here on is not kept.
   *
   * @param {number} tabId
   */
  removed(tabId) {
    for (const map of [this.#pages, this.#begun, this.#awaited]) map.delete(tabId);
    this.#closed.add(tabId);
    this.#passes.end(tabId);
  }

  /**
   * What is said of the page that is blocked in a tab; null if nothing blocks it.
   *
   * @param {number} tabId
   * @param {string | undefined} named the page that the one in its place names
   * @param {import("../deciding/matcher.js").Matcher} matcher
   * @returns {Messages.BlockedReport | null}
   */
  report(tabId, named, matcher) {
    const url = named ?? this.#pages.get(tabId)?.url;
    const site = url === undefined ? null : matcher.engine.site(url);
    if (url === undefined || site === null || !/^https?:/.test(url)) return null;
    if (named !== undefined && this.#pages.get(tabId)?.url !== named && !this.#closed.has(tabId)) {
      this.#pages.set(tabId, { url: named, journal: null, isShown: true });
    }
    const decision = matcher.decide({
      url, topURL: withoutFragment(url), frameURL: url, type: "top-document", isTopFrame: true,
      method: "GET",
    }, tabId);
    const rules = (decision?.actions ?? []).filter(({ kind }) => kind === "block")
      .flatMap(({ list: handle, rules: numbers }) => {
        const list = matcher.lists.withHandle(handle);
        return list ? numbers.map((number) => ({
          identifier: list.identifier, name: list.name, number,
          line: matcher.texts.line(list, number),
        })) : [];
      });
    return { url, site, isBlocked: decision?.isBlocked ?? false, rules };
  }

  /**
   * Opens the page that is blocked in a tab.
   *
   * @param {number} tabId
   * @param {string} url which page that is, as the person who chooses has seen
   * @param {"once" | "always"} choice for this visit of its site, or for good
   * @param {import("../deciding/matcher.js").Matcher} matcher
   * @param {(site: string) => Promise<unknown>} exempt leaves a site alone from now on
   */
  async open(tabId, url, choice, matcher, exempt) {
    const blocked = this.#pages.get(tabId);
    const site = matcher.engine.site(url);
    if (!blocked || site === null || !/^https?:/.test(url)) throw new Error(text("blocked_none"));
    if (blocked.url !== url) throw new Error(text("blocked_another"));
    await (choice === "always" ? exempt(site) : this.#passes.give(tabId, site));
    // By the browser and not by the page, so that the site gets its cookies.
    await api.tabs.update(tabId, { url, ...(isFirefox ? { loadReplace: true } : {}) });
  }

  /**
   * @param {number} tabId
   * @param {string} url
   */
  #show(tabId, url) {
    // Fails where extensions have no pages, as in private windows of Chromium; the pop-up says the same.
    Promise.resolve(api.tabs.update(tabId, { url: blockedAddress(url) }))
      .catch((error) => console.debug(messageOf(error)));
  }
}
