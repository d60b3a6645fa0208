// Decides a log of requests in the WebAssembly matcher and compares with WebKit's own decisions.
//
//     node measure-matcher.mjs matcher.wasm LISTS DATA
//
// LISTS holds NAME.tickbird for lists of DATA/lists; DATA has requests/top500-2019.tsv.gz and
// expected/NAME.txt.gz. Prints the module's size, its start-up, and what a decision costs; exits
// with 1 if any decision differs.

import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join, basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { Engine } from "../../BrowserExtension/WebExtension/deciding/engine.js";

const [, , modulePath, lists, data] = process.argv;
const unpacked = (path) => gunzipSync(readFileSync(path)).toString("utf8");

/** The loads of the log, as WebKit was asked about them. */
function readLog() {
  const lines = unpacked(join(data, "requests/top500-2019.tsv.gz")).trimEnd().split("\n").slice(1);
  return lines.map((line) => {
    const [url, source, , type] = line.split("\t");
    const isPage = source === "" || source === "about:blank";
    const top = isPage ? "about:blank" : source;
    return {
      url, topURL: top, frameURL: top, isTopFrame: true, method: "GET",
      type: type === "document" ? "top-document" : type,
    };
  });
}

/** How often the log is decided again: by then the engine that runs the module has compiled it for speed. */
const repetitions = 5;

const module = readFileSync(modulePath);
const log = readLog();
let started = performance.now();
await Engine.start(module);
console.log(`module: ${module.length} bytes, started in ${(performance.now() - started).toFixed(1)} ms`);

let differences = 0;
let compared = 0;
for (const file of readdirSync(lists).filter((name) => name.endsWith(".tickbird")).sort()) {
  const name = basename(file, ".tickbird");
  const expectedPath = join(data, "expected", `${name}.txt.gz`);
  if (!existsSync(expectedPath)) continue;
  const expected = unpacked(expectedPath).split("\n");
  const engine = await Engine.start(module);
  const bytes = readFileSync(join(lists, file));
  started = performance.now();
  engine.open(bytes);
  const opening = performance.now() - started;
  started = performance.now();
  const seen = log.map((load) => {
    const decision = engine.decide(load);
    return (decision.isBlocked ? "b" : "") + (decision.blocksCookies ? "c" : "")
      + (decision.makesHTTPS ? "h" : "") || "-";
  });
  const microseconds = () => (performance.now() - started) * 1000 / log.length;
  const first = microseconds();
  let later = Infinity;
  for (let repetition = 0; repetition < repetitions; repetition++) {
    started = performance.now();
    for (const load of log) engine.decide(load);
    later = Math.min(later, microseconds());
  }
  const wrong = seen.flatMap((letters, line) => (letters === expected[line] ? [] : [line]));
  compared += log.length;
  differences += wrong.length;
  console.log(`${name}: ${bytes.length} bytes opened in ${opening.toFixed(1)} ms, `
    + `${first.toFixed(2)} µs a request, ${later.toFixed(2)} µs later, ${wrong.length} of ${log.length} differ, `
    + `${engine.memorySize >> 20} MiB`);
  for (const line of wrong.slice(0, 3)) {
    console.log(`  ${expected[line]} expected, ${seen[line]} seen: ${JSON.stringify(log[line])}`);
  }
}
console.log(`${compared} decisions, ${differences} differences`);
process.exit(differences || !compared ? 1 : 0);
