// What is kept of the browser's own rules between starts: the host's translation of the lists, and what
// the rules that are active come from.

import { finished } from "../shared/indexed-db.js";

/**
 * A translation of the lists, with its digest.
 *
 * @typedef {NativeHost.Translation & { digest: string }} Translation
 */
/**
 * What the active rules come from: a translation, and the user's choices as text.
 *
 * @typedef {{ digest: string, choices: string }} InForce
 */

const databaseName = "tickbird-declarative";

/** A database of two values in IndexedDB; it is open only while one is read or written. */
export class TranslationStore {
  /**
   * The last translation; null if there is none.
   *
   * @returns {Promise<Translation | null>}
   */
  translation() { return this.#read("last"); }

  /** @param {Translation} translation */
  keepTranslation(translation) { return this.#write("last", translation); }

  /**
   * What the active rules come from; null if there are none.
   *
   * @returns {Promise<InForce | null>}
   */
  inForce() { return this.#read("inForce"); }

  /** @param {InForce} inForce */
  keepInForce(inForce) { return this.#write("inForce", inForce); }

  /** @param {IDBTransactionMode} mode */
  async #open(mode) {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("translation");
    const database = await finished(request);
    return { database, store: database.transaction("translation", mode).objectStore("translation") };
  }

  /** @param {string} key */
  async #read(key) {
    const { database, store } = await this.#open("readonly");
    try {
      return await finished(store.get(key)) ?? null;
    } finally {
      database.close();
    }
  }

  /**
   * @param {string} key
   * @param {object} value
   */
  async #write(key, value) {
    const { database, store } = await this.#open("readwrite");
    try {
      await finished(store.put(value, key));
    } finally {
      database.close();
    }
  }
}
