// One instance of the engine: its memory, texts in and out, and what becomes of it when it ends.
//
// An instance ends by a trap when there is no memory. Its data may be in disorder then, so that it is
// never used again: whoever has it makes another.

import { EngineError } from "./errors.js";

/** The statuses of the C interface; see Sources/CTickbird/tickbird.h. */
export const status = Object.freeze({
  ok: 0, refused: 1, damaged: 2, badURL: 4, badWord: 5, missing: 6, tooLong: 7,
});

const encoder = new TextEncoder();
// Bytes that are no UTF-8 are replaced, as everywhere in the engine.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

let module = null;

/** Sets the compiled module, once, before anything else. */
export function useModule(compiled) { module = compiled; }

const page = 1 << 16;
// What the module asks for, and what WebAssembly has.
const fewestPages = 64;
const mostPages = 65_536;
let pages = mostPages;

/** Sets the most memory of engines that are made from now on. */
export function limitMemory(bytes) {
  if (!(bytes >= fewestPages * page)) {
    throw new RangeError(`an engine needs ${(fewestPages * page).toLocaleString("en")} bytes of memory`);
  }
  pages = Math.min(mostPages, Math.floor(bytes / page));
}

/** Returns a text or bytes as bytes; a text is encoded. */
export function bytesOf(input) {
  if (typeof input === "string") return encoder.encode(input);
  if (input instanceof Uint8Array) return input;
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) {
    return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  }
  throw new TypeError("a list is given as a string, a Uint8Array or an ArrayBuffer");
}

export class Engine {
  #exports;
  #memory;
  #bytes = new Uint8Array(0);
  #words = new DataView(new ArrayBuffer(0));

  constructor() {
    try {
      this.#memory = new WebAssembly.Memory({ initial: fewestPages, maximum: pages });
      this.#exports = new WebAssembly.Instance(module, {
        env: { memory: this.#memory },
        tickbird: {
          number: (address, count) => Number(decoder.decode(this.bytes(address, count))),
          random: (address, count) => { crypto.getRandomValues(this.bytes(address, count)); },
        },
      }).exports;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new EngineError("out-of-memory",
        `there is no memory for another engine (${error.message}); free lists that are not needed`);
    }
    /** Whether the engine has ended. */
    this.isOver = false;
  }

  /** The number of bytes that the engine's memory has grown to. */
  get size() { return this.#memory.buffer.byteLength; }

  /** Calls a function of the module; throws an `EngineError` if the engine ends by it. */
  call(name, ...values) {
    try {
      return this.#exports[name](...values);
    } catch (error) {
      this.isOver = true;
      // A stack that is too deep is a RangeError in some browsers, an InternalError in others.
      const isForMemory = error instanceof WebAssembly.RuntimeError
        && this.#exports.tickbird_is_out_of_memory() !== 0;
      throw isForMemory
        ? new EngineError("out-of-memory",
          `more memory is needed than an engine may have, ${this.#most()}; use the command tickbird`)
        : new EngineError("fault", `the engine has stopped (${error.message}); please report it, with `
          + "the list and the load");
    }
  }

  /** Returns a view of the memory, which is good until the next call. */
  bytes(address, count) {
    this.#refresh();
    // Addresses beyond 2 GB come as negative numbers.
    const start = address >>> 0;
    return this.#bytes.subarray(start, start + count);
  }

  /** Returns a 32-bit number of the memory. */
  word(address) {
    this.#refresh();
    return this.#words.getUint32(address >>> 0, true);
  }

  setWord(address, value) {
    this.#refresh();
    this.#words.setUint32(address >>> 0, value, true);
  }

  #refresh() {
    const { buffer } = this.#memory;
    // Growing detaches the old buffer.
    if (this.#bytes.buffer === buffer) return;
    this.#bytes = new Uint8Array(buffer);
    this.#words = new DataView(buffer);
  }

  /** Returns so much memory, to be given back by `free`. */
  allocate(count) {
    const address = this.call("tickbird_allocate", count) >>> 0;
    if (address !== 0) return address;
    throw new EngineError("out-of-memory",
      `there is no memory for ${count.toLocaleString("en")} bytes; an engine may have ${this.#most()}`);
  }

  #most() { return `${(pages * page / 1e6).toLocaleString("en", { maximumFractionDigits: 0 })} MB`; }

  free(address) { if (!this.isOver) this.call("free", address); }

  /** Copies bytes into the memory; `free` gives them back. */
  give(bytes) {
    const address = this.allocate(bytes.length);
    this.bytes(address, bytes.length).set(bytes);
    return address;
  }

  /** Copies a text with a zero at its end, as C has it. */
  giveName(text) {
    return this.give(encoder.encode(`${String(text).replaceAll("\0", "\uFFFD")}\0`));
  }

  /** Calls with the address of a `tickbird_text` that the call fills; returns status and bytes. */
  withText(use) {
    const place = this.allocate(8);
    this.setWord(place, 0);
    this.setWord(place + 4, 0);
    const result = use(place);
    const address = this.word(place);
    const bytes = address === 0 ? new Uint8Array(0) : this.bytes(address, this.word(place + 4)).slice();
    this.free(address);
    this.free(place);
    return { status: result, bytes };
  }

  /** What a status means, in a sentence. */
  words(number) {
    const address = this.call("tickbird_status_text", number) >>> 0;
    return this.string(address);
  }

  /** Returns the text at an address, up to its zero. */
  string(address) {
    let end = address;
    while (this.bytes(end, 1)[0] !== 0) end += 1;
    return decoder.decode(this.bytes(address, end - address));
  }
}

/** Returns bytes of UTF-8 as text. */
export function textOf(bytes) { return decoder.decode(bytes); }

/** A text of one part of a load, kept in the memory from one load to the next. */
export class TextCell {
  #engine;
  #place;
  #address = 0;
  #capacity = 0;
  #text = "";

  /** The cell of the `tickbird_string` at a place, which says that there is none. */
  constructor(engine, place) {
    this.#engine = engine;
    this.#place = place;
  }

  /** Sets the text; cheap for the text that is there already, as pages mostly are. */
  set(text) {
    if (text === this.#text) return;
    const engine = this.#engine;
    // What is there is overwritten from here on, whatever comes of it.
    this.#text = null;
    const most = text.length * 3;
    if (most > this.#capacity) {
      engine.free(this.#address);
      this.#capacity = 0;
      this.#address = engine.allocate(Math.max(most, 256));
      this.#capacity = Math.max(most, 256);
    }
    const { written } = encoder.encodeInto(text, engine.bytes(this.#address, most));
    engine.setWord(this.#place, this.#address);
    engine.setWord(this.#place + 4, written);
    this.#text = text;
  }
}
