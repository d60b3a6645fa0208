// What the documents of a tab answer, for those who wait a moment at most.

import { api, isFirefox } from "../shared/browser.js";
import { milliseconds } from "../shared/timings.js";

/**
 * Runs a function in all documents of a tab, and returns what it found in those that it may run in; null if one of them
 * does not answer in time, as while it shows an alert.
 *
 * @template {unknown[]} Values
 * @template Found
 * @param {number} tabId
 * @param {(...values: Values) => Found} func uses nothing but its values and the document
 * @param {Values} args
 * @returns {Promise<Array<Found | null | undefined> | null>}
 */
export function askDocuments(tabId, func, args) {
  const answers = isFirefox
    ? api.tabs.executeScript(tabId, {
      allFrames: true,
      matchAboutBlank: true,
      code: `(${func})(...${JSON.stringify(args)})`,
    })
    : api.scripting.executeScript({ target: { tabId, allFrames: true }, func, args })
      .then((results) => results.map(({ result }) => result));
  const late = new Promise((resolve) => { setTimeout(() => resolve(null), milliseconds.pageAnswer); });
  return /** @type {Promise<Array<Found | null | undefined> | null>} */ (
    Promise.race([answers.catch(() => []), late]));
}
