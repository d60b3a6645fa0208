import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../WebExtension/", import.meta.url);
/** All style sheets, and the scripts that have styles in them. */
const sheets = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(".css") || /note-(?:look|cover)\.js$/.test(name))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8").replace(/\/\*[^]*?\*\//g, "") }));

test("no style speaks of left and right, since some languages begin on the right", () => {
  assert.ok(sheets.length > 8);
  const physical = new RegExp([
    "(?:margin|padding|border)-(?:left|right)", "(?:^|[\\s;{])(?:left|right)\\s*:\\s*(?!50%|left|viewed)[\\d-]",
    "(?:text-align|float|clear):\\s*(?:left|right)",
    // Four values, of which the second and the fourth differ.
    "(?:margin|padding|inset):\\s*[^\\s;(]+ ([^\\s;(]+) [^\\s;(]+ (?!\\1;)[^\\s;(]+;",
  ].join("|"), "m");
  for (const { name, text } of sheets) {
    const [found] = physical.exec(text) ?? [];
    assert.equal(found, undefined, name);
  }
});

test("what moves asks whether that is welcome", () => {
  for (const { name, text } of sheets) {
    const rest = text.replace(/@media \(prefers-reduced-motion: no-preference\) \{(?:[^{}]|\{[^{}]*\})*\}/g, "")
      .replace(/@keyframes \w+ \{(?:[^{}]|\{[^{}]*\})*\}/g, "");
    assert.doesNotMatch(rest, /\b(?:transition|animation)(?:-\w+)?\s*:/, name);
    assert.doesNotMatch(rest, /scroll-behavior:\s*smooth/, name);
  }
});
