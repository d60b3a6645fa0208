// The feeds that a tab's page offers.

import { api, isFirefox } from "../shared/browser.js";
import { webURL } from "./link-requests.js";

/** @typedef {{ address: string, title: string }} PageFeed */

/**
 * The feeds that the page in a tab offers; none where scripts may not run.
 *
 * @param {number} tabId
 */
export async function feedsOf(tabId) {
  let found;
  try {
    [found] = isFirefox
      ? await api.tabs.executeScript(tabId, { code: `(${findFeeds})()` })
      : (await api.scripting.executeScript({ target: { tabId }, func: findFeeds }))
        .map(({ result }) => result);
  } catch {
    return [];
  }
  return checkedFeeds(found);
}

/**
 * The feeds with an address of the web, each once, in the page's order.
 *
 * @param {unknown} found what was found in the page, whose scripts may have changed it
 * @returns {PageFeed[]}
 */
export function checkedFeeds(found) {
  /** @type {Map<string, PageFeed>} */
  const feeds = new Map();
  for (const each of Array.isArray(found) ? found : []) {
    const { address, title } = each ?? {};
    const url = webURL(String(address));
    if (url && url.href.length <= 4096 && !feeds.has(url.href)) {
      feeds.set(url.href, { address: url.href, title: String(title).slice(0, 200) });
    }
  }
  return [...feeds.values()];
}

/** Runs in the page. */
function findFeeds() {
  const types = /^\s*application\/(?:rss\+xml|atom\+xml|feed\+json)\s*(?:;|$)/i;
  /** @type {NodeListOf<HTMLLinkElement>} */
  const links = document.querySelectorAll('link[rel~="alternate" i][type][href]');
  return [...links]
    .filter((link) => types.test(link.type))
    .slice(0, 50)
    .map((link) => ({ address: link.href, title: link.title.replace(/\s+/g, " ").trim() }));
}
