// The vectors and recorded decisions in a browser; `browsers.test.js` serves it, and takes its report.

import * as tickbird from "/package/index.js";
import { checkRecorded, crawl, lines } from "./loads.js";
import { checkErrors, checkMatches, checkPatterns, checkSelectors, checkTexts } from "./vectors.js";

const checks = {
  "match-actions-order": checkMatches, "match-automaton": checkMatches,
  "match-conditions": checkMatches, "match-observed": checkMatches, "match-regex": checkMatches,
  "match-resource-load-method": checkMatches, errors: checkErrors, "errors-observed": checkErrors,
  "url-filter": checkPatterns, "url-filter-observed": checkPatterns, "pattern-match": checkTexts,
  "selectors-observed": checkSelectors,
};

async function text(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

async function run() {
  const counts = {};
  for (const [name, check] of Object.entries(checks)) {
    counts[name] = check(tickbird, JSON.parse(await text(`/vectors/${name}.json`)));
  }
  for (const name of ["patterns", "triggers", "combining", "upgrades"]) {
    counts[name] = checkMatches(tickbird, JSON.parse(await text(`/conformance/${name}.json`)));
  }
  const names = JSON.parse(await text("/lists.json"));
  if (names.length > 0) {
    const requests = crawl(await text("/data/requests/top500-2019.tsv"));
    for (const name of names) {
      const list = tickbird.compile(await text(`/data/lists/${name}.json`), name);
      counts[name] = checkRecorded(
        list, requests, lines(await text(`/data/expected/${name}.txt`))).count;
      list.free();
    }
  }
  // Without memory, an error; and the next list is compiled.
  tickbird.setMemoryLimit(8 << 20);
  const rule = { trigger: { "url-filter": "/ads/" }, action: { type: "block" } };
  let code = null;
  try {
    tickbird.compile(JSON.stringify(Array(100_000).fill(rule)));
  } catch (error) {
    code = error.code;
  }
  if (code !== "out-of-memory") throw new Error(`without memory: ${code}`);
  const list = tickbird.compile(JSON.stringify([rule]));
  if (!list.decide({ url: "https://a.test/ads/", page: "https://b.test/", type: "image" }).blocked) {
    throw new Error("not blocked after an engine has ended");
  }
  return counts;
}

const report = await run().then((counts) => ({ counts }), (error) => ({ error: `${error}\n${error.stack}` }));
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
