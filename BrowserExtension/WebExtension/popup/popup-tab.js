// What the pop-up's scripts share: the tab that it is about.

import { api } from "../shared/browser.js";

/** The tab that the pop-up is about: the one that its address names, or the active one. */
async function findTab() {
  const named = new URLSearchParams(location.search).get("tab");
  if (named) return Number(named);
  const [tab] = await api.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? -1;
}

/** The number of the tab that the pop-up is about; -1 if there is none. */
export const tabId = await findTab();
