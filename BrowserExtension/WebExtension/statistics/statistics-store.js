// The days of the statistics, in IndexedDB.

import { committed, Database, finished } from "../shared/indexed-db.js";
import { DayCounts } from "./day-counts.js";

/** @typedef {import("./day-counts.js").DayRecord} DayRecord */

const databaseName = "tickbird-statistics";
/** How many days are kept. */
export const keptDays = 400;

/** What was blocked on each day; it outlives the background script. */
export class StatisticsStore {
  #database = new Database(databaseName, (database) => {
    database.createObjectStore("days", { keyPath: "day" });
  });

  /**
   * Adds counts to their day, all or nothing; the oldest days above the limit are deleted.
   *
   * By their number, and not by the calendar, so that a clock that is wrong for a while deletes nothing.
   *
   * @param {DayCounts} counts
   */
  async add(counts) {
    const transaction = (await this.#database.opened()).transaction("days", "readwrite");
    const days = transaction.objectStore("days");
    const sum = new DayCounts(counts.day);
    sum.addRecord(await finished(days.get(counts.day)));
    sum.addRecord(counts.record);
    days.put(sum.record);
    const keys = await finished(days.getAllKeys());
    for (const key of keys.slice(0, Math.max(0, keys.length - keptDays))) days.delete(key);
    await committed(transaction);
  }

  /**
   * The records of some days, in their order.
   *
   * @param {string} first
   * @param {string} last
   * @returns {Promise<DayRecord[]>}
   */
  async days(first, last) {
    const days = (await this.#database.opened()).transaction("days").objectStore("days");
    return finished(days.getAll(IDBKeyRange.bound(first, last)));
  }

  /**
   * Deletes a day.
   *
   * @param {string} day
   */
  async deleteDay(day) {
    const transaction = (await this.#database.opened()).transaction("days", "readwrite");
    transaction.objectStore("days").delete(day);
    await committed(transaction);
  }

  /**
   * Deletes a site from all days; what was blocked there is counted with the other sites.
   *
   * @param {string} site
   */
  async deleteSite(site) {
    const transaction = (await this.#database.opened()).transaction("days", "readwrite");
    const days = transaction.objectStore("days");
    for (const record of await finished(days.getAll())) {
      const counts = new DayCounts(record.day);
      counts.addRecord(record);
      if (counts.forgetSite(site)) days.put(counts.record);
    }
    await committed(transaction);
  }

  /** Deletes everything. */
  async deleteAll() {
    const transaction = (await this.#database.opened()).transaction("days", "readwrite");
    transaction.objectStore("days").clear();
    await committed(transaction);
  }
}
