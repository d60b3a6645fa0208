// Trying again, less and less often.

/** A timer for the next attempt; each delay is twice as long as the one before. */
export class Retry {
  #first;
  #longest;
  #delay;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {number} first the first delay in milliseconds
   * @param {number} longest the longest one
   */
  constructor(first, longest) {
    this.#first = first;
    this.#longest = longest;
    this.#delay = first;
  }

  /**
   * Tries again after the delay, which is longer the next time.
   *
   * @param {() => void} attempt
   */
  schedule(attempt) {
    this.cancel();
    this.#timer = setTimeout(attempt, this.#delay);
    this.#delay = Math.min(2 * this.#delay, this.#longest);
  }

  /** Does not try again, unless it is scheduled anew. */
  cancel() { clearTimeout(this.#timer); }

  /** Begins with the first delay again: an attempt has succeeded. */
  succeed() { this.#delay = this.#first; }
}
