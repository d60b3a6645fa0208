// A page: a document with those of its frames, and the navigations that will bring further ones.

import { isFirefox } from "../shared/browser.js";
import { Journal } from "./journal.js";
import { withoutFragment } from "./loads.js";
import { InsertedSheets } from "../hiding/inserted-sheets.js";
import { listOf } from "../hiding/parts.js";

/** @typedef {import("./engine.js").Decision} Decision */

/**
 * How many documents are known of a page before it is asked which of them are still there, and of how many characters
 * their addresses are: pages choose both.
 */
const crowd = { documents: 200, characters: 4_000_000 };
/** How many are kept of a page, whatever it does; no browser shows as many frames in one. */
const limits = { documents: 5000, navigations: 1000 };
/** How many decisions a navigation keeps until there is a document: the first, with those about its own requests. */
const decisionLimit = 1000;

/** A document of a frame, with what is hidden in it. */
export class FrameDocument {
  /**
   * Lists whose global sheets it has, by their handles.
   *
   * @type {Set<number>}
   */
  sheets = new Set();
  /**
   * What of `Decision.hidings` it has.
   *
   * @type {Set<number>}
   */
  hidings = new Set();
  /**
   * All that is hidden in it, by the keys of `Hiding`'s parts.
   *
   * @type {Set<string>}
   */
  parts = new Set();
  /**
   * What of it the browser has hidden by itself.
   *
   * @type {ReadonlySet<string>}
   */
  registered = new Set();
  /** The style sheets that were inserted into it. */
  inserted = new InsertedSheets();
  /**
   * What could not be hidden in it, and is tried again with its next load.
   *
   * @type {import("../hiding/parts.js").Part[]}
   */
  missed = [];
  /** How often that has failed. */
  failures = 0;
  /**
   * Style sheets that are being inserted; what shows the document waits for them.
   *
   * @type {Promise<unknown>}
   */
  pending = Promise.resolve();
  /**
   * The rules behind the hidings and selectors, by their list's identifier.
   *
   * @type {Map<string, Set<number>>}
   */
  hidingRules = new Map();
  /** Whether it has come out of the back/forward cache: Chromium says of none of its frames any more that it is there. */
  isRestored = false;

  /**
   * @param {string} url
   * @param {string} method that of the request that brought it
   * @param {string | undefined} id the browser's own name for it, if it has one
   */
  constructor(url, method, id) {
    this.url = url;
    /** The address that it came with; by this Firefox names it also after it has changed its address. */
    this.firstURL = url;
    this.method = method;
    this.id = id;
  }

  /**
   * @param {string} identifier
   * @param {number[]} rules
   */
  addHidingRules(identifier, rules) {
    let known = this.hidingRules.get(identifier);
    if (!known) this.hidingRules.set(identifier, known = new Set());
    for (const rule of rules) known.add(rule);
  }

  /**
   * Forgets that it has parts of lists that have gone.
   *
   * @param {(part: { list: number }) => boolean} isOpen whether a part is of a list that is there
   */
  forgetLists(isOpen) {
    for (const list of this.sheets) if (!isOpen({ list })) this.sheets.delete(list);
    for (const key of this.parts) if (!isOpen({ list: listOf(key) })) this.parts.delete(key);
  }
}

/** What a frame's navigation has found out before there is a document. */
export class Navigation {
  /**
   * Those about its requests, and about the first ones that its document has sent.
   *
   * @type {Array<{ decision: Decision, load: Load }>}
   */
  decisions = [];
  /**
   * What the browser hides in the document by itself, by the keys of `Hiding`'s parts.
   *
   * @type {Set<string>}
   */
  registered = new Set();
  /** The journal of the page to come; only for main frames. */
  journal = new Journal();
  /**
   * Releases the document that is held back.
   *
   * @type {(() => void) | null}
   */
  open = null;
  /**
   * Whether its document may have sent requests. Firefox names documents by their addresses, which the document
   * before may share, so that the answer has to be there; Chromium has names of its own for them.
   */
  mayHaveDocument = !isFirefox;
  /** Whether its request has failed, so that at most the browser's own page about that comes, at the same address. */
  hasFailed = false;

  /** @param {WebExt.RequestDetails} details */
  constructor(details) {
    this.url = details.url;
    /** The URL before all redirects. */
    this.start = details.url;
    this.method = details.method;
    this.requestId = details.requestId;
  }

  /**
   * Keeps a decision until there is a document.
   *
   * @param {Decision} decision
   * @param {Load} load
   */
  add(decision, load) {
    if (this.decisions.length < decisionLimit) this.decisions.push({ decision, load });
  }
}

/**
 * A page: a document with those of its frames.
 *
 * Frames have numbers. The outermost one's is 0 as soon as the page is shown; a prerendered page has
 * another one until then.
 */
export class Page {
  /**
   * By the frame's number.
   *
   * @type {Map<number, FrameDocument>}
   */
  documents = new Map();
  journal = new Journal();
  /**
   * The browser's own names for the documents, as far as it has some.
   *
   * @type {Set<string | undefined>}
   */
  #ids = new Set();
  /** @type {Map<number, Navigation>} */
  #navigations = new Map();
  #outermost;
  #asksAt = crowd;
  #isAsking = false;

