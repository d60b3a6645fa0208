// The engine: compiled lists and decisions, in WebAssembly.

import { decidingPart } from "../lists/compiled-file.js";
import { ModuleMemory } from "./module-memory.js";

const typeNames = [
  "top-document", "child-document", "image", "style-sheet", "script", "font", "svg-document",
  "media", "popup", "ping", "fetch", "websocket", "other", "csp-report",
];
const methodNames =
  ["get", "head", "options", "trace", "put", "delete", "post", "patch", "connect"];

/**
 * The bit of each resource type, by the rule language's word.
 *
 * @type {Record<string, number | undefined>}
 */
export const resourceTypes = Object.fromEntries(typeNames.map((name, bit) => [name, 1 << bit]));

/** The number of each request method, by its name in lower case and as requests have it. */
const requestMethods = new Map([methodNames, methodNames.map((name) => name.toUpperCase())]
  .flatMap((names) => names.map((name, place) => /** @type {[string, number]} */ ([name, place + 1]))));

/** The kinds of actions in the order of their numbers. */
export const kinds = [
  "block", "block-cookies", "css-display-none", "notify", "ignore-previous-rules",
  "ignore-following-rules", "make-https", "modify-headers", "redirect", "report-identifier",
];

const ignoresPrevious = 1 << 16;
const ignoresFollowing = 1 << 17;

/** Why the engine does not take a list. */
export class RefusedListError extends Error {
  /** @param {number} offset of the first byte that is wrong */
  constructor(offset) {
    super(`the compiled list is damaged or of another version, at byte ${offset}`);
    this.name = "RefusedListError";
    this.offset = offset;
  }
}

/** The engine had no memory to open a list, of which nothing is wrong. */
export class ListMemoryError extends Error {
  constructor() {
    super("no memory for the list");
    this.name = "ListMemoryError";
  }
}

/** What all lists do to a load. Lists are handles. */
export class Decision {
  /** Whether the load was looked at: both its addresses are URLs. */
  isChecked = false;
  isBlocked = false;
  blocksCookies = false;
  makesHTTPS = false;
  isFirstParty = false;
  /**
   * What the person has chosen for the page's site that blocks the load; null if nothing does.
   *
   * @type {import("../shared/site-choices.js").Choice | null}
   */
  choice = null;
  /**
   * In the lists' order. Actions that hide whatever the load's type is are among them only where all
   * were asked for. `Engine.selectors` gives the text of a hiding action.
   *
   * @type {Action[]}
   */
  actions = [];
  /**
   * The lists whose global style sheet the load attaches to its document.
   *
   * @type {number[]}
   */
  sheets = [];
  /**
   * The lists of which an ignore rule acts on the load; another of its page may not meet that rule.
   *
   * @type {number[]}
   */
  ignoring = [];
  /**
   * A number for the hiding actions of each list that may be left out; equal numbers stand for the same
   * actions.
   *
   * @type {number[]}
   */
  hidings = [];
}

/**
 * Compiled lists, opened, and decisions by all of them.
 *
 * Lists are in the module's memory, and gone with the background script; `Lists` opens them again.
 */
export class Engine {
  #memory;
  /**
   * The page that the module was turned to last.
   *
   * @type {{ top: string | null, frame: string | null }}
   */
  #page = { top: null, frame: null };
  /**
   * The selectors of each list's global sheet: a cache.
   *
   * @type {Map<number, string>}
   */
  #sheets = new Map();

