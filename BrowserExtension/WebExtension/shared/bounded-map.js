// A map whose size no page chooses.

/**
 * A map that lets its oldest entries go: those of more than a count, and of more than a sum of characters, since pages
 * choose how many addresses there are as well as how long they are. The newest entry stays, however long it is.
 *
 * @template K, V
 */
export class BoundedMap {
  /** @type {Map<K, { value: V, length: number }>} */
  #entries = new Map();
  #length = 0;
  #count;
  #characters;
  #lengthOf;

  /**
   * @param {{ count: number, characters: number }} limits
   * @param {(value: V) => number} lengthOf how many characters a value holds
   */
  constructor({ count, characters }, lengthOf) {
    this.#count = count;
    this.#characters = characters;
    this.#lengthOf = lengthOf;
  }

  get size() { return this.#entries.size; }

  /** @param {K} key */
  get(key) { return this.#entries.get(key)?.value; }

  /** @param {K} key */
  has(key) { return this.#entries.has(key); }

  /**
   * Keeps a value, a known key's in its place, and returns how many of the oldest had to go.
   *
   * @param {K} key
   * @param {V} value
   */
  set(key, value) {
    const length = this.#lengthOf(value);
    this.#length += length - (this.#entries.get(key)?.length ?? 0);
    this.#entries.set(key, { value, length });
    let dropped = 0;
    for (const oldest of this.#entries.keys()) {
      const isFull = this.#entries.size > this.#count || this.#length > this.#characters;
      if (!isFull || this.#entries.size === 1) break;
      this.delete(oldest);
      dropped += 1;
    }
    return dropped;
  }

  /** @param {K} key */
  delete(key) {
    this.#length -= this.#entries.get(key)?.length ?? 0;
    return this.#entries.delete(key);
  }

  clear() {
    this.#entries.clear();
    this.#length = 0;
  }

  /** The values, the oldest first. */
  get values() { return [...this.#entries.values()].map(({ value }) => value); }
}
