// How the extension's pages ask about Shared Links.

import { api } from "../shared/browser.js";

/** Why there is no answer; `host` is the state of the native host, if it was asked. */
export class LinkRequestError extends Error {
  /**
   * @param {string} message
   * @param {Messages.HostState} [host]
   */
  constructor(message, host) {
    super(message);
    this.name = "LinkRequestError";
    this.host = host;
  }
}

/**
 * Asks the native host by way of the background.
 *
 * @template {NativeHost.LinkQuestion} Q
 * @param {Q} question
 * @returns {Promise<NativeHost.AnswerTo<Q>>}
 * @throws {LinkRequestError} if there is no answer, or the host says no
 */
export async function ask(question) {
  /** @type {NativeHost.AnswerTo<Q> | Messages.Fault} */
  const answer = await api.runtime.sendMessage(question);
  if (answer && "error" in answer) throw new LinkRequestError(answer.error, answer.host);
  return answer;
}

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
