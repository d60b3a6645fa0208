// What the host says of its lists, checked: what nobody understands must not count as no list at all.

import { text } from "../shared/texts.js";

/** @typedef {NativeHost.AnswersByType["lists"]["lists"][number]} OfferedList */

const isObject = (/** @type {unknown} */ value) => typeof value === "object" && value !== null;

/** Whether a value is left out, or is as a test says. */
const isMissingOr = (/** @type {unknown} */ value, /** @type {(value: any) => boolean} */ test) =>
  value === undefined || value === null || test(value);

const isText = (/** @type {unknown} */ value) => typeof value === "string";
const isSize = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * Whether a value says something of a list.
 *
 * @param {any} entry
 * @returns {entry is OfferedList}
 */
const isOffer = (entry) => isObject(entry) && isText(entry.identifier) && entry.identifier !== "" && isText(entry.name)
  && isMissingOr(entry.digest, isText) && isMissingOr(entry.size, isSize) && isMissingOr(entry.fault, isText)
  && isMissingOr(entry.deciding, (part) => isObject(part) && isText(part.digest) && isSize(part.size));

/**
 * The lists of an answer.
 *
 * @param {unknown} answer
 * @returns {{ offered: OfferedList[], isWhole: boolean }} those that can be understood, each once, and whether
 *   these are all
 * @throws {Error} if the answer is none
 */
export function checkedOffers(answer) {
  const lists = isObject(answer) ? /** @type {{ lists?: unknown }} */ (answer).lists : null;
  if (!Array.isArray(lists)) throw new Error(text("host_odd", "lists"));
  /** @type {Map<string, OfferedList>} */
  const offered = new Map();
  for (const entry of lists) if (isOffer(entry) && !offered.has(entry.identifier)) offered.set(entry.identifier, entry);
  return { offered: [...offered.values()], isWhole: offered.size === lists.length };
}
