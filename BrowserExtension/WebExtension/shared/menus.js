// The menus of the toolbar button and of pages, and the keyboard's commands: one table for all of them.
//
// What a part of the extension adds is an entry in `entries`, its text in `_locales`, and, if a key may
// be chosen for it, a command with the same name in both manifests.

import { api, isFirefox, tabWith } from "./browser.js";
import { messageOf } from "./errors.js";
import { openLogger, reloadWithoutLists, toggleSite } from "./menu-actions.js";
import { text } from "./texts.js";

/** @typedef {import("../background.js").Background} Background */
/**
 * A person's choice: the tab that it is about, and what was under the pointer if it came from a menu.
 *
 * @typedef {{ tab: WebExt.Tab & { id: number }, info: WebExt.MenuInfo | null }} Choice
 */
/** @typedef {"button" | "page" | "content"} Place */
/**
 * @typedef {object} Entry
 * @property {string} id also the name of its command, if it has one
 * @property {string} [label] the key of its text; an entry without one is in no menu
 * @property {Place[]} [places] the menus that it is in; "content" is that of everything on a page, also of
 *   pictures and links; the button's and the page's if nothing is said. Those of the button are at most six, which is all that Chromium shows there
 * @property {(choice: Choice, background: Background) => unknown} run
 */

/** @type {Entry[]} */
export const entries = [
  {
    id: "pick-element", label: "pick_menu", places: ["content"],
    run: ({ tab, info }, { picker }) => picker.start(tab.id, info?.frameId ?? 0, info !== null, info?.targetElementId),
  },
  { id: "toggle-site", label: "menu_toggle_site", run: ({ tab }, background) => toggleSite(tab, background) },
  {
    id: "allow-while", label: "menu_allow_while",
    run: ({ tab }, background) => toggleSite(tab, background, true),
  },
  {
    id: "tab-off", label: "menu_tab_off",
    run: ({ tab }, background) => reloadWithoutLists(tab, background),
  },
  { id: "open-logger", label: "menu_logger", run: ({ tab }) => openLogger(tab.id) },
  {
    id: "open-options", label: "menu_options", places: ["page"],
    run: () => api.runtime.openOptionsPage(),
  },
];

/**
 * The contexts that the browsers name, by the places of entries.
 *
 * @type {Record<Place, string[]>}
 */
const contexts = {
  button: [isFirefox ? "browser_action" : "action"], page: ["page", "frame"],
  content: ["page", "frame", "image", "link", "video", "audio", "selection"],
};

/** @type {Place[]} */
const everywhere = ["button", "page"];

/**
 * Carries an entry out, for a tab that is still there.
 *
 * @param {string | number} id
 * @param {WebExt.Tab | undefined} tab
 * @param {WebExt.MenuInfo | null} info
 * @param {Background} background
 */
export async function choose(id, tab, info, background) {
  const entry = entries.find((each) => each.id === id);
  // Chromium says nothing of the tab for a command where none is in front.
  const known = tab?.id === undefined ? null : await tabWith(tab.id);
  if (!entry || known?.id === undefined) return;
  await background.ready;
  await entry.run({ tab: { ...known, id: known.id }, info }, background);
}

/** Makes the menus' items; both browsers keep those of before until they are removed. */
export async function makeMenus() {
  await api.contextMenus.removeAll();
  for (const { id, label, places = everywhere } of entries) {
    if (!label) continue;
    api.contextMenus.create({
      id, title: text(label), contexts: places.flatMap((place) => contexts[place]),
      ...(places.includes("button") ? {} : { documentUrlPatterns: ["http://*/*", "https://*/*"] }),
    }, () => void api.runtime.lastError);
  }
}

/**
 * Listens to menus and commands; what a choice could not do is said on the toolbar's button, since a key has
 * no other place to say it.
 *
 * @param {Background} background
 */
export function listenToMenus(background) {
  const chosen = (/** @type {string | number} */ id, /** @type {WebExt.Tab | undefined} */ tab,
    /** @type {WebExt.MenuInfo | null} */ info) =>
    choose(id, tab, info, background).catch((error) => {
      console.debug(error);
      if (tab?.id !== undefined) background.badge.tell(tab.id, messageOf(error));
    });
  api.contextMenus.onClicked.addListener((info, tab) => void chosen(info.menuItemId, tab, info));
  api.commands.onCommand.addListener(async (name, tab) => {
    // An older Firefox says nothing of the tab.
    const [front] = tab ? [tab] : await api.tabs.query({ active: true, currentWindow: true });
    await chosen(name, front, null);
  });
  makeMenus().catch((error) => console.error(error));
}
