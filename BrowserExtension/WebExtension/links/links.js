// Shared Links in the background: what the extension's pages ask is passed on to the native host.

import { api } from "../shared/browser.js";
import { messageOf } from "../shared/errors.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {import("../shared/host.js").Host} Host */

/**
 * What may be asked, with the longest time for the answer in milliseconds.
 *
 * @type {Record<NativeHost.LinkQuestion["type"], number>}
 */
const times = {
  links: milliseconds.linksAnswer,
  linkIcons: milliseconds.linksAnswer,
  linkSources: milliseconds.linksAnswer,
  markLinks: milliseconds.linksChange,
  unsubscribe: milliseconds.linksChange,
  subscribe: milliseconds.subscribing,
  refreshLinks: milliseconds.refreshing,
};

/**
 * Whether a message of a page is about links.
 *
 * @param {{ type: string }} message
 * @returns {message is NativeHost.LinkQuestion}
 */
export function isAboutLinks(message) { return Object.hasOwn(times, message.type); }

/**
 * The host's answer, or why there is none.
 *
 * @template {NativeHost.LinkQuestion} Q
 * @param {Q} question
 * @param {Host} host
 * @returns {Promise<NativeHost.AnswerTo<Q> | Messages.Fault>}
 */
export async function answerAboutLinks(question, host) {
  try {
    return await host.ask(question, times[question.type]);
  } catch (error) {
    return { error: messageOf(error), host: { state: host.state, message: host.message } };
  }
}

/** Tells the extension's open pages that there may be other links. */
export function tellOfLinks() {
  /** @type {Messages.ToPages} */
  const message = { type: "linksChanged" };
  // Fails where no page is open.
  Promise.resolve(api.runtime.sendMessage(message)).catch(() => {});
}
