// Scripts that run in documents of sites while those have elements.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./Support/browser.js";

const folder = new URL("../WebExtension/", import.meta.url);
/** What a page may take: it makes nothing weaker than it is. */
const harmless = /\bdocument\.(?:adoptedStyleSheets = |title = )/;

test("a page takes nothing from scripts in documents by the names of its elements", () => {
  for (const name of ["picker/pick-element.js", "picker/element-selectors.js", "media/load-on-click.js", "shared/direction.js",
    "notes/note-look.js", "notes/note-show.js", "notes/note-cover.js"]) {
    const lines = readFileSync(new URL(name, folder), "utf8").split("\n")
      .filter((line) => /(?<!\w)document\.\w/.test(line) && !/^\s*(?:\/\/|\*|\/\*\*)/.test(line) && !harmless.test(line)
        && !/^\s*\/\/ /.test(line) && !/(?:^|\s)\/\/.*document\./.test(line));
    assert.deepEqual(lines, [], name);
  }
});

test("the document's properties and methods are the browser's", async () => {
  class Node { get lastChild() { return `last of ${this.name}`; } }
  class Document extends Node { querySelectorAll(selector) { return `${selector} in ${this.name}`; } }
  globalThis.Document = Document;
  globalThis.document = Object.assign(new Document(), { name: "page" });
  for (const name of ["lastChild", "querySelectorAll"]) Object.defineProperty(document, name, { value: "an element" });
  await import("../WebExtension/notes/note-look.js");
  const { page } = globalThis.tickbirdNote;
  assert.equal(page("lastChild"), "last of page");
  assert.equal(page("querySelectorAll")("a"), "a in page");
  assert.throws(() => page("other"), /other/);
});

test("a page that takes an announcement away as it comes does not keep its note from coming", async () => {
  const { tickbirdNote } = globalThis;
  const element = {
    attachShadow: () => ({ append() {}, querySelector: () => null }), remove() {},
    showPopover() { throw new DOMException("it is not connected", "InvalidStateError"); },
  };
  globalThis.Element = class { append() {} };
  Object.defineProperty(Document.prototype, "documentElement", { value: {}, configurable: true });
  Object.assign(tickbirdNote, {
    page: () => ({}), make: () => element, addStyle() {}, text: () => "", direction: () => "ltr", duration: () => "",
  });
  await import("../WebExtension/notes/note-cover.js");
  assert.equal(tickbirdNote.announce({ snoozeMinutes: 15 }), true);
});
