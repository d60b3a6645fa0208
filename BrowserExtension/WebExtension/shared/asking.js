// How the extension's pages ask the background.

import { api } from "./browser.js";

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
