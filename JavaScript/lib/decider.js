// Deciding and explaining loads in one engine, as lib/lists.js has it for each list.

import { status, TextCell, textOf } from "./engine.js";
import { CompiledListError, LoadError } from "./errors.js";

// The structures of Sources/CTickbird/tickbird.h, where pointers and sizes have four bytes.
const parts = ["url", "page", "frame", "type", "context", "method", "party"];
const loadSize = 4 + 8 * parts.length;
const decisionSize = 28;
const ruleSize = 12;
const flags = { blocked: 1, blocksCookies: 2, makesHTTPS: 4 };
const ignoreActions = [4, 5];

const codes = {
  [status.badURL]: "bad-url", [status.badWord]: "bad-word", [status.missing]: "missing",
  [status.tooLong]: "too-long",
};

export class Decider {
  #engine;
  #handles;
  #names;
  #decider;
  #load;
  #cells;
  #decision;
  #rules = 0;
  #capacity = 0;

  /** Creates a decider of lists that are open in the engine. */
  constructor(engine, handles, names) {
    this.#engine = engine;
    this.#handles = handles;
    this.#names = names;
    const array = engine.allocate(4 * handles.length + 4);
    handles.forEach((handle, number) => engine.setWord(array + 4 * number, handle));
    engine.call("tickbird_decider_create", array, handles.length, array + 4 * handles.length);
    this.#decider = engine.word(array + 4 * handles.length);
    engine.free(array);

    this.#load = engine.allocate(loadSize);
    engine.bytes(this.#load, loadSize).fill(0);
    engine.setWord(this.#load, loadSize);
    this.#cells = parts.map((_, number) => new TextCell(engine, this.#load + 4 + 8 * number));
    this.#decision = engine.allocate(decisionSize);
    this.#makeRoom(64);
  }

  get isOver() { return this.#engine.isOver; }

  #makeRoom(count) {
    this.#engine.free(this.#rules);
    this.#rules = this.#engine.allocate(ruleSize * count);
    this.#capacity = count;
    this.#engine.setWord(this.#decision, decisionSize);
    this.#engine.setWord(this.#decision + 4, this.#rules);
    this.#engine.setWord(this.#decision + 8, count);
  }

  #describe(load) {
    if (load === null || typeof load !== "object") {
      throw new TypeError("a load is an object such as { url, page, type }");
    }
    for (let number = 0; number < parts.length; number += 1) {
      const text = load[parts[number]] ?? "";
      if (typeof text !== "string") {
        throw new TypeError(`the ${parts[number]} of a load is a string`);
      }
      this.#cells[number].set(text);
    }
  }

  decide(load) {
    const engine = this.#engine;
    this.#describe(load);
    const result = engine.call("tickbird_decide", this.#decider, this.#load, this.#decision);
    if (result !== status.ok) throw this.#fault(result);
    const count = engine.word(this.#decision + 12);
    if (count > this.#capacity) {
      this.#makeRoom(2 * count);
      return this.decide(load);
    }
    const bits = engine.word(this.#decision + 16);
    const decision = {
      blocked: (bits & flags.blocked) !== 0,
      cookiesBlocked: (bits & flags.blocksCookies) !== 0,
      makesHTTPS: (bits & flags.makesHTTPS) !== 0,
      rules: [],
      exceptions: [],
      lists: [],
      exceptionLists: [],
      hidingRules: engine.word(this.#decision + 20),
      attachedSheets: engine.word(this.#decision + 24),
    };
    for (let place = this.#rules, end = place + ruleSize * count; place < end; place += ruleSize) {
      const isException = ignoreActions.includes(engine.word(place + 8));
      (isException ? decision.exceptionLists : decision.lists).push(engine.word(place));
      (isException ? decision.exceptions : decision.rules).push(engine.word(place + 4));
    }
    return decision;
  }

  explain(load, { hiding = false } = {}) {
    const engine = this.#engine;
    this.#describe(load);
    const names = engine.allocate(4 * this.#names.length + 4);
    const texts = this.#names.map((name) => engine.giveName(name));
    texts.forEach((text, number) => engine.setWord(names + 4 * number, text));
    const found = engine.withText((place) => engine.call(
      hiding ? "tickbird_explain_hiding" : "tickbird_explain", this.#decider, this.#load, names, place));
    for (const text of texts) engine.free(text);
    engine.free(names);
    if (found.status === status.ok) return textOf(found.bytes);
    throw this.#fault(found.status, textOf(found.bytes));
  }

  // What `decide` is asked about is in the load still; explaining says more about a fault.
  #fault(result, message) {
    let words = message;
    if (words === undefined) {
      const engine = this.#engine;
      words = textOf(engine.withText(
        (place) => engine.call("tickbird_explain", this.#decider, this.#load, 0, place)).bytes);
    }
    return new LoadError(codes[result] ?? "bad-load", words || this.#engine.words(result));
  }

  source() {
    const engine = this.#engine;
    const found = engine.withText(
      (place) => engine.call("tickbird_list_source", this.#handles[0], place));
    if (found.status === status.ok) return found.bytes;
    throw new CompiledListError("the list's text is damaged; its rules still act");
  }

  globalSelectors() {
    const engine = this.#engine;
    const found = engine.withText(
      (place) => engine.call("tickbird_list_global_selectors", this.#handles[0], place));
    return found.status === status.ok ? textOf(found.bytes) : null;
  }

  decideAsGiven(load, properties) {
    const engine = this.#engine;
    this.#describe(load);
    const found = engine.withText((place) => engine.call(
      "tickbird_decide_as_given", this.#handles[0], this.#load, properties, place));
    return JSON.parse(textOf(found.bytes));
  }
}
