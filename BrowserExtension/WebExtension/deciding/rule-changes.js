// Changes of the browser's own rules, any of which it may refuse for a moment.

import { messageOf } from "../shared/errors.js";
import { Retry } from "../shared/retry.js";
import { milliseconds } from "../shared/timings.js";

/**
 * Brings the browser's rules of one kind to what is wanted: one change waits for the other, and one that fails
 * is tried again, and keeps no later one from being made.
 */
export class RuleChanges {
  /**
   * Why the last change has failed; null if it has not.
   *
   * @type {string | null}
   */
  fault = null;
  #change;
  /** @type {Promise<void>} */
  #work = Promise.resolve();
  #retry = new Retry(milliseconds.rulesRetry, milliseconds.rulesLongestRetry);

  /** @param {() => Promise<void>} change brings the rules to what is wanted at that time */
  constructor(change) { this.#change = change; }

  /** Changes the rules; fulfilled when they are as wanted, or are to be tried again. */
  apply() {
    this.#work = this.#work.then(() => this.#change()).then(() => {
      this.fault = null;
      this.#retry.cancel();
      this.#retry.succeed();
    }, (error) => {
      this.fault = messageOf(error);
      this.#retry.schedule(() => this.apply());
    });
    return this.#work;
  }
}
