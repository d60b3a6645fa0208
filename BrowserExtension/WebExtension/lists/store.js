// What is kept between starts: compiled lists with their names, in the host's order.

import { committed, finished, whenGone } from "../shared/indexed-db.js";

const databaseName = "tickbird";

/** Compiled lists in IndexedDB, one record a list; they outlive the background script. */
export class Store {
  /** @type {IDBDatabase | null} */
  #database = null;

  async #open() {
    if (this.#database) return this.#database;
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("lists", { keyPath: "identifier" });
    };
    const database = await finished(request);
    whenGone(database, () => { this.#database = null; });
    this.#database = database;
    return database;
  }

  /**
   * All lists in their order.
   *
   * @returns {Promise<ListRecord[]>}
   */
  async lists() {
    const database = await this.#open();
    const lists = await finished(database.transaction("lists").objectStore("lists").getAll());
    return lists.sort((a, b) => a.place - b.place);
  }

  /**
   * One list; undefined if it is not there.
   *
   * @param {string} identifier
   * @returns {Promise<ListRecord | undefined>}
   */
  async list(identifier) {
    const database = await this.#open();
    return finished(database.transaction("lists").objectStore("lists").get(identifier));
  }

  /**
   * Puts lists in and takes others out, all or nothing.
   *
   * @param {ListRecord[]} changed
   * @param {string[]} removedIdentifiers
   */
  async change(changed, removedIdentifiers) {
    const database = await this.#open();
    const transaction = database.transaction("lists", "readwrite");
    const lists = transaction.objectStore("lists");
    for (const list of changed) lists.put(list);
    for (const identifier of removedIdentifiers) lists.delete(identifier);
    await committed(transaction);
  }
}
