// What the two browsers call differently.

/** The browser's interface to extensions, under either name. */
export const api = globalThis.browser ?? globalThis.chrome;

/** Whether this is Firefox, where answers to requests may be promises. */
export const isFirefox = api.runtime.getURL("").startsWith("moz-extension:");

/** The toolbar button; each browser has it under one of the names. */
export const button = /** @type {WebExt.Button} */ (api.action ?? api.browserAction);

/**
 * A tab; null if there is none with this number.
 *
 * @param {number} tabId
 */
export async function tabWith(tabId) {
  try {
    // Chromium throws at once for a number that no tab can have.
    return await api.tabs.get(tabId);
  } catch {
    return null;
  }
}
