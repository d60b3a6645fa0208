// The requests that a logger keeps: the newest, also while what it shows stands still.

import { BoundedMap } from "../shared/bounded-map.js";
import { charactersOf, rowLimits } from "./logged-address.js";

/** @typedef {Messages.LoggedRequest} LoggedRequest */

/** Requests by their numbers, in the order in which they came; of more than the limits, the first are dropped. */
export class KeptRequests {
  /** @type {BoundedMap<number, LoggedRequest>} */
  #rows = new BoundedMap(rowLimits, charactersOf);
  #dropped = 0;
  /**
   * As they were when the logger was paused; null if it is not.
   *
   * @type {{ all: LoggedRequest[], dropped: number } | null}
   */
  #paused = null;

  /** Those that are shown. */
  get all() { return this.#paused?.all ?? this.#rows.values; }

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
      this.#dropped += this.#rows.set(row.id, known ? Object.assign(known, row) : row);
    }
  }

  /** Forgets all that came until now, shown or not. */
  clear() {
    this.#rows.clear();
    this.#dropped = 0;
    if (this.#paused) this.#paused = { all: [], dropped: 0 };
  }
}
