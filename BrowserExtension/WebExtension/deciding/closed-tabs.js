// Tabs that are closed, of which something may still be told.

/** How many are remembered: those that were closed last. */
const limit = 10_000;

/** The numbers of closed tabs; browsers give no other tab one of them. */
export class ClosedTabs {
  /** @type {Set<number>} */
  #numbers = new Set();

  /** @param {number} tabId */
  add(tabId) {
    this.#numbers.add(tabId);
    for (const oldest of this.#numbers) {
      if (this.#numbers.size <= limit) break;
      this.#numbers.delete(oldest);
    }
  }

  /** @param {number} tabId */
  has(tabId) { return this.#numbers.has(tabId); }
}
