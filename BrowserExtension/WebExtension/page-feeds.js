// The feeds that a tab's page offers.

import { api, isFirefox } from "./browser.js";
import { webURL } from "./link-requests.js";

/** The feeds, each `{address, title}` once, in the page's order; none where scripts may not run. */
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
  // A page's script may have changed whatever was found.
  const feeds = new Map();
  for (const { address, title } of Array.isArray(found) ? found : []) {
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
  return [...document.querySelectorAll('link[rel~="alternate" i][type][href]')]
    .filter((link) => types.test(link.type))
    .slice(0, 50)
    .map((link) => ({ address: link.href, title: link.title.replace(/\s+/g, " ").trim() }));
}
