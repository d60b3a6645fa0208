// Hiding elements: style sheets of the user's origin for documents, as lists ask for them.

import { api, isFirefox } from "../shared/browser.js";
import { attempts } from "../shared/timings.js";
import { cssOf } from "./inserted-sheets.js";
import { globalPart, globalSlot, hidingActions, listOf } from "./parts.js";
import { RegisteredSheets } from "./registered-sheets.js";
import { hidingSheet } from "./selectors.js";

/** @typedef {import("../deciding/engine.js").Decision} Decision */
/** @typedef {import("../deciding/page.js").FrameDocument} FrameDocument */
/** @typedef {import("../deciding/page.js").Navigation} Navigation */
/** @typedef {import("./inserted-sheets.js").Piece} Piece */
/** @typedef {import("./parts.js").Part} Part */

/** How many pages' hidings are kept: a few documents are under way at a time. */
const keptHidings = 8;
/** A page that no list knows: what is hidden on it is hidden on nearly all. */
const unknownPage = "https://tickbird.invalid/";

/**
 * Puts what decisions hide into documents.
 *
 * Which parts a document has is kept with it, in `FrameDocument`.
 */
export class Hiding {
  #engine;
  #lists;
  /**
   * The style sheets of the parts that documents have had, by their keys: documents keep them, and share them so.
   *
   * @type {Map<string, Piece>}
   */
  #pieces = new Map();
  /**
   * The parts that numbers of `Decision.hidings` stand for, in the order in which they were asked for: a cache.
   *
   * @type {Map<string, Part[]>}
   */
  #hidings = new Map();
  /**
   * What Firefox puts into documents by itself: lists' global sheets, which hardly any document goes without, and
   * what pages of some sites go without. Empty in Chromium, which registers only files.
   */
  #registered = isFirefox
    ? { everywhere: new RegisteredSheets(), usually: new RegisteredSheets() } : null;

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
    for (const key of this.#pieces.keys()) if (!this.#isOpen({ list: listOf(key) })) this.#pieces.delete(key);
    if (!this.#registered) return;
    const sheets = this.#usualParts().map((part) => this.#piece(part)).filter(({ css }) => css !== "");
    const { everywhere, usually } = this.#registered;
    const ofSlots = (/** @type {boolean} */ isGlobal) =>
      new Map(sheets.filter(({ part }) => (part.slot === globalSlot) === isGlobal)
        .map(({ part, css }) => [part.key, css]));
    everywhere.set(ofSlots(true));
    usually.set(ofSlots(false));
  }

  /** What is hidden in the documents of a page that no list knows, whether they are pages or frames. */
  #usualParts() {
    const ofDocument = (/** @type {boolean} */ isTopFrame) => {
      const load = {
        url: unknownPage, topURL: unknownPage, frameURL: unknownPage, isTopFrame, method: "GET",
        type: isTopFrame ? "top-document" : "child-document",
      };
      return this.#parts(this.#engine.decide(load), load);
    };
    const inFrames = new Set(ofDocument(false).map(({ key }) => key));
    return ofDocument(true).filter(({ key }) => inFrames.has(key));
  }

