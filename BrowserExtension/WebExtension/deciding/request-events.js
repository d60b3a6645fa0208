// The requests that Chromium tells of where its own rules are all that blocks: each one costs a way to this process,
// and the page waits for it, so that it is asked for no more of them than somebody needs.

import { api } from "../shared/browser.js";
import { ClosedTabs } from "./closed-tabs.js";
import { frameTypes, isDocument } from "./loads.js";
import { everything } from "./requests.js";

/**
 * The match patterns of all addresses of hosts and of those below them.
 *
 * @param {string[]} hosts
 */
const below = (hosts) => hosts.flatMap((host) => ["*", "ws", "wss"].map((scheme) => `${scheme}://*.${host}/*`));

/** Calls a function with each request for a document, and with those of the others that are wanted. */
export class RequestEvents {
  #event = api.webRequest.onBeforeRequest;
  /**
   * What listens to all requests of a tab, by the tab's number.
   *
   * @type {Map<number, (details: WebExt.RequestDetails) => void>}
   */
  #tabs = new Map();
  #closed = new ClosedTabs();
  /** The addresses that are listened to in all tabs, with blanks in between. */
  #wanted = "";
  #onRequest;
  #document = (/** @type {WebExt.RequestDetails} */ details) => { this.#onRequest(details); };
  #other = (/** @type {WebExt.RequestDetails} */ details) => {
    if (!isDocument(details) && !this.#tabs.has(details.tabId)) this.#onRequest(details);
  };

  /** @param {(details: WebExt.RequestDetails) => void} onRequest */
  constructor(onRequest) {
    this.#onRequest = onRequest;
    // At once: what listens later does not wake the worker. Without "blocking", since Chromium silently drops listeners
    // that may not block.
    this.#event.addListener(this.#document, { ...everything, types: frameTypes });
  }

  /**
   * Asks for requests of all tabs that are not for documents.
   *
   * @param {string[] | null} hosts those that are asked for something; null for all requests
   */
  want(hosts) {
    const urls = hosts === null ? everything.urls : below(hosts);
    if (urls.join(" ") === this.#wanted) return;
    this.#wanted = urls.join(" ");
    this.#event.removeListener(this.#other);
    if (urls.length > 0) this.#event.addListener(this.#other, { urls });
  }

  /**
   * Asks for all requests of a tab, or not any more.
   *
   * @param {number} tabId not -1, which is no tab, and stands for all of them where Chromium is asked
   * @param {boolean} isWanted
   */
  wantTab(tabId, isWanted) {
    if (tabId < 0 || isWanted && this.#closed.has(tabId)) return;
    const known = this.#tabs.get(tabId);
    if (isWanted === (known !== undefined)) return;
    if (known) {
      this.#event.removeListener(known);
      this.#tabs.delete(tabId);
      return;
    }
    const listener = (/** @type {WebExt.RequestDetails} */ details) => {
      if (!isDocument(details)) this.#onRequest(details);
    };
    this.#tabs.set(tabId, listener);
    this.#event.addListener(listener, { ...everything, tabId });
  }

  /**
   * Asks for nothing of a tab any more.
   *
   * @param {number} tabId
   */
  tabClosed(tabId) {
    this.wantTab(tabId, false);
    this.#closed.add(tabId);
  }

  /** Ends it: nothing is listened to from here on. */
  end() {
    this.want([]);
    for (const tabId of this.#tabs.keys()) this.wantTab(tabId, false);
    this.#event.removeListener(this.#document);
  }
}