  /** @param {Pick<WebAssembly.Instance, "exports">} instance */
  constructor(instance) { this.#memory = new ModuleMemory(instance.exports); }

  /**
   * Starts an engine without lists.
   *
   * @param {BufferSource} bytes those of the module
   */
  static async start(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Engine(instance);
  }

  /** The version of compiled lists that can be opened. */
  get formatVersion() { return this.#memory.call("tickbird_format_version"); }

  /** The size of the memory in bytes. */
  get memorySize() { return this.#memory.size; }

  /**
   * Opens a compiled list and returns its handle. The text that it was compiled from is left out.
   *
   * @param {Uint8Array} file
   * @throws {RefusedListError | ListMemoryError} and leaves the other lists as they are
   */
  open(file) {
    const handle = this.#memory.give("tickbird_open", decidingPart(file));
    this.#page.top = null;
    if (handle === 0) throw new ListMemoryError();
    if (handle < 0) throw new RefusedListError(this.#memory.call("tickbird_fault_offset"));
    return handle;
  }

  /**
   * Closes a list.
   *
   * @param {number} handle
   */
  close(handle) {
    this.#memory.call("tickbird_close", handle);
    this.#sheets.delete(handle);
    this.#page.top = null;
  }

  /**
   * Lets a list take part in decisions or not; costs nothing.
   *
   * @param {number} handle
   * @param {boolean} isOn
   */
  setOn(handle, isOn) { this.#memory.call("tickbird_set_on", handle, isOn ? 1 : 0); }

  /**
   * Decides a load.
   *
   * @param {Load} load with a type of `resourceTypes`; the method may be in any case, and one that is
   *   not of the rule language matches no rule that asks for a method
   * @param {boolean} wantsAll whether all actions are listed, which costs more than deciding
   */
  decide({ url, topURL, frameURL, type, isTopFrame, method }, wantsAll = false) {
    const decision = new Decision();
    if (!this.#turn(topURL, frameURL ?? topURL)) return decision;
    const properties = (resourceTypes[type] ?? 0) | (isTopFrame ? 1 : 2) << 16
      | (requestMethods.get(method ?? "") ?? requestMethods.get(method?.toLowerCase() ?? "") ?? 0) << 18
      | (wantsAll ? 1 << 31 : 0);
    const party = this.#memory.callWithText("tickbird_decide_load", url, properties);
    if (party <= 0) return decision;
    decision.isChecked = true;
    decision.isFirstParty = party === 1;
    this.#read(decision);
    return decision;
  }

  /**
   * A URL as the parser writes it; null for a text that is not a URL.
   *
   * @param {string} url
   */
  serialized(url) { return this.#ask("tickbird_serialized", url); }

  /**
   * The URL that `make-https` makes of a URL; null if it leaves it alone.
   *
   * @param {string} url
   */
  upgraded(url) { return this.#ask("tickbird_upgraded", url); }

  /**
   * The domain of the site that a page belongs to; null for a text that is not a URL.
   *
   * A final dot of the host is left out: it leads to the same server, and a page must not get rid of what
   * was chosen for its site by one more dot.
   *
   * @param {string} url
   */
  site(url) { return this.#ask("tickbird_site", url)?.replace(/\.$/, "") ?? null; }

  /**
   * Whether other sites are below a site's name, as below `github.io`, which is a public suffix.
   *
   * So is `com`. A name of one label that the Public Suffix List does not have counts as one site: those are
   * hosts of an own network, as `localhost`.
   *
   * @param {string} site
   */
  hasSitesBelow(site) { return this.#memory.callWithText("tickbird_is_suffix", `https://${site}/`) === 1; }

  /**
   * The selectors of a hiding action of a list, joined by commas.
   *
   * @param {number} handle
   * @param {number} slot
   */
  selectors(handle, slot) {
    return this.#memory.resultText(this.#memory.call("tickbird_text", handle, slot));
  }

  /**
   * The selectors of a list's global sheet, joined by commas; empty if it has none.
   *
   * @param {number} handle
   */
  globalSheet(handle) {
    let sheet = this.#sheets.get(handle);
    if (sheet === undefined) {
      sheet = this.selectors(handle, -1);
      this.#sheets.set(handle, sheet);
    }
    return sheet;
  }

  /**
   * The kinds of a list's actions, but for what it hides everywhere.
   *
   * @param {number} handle
   */
  kinds(handle) {
    const bits = this.#memory.call("tickbird_kinds", handle);
    return new Set(kinds.filter((_, bit) => bits & 1 << bit));
  }

  /**
   * The hosts whose requests may hide what the requests for a page's documents do not hide; null if any request may.
   *
   * @param {number} handle
   */
  hidingHosts(handle) {
    const length = this.#memory.call("tickbird_hiding_hosts", handle);
    if (length < 0) return null;
    return length === 0 ? [] : this.#memory.resultText(length).split("\n");
  }

  /**
   * Turns the module to a page and its frame; false if one of them is not a URL.
   *
   * @param {string} top
   * @param {string} frame
   */
  #turn(top, frame) {
    if (this.#page.top === top && this.#page.frame === frame) return true;
    const isPage = this.#memory.callWithTexts("tickbird_turn", top, frame) === 0;
    this.#page = isPage ? { top, frame } : { top: null, frame: null };
    return isPage;
  }

  /**
   * Reads the module's result: for each list its handle, its verdict, its number of hidings and its
   * actions.
   *
   * @param {Decision} decision
   */
  #read(decision) {
    const words = this.#memory.resultWords();
    for (let place = 0; place < words.length;) {
      const list = words[place];
      const verdict = words[place + 1];
      decision.isBlocked ||= (verdict & 1) !== 0;
      decision.blocksCookies ||= (verdict & 2) !== 0;
      decision.makesHTTPS ||= (verdict & 64) !== 0;
      if ((verdict & (ignoresPrevious | ignoresFollowing)) !== 0) decision.ignoring.push(list);
      if ((verdict & ignoresPrevious) === 0) decision.sheets.push(list);
      if (words[place + 2] > 0) decision.hidings.push(words[place + 2]);
      let actions = words[place + 3];
      place += 4;
      for (; actions > 0; actions--) {
        const rules = words[place + 2];
        const action = {
          list,
          kind: kinds[words[place + 1]],
          slot: words[place],
          rules: Array.from(words.subarray(place + 3, place + 3 + rules)),
        };
        decision.actions.push(action);
        place += 3 + rules;
      }
    }
  }

  /**
   * @param {"tickbird_serialized" | "tickbird_upgraded" | "tickbird_site"} name
   * @param {string} url
   */
  #ask(name, url) {
    const length = this.#memory.callWithText(name, url);
    return length < 0 ? null : this.#memory.resultText(length);
  }
}
