// IndexedDB with promises.

import { fromStorage } from "./in-time.js";

/**
 * The result of a request.
 *
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
export function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Fulfilled when a transaction's changes are kept.
 *
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
export function committed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * Calls a function when a database cannot be used any more, and has to be opened anew: the browser has closed
 * it, as when it clears the disk, or another version of the extension must be able to change the layout.
 *
 * @param {IDBDatabase} database
 * @param {() => void} forget
 */
function whenGone(database, forget) {
  database.onclose = forget;
  database.onversionchange = () => {
    database.close();
    forget();
  };
}

/** A database that stays open, and is opened anew when the browser has closed it. */
export class Database {
  #name;
  #layOut;
  /** @type {IDBDatabase | null} */
  #open = null;
  /** @type {Promise<IDBDatabase> | null} */
  #opening = null;

  /**
   * @param {string} name
   * @param {(database: IDBDatabase) => void} layOut makes the object stores of a new one
   */
  constructor(name, layOut) {
    this.#name = name;
    this.#layOut = layOut;
  }

  /**
   * The open database.
   *
   * @throws {Error} if the browser refuses it, or does not answer
   */
  async opened() {
    if (this.#open) return this.#open;
    this.#opening ??= this.#opened().finally(() => { this.#opening = null; });
    return fromStorage(this.#opening);
  }

  async #opened() {
    const request = indexedDB.open(this.#name, 1);
    request.onupgradeneeded = () => this.#layOut(request.result);
    const database = await finished(request);
    whenGone(database, () => { this.#open = null; });
    this.#open = database;
    return database;
  }
}
