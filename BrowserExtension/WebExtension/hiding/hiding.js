// Hiding elements: style sheets of the user's origin for documents, as lists ask for them.

import { api, isFirefox } from "../shared/browser.js";
import { RegisteredSheets } from "./registered-sheets.js";
import { hidingSheet } from "./selectors.js";

/** @typedef {import("../deciding/engine.js").Decision} Decision */
/** @typedef {import("../deciding/page.js").Navigation} Navigation */

/**
 * Puts what decisions hide into documents.
 *
 * Which style sheets a document has is kept with it, in `FrameDocument`.
 */
export class Hiding {
  #engine;
  #lists;
  /**
   * The style sheet of each list's global selectors, by handle: a cache.
   *
   * @type {Map<number, string>}
   */
  #sheets = new Map();
  /** Null in Chromium, which registers only files. */
  registered = isFirefox ? new RegisteredSheets() : null;

  /**
   * @param {import("../deciding/engine.js").Engine} engine
   * @param {import("../lists/lists.js").Lists} lists
   */
  constructor(engine, lists) {
    this.#engine = engine;
    this.#lists = lists;
    this.listsChanged();
  }

  /** Lists have come or gone, or were switched: what is hidden everywhere follows. */
  listsChanged() {
    if (!this.registered) return;
    const acting = this.#lists.all.filter(({ isOn, handle }) => isOn && handle);
    const sheets = acting.map(({ handle }) => /** @type {[number, string]} */ ([handle, this.#globalSheet(handle)]));
    this.registered.set(new Map(sheets.filter(([, sheet]) => sheet !== "")));
  }

  /**
   * Makes sure that the document to come of a navigation, or of a request that may become a document, gets
   * no global sheet by itself that it is not to have.
   *
   * @param {string} url
   * @param {Navigation | null} navigation
   * @param {Decision[]} decisions those that hide in it
   * @returns {Promise<void> | null} what the request has to wait for
   */
  prepare(url, navigation, decisions) {
    if (!this.registered) return null;
    if (navigation) navigation.registered = this.registered.at(url);
    return this.registered.prepare(url, decisions.flatMap(({ sheets }) => sheets));
  }

  /**
   * Notes which global sheets a new document has already.
   *
   * @param {import("../deciding/page.js").FrameDocument} document
   * @param {Navigation | null} navigation the one that has brought it
   */
  committed(document, navigation) {
    if (!this.registered || !navigation) return;
    const still = this.registered.at(document.url);
    document.registered = new Set([...navigation.registered].filter((handle) => still.has(handle)));
  }

  /**
   * Hides in a document what a load of it asks for, unless it is hidden there already.
   *
   * The document's `pending` is done when the style sheet is inserted.
   *
   * @param {WebExt.FrameDetails} frame
   * @param {import("../deciding/page.js").FrameDocument} document
   * @param {Decision} decision
   * @param {Load} load
   */
  apply({ tabId, frameId }, document, decision, load) {
    const parts = [];
    for (const handle of decision.sheets) {
      if (document.sheets.has(handle)) continue;
      document.sheets.add(handle);
      if (document.registered.has(handle)) continue;
      parts.push(this.#globalSheet(handle));
    }
    let actions = decision.actions;
    if (decision.hidings.some((number) => !document.hidings.has(number))) {
      for (const number of decision.hidings) document.hidings.add(number);
      ({ actions } = this.#engine.decide(load, true));
    }
    for (const action of actions) {
      if (action.kind !== "css-display-none") continue;
      const key = `${action.list} ${action.slot}`;
      if (document.selectors.has(key)) continue;
      document.selectors.add(key);
      parts.push(hidingSheet(this.#engine.selectors(action.list, action.slot)));
      const list = this.#lists.withHandle(action.list);
      if (list) document.addHidingRules(list.identifier, action.rules);
    }
    const css = parts.filter((part) => part !== "").join("\n");
    if (css === "") return;
    const inserted = insert(tabId, frameId, document.id, css);
    document.pending = Promise.all([document.pending, inserted]);
  }

  /**
   * Whether a load hides anything that the browser does not hide by itself.
   *
   * @param {Decision} decision
   * @param {Load} load
   * @param {ReadonlySet<number>} registered the lists whose global sheets the browser puts in
   */
  isNeeded(decision, load, registered) {
    const isOpen = (/** @type {number} */ handle) => !registered.has(handle) && this.#globalSheet(handle) !== "";
    if (decision.sheets.some(isOpen)) return true;
    const actions = decision.hidings.length
      ? this.#engine.decide(load, true).actions : decision.actions;
    return actions.some((action) => action.kind === "css-display-none");
  }

  /** @param {number} handle */
  #globalSheet(handle) {
    let sheet = this.#sheets.get(handle);
    if (sheet === undefined) {
      sheet = hidingSheet(this.#engine.globalSheet(handle));
      for (const known of this.#sheets.keys()) {
        if (!this.#lists.withHandle(known)) this.#sheets.delete(known);
      }
      this.#sheets.set(handle, sheet);
    }
    return sheet;
  }
}

/**
 * Inserts a style sheet; a document that is gone or closed to extensions stays as it is.
 *
 * @param {number} tabId
 * @param {number} frameId
 * @param {string | undefined} documentId
 * @param {string} css
 */
async function insert(tabId, frameId, documentId, css) {
  try {
    if (isFirefox) {
      await api.tabs.insertCSS(tabId, {
        frameId, code: css, cssOrigin: "user", matchAboutBlank: true, runAt: "document_start",
      });
    } else {
      const target = documentId
        ? { tabId, documentIds: [documentId] } : { tabId, frameIds: [frameId] };
      await api.scripting.insertCSS({ target, css, origin: "USER" });
    }
  } catch {
    // The document is gone, or extensions may not change it.
  }
}