  /** @param {number} outermost the number of its outermost frame */
  constructor(outermost) { this.#outermost = outermost; }

  /** The document of the page itself. */
  get top() { return this.documents.get(this.#outermost); }

  /**
   * The document that a frame has.
   *
   * @param {number} frameId
   */
  document(frameId) { return this.documents.get(this.#number(frameId)); }

  /**
   * Whether a frame is the outermost one.
   *
   * @param {number} frameId
   */
  isTop(frameId) { return this.#number(frameId) === this.#outermost; }

  /**
   * Events of a page that is shown may come before the event that shows it.
   *
   * @param {number} frameId
   */
  #number(frameId) { return frameId === 0 ? this.#outermost : frameId; }

  /**
   * Whether a frame belongs to this page, which is not shown yet.
   *
   * @param {number} frameId
   */
  has(frameId) { return this.documents.has(frameId) || this.#navigations.has(frameId); }

  /**
   * Whether a document belongs to this page.
   *
   * @param {string} id
   */
  hasDocument(id) { return this.#ids.has(id); }

  /** Records that the page is shown now. */
  show() {
    const { top } = this;
    this.documents.delete(this.#outermost);
    this.#navigations.delete(this.#outermost);
    this.#outermost = 0;
    if (top) this.documents.set(0, top);
  }

  /** Records that the page is left; it may come back, with the same documents. */
  leave() {
    this.#navigations.clear();
    this.journal = new Journal();
  }

  /** Records that the page has come back. */
  restore() {
    this.leave();
    for (const document of this.documents.values()) document.isRestored = true;
  }

  /**
   * @param {number} frameId
   * @param {FrameDocument} document
   */
  add(frameId, document) {
    const number = this.#number(frameId);
    const known = this.documents.get(number);
    if (known) this.#ids.delete(known.id);
    else this.#makeRoom(this.documents, limits.documents);
    this.documents.set(number, document);
    this.#ids.add(document.id);
  }

  /** Whether many documents are known, of which the frames may be gone: no event reports that. */
  get isCrowded() {
    return !this.#isAsking
      && (this.documents.size >= this.#asksAt.documents || this.characters >= this.#asksAt.characters);
  }

  /** How many characters the addresses of its documents have. */
  get characters() {
    let sum = 0;
    for (const { url, firstURL } of this.documents.values()) sum += url.length + firstURL.length;
    return sum;
  }

  /**
   * Begins to ask which frames are still there.
   *
   * @returns {(there: Set<number> | null) => void} takes their numbers, or null where they are not told, and forgets the
   *   documents of the others; those that have come since it was asked for stay
   */
  askForFrames() {
    const asked = new Map(this.documents);
    this.#isAsking = true;
    return (there) => {
      for (const [number, document] of there ? asked : []) {
        const isThere = there?.has(number) || number === this.#outermost || document.isRestored;
        if (!isThere && this.documents.get(number) === document) this.#forget(number);
      }
      this.#isAsking = false;
      this.#asksAt = {
        documents: Math.max(crowd.documents, 2 * this.documents.size),
        characters: Math.max(crowd.characters, 2 * this.characters),
      };
    };
  }

  /** @param {number} number */
  #forget(number) {
    this.#ids.delete(this.documents.get(number)?.id);
    this.documents.delete(number);
  }

  /**
   * Lets the first documents or navigations go, but for that of the page itself.
   *
   * @param {Map<number, unknown>} all
   * @param {number} limit
   */
  #makeRoom(all, limit) {
    for (const first of all.keys()) {
      if (all.size < limit) break;
      if (first === this.#outermost) continue;
      if (all === this.documents) this.#forget(first);
      else all.delete(first);
    }
  }

  /**
   * The navigation that a frame is in.
   *
   * @param {number} frameId
   */
  navigation(frameId) {
    const navigation = this.#navigations.get(this.#number(frameId));
    return navigation?.hasFailed ? undefined : navigation;
  }

  /**
   * @param {number} frameId
   * @param {Navigation} navigation
   */
  begin(frameId, navigation) {
    const number = this.#number(frameId);
    // No event reports that a frame was removed whose document was still to come.
    this.#navigations.delete(number);
    this.#makeRoom(this.#navigations, limits.navigations);
    this.#navigations.set(number, navigation);
  }

  /**
   * Ends a frame's navigation, and returns it, also one that has failed.
   *
   * @param {number} frameId
   */
  end(frameId) {
    const number = this.#number(frameId);
    const navigation = this.#navigations.get(number);
    this.#navigations.delete(number);
    return navigation;
  }

  /** Forgets all documents and navigations, because another document takes the page's place. */
  empty() {
    this.documents.clear();
    this.#ids.clear();
    this.#navigations.clear();
  }

  /**
   * The navigation whose document is at a URL although it has not been reported yet; null if none is.
   *
   * The order between events of requests and events of documents is not fixed.
   *
   * @param {number} frameId
   * @param {string | undefined} url
   */
  awaited(frameId, url) {
    const navigation = this.navigation(frameId);
    const known = this.document(frameId);
    const isAt = (/** @type {string} */ other) => url !== undefined && withoutFragment(other) === withoutFragment(url);
    if (!navigation || !isAt(navigation.url)) return null;
    const isKnowns = known && (isAt(known.url) || isAt(known.firstURL) && !navigation.mayHaveDocument);
    return isKnowns ? null : navigation;
  }

  /**
   * The same for the page itself.
   *
   * @param {string | undefined} url
   */
  awaitedTop(url) { return this.awaited(this.#outermost, url); }
}
