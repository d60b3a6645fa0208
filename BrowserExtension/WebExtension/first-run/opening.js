// In the background: opens the first page once, when the extension is new in a browser.

import { api } from "../shared/browser.js";

/**
 * Opens the first page if an event says that the extension was installed.
 *
 * Never after an update; and not where a developer loads it into Firefox until that ends. That it was
 * opened is kept, since a browser may say more than once that an extension is new.
 *
 * @param {WebExt.InstalledDetails} details
 */
export async function openAtInstall({ reason, temporary = false }) {
  if (reason !== "install" || temporary) return;
  const { firstPageOpened } = await api.storage.local.get(["firstPageOpened"]);
  if (firstPageOpened) return;
  await api.tabs.create({ url: api.runtime.getURL("/first-run/first-run.html") });
  await api.storage.local.set({ firstPageOpened: true });
}
