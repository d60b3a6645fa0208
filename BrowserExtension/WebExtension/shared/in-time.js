// Waiting no longer than a limit.

import { text } from "./texts.js";
import { milliseconds } from "./timings.js";

/**
 * What a promise brings, unless it takes too long; it may still come then, and nobody waits for it.
 *
 * @template T
 * @param {Promise<T>} coming
 * @param {number} limit in milliseconds
 * @param {() => string} fault what is wrong if it takes longer
 * @returns {Promise<T>}
 */
export function inTime(coming, limit, fault) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(fault())), limit);
  });
  return Promise.race([coming, late]).finally(() => clearTimeout(timer));
}

/**
 * The same for what the browser keeps: some browsers do not answer for as long as they run.
 *
 * @template T
 * @param {Promise<T>} coming
 */
export const fromStorage = (coming) => inTime(coming, milliseconds.storageAnswer, () => text("storage_late"));
