// WebKit's own decisions on a crawl of 21,125 requests, for 20 real lists.

import assert from "node:assert/strict";
import test from "node:test";
import { absent, dataBytes, dataFolder, listNames, packed, tickbird } from "./support.js";

function lines(path) {
  const text = dataBytes(path).toString("utf8");
  return text.split("\n").slice(0, text.endsWith("\n") ? -1 : undefined);
}

function isSerialized(url) {
  try { return new URL(url).href === url; } catch { return false; }
}

let requests = null;

/** The crawl; `isPlain` says that a request can be described by the package's own loads. */
function crawl() {
  requests ??= lines("requests/top500-2019.tsv").slice(1).map((row) => {
    const [url, page, , word, party] = row.split("\t");
    const type = word === "document" ? "top-document" : word;
    const isPlain = isSerialized(url) && isSerialized(page)
      && (type !== "top-document" || url.split("#")[0] === page.split("#")[0]);
    return { url, page, type, party: party === "first-party" ? party : "third-party", isPlain };
  });
  return requests;
}

function letters(blocked, cookies, https) {
  return (blocked ? "b" : "") + (cookies ? "c" : "") + (https ? "h" : "") || "-";
}

for (const name of listNames) {
  test(`decisions of WebKit: ${name}`, { skip: dataFolder === null && absent }, (context) => {
    const list = tickbird.compile(dataBytes(`lists/${name}.json`), name);
    const expected = lines(`expected/${name}.txt`);
    assert.equal(expected.length, crawl().length);
    assert.equal(expected.length, 21_125);
    let plain = 0;
    let acted = 0;
    crawl().forEach((load, place) => {
      let found;
      if (load.isPlain) {
        plain += 1;
        const decision = list.decide({ ...load, context: "top-frame" });
        found = letters(decision.blocked, decision.cookiesBlocked, decision.makesHTTPS);
      } else {
        // The engine gets exactly the URL that WebKit got.
        const decision = list.decideAsGiven({ url: load.url, page: load.page, frame: load.page },
          packed(load.type, load.party, "top-frame", "get"));
        found = letters(decision.blocked, decision.cookies_blocked, decision.makes_https);
      }
      if (found !== "-") acted += 1;
      if (found !== expected[place]) {
        assert.fail(`${JSON.stringify(load)} gave ${found}, WebKit ${expected[place]}`);
      }
    });
    context.diagnostic(`${expected.length} requests (${plain} by decide), ${acted} acted on`);
    list.free();
  });
}

test("there are lists with recorded decisions", { skip: dataFolder === null && absent }, () => {
  assert.ok(listNames.length >= 20);
});
