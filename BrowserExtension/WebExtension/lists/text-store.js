// The texts of lists, for people; a database of its own, so that what decides is read without them.

import { committed, Database, finished } from "../shared/indexed-db.js";

const databaseName = "tickbird-texts";

/**
 * A list's text.
 *
 * @typedef {{ identifier: string, digest: string, bytes: Uint8Array }} TextRecord `digest` is that of the list
 */

/** Texts in IndexedDB, one record a list; one that is missing is fetched again. */
export class TextStore {
  #database = new Database(databaseName, (database) => {
    database.createObjectStore("texts", { keyPath: "identifier" });
  });

  /**
   * The text of a list; null if it is not kept.
   *
   * @param {string} identifier
   * @param {string} digest
   * @returns {Promise<Uint8Array | null>}
   */
  async text(identifier, digest) {
    const database = await this.#database.opened();
    /** @type {TextRecord | undefined} */
    const record = await finished(database.transaction("texts").objectStore("texts").get(identifier));
    return record?.digest === digest ? record.bytes : null;
  }

  /**
   * Keeps a text in place of the list's former one.
   *
   * @param {TextRecord} record
   */
  async keep(record) {
    const database = await this.#database.opened();
    const transaction = database.transaction("texts", "readwrite");
    transaction.objectStore("texts").put(record);
    await committed(transaction);
  }

  /**
   * Drops the texts of lists that are gone or were replaced.
   *
   * @param {string[]} digests those of the lists that are here
   */
  async drop(digests) {
    const database = await this.#database.opened();
    const transaction = database.transaction("texts", "readwrite");
    const store = transaction.objectStore("texts");
    const request = store.openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      if (!digests.includes(cursor.value.digest)) cursor.delete();
      cursor.continue();
    };
    await committed(transaction);
  }
}
