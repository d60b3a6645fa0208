// The gallery that a tab's page belongs to.
//
// The page is read only when the user opens the pop-up: nothing of the extension is in the page, so that no
// page finds out whether the extension is there, and none can start anything.

import { api, isFirefox } from "../shared/browser.js";

/**
 * @typedef {object} PageGallery
 * @property {string} address that of the gallery's list
 * @property {string | null} identifier the extension that the page is about
 */

/**
 * The gallery that the page in a tab names; null if it names none, and where scripts may not run.
 *
 * @param {number} tabId
 * @param {string} page the tab's address
 */
export async function galleryOf(tabId, page) {
  let found;
  try {
    [found] = isFirefox
      ? await api.tabs.executeScript(tabId, { code: `(${findGallery})()` })
      : (await api.scripting.executeScript({ target: { tabId }, func: findGallery }))
        .map(({ result }) => result);
  } catch {
    return null;
  }
  return checkedGallery(found, page);
}

/**
 * The gallery that was found, if it is one that the page may speak for: its own origin's, so that no page
 * makes the host ask other servers, over https or on this machine.
 *
 * @param {unknown} found what was found in the page, whose scripts may have changed it
 * @param {string} page
 * @returns {PageGallery | null}
 */
export function checkedGallery(found, page) {
  const { address, identifier } = /** @type {Record<string, unknown>} */ (Object(found));
  if (typeof address !== "string" || address.length > 4096) return null;
  let url;
  let own;
  try {
    url = new URL(address);
    own = new URL(page);
  } catch {
    return null;
  }
  const isLoopback = ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  const isSafe = url.protocol === "https:" || url.protocol === "http:" && isLoopback;
  if (!isSafe || url.origin !== own.origin || url.username || url.password) return null;
  url.hash = "";
  const isNamed = typeof identifier === "string" && identifier.length <= 155
    && /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/.test(identifier);
  return { address: url.href, identifier: isNamed ? identifier : null };
}

/** Runs in the page. */
function findGallery() {
  /** @type {HTMLLinkElement | null} */
  const link = document.querySelector('link[rel="tickbird-gallery"][href]');
  /** @type {HTMLMetaElement | null} */
  const meta = document.querySelector('meta[name="tickbird-extension"][content]');
  return link && { address: String(link.href), identifier: meta && String(meta.content) };
}
