// In the background: how choosing an element is begun without the pop-up.

import { api } from "../shared/browser.js";

/** @typedef {import("./picker.js").Picker} Picker */

/** What the key and the entry of the menu are called. */
const name = "pick-element";

/**
 * Adds the entry of the menu over a page, and listens to it and to the key.
 *
 * @param {Picker} picker
 */
export function addWaysToPick(picker) {
  const start = (/** @type {number | undefined} */ tabId, /** @type {number | undefined} */ frameId) => {
    if (tabId !== undefined && tabId >= 0) picker.start(tabId, frameId).catch((/** @type {unknown} */ error) => console.debug(error));
  };
  api.commands?.onCommand.addListener(async (command, tab) => {
    if (command !== name) return;
    const [shown] = tab ? [tab] : await api.tabs.query({ active: true, lastFocusedWindow: true });
    start(shown?.id, 0);
  });
  if (!api.contextMenus) return;
  api.contextMenus.onClicked.addListener(({ menuItemId, frameId }, tab) => {
    if (menuItemId === name) start(tab?.id, frameId);
  });
  api.contextMenus.create({
    id: name, title: api.i18n.getMessage("pick_menu"), documentUrlPatterns: ["http://*/*", "https://*/*"],
    contexts: ["page", "frame", "image", "link", "video", "audio", "selection"],
    // It is there already where the browser starts the background again.
  }, () => void api.runtime.lastError);
}
