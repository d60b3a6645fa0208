// WebKit's own decisions on a crawl of 21,125 requests, for 20 real lists.

import assert from "node:assert/strict";
import test from "node:test";
import { checkRecorded, crawl, lines } from "./loads.js";
import { absent, dataFolder, dataText, listNames, tickbird } from "./support.js";

let requests = null;

for (const name of listNames) {
  test(`decisions of WebKit: ${name}`, (context) => {
    requests ??= crawl(dataText("requests/top500-2019.tsv"));
    const list = tickbird.compile(dataText(`lists/${name}.json`), name);
    const { count, plain, acted } = checkRecorded(
      list, requests, lines(dataText(`expected/${name}.txt`)));
    list.free();
    assert.equal(count, 21_125);
    assert.ok(plain > 20_000);
    context.diagnostic(`${count} requests (${plain} by decide), ${acted} acted on`);
  });
}

test("there are lists with recorded decisions", { skip: dataFolder === null && absent }, () => {
  assert.ok(listNames.length >= 20);
});
