// Shared Links in the background.

import { api } from "../shared/browser.js";

/** Tells the extension's open pages that there may be other links. */
export function tellOfLinks() {
  /** @type {Messages.ToPages} */
  const message = { type: "linksChanged" };
  // Fails where no page is open.
  Promise.resolve(api.runtime.sendMessage(message)).catch(() => {});
}
