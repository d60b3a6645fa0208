// What menus and keys do to the site of a tab. They have no place to say that a page has to be loaded
// again, so they load it, as their texts say.

import { api } from "./browser.js";
import { text } from "./texts.js";

/** @typedef {import("../background.js").Background} Background */
/** @typedef {WebExt.Tab & { id: number }} KnownTab */

/**
 * The page that a tab shows, or that is blocked in it, and its site; null if it has none.
 *
 * @param {KnownTab} tab
 * @param {Background} background
 */
function pageOf({ id }, { matcher, tabs, blockedPages }) {
  const url = blockedPages.in(id)?.url ?? tabs.shown(id).top?.url ?? "";
  const site = matcher && /^https?:/.test(url) ? matcher.engine.site(url) : null;
  return site === null ? null : { url, site };
}

/**
 * Loads the page of a tab again, the one that is blocked rather than the one in its place.
 *
 * @param {KnownTab} tab
 * @param {Background} background
 */
async function reload({ id }, { blockedPages }) {
  const blocked = blockedPages.in(id);
  if (blocked) await api.tabs.update(id, { url: blocked.url });
  else await api.tabs.reload(id);
}

/**
 * Leaves the site of a tab alone, for good or for an hour, or no longer if it is; throws where there is none.
 *
 * @param {KnownTab} tab
 * @param {Background} background
 * @param {boolean} isForAWhile
 */
export async function toggleSite(tab, background, isForAWhile = false) {
  const page = pageOf(tab, background);
  if (!page) throw new Error(text("menu_no_site"));
  const { settings } = background;
  const isAllowed = settings.isAllowed(page.site, tab.id);
  if (isForAWhile && !isAllowed) await settings.allowForAWhile(page.site);
  else await settings.setAllowed(page.site, !isAllowed);
  // Who wants the site back wants it in this tab too.
  if (isAllowed) await settings.tabsOff.end(tab.id);
  await background.exemptionsChanged();
  await reload(tab, background);
}

/**
 * Leaves a tab alone as long as it shows its site.
 *
 * @param {KnownTab} tab
 * @param {Background} background
 */
export async function reloadWithoutLists(tab, background) {
  const page = pageOf(tab, background);
  if (!page) throw new Error(text("menu_no_site"));
  await background.settings.tabsOff.begin(tab.id, page.site);
  await background.exemptionsChanged();
  await reload(tab, background);
}

/**
 * Opens the logger of a tab.
 *
 * @param {number} tabId
 */
export async function openLogger(tabId) {
  await api.tabs.create({ url: `${api.runtime.getURL("/logger/logger.html")}?tab=${tabId}` });
}
