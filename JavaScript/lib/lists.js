// What the package exports: checking and compiling lists, and lists that decide.

import { Decider } from "./decider.js";
import { bytesOf, Engine, limitMemory, status, textOf } from "./engine.js";
import { CompiledListError, EngineError, RefusedError, TickbirdError } from "./errors.js";

export { CompiledListError, EngineError, LoadError, RefusedError, TickbirdError } from "./errors.js";

// What reads and compiles, one list after the other. An instance never gives memory back, so that one that
// had a large list is let go.
const keptSize = 64 << 20;
let bench = null;

/** Calls with an engine for one piece of work. */
function working(use) {
  if (bench === null || bench.isOver || bench.size > keptSize) bench = new Engine();
  const engine = bench;
  try {
    return use(engine);
  } catch (error) {
    // What the call had in memory stays there.
    if (bench === engine) bench = null;
    throw error;
  }
}

// Beyond it, what a list's patterns cost does not fit into 32 bits.
const longest = 128 << 20;

function listBytes(input) {
  const bytes = bytesOf(input);
  if (bytes.length <= longest) return bytes;
  throw new TickbirdError("too-long",
    `the list is longer than ${longest >> 20} MB; use the command tickbird for it`);
}

export function setMemoryLimit(bytes) {
  limitMemory(bytes);
  bench = null;
}

/** Returns the report of a list's text, as bytes of JSON. */
function reportOf(engine, address, count, name) {
  const label = engine.giveName(name);
  const found = engine.withText((place) => engine.call("tickbird_check", address, count, label, place));
  engine.free(label);
  return found.bytes;
}

/** The report that `tickbird check --format json` prints, as text. */
export function reportText(input, name = "") {
  const bytes = listBytes(input);
  return working((engine) => {
    const address = engine.give(bytes);
    const found = reportOf(engine, address, bytes.length, name);
    engine.free(address);
    return textOf(found);
  });
}

export function report(input, name = "") { return JSON.parse(reportText(input, name)); }

export function check(input, name = "") { return report(input, name).diagnostics; }

export function compile(input, name = "") {
  const text = listBytes(input);
  return working((engine) => {
    const address = engine.give(text);
    const place = engine.allocate(4);
    const label = engine.giveName(name);
    const result = engine.call("tickbird_compile", address, text.length, label, place, 0);
    if (result !== status.ok) {
      const found = reportOf(engine, address, text.length, name);
      for (const memory of [address, place, label]) engine.free(memory);
      throw new RefusedError(JSON.parse(textOf(found)), name);
    }
    const list = takeList(engine, engine.word(place), name);
    for (const memory of [address, place, label]) engine.free(memory);
    return list;
  });
}

export function open(input, name = "") {
  const compiled = bytesOf(input);
  return working((engine) => {
    const handle = openIn(engine, compiled);
    return takeList(engine, handle, name);
  });
}

/** Opens a compiled list in an engine. */
function openIn(engine, compiled) {
  const address = engine.give(compiled);
  const place = engine.allocate(4);
  const found = engine.withText(
    (message) => engine.call("tickbird_list_open", address, compiled.length, place, message));
  const handle = engine.word(place);
  engine.free(address);
  engine.free(place);
  if (found.status === status.ok) return handle;
  throw new CompiledListError(textOf(found.bytes) || engine.words(found.status));
}

/** Takes a list out of the engine that has opened it. */
function takeList(engine, handle, name) {
  const place = engine.allocate(8);
  engine.call("tickbird_list_compiled", handle, place, place + 4);
  const bytes = engine.bytes(engine.word(place), engine.word(place + 4)).slice();
  engine.free(place);
  const ruleCount = engine.call("tickbird_list_rule_count", handle) >>> 0;
  engine.call("tickbird_list_free", handle);
  return new RuleList(bytes, ruleCount, name, token);
}

// Lists are made by `compile` and `open` alone, which know that their bytes are good.
const token = Symbol("made here");

/** What one list and several have in common. */
class Deciding {
  #lists;
  #decider = null;
  #isFree = false;

  constructor(lists) { this.#lists = lists; }

  /** The decider, in an engine that has nothing else in it; another one if that has ended. */
  get #working() {
    if (this.#isFree) throw new TickbirdError("freed", "the list was freed; compile or open it again");
    if (this.#decider === null || this.#decider.isOver) {
      const engine = new Engine();
      this.#decider = new Decider(
        engine,
        this.#lists.map((list) => openIn(engine, list.bytes)),
        this.#lists.map((list) => list.name),
      );
    }
    return this.#decider;
  }

  decide(load) { return this.ask((decider) => decider.decide(load)); }

  explain(load, options = {}) { return JSON.parse(this.explanationText(load, options)); }

  /** The line that `tickbird explain --format json` prints for a load. */
  explanationText(load, options = {}) {
    return this.ask((decider) => decider.explain(load, options));
  }

  /** Calls with the decider, which is let go of if its engine has no memory. */
  ask(use) {
    try {
      return use(this.#working);
    } catch (error) {
      if (error instanceof EngineError) this.#decider = null;
      throw error;
    }
  }

  free() {
    this.#isFree = true;
    this.#decider = null;
  }
}

if (Symbol.dispose) {
  Deciding.prototype[Symbol.dispose] = function dispose() { this.free(); };
}

export class RuleList extends Deciding {
  #bytes;

  constructor(bytes, ruleCount, name, made) {
    if (made !== token) throw new TypeError("lists are made by compile and open");
    const lists = [];
    super(lists);
    lists.push(this);
    this.#bytes = bytes;
    this.name = String(name);
    this.ruleCount = ruleCount;
  }

  get bytes() {
    if (this.#bytes === null) throw new TickbirdError("freed", "the list was freed");
    return this.#bytes;
  }

  get source() { return textOf(this.ask((decider) => decider.source())); }

  get globalSelectors() { return this.ask((decider) => decider.globalSelectors()); }

  /** Decides a load of which every part is given; see Module/JavaScriptInterface.swift. */
  decideAsGiven(load, properties) {
    return this.ask((decider) => decider.decideAsGiven(load, properties));
  }

  free() {
    super.free();
    this.#bytes = null;
  }
}

export class RuleLists extends Deciding {
  constructor(lists) {
    const all = Array.from(lists);
    for (const list of all) {
      if (!(list instanceof RuleList)) throw new TypeError("RuleLists are made of lists of RuleList");
    }
    super(all);
    this.lists = Object.freeze(all);
  }
}

let versions = null;

function versionsOf(engine) {
  return {
    version: engine.string(engine.call("tickbird_version") >>> 0),
    format: engine.call("tickbird_list_format") >>> 0,
  };
}

/** The version of the engine. */
export function version() {
  versions ??= working(versionsOf);
  return versions.version;
}

/** The version of compiled lists. */
export function formatVersion() {
  versions ??= working(versionsOf);
  return versions.format;
}
