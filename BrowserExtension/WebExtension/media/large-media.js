// Large pictures, films and sounds that wait for a click: which were stopped, and which were clicked on.

import { api, isFirefox } from "../shared/browser.js";
import { loadOf } from "../deciding/loads.js";
import { choiceList, mediaTypes } from "../deciding/site-effects.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {import("../deciding/matcher.js").Matcher} Matcher */

/** How many addresses are kept of a tab, and how long those may be; pages choose both. */
const limits = { stopped: 500, loaded: 100, length: 2000 };

const css = `
  [data-tickbird-media] {
    cursor: pointer !important; outline: 2px dashed #7a8aa8 !important; outline-offset: -2px !important;
    min-inline-size: 32px !important; min-block-size: 32px !important;
  }
  span[data-tickbird-media] {
    display: inline-block !important; box-sizing: border-box !important; padding: 6px 10px !important;
    font: 13px/1.4 system-ui, sans-serif !important; color: CanvasText !important; background: Canvas !important;
  }`;

/**
 * What was stopped in tabs and what is let through, by the addresses, until the tab has another document.
 *
 * In memory alone; after a restart of the background script a page has to be loaded again.
 */
export class LargeMedia {
  /** @type {Map<number, Set<string>>} */
  #stopped = new Map();
  /** @type {Map<number, Set<string>>} */
  #loaded = new Map();
  /**
   * Frames that will be told in a moment, by tab and frame.
   *
   * @type {Map<string, string[]>}
   */
  #waiting = new Map();
  #tabs;
  #badge;
  #matcher;
  #onLoaded;

  /**
   * @param {import("../deciding/tabs.js").Tabs} tabs
   * @param {{ show(tabId: number): void }} badge
   * @param {() => Matcher | null} matcher
   * @param {() => Promise<unknown> | undefined} onLoaded called when something is let through, or no longer
   */
  constructor(tabs, badge, matcher, onLoaded) {
    this.#tabs = tabs;
    this.#badge = badge;
    this.#matcher = matcher;
    this.#onLoaded = onLoaded;
  }

  /**
   * All that is let through, with its tab.
   *
   * @returns {Array<[tabId: number, url: string]>}
   */
  get loaded() {
    return [...this.#loaded].flatMap(([tabId, urls]) =>
      [...urls].map((url) => /** @type {[number, string]} */ ([tabId, url])));
  }

  /**
   * Whether a request was clicked on.
   *
   * @param {Pick<WebExt.RequestDetails, "tabId" | "url">} details
   */
  isLoaded({ tabId, url }) { return this.#loaded.get(tabId)?.has(url) ?? false; }

  /**
   * A request was stopped because what it asks for is large.
   *
   * @param {WebExt.RequestDetails} details
   */
  stopped(details) {
    const { tabId, frameId, url } = details;
    const matcher = this.#matcher();
    const load = loadOf(details, this.#tabs);
    if (!matcher || !load || tabId < 0) return;
    const page = this.#tabs.page(details);
    const { journal } = page.awaitedTop(load.topURL) ?? page;
    journal.add("block", [{ identifier: `${choiceList}media`, rules: [] }], load);
    this.#badge.show(tabId);
    const stopped = this.#stopped.get(tabId) ?? new Set();
    if (url.length > limits.length) return;
    this.#stopped.set(tabId, added(stopped, url, limits.stopped));
    const key = `${tabId} ${frameId}`;
    const urls = this.#waiting.get(key);
    if (urls) {
      urls.push(url);
      return;
    }
    const told = [url];
    this.#waiting.set(key, told);
    setTimeout(() => {
      this.#waiting.delete(key);
      tell(tabId, frameId, told).catch((error) => console.debug(error));
    }, milliseconds.badge);
  }

  /**
   * A request has failed in a Chromium whose own rules stop what is large.
   *
   * @param {WebExt.ErrorDetails} details
   */
  #failed = (details) => {
    const matcher = this.#matcher();
    if (details.error !== "net::ERR_BLOCKED_BY_CLIENT" || !matcher) return;
    const load = loadOf(details, this.#tabs);
    if (!load || !matcher.choices(load.topURL, details.tabId).has("media")) return;
    if (!matcher.decide(load, details.tabId)?.isBlocked) this.stopped(details);
  };

  /**
   * Listens to what Chromium's own rules stop, while there is something to listen to.
   *
   * @param {boolean} isNeeded
   */
  listenAsNeeded(isNeeded) {
    const { onErrorOccurred } = api.webRequest;
    if (isNeeded === onErrorOccurred.hasListener(this.#failed)) return;
    if (isNeeded) onErrorOccurred.addListener(this.#failed, { urls: ["<all_urls>"], types: mediaTypes });
    else onErrorOccurred.removeListener(this.#failed);
  }

  /**
   * A person has clicked on something that was stopped: it may be loaded from now on.
   *
   * @param {WebExt.MessageSender} sender
   * @param {string} url
   * @throws {Error} for what was not stopped in that tab
   */
  async load(sender, url) {
    const tabId = sender.tab?.id ?? -1;
    const loaded = this.#loaded.get(tabId) ?? new Set();
    if (!this.#stopped.get(tabId)?.has(url)) throw new Error("nobody answers for an address of which nothing was stopped");
    this.#loaded.set(tabId, added(loaded, url, limits.loaded));
    await this.#onLoaded();
  }

  /**
   * Forgets a tab: it is closed, or has another document.
   *
   * @param {number} tabId
   */
  forget(tabId) {
    this.#stopped.delete(tabId);
    if (this.#loaded.delete(tabId)) this.#onLoaded();
  }
}

/**
 * A set with one more at its end; the first makes room, since a long page goes on at its end.
 *
 * @param {Set<string>} all
 * @param {string} url
 * @param {number} limit
 */
function added(all, url, limit) {
  all.delete(url);
  for (const first of all) {
    if (all.size < limit) break;
    all.delete(first);
  }
  return all.add(url);
}

/**
 * Lets a frame's elements of these addresses wait for a click.
 *
 * @param {number} tabId
 * @param {number} frameId
 * @param {string[]} urls
 */
async function tell(tabId, frameId, urls) {
  const files = ["/shared/direction.js", "/media/load-on-click.js"];
  if (isFirefox) {
    await api.tabs.insertCSS(tabId, { frameId, code: css, cssOrigin: "user", matchAboutBlank: true });
    for (const file of files) {
      await api.tabs.executeScript(tabId, { frameId, file, matchAboutBlank: true, runAt: "document_start" });
    }
    await api.tabs.executeScript(tabId, {
      frameId, matchAboutBlank: true, runAt: "document_start",
      code: `tickbirdMedia.wait(${JSON.stringify(urls)})`,
    });
    return;
  }
  const target = { tabId, frameIds: [frameId] };
  await api.scripting.insertCSS({ target, css, origin: "USER" });
  await api.scripting.executeScript({ target, files, injectImmediately: true });
  await api.scripting.executeScript({
    target, injectImmediately: true, args: [urls],
    func: (each) => globalThis.tickbirdMedia?.wait(each),
  });
}
