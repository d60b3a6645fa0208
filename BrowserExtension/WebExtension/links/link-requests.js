// How the extension's pages ask about Shared Links.

import { api } from "../shared/browser.js";

/**
 * Calls a function whenever there may be other links.
 *
 * @param {() => void} call
 */
export function onLinksChanged(call) {
  api.runtime.onMessage.addListener((message) => {
    if (/** @type {Messages.ToPages | undefined} */ (message)?.type === "linksChanged") call();
    // Nothing is answered.
    return undefined;
  });
}

/** Connects to the host again now. */
export function connect() { return api.runtime.sendMessage({ type: "connect" }); }

/**
 * A URL that a link may have; null for all but http and https.
 *
 * @param {string | null | undefined} text
 */
export function webURL(text) {
  try {
    const url = new URL(text ?? "");
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  } catch {
    return null;
  }
}
