import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";
const { RegisteredSheets } = await import("../WebExtension/hiding/registered-sheets.js");

/** A browser that takes and ends registrations when a test says so. */
class Registrar {
  /** What documents of now get: each registration with what it was asked for. */
  acting = new Set();
  /** What has been asked for and is not done, oldest first. */
  waiting = [];
  asked = [];
  refuses = false;

  install() {
    fakeBrowser.contentScripts = {
      register: (script) => {
        // Firefox's own check.
        assert.notEqual(script.excludeMatches?.length, 0);
        this.asked.push(script);
        return this.#later(() => {
          if (this.refuses) throw new Error("no");
          this.acting.add(script);
          return { unregister: () => this.#later(() => { this.acting.delete(script); }) };
        });
      },
    };
  }

  #later(action) {
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(action());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Does what was asked for first; false if nothing was. */
  async step() {
    const next = this.waiting.shift();
    next?.();
    await new Promise((resolve) => setImmediate(resolve));
    return next !== undefined;
  }

  async settle() {
    await new Promise((resolve) => setImmediate(resolve));
    while (await this.step());
  }

  /** The sheets that a document gets which comes now. */
  sheets(host) {
    return new Set([...this.acting].filter((script) => !script.excludeMatches?.includes(`*://${host}/*`))
      .flatMap(({ css }) => css.map(({ code }) => code)));
  }
}

let registrar = new Registrar();
beforeEach(() => {
  registrar = new Registrar();
  registrar.install();
});

/** Sheets by keys. */
const keyed = (sheets) => new Map(sheets.map(([key, sheet]) => [String(key), sheet]));
/** Keys that a document is to have. */
const keys = (...numbers) => new Set(numbers.map(String));

const made = async (sheets) => {
  const registered = new RegisteredSheets();
  registered.set(keyed(sheets));
  await registrar.settle();
  return registered;
};

test("all sheets are in one registration of the user's origin, for all frames", async () => {
  const registered = await made([[1, ".a"], [2, ".b"]]);
  assert.deepEqual(registrar.asked, [{
    css: [{ code: ".a\n.b" }], cssOrigin: "user", matches: ["http://*/*", "https://*/*"],
    allFrames: true, runAt: "document_start",
  }]);
  assert.deepEqual([...registered.at("https://news.example/a?b#c")], ["1", "2"]);
  for (const url of ["about:blank", "file:///a.html", "data:text/html,a", "moz-extension://a/b", "http://"]) {
    assert.equal(registered.at(url).size, 0, url);
    assert.equal(registered.prepare(url, keys()), null, url);
  }
});

test("a registration counts when the browser has taken it, and the same is not made again", async () => {
  const registered = new RegisteredSheets();
  registered.set(keyed([[1, ".a"]]));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(registered.at("https://news.example/").size, 0);
  await registrar.settle();
  assert.equal(registered.at("https://news.example/").size, 1);
  registered.set(keyed([[1, ".a"]]));
  await registrar.settle();
  assert.equal(registrar.asked.length, 1);
  registered.set(new Map());
  await registrar.settle();
  assert.equal(registered.at("https://news.example/").size, 0);
  assert.equal(registrar.acting.size, 0);
});

test("only a document that is not to have a sheet waits, and until its host is excluded", async () => {
  const registered = await made([[1, ".a"], [2, ".b"]]);
  assert.equal(registered.prepare("https://news.example/", keys(2, 1, 3)), null);
  let isReady = false;
  const waiting = registered.prepare("http://exempt.example:8080/", keys(1)).then(() => { isReady = true; });
  await new Promise((resolve) => setImmediate(resolve));
  await registrar.step();
  // The new one acts, and the old one is about to end.
  assert.ok(!isReady);
  assert.equal(registrar.sheets("exempt.example").size, 1);
  await registrar.settle();
  await waiting;
  assert.equal(registrar.sheets("exempt.example").size, 0);
  assert.equal(registrar.sheets("news.example").size, 1);
  assert.equal(registered.at("http://exempt.example/").size, 0);
  assert.equal(registered.prepare("https://exempt.example/", keys()), null);
});

