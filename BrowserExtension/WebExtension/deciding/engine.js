// The engine: compiled lists and decisions, in WebAssembly.

const typeNames = [
  "top-document", "child-document", "image", "style-sheet", "script", "font", "svg-document",
  "media", "popup", "ping", "fetch", "websocket", "other", "csp-report",
];
const methodNames =
  ["get", "head", "options", "trace", "put", "delete", "post", "patch", "connect"];

/** The bit of each resource type, by the rule language's word. */
export const resourceTypes = Object.fromEntries(typeNames.map((name, bit) => [name, 1 << bit]));

/** The number of each request method, by its name in lower case. */
export const requestMethods =
  Object.fromEntries(methodNames.map((name, place) => [name, place + 1]));

/** The kinds of actions in the order of their numbers. */
export const kinds = [
  "block", "block-cookies", "css-display-none", "notify", "ignore-previous-rules",
  "ignore-following-rules", "make-https", "modify-headers", "redirect", "report-identifier",
];

const noGlobalSheet = 1 << 16;

/** Why the engine does not take a list. */
export class RefusedListError extends Error {
  constructor(offset) {
    super(`the compiled list is damaged or of another version, at byte ${offset}`);
    this.name = "RefusedListError";
    this.offset = offset;
  }
}

/**
 * What all lists do to a load.
 *
 * `actions` holds `{list, kind, slot, rules}` in the lists' order, `sheets` the lists whose global
 * sheet the load attaches to its document; lists are handles. Actions that hide whatever the load's
 * type are only among them where all were asked for; `hidings` holds a number for those of each
 * list, and equal numbers stand for the same ones. `Engine.selectors` gives the text of a hiding
 * action.
 */
class Decision {
  isChecked = true;
  isBlocked = false;
  blocksCookies = false;
  makesHTTPS = false;
  isFirstParty = false;
  actions = [];
  sheets = [];
  hidings = [];
}

/** Compiled lists, opened, and decisions by all of them. */
export class Engine {
  #exports;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();
  /** The place and size of the memory for texts, and a view of it. */
  #area = { address: 0, size: 0, bytes: new Uint8Array() };
  /** The page that the module was turned to last, as texts. */
  #page = { top: null, frame: null };
  #sheets = new Map();

  constructor(instance) {
    this.#exports = instance.exports;
  }

  /** Starts an engine without lists, from the bytes of the module. */
  static async start(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Engine(instance);
  }

