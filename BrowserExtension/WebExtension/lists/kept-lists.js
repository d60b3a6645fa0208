// What of the lists is kept for the next start, as far as the browser can keep anything.

import { messageOf } from "../shared/errors.js";

/** The store of lists, with what is wrong with it. */
export class KeptLists {
  /**
   * Why the store cannot be read; null if it was. Until then nothing is written: it may have a list that the host
   * cannot read now.
   *
   * @type {string | null}
   */
  fault = null;
  /**
   * The identifiers of lists that decide and could not be kept.
   *
   * @type {Set<string>}
   */
  #unkept = new Set();
  /** @type {Promise<void> | null} */
  #reading = null;
  #store;

  /** @param {Pick<import("./store.js").Store, "lists" | "change">} store */
  constructor(store) { this.#store = store; }

  /**
   * Keeps a list for the next start. One that cannot be kept decides all the same, and is to be kept later.
   *
   * @param {ListRecord} record
   */
  async keep(record) {
    this.#unkept.add(record.identifier);
    if (this.fault !== null) return;
    await this.#store.change([record], []);
    this.#unkept.delete(record.identifier);
  }

  /**
   * Whether a list that decides could not be kept, and may be now.
   *
   * @param {string} identifier
   */
  isMissing(identifier) { return this.fault === null && this.#unkept.has(identifier); }

  /**
   * Keeps a list that could not be kept before; it is not made for a store that takes nothing.
   *
   * @param {() => Promise<ListRecord>} made
   */
  async keepAgain(made) {
    await this.#store.change([], []);
    await this.keep(await made());
  }

  /**
   * Gives a kept list another name and place.
   *
   * @param {string} identifier
   * @param {string} name
   * @param {number} place
   */
  async rename(identifier, name, place) {
    const record = (await this.#store.lists()).find((each) => each.identifier === identifier);
    if (record) await this.#store.change([{ ...record, name, place }], []);
  }

  /**
   * Keeps lists no longer.
   *
   * @param {string[]} identifiers
   */
  async drop(identifiers) {
    if (this.fault === null && identifiers.length > 0) await this.#store.change([], identifiers);
  }

  /**
   * Reads what the store keeps, if it could not be read before.
   *
   * @param {(records: ListRecord[]) => void} take called with it
   */
  readAgain(take) {
    if (this.fault === null) return Promise.resolve();
    this.#reading ??= this.#store.lists().then((records) => {
      this.fault = null;
      take(records);
    }).catch((error) => { this.fault = messageOf(error); }).finally(() => { this.#reading = null; });
    return this.#reading;
  }
}