test("a list that is being switched off excludes nobody", async () => {
  const registered = await made([[1, ".a"], [2, ".b"]]);
  registered.set(keyed([[1, ".a"]]));
  const waiting = registered.prepare("https://news.example/", keys(1));
  assert.notEqual(waiting, null);
  await registrar.settle();
  await waiting;
  assert.ok(!("excludeMatches" in registrar.asked.at(-1)));
  assert.deepEqual([...registrar.sheets("news.example")], [".a"]);
});

test("the older half of many hosts is forgotten", async () => {
  const registered = await made([[1, ".a"]]);
  for (let number = 0; number < 201; number += 1) {
    registered.prepare(`https://h${number}.example/`, keys());
    await registrar.settle();
  }
  const hosts = registrar.asked.at(-1).excludeMatches;
  assert.equal(hosts.length, 100);
  assert.equal(hosts.at(-1), "*://h200.example/*");
  assert.deepEqual([...registered.at("https://h3.example/")], ["1"]);
});

test("where the browser refuses, everything is inserted, and nothing waits", async () => {
  const registered = await made([[1, ".a"]]);
  registrar.refuses = true;
  const waiting = registered.prepare("https://exempt.example/", keys());
  await registrar.settle();
  await waiting;
  assert.equal(registrar.acting.size, 0);
  assert.equal(registered.at("https://news.example/").size, 0);
  assert.equal(registered.prepare("https://other.example/", keys()), null);
  registered.set(keyed([[3, ".c"]]));
  await registrar.settle();
  assert.equal(registrar.acting.size, 0);
});

test("a process that hangs holds no document up for longer than the limit", async () => {
  const registered = await made([[1, ".a"]]);
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let isReady = false;
    const waiting = registered.prepare("https://exempt.example/", keys()).then(() => { isReady = true; });
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(!isReady);
    mock.timers.tick(1000);
    await waiting;
    assert.ok(isReady);
  } finally {
    mock.timers.reset();
  }
});

test("in any order of events, documents have the sheets that they are to have, or are known not to", async () => {
  let state = 20261124;
  const random = (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * limit);
  };
  let certain = 0;
  let excluded = 0;
  for (let round = 0; round < 300; round += 1) {
    registrar = new Registrar();
    registrar.install();
    const registered = new RegisteredSheets();
    const lists = new Map();
    let lastHandle = 0;
    const pending = [];
    for (let event = 0; event < 40; event += 1) {
      const kind = random(6);
      if (kind === 0) {
        if (lists.size > 0 && random(2) === 0) lists.delete([...lists.keys()][random(lists.size)]);
        else lists.set(++lastHandle, `.s${lastHandle}`);
        registered.set(keyed([...lists]));
      } else if (kind < 3) {
        // A document is asked for, which is to have all sheets, or some.
        const url = `https://h${random(3)}.example/`;
        const wanted = [...lists.keys()].filter(() => random(5) > 0 || random(2) === 0);
        const request = { url, wanted, last: lastHandle, before: registered.at(url), isReady: false };
        const waiting = registered.prepare(url, keys(...wanted));
        if (waiting) waiting.then(() => { request.isReady = true; });
        else request.isReady = true;
        pending.push(request);
      } else if (kind === 3) {
        await registrar.step();
      } else {
        const place = pending.findIndex(({ isReady }) => isReady);
        if (place < 0) continue;
        const [{ url, wanted, last, before }] = pending.splice(place, 1);
        const has = new Set([...registrar.sheets(new URL(url).hostname)].flatMap((sheet) => sheet.split("\n"))
          .map((sheet) => Number(sheet.slice(2))));
        // A list that came after the decision is another matter.
        const unwanted = [...has].filter((handle) => handle <= last && !wanted.includes(handle));
        assert.deepEqual(unwanted, [], `round ${round}`);
        excluded += wanted.length < lists.size ? 1 : 0;
        // The event about a document comes some time after it.
        for (let steps = random(3); steps > 0; steps -= 1) await registrar.step();
        const after = registered.at(url);
        for (const handle of wanted.filter((each) => before.has(String(each)) && after.has(String(each)))) {
          certain += 1;
          assert.ok(has.has(handle), `round ${round}`);
        }
      }
    }
    await registrar.settle();
  }
  assert.ok(certain > 100 && excluded > 100, `${certain} ${excluded}`);
});
