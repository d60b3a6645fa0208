// What documents may have a moment later of what lists hide everywhere: nearly all of it are selectors of one
// class or id, of which a document has a handful. A script in the document hides those, see hide-names.js,
// until the document has loaded and gets the rest.

import "./name-table.js";
import { hidingSheetOf, isPlain, splitSelectors } from "./selectors.js";

/** Of fewer selectors a browser takes the sheet as fast as a script looks for their names. */
const fewest = 500;
/** How many names a script may have found at once; the rest waits. */
const mostFound = 1000;

/** A list's global sheet in its two parts. */
class DeferredSheet {
  /**
   * The plain selectors.
   *
   * @type {Set<string>}
   */
  names;
  /** The table of their names. */
  table;
  /** The style sheet of all others, which a document needs at once. */
  early;
  /** The style sheet of the plain ones. */
  late;

  /** @param {string} selectors those of the list's global sheet */
  constructor(selectors) {
    const all = splitSelectors(selectors);
    this.names = new Set(all.filter(isPlain));
    this.isWorthIt = this.names.size >= fewest;
    this.table = this.isWorthIt ? tickbirdNameTable.make(this.names) : "";
    const early = this.isWorthIt ? all.filter((selector) => !isPlain(selector)) : all;
    this.early = hidingSheetOf(early);
    this.late = this.isWorthIt ? hidingSheetOf([...this.names]) : "";
  }
}

/** The global sheets of lists, in their parts. */
export class DeferredSheets {
  #engine;
  #lists;
  /**
   * By the lists' handles: a cache.
   *
   * @type {Map<number, DeferredSheet>}
   */
  #sheets = new Map();

  /**
   * @param {import("../deciding/engine.js").Engine} engine
   * @param {import("../lists/lists.js").Lists} lists
   */
  constructor(engine, lists) {
    this.#engine = engine;
    this.#lists = lists;
  }

  /** @param {number} handle */
  of(handle) {
    let sheet = this.#sheets.get(handle);
    if (sheet === undefined) {
      sheet = new DeferredSheet(this.#engine.globalSheet(handle));
      for (const known of this.#sheets.keys()) {
        if (!this.#lists.withHandle(known)) this.#sheets.delete(known);
      }
      this.#sheets.set(handle, sheet);
    }
    return sheet;
  }

  /**
   * The sheets that a document waits for, of lists that are still on.
   *
   * @param {import("../deciding/page.js").FrameDocument} document
   */
  awaited(document) {
    return [...document.deferred].filter((handle) => this.#lists.withHandle(handle)?.isOn)
      .map((handle) => this.of(handle));
  }

  /**
   * The style sheet that hides what a script has found in a document.
   *
   * @param {import("../deciding/page.js").FrameDocument} document
   * @param {unknown} names what the script says
   */
  found(document, names) {
    const sheets = this.awaited(document);
    const listed = Array.isArray(names) ? names.slice(0, mostFound) : [];
    return hidingSheetOf(listed.filter((name) => sheets.some((sheet) => sheet.names.has(name))));
  }
}
