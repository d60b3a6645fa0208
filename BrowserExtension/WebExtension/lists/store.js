// What is kept between starts: compiled lists with their names, in the host's order.

import { committed, Database, finished } from "../shared/indexed-db.js";

const databaseName = "tickbird";

/** Compiled lists in IndexedDB, one record a list; they outlive the background script. */
export class Store {
  #database = new Database(databaseName, (database) => {
    database.createObjectStore("lists", { keyPath: "identifier" });
  });

  /**
   * All lists in their order.
   *
   * @returns {Promise<ListRecord[]>}
   */
  async lists() {
    const database = await this.#database.opened();
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
    const database = await this.#database.opened();
    return finished(database.transaction("lists").objectStore("lists").get(identifier));
  }

  /**
   * Puts lists in and takes others out, all or nothing.
   *
   * @param {ListRecord[]} changed
   * @param {string[]} removedIdentifiers
   */
  async change(changed, removedIdentifiers) {
    const database = await this.#database.opened();
    const transaction = database.transaction("lists", "readwrite");
    const lists = transaction.objectStore("lists");
    for (const list of changed) lists.put(list);
    for (const identifier of removedIdentifiers) lists.delete(identifier);
    await committed(transaction);
  }
}