  /** The version of compiled lists that can be opened. */
  get formatVersion() { return this.#exports.tickbird_format_version(); }

  /** The size of the memory in bytes. */
  get memorySize() { return this.#exports.memory.buffer.byteLength; }

  /**
   * Opens a compiled list and returns its handle.
   *
   * Throws RefusedListError; the other lists are as before then.
   */
  open(bytes) {
    const address = this.#exports.tickbird_allocate(bytes.length);
    if (!address) throw new RefusedListError(0);
    new Uint8Array(this.#exports.memory.buffer, address, bytes.length).set(bytes);
    const handle = this.#exports.tickbird_open(address, bytes.length);
    this.#page.top = null;
    if (handle <= 0) throw new RefusedListError(this.#exports.tickbird_fault_offset());
    return handle;
  }

  /** Closes a list. */
  close(handle) {
    this.#exports.tickbird_close(handle);
    this.#sheets.delete(handle);
    this.#page.top = null;
  }

  /** Lets a list have a say or not; costs nothing. */
  setOn(handle, isOn) { this.#exports.tickbird_set_on(handle, isOn ? 1 : 0); }

  /**
   * Decides a load: `url`, `topURL`, `frameURL`, `type` (a word of `resourceTypes`), `isTopFrame`,
   * `method` (in any case; others than those of `requestMethods` match no rule that asks).
   *
   * With `wantsAll`, all actions are listed, which costs more than deciding.
   */
  decide({ url, topURL, frameURL, type, isTopFrame, method }, wantsAll = false) {
    const decision = new Decision();
    decision.isChecked = false;
    if (!this.#turn(topURL, frameURL ?? topURL)) return decision;
    const properties = resourceTypes[type] | (isTopFrame ? 1 : 2) << 16
      | (requestMethods[method?.toLowerCase()] ?? 0) << 18
      | (wantsAll ? 1 << 31 : 0);
    const length = this.#write(url, 0);
    const party = this.#exports.tickbird_decide_load(this.#area.address, length, properties);
    if (party <= 0) return decision;
    decision.isChecked = true;
    decision.isFirstParty = party === 1;
    this.#read(decision);
    return decision;
  }

  /** A URL as the parser writes it; null if the text is none. */
  serialized(url) { return this.#ask("tickbird_serialized", url); }

  /** The URL that `make-https` makes of a URL; null if it leaves it alone. */
  upgraded(url) { return this.#ask("tickbird_upgraded", url); }

  /** The domain of the site that a page belongs to; null if the text is no URL. */
  site(url) { return this.#ask("tickbird_site", url); }

  /** The selectors of a hiding action of a list, joined by commas. */
  selectors(handle, slot) {
    return this.#resultText(this.#exports.tickbird_text(handle, slot));
  }

  /** The selectors of a list's global sheet, joined by commas; empty if it has none. */
  globalSheet(handle) {
    let sheet = this.#sheets.get(handle);
    if (sheet === undefined) {
      sheet = this.#resultText(this.#exports.tickbird_text(handle, -1));
      this.#sheets.set(handle, sheet);
    }
    return sheet;
  }

  /** The JSON text that a list was compiled from. */
  source(handle) { return this.#resultText(this.#exports.tickbird_source(handle)); }

  /** The bytes of that text in UTF-8; to be used at once, before anything else is asked. */
  sourceBytes(handle) {
    const length = Math.max(0, this.#exports.tickbird_source(handle));
    return new Uint8Array(
      this.#exports.memory.buffer, length > 0 ? this.#exports.tickbird_result() : 0, length);
  }

  #turn(top, frame) {
    if (this.#page.top === top && this.#page.frame === frame) return true;
    const topLength = this.#write(top, 0, frame.length);
    const frameLength = this.#write(frame, topLength);
    const start = this.#area.address;
    const isPage =
      this.#exports.tickbird_turn(start, topLength, start + topLength, frameLength) === 0;
    this.#page = isPage ? { top, frame } : { top: null, frame: null };
    return isPage;
  }

  #read(decision) {
    const count = this.#exports.tickbird_result_count();
    const words = this.#resultWords(count);
    for (let place = 0; place < words.length;) {
      const list = words[place];
      const verdict = words[place + 1];
      decision.isBlocked ||= (verdict & 1) !== 0;
      decision.blocksCookies ||= (verdict & 2) !== 0;
      decision.makesHTTPS ||= (verdict & 64) !== 0;
      if ((verdict & noGlobalSheet) === 0) decision.sheets.push(list);
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

  #ask(name, url) {
    const length = this.#exports[name](this.#area.address, this.#write(url, 0));
    return length < 0 ? null : this.#resultText(length);
  }

  /** Writes a text at an offset of the area, and returns its length in bytes. */
  #write(text, offset, more = 0) {
    const needed = offset + 3 * (text.length + more);
    if (needed > this.#area.size) this.#grow(offset, needed);
    // The memory moves when it grows.
    if (this.#area.bytes.length === 0) {
      this.#area.bytes =
        new Uint8Array(this.#exports.memory.buffer, this.#area.address, this.#area.size);
    }
    return this.#encoder.encodeInto(text, this.#area.bytes.subarray(offset)).written;
  }

  #grow(kept, needed) {
    const size = 2 * needed + 4096;
    const address = this.#exports.tickbird_allocate(size);
    if (!address) throw new RangeError(`no memory for a text of ${needed} bytes`);
    const bytes = new Uint8Array(this.#exports.memory.buffer, address, size);
    if (kept > 0) {
      bytes.set(new Uint8Array(this.#exports.memory.buffer, this.#area.address, kept));
    }
    if (this.#area.address) this.#exports.tickbird_free(this.#area.address);
    this.#area = { address, size, bytes };
  }

  #resultWords(count) {
    if (count <= 0) return new Uint32Array();
    return new Uint32Array(this.#exports.memory.buffer, this.#exports.tickbird_result(), count);
  }

  #resultText(length) {
    if (length <= 0) return "";
    const address = this.#exports.tickbird_result();
    return this.#decoder.decode(new Uint8Array(this.#exports.memory.buffer, address, length));
  }
}