  /**
   * Makes sure that the document to come of a navigation, or of a request that may become a document, gets
   * nothing hidden by itself that it is to show.
   *
   * @param {string} url
   * @param {Navigation | null} navigation
   * @param {Array<{ decision: Decision, load: Load }>} decisions those that hide in it
   * @returns {Promise<void> | null} what the request has to wait for
   */
  prepare(url, navigation, decisions) {
    if (!this.#registered) return null;
    if (navigation) navigation.registered = this.registeredAt(url);
    const parts = decisions.flatMap(({ decision, load }) => this.#parts(decision, load));
    const wanted = new Set(parts.map(({ key }) => key));
    const waiting = Object.values(this.#registered).flatMap((sheets) => sheets.prepare(url, wanted) ?? []);
    return waiting.length > 0 ? Promise.all(waiting).then(() => {}) : null;
  }

  /**
   * The keys of what the browser hides by itself in a document that comes now.
   *
   * @param {string} url
   */
  registeredAt(url) {
    const sheets = Object.values(this.#registered ?? {});
    return new Set(sheets.flatMap((each) => [...each.at(url)]));
  }

  /**
   * Notes what the browser has hidden in a new document by itself.
   *
   * @param {FrameDocument} document
   * @param {Navigation | null} navigation the one that has brought it
   */
  committed(document, navigation) {
    if (!navigation) return;
    const still = this.registeredAt(document.url);
    document.registered = new Set([...navigation.registered].filter((key) => still.has(key)));
  }

  /**
   * Hides in a document what a load of it asks for, unless it is hidden there already.
   *
   * The document's `pending` is done when the style sheet is inserted.
   *
   * @param {WebExt.FrameDetails} frame
   * @param {FrameDocument} document
   * @param {Decision} decision
   * @param {Load} load
   */
  apply({ tabId, frameId }, document, decision, load) {
    if (hasAll(document, decision)) return;
    const isNew = decision.hidings.some((number) => !document.hidings.has(number));
    for (const number of decision.hidings) document.hidings.add(number);
    const parts = this.#parts(isNew ? decision : { ...decision, hidings: [] }, load)
      .filter(({ key }) => !document.parts.has(key));
    for (const { key, list, slot, rules } of parts) {
      document.parts.add(key);
      const open = slot === globalSlot ? null : this.#lists.withHandle(list);
      if (slot === globalSlot) document.sheets.add(list);
      else if (open) document.addHidingRules(open.identifier, rules);
    }
    const missed = document.missed.filter(({ list }) => this.#lists.withHandle(list)?.isOn);
    if (missed.length === 0 && parts.length === 0) return;
    document.missed = [];
    const wanted = [...missed, ...parts.filter(({ key }) => !document.registered.has(key))];
    const pieces = wanted.map((part) => this.#piece(part)).filter(({ css }) => css !== "");
    if (pieces.length === 0) return;
    const missing = document.inserted.missing(pieces, this.#isOpen);
    const inserted = insert(tabId, frameId, document.id, cssOf(missing)).then((isIn) => {
      if (isIn) {
        document.inserted.add(missing);
        return this.#removeReplaced(tabId, frameId, document);
      }
      document.failures += 1;
      if (document.failures < attempts.insertion) document.missed.push(...missing.map(({ part }) => part));
    });
    document.pending = Promise.all([document.pending, inserted]);
  }

  /** Whether a part is of a list that is there, and not of one that has a new version. */
  #isOpen = (/** @type {Pick<Part, "list">} */ { list }) => this.#lists.withHandle(list) !== undefined;

  /**
   * Removes from a document what new versions of lists have replaced. What else was inserted together with it is
   * inserted before, so that nothing is shown in between.
   *
   * @param {number} tabId
   * @param {number} frameId
   * @param {FrameDocument} document
   */
  async #removeReplaced(tabId, frameId, document) {
    document.forgetLists(this.#isOpen);
    const replaced = document.inserted.takeReplaced(this.#isOpen);
    if (!replaced) return;
    const { old, kept } = replaced;
    if (!await insert(tabId, frameId, document.id, cssOf(kept))) {
      for (const pieces of old) document.inserted.add(pieces);
      return;
    }
    document.inserted.add(kept);
    for (const css of old.map(cssOf)) {
      if (!document.inserted.has(css)) await remove(tabId, frameId, document.id, css);
    }
  }

  /**
   * Whether a load hides anything that the browser does not hide by itself.
   *
   * @param {Decision} decision
   * @param {Load} load
   * @param {ReadonlySet<string>} registered the parts that the browser puts in, by their keys
   */
  isNeeded(decision, load, registered) {
    return this.#parts(decision, load)
      .some((part) => !registered.has(part.key) && (part.slot !== globalSlot || this.#piece(part).css !== ""));
  }

  /**
   * All that a decision hides.
   *
   * @param {Pick<Decision, "sheets" | "hidings" | "actions">} decision
   * @param {Load} load
   * @returns {Part[]}
   */
  #parts(decision, load) {
    const sheets = decision.sheets.map(globalPart);
    const own = hidingActions(decision);
    if (decision.hidings.length === 0) return [...sheets, ...own];
    const number = decision.hidings.join(" ");
    let hidings = this.#hidings.get(number);
    if (!hidings) {
      const keys = new Set(own.map(({ key }) => key));
      hidings = hidingActions(this.#engine.decide(load, true)).filter(({ key }) => !keys.has(key));
      this.#hidings.set(number, hidings);
      for (const oldest of this.#hidings.keys()) {
        if (this.#hidings.size <= keptHidings) break;
        this.#hidings.delete(oldest);
      }
    }
    return [...sheets, ...own, ...hidings];
  }

  /**
   * The style sheet that hides a part.
   *
   * @param {Part} part
   */
  #piece(part) {
    const { key, list, slot } = part;
    let piece = this.#pieces.get(key);
    if (!piece) {
      const selectors = slot === globalSlot ? null : this.#engine.selectors(list, slot);
      piece = {
        part, identifier: this.#lists.withHandle(list)?.identifier ?? "",
        css: hidingSheet(selectors ?? this.#engine.globalSheet(list)), selectors: selectors ?? "",
      };
      this.#pieces.set(key, piece);
    }
    return piece;
  }
}

/**
 * Whether a document has all that a decision hides, as for nearly each request of a page: without anything made.
 *
 * @param {FrameDocument} document
 * @param {Decision} decision
 */
function hasAll(document, { hidings, sheets, actions }) {
  return document.missed.length === 0
    && hidings.every((number) => document.hidings.has(number))
    && sheets.every((list) => document.sheets.has(list))
    && !actions.some(({ kind }) => kind === "css-display-none");
}

/**
 * Inserts a style sheet, and returns whether the document has it.
 *
 * @param {number} tabId
 * @param {number} frameId
 * @param {string | undefined} documentId
 * @param {string} css
 */
async function insert(tabId, frameId, documentId, css) {
  if (css === "") return true;
  try {
    if (isFirefox) {
      await api.tabs.insertCSS(tabId, { ...firefoxSheet(frameId, css), runAt: "document_start" });
    } else {
      await api.scripting.insertCSS(sheet(tabId, frameId, documentId, css));
    }
    return true;
  } catch {
    // The document is gone, extensions may not change it, or not at this moment.
    return false;
  }
}

/**
 * Removes a style sheet that was inserted.
 *
 * @param {number} tabId
 * @param {number} frameId
 * @param {string | undefined} documentId
 * @param {string} css
 */
async function remove(tabId, frameId, documentId, css) {
  try {
    if (isFirefox) await api.tabs.removeCSS(tabId, firefoxSheet(frameId, css));
    else await api.scripting.removeCSS(sheet(tabId, frameId, documentId, css));
  } catch {
    // The document is gone.
  }
}

/**
 * A style sheet of the user's origin for a document, as Firefox takes it.
 *
 * @param {number} frameId
 * @param {string} css
 * @returns {{ frameId: number, code: string, cssOrigin: "user", matchAboutBlank: boolean }}
 */
const firefoxSheet = (frameId, css) => ({ frameId, code: css, cssOrigin: "user", matchAboutBlank: true });

/**
 * The same as Chromium takes it.
 *
 * @param {number} tabId
 * @param {number} frameId
 * @param {string | undefined} documentId
 * @param {string} css
 * @returns {{ target: WebExt.ScriptTarget, css: string, origin: "USER" }}
 */
function sheet(tabId, frameId, documentId, css) {
  const target = documentId ? { tabId, documentIds: [documentId] } : { tabId, frameIds: [frameId] };
  return { target, css, origin: "USER" };
}
