import assert from "node:assert/strict";
import { test } from "node:test";
import "./Support/browser.js";
const { Store } = await import("../WebExtension/lists/store.js");
const { StatisticsStore } = await import("../WebExtension/statistics/statistics-store.js");

/** A request that is answered in a moment. */
function answered(result) {
  const request = { result };
  setTimeout(() => request.onsuccess());
  return request;
}

/** The databases that were opened. */
const opened = [];
globalThis.indexedDB = {
  open: () => {
    const database = {
      isOpen: true, close() { this.isOpen = false; },
      transaction() {
        if (!this.isOpen) throw new DOMException("it is closed", "InvalidStateError");
        return { objectStore: () => ({ getAll: () => answered([]) }) };
      },
    };
    opened.push(database);
    return answered(database);
  },
};
globalThis.IDBKeyRange = { bound: () => null };

test("a database that the browser has closed is opened anew", async () => {
  for (const read of [(store) => store.lists(), (store) => store.days("a", "b")]) {
    const store = read.toString().includes("lists") ? new Store() : new StatisticsStore();
    for (const end of ["onclose", "onversionchange"]) {
      await read(store);
      await read(store);
      const database = opened.at(-1);
      database.isOpen = end !== "onclose";
      database[end]();
      assert.ok(!database.isOpen);
      assert.deepEqual(await read(store), []);
      assert.notEqual(opened.at(-1), database);
    }
  }
});
