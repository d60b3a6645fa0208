// How the extension's pages ask the native host, by way of the background.

import { api } from "./browser.js";

/** Why there is no answer; `host` is the state of the native host, if it was asked. */
export class HostRequestError extends Error {
  /**
   * @param {string} message
   * @param {Messages.HostState} [host]
   */
  constructor(message, host) {
    super(message);
    this.name = "HostRequestError";
    this.host = host;
  }
}

/**
 * Asks the native host.
 *
 * @template {NativeHost.PassedOn} Q
 * @param {Q} question
 * @returns {Promise<NativeHost.AnswerTo<Q>>}
 * @throws {HostRequestError} if there is no answer, or the host says no
 */
export async function askHost(question) {
  /** @type {NativeHost.AnswerTo<Q> | Messages.Fault} */
  const answer = await api.runtime.sendMessage(question);
  if (answer && "error" in answer) throw new HostRequestError(answer.error, answer.host);
  return answer;
}
