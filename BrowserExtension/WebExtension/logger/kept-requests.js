// The requests that a logger keeps: the newest, also while what it shows stands still.

/** @typedef {Messages.LoggedRequest} LoggedRequest */

/** Requests by their numbers, in the order in which they came; of more than a limit, the first are dropped. */
export class KeptRequests {
  /** @type {Map<number, LoggedRequest>} */
  #rows = new Map();
  #dropped = 0;
  #limit;
  /**
   * As they were when the logger was paused; null if it is not.
   *
   * @type {{ all: LoggedRequest[], dropped: number } | null}
   */
  #paused = null;

  /** @param {number} limit how many are kept */
  constructor(limit) { this.#limit = limit; }

  /** Those that are shown. */
  get all() { return this.#paused?.all ?? [...this.#rows.values()]; }

  /** How many came before those that are shown. */
  get dropped() { return this.#paused?.dropped ?? this.#dropped; }

  get isPaused() { return this.#paused !== null; }

  /** @param {boolean} isPaused */
  set isPaused(isPaused) {
    this.#paused = isPaused ? { all: this.all.map((row) => ({ ...row })), dropped: this.dropped } : null;
  }

  /**
   * Takes what is new of requests.
   *
   * @param {LoggedRequest[]} news
   */
  take(news) {
    for (const row of news) {
      const known = this.#rows.get(row.id);
      if (known) Object.assign(known, row);
      else this.#rows.set(row.id, row);
    }
    for (const id of this.#rows.keys()) {
      if (this.#rows.size <= this.#limit) break;
      this.#rows.delete(id);
      this.#dropped += 1;
    }
  }

  /** Forgets all that came until now, shown or not. */
  clear() {
    this.#rows.clear();
    this.#dropped = 0;
    if (this.#paused) this.#paused = { all: [], dropped: 0 };
  }
}
