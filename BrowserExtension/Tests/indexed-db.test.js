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

test("a database that the browser does not open in time is an error, and is used once it is open", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const requests = [];
  const { open } = indexedDB;
  indexedDB.open = () => {
    const request = {};
    requests.push(request);
    return request;
  };
  const store = new Store();
  for (let time = 0; time < 2; time++) {
    const refused = assert.rejects(store.lists(), /storage does not answer/);
    context.mock.timers.tick(10_000);
    await refused;
  }
  assert.equal(requests.length, 1);
  indexedDB.open = open;
  context.mock.timers.reset();
  const database = { transaction: () => ({ objectStore: () => ({ getAll: () => answered([]) }) }) };
  requests[0].result = database;
  requests[0].onsuccess();
  const count = opened.length;
  assert.deepEqual(await store.lists(), []);
  assert.equal(opened.length, count);
});

test("a database that the browser refuses is asked for again", async () => {
  const { open } = indexedDB;
  indexedDB.open = () => {
    const request = { error: new Error("the profile is damaged") };
    setTimeout(() => request.onerror());
    return request;
  };
  const store = new Store();
  await assert.rejects(store.lists(), /profile is damaged/);
  indexedDB.open = open;
  assert.deepEqual(await store.lists(), []);
});
