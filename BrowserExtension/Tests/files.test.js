// Whether every file that a manifest, a page or a script names is there, and every file is named.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../WebExtension/", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");

/** All files, by their paths from the extension's folder. */
const files = readdirSync(root, { recursive: true })
  .filter((path) => statSync(join(root, path)).isFile())
  // The browsers look for the texts themselves.
  .filter((path) => !path.startsWith("_locales"));

/** The files that a manifest names. */
function namedByManifest(browser) {
  const found = [];
  const visit = (value) => {
    if (typeof value === "string" && /^[a-z/-]+\d*\.(?:js|html|png|svg)$/.test(value)) found.push(value);
    else if (value !== null && typeof value === "object") Object.values(value).forEach(visit);
  };
  visit(JSON.parse(read(`manifest.${browser}.json`)));
  return found;
}

/** The files that a page or script names. */
function namedBy(path) {
  if (!/\.(?:js|html)$/.test(path)) return [];
  const text = read(path);
  const relative = path.endsWith(".html")
    ? [...text.matchAll(/\b(?:src|href)="([^"#]+)"/g)]
    : [...text.matchAll(/^(?:import|\} from|import .* from) ?"([^"]+)";/gm)];
  // What the background runs in documents or opens, from the extension's folder on.
  const absolute = [...text.matchAll(/"\/([a-z/-]+\.(?:js|html))"/g)].map(([, name]) => name);
  return [...relative.map(([, name]) => normalize(join(dirname(path), name))), ...absolute];
}

/** All files that are reached from some, those included. */
function reached(from) {
  const seen = new Set();
  const waiting = [...from];
  while (waiting.length > 0) {
    const path = waiting.pop();
    if (seen.has(path)) continue;
    seen.add(path);
    assert.ok(files.includes(path), `${path} is named, and not there`);
    waiting.push(...namedBy(path));
  }
  return seen;
}

test("every file that is named is there, and the others are reached by one of the browsers", () => {
  const seen = new Set(["chromium", "firefox"].flatMap((browser) =>
    [`manifest.${browser}.json`, ...reached(namedByManifest(browser))]));
  assert.deepEqual(files.filter((path) => !seen.has(path)), []);
  assert.ok(seen.has("shared/timings.js"));
  assert.ok(seen.has("shared/theme.css"));
});

test("the heads of all pages are alike", () => {
  const pages = files.filter((path) => path.endsWith(".html"));
  assert.ok(pages.length >= 7);
  for (const path of pages) {
    const [, head] = /<head>\n([^]*?)<\/head>/.exec(read(path)) ?? [];
    const [shared, own] = head.split('  <link rel="stylesheet" href="../shared/theme.css">\n');
    assert.equal(shared.replace(/<title data-text="\w+">/, "<title>"), [
      '  <meta charset="utf-8">', '  <meta name="viewport" content="width=device-width">',
      '  <meta name="color-scheme" content="light dark">', '  <meta name="referrer" content="no-referrer">',
      "  <title>Tickbird</title>", '  <link rel="icon" href="../icons/icon.svg">', "",
    ].join("\n"), path);
    assert.match(own, /^(?: {2}<link rel="stylesheet" href="[\w./-]+">\n)*(?: {2}<script type="module" src="[\w-]+\.js"><\/script>\n)+$/, path);
  }
});

test("the oldest Chromium is one whose rules know the page's domain", () => {
  const { minimum_chrome_version: oldest } = JSON.parse(read("manifest.chromium.json"));
  assert.ok(files.some((path) => path.startsWith("deciding/") && read(path).includes("topDomains")));
  // An older one refuses every change of rules that has `topDomains` in it.
  assert.ok(Number(oldest) >= 145);
});
