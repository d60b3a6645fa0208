// What the pop-up's scripts share: the tab that it is about, and how they ask the background.

import { api } from "../shared/browser.js";

/**
 * Asks the background.
 *
 * @template {Messages.FromPages} M
 * @param {M} message
 * @returns {Promise<Messages.AnswerTo<M>>}
 * @throws {Error} if there is no answer, or the answer is an error
 */
export async function ask(message) {
  /** @type {Messages.AnswerTo<M> | Messages.Fault} */
  const answer = await api.runtime.sendMessage(message);
  if (answer && "error" in answer) throw new Error(answer.error);
  return answer;
}

/** The tab that the pop-up is about: the one that its address names, or the active one. */
async function findTab() {
  const named = new URLSearchParams(location.search).get("tab");
  if (named) return Number(named);
  const [tab] = await api.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? -1;
}

/** The number of the tab that the pop-up is about; -1 if there is none. */
export const tabId = await findTab();
