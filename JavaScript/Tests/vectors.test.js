// The recorded vectors, and the repository's own conformance cases, through the module.

import assert from "node:assert/strict";
import test from "node:test";
import { checkErrors, checkMatches, checkPatterns, checkSelectors, checkTexts } from "./vectors.js";
import { json, tickbird, vectorFolders, vectors } from "./support.js";

const matchFiles = [
  "actions-order", "automaton", "conditions", "observed", "regex", "resource-load-method",
];

for (const folder of vectorFolders) {
  for (const name of matchFiles) {
    test(`match-${name} of ${folder}`, () => {
      assert.ok(checkMatches(tickbird, vectors(folder, `match-${name}`)) > 20);
    });
  }
  for (const name of ["errors", "errors-observed"]) {
    test(`${name} of ${folder}`, () => {
      assert.ok(checkErrors(tickbird, vectors(folder, name)) > 20);
    });
  }
  for (const name of ["url-filter", "url-filter-observed"]) {
    test(`${name} of ${folder}`, () => {
      assert.ok(checkPatterns(tickbird, vectors(folder, name)) > 20);
    });
  }
  test(`pattern-match of ${folder}`, () => {
    assert.ok(checkTexts(tickbird, vectors(folder, "pattern-match")) > 10);
  });
  test(`selectors-observed of ${folder}`, () => {
    assert.ok(checkSelectors(tickbird, vectors(folder, "selectors-observed")) > 500);
  });
}

for (const name of ["patterns", "triggers", "combining", "upgrades"]) {
  test(`the repository's ${name}`, () => {
    const groups = json(`Tests/Fixtures/Conformance/${name}.json`);
    assert.ok(checkMatches(tickbird, groups) > 5);
  });
}
