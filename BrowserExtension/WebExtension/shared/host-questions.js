// In the background: what the extension's pages ask the native host is passed on.

import { messageOf } from "./errors.js";
import { milliseconds } from "./timings.js";

/** @typedef {import("./host.js").Host} Host */

/**
 * What pages may ask, with the longest time for the answer in milliseconds.
 *
 * @type {Record<NativeHost.PassedOn["type"], number>}
 */
const times = {
  links: milliseconds.linksAnswer,
  linkIcons: milliseconds.linksAnswer,
  linkSources: milliseconds.linksAnswer,
  markLinks: milliseconds.linksChange,
  unsubscribe: milliseconds.linksChange,
  subscribe: milliseconds.subscribing,
  refreshLinks: milliseconds.refreshing,
  subscriptions: milliseconds.hostAnswer,
  catalogue: milliseconds.hostAnswer,
  addList: milliseconds.listFetched,
  removeList: milliseconds.hostAnswer,
  switchList: milliseconds.listFetched,
  ownRules: milliseconds.hostAnswer,
  setOwnRules: milliseconds.listFetched,
  updateLists: milliseconds.listFetched,
  localApp: milliseconds.hostAnswer,
  exception: milliseconds.exceptionTried,
  gallery: milliseconds.galleryFetched,
  addGallery: milliseconds.galleryFetched,
  offerOfGallery: milliseconds.packageFetched,
  installOffer: milliseconds.packageFetched,
};

/**
 * Whether a message of a page is a question for the host.
 *
 * @param {{ type: string }} message
 * @returns {message is NativeHost.PassedOn}
 */
export function isForHost(message) { return Object.hasOwn(times, message.type); }

/**
 * The host's answer, or why there is none.
 *
 * @template {NativeHost.PassedOn} Q
 * @param {Q} question
 * @param {Host} host
 * @returns {Promise<NativeHost.AnswerTo<Q> | Messages.Fault>}
 */
export async function answerByHost(question, host) {
  try {
    return await host.ask(question, times[question.type]);
  } catch (error) {
    return { error: messageOf(error), host: { state: host.state, message: host.message } };
  }
}
