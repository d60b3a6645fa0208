// What is kept between starts: compiled lists with their names, in the host's order.

const databaseName = "tickbird";

/**
 * The result of a request of IndexedDB.
 *
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
function committed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

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
    // Another version of the extension must be able to change the layout.
    database.onversionchange = () => {
      database.close();
      this.#database = null;
    };
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
