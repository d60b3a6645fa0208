// The memory of the matcher's WebAssembly module, and calls that read from it or write to it.
//
// Any call may grow the memory, and move what is in it. So addresses and views are used in this file
// alone, and each is taken after the last call that could have made it wrong. What comes in are texts, numbers
// and bytes; what goes out are texts, numbers, and words that are read before the next call.

/** Calls the module's functions, and carries texts and bytes into its memory and out of it. */
export class ModuleMemory {
  /** @type {MatcherExports} */
  #exports;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();
  /** The place of the texts that a call is about, and its size in bytes. */
  #area = { address: 0, size: 0 };
  /** A view of that place; of no use when the memory has grown since, which gives it another buffer. */
  #areaBytes = new Uint8Array();

  /** @param {WebAssembly.Exports} exports those of the module */
  constructor(exports) { this.#exports = /** @type {MatcherExports} */ (exports); }

  /** The size of the memory in bytes. */
  get size() { return this.#exports.memory.buffer.byteLength; }

  /**
   * Calls a function that takes numbers.
   *
   * @param {"tickbird_format_version" | "tickbird_fault_offset" | "tickbird_close" | "tickbird_set_on"
   *   | "tickbird_text" | "tickbird_kinds" | "tickbird_hiding_hosts"} name
   * @param {number[]} numbers
   * @returns {number}
   */
  call(name, ...numbers) { return this.#function(name)(...numbers); }

  /**
   * Calls a function that takes a text, as its address and length, and perhaps a number behind it.
   *
   * Every request comes through here, so that it makes no arrays and closures.
   *
   * @param {"tickbird_serialized" | "tickbird_upgraded" | "tickbird_site" | "tickbird_is_suffix"
   *   | "tickbird_decide_load"} name
   * @param {string} text
   * @param {number} number
   * @returns {number}
   * @throws {RangeError} if there is no memory for the text
   */
  callWithText(name, text, number = 0) {
    // A character takes three bytes at most.
    const bytes = this.#reserve(3 * text.length);
    const { written = 0 } = this.#encoder.encodeInto(text, bytes);
    return this.#function(name)(this.#area.address, written, number);
  }

  /**
   * Calls a function that takes two texts, each as its address and length.
   *
   * @param {"tickbird_turn"} name
   * @param {string} first
   * @param {string} second
   * @returns {number}
   * @throws {RangeError} if there is no memory for the texts
   */
  callWithTexts(name, first, second) {
    const bytes = this.#reserve(3 * (first.length + second.length));
    const { address } = this.#area;
    const { written: middle = 0 } = this.#encoder.encodeInto(first, bytes);
    const { written = 0 } = this.#encoder.encodeInto(second, bytes.subarray(middle));
    return this.#function(name)(address, middle, address + middle, written);
  }

  /**
   * Calls a function that takes bytes over; zero if there is no memory for them.
   *
   * @param {"tickbird_open"} name
   * @param {Uint8Array} bytes
   * @returns {number}
   */
  give(name, bytes) {
    const address = this.#allocate(bytes.length);
    if (!address) return 0;
    this.#view(address, bytes.length).set(bytes);
    return this.#function(name)(address, bytes.length);
  }

  /** The 32-bit numbers that the last call left, to be read before the next call. */
  resultWords() {
    const count = Math.max(0, this.#exports.tickbird_result_count());
    const address = this.#exports.tickbird_result() >>> 0;
    return new Uint32Array(this.#exports.memory.buffer, address, count);
  }

  /**
   * The text that the last call left.
   *
   * @param {number} length what the call returned; below zero if there is none
   */
  resultText(length) {
    if (length <= 0) return "";
    const address = this.#exports.tickbird_result() >>> 0;
    return this.#decoder.decode(this.#view(address, length));
  }

  /**
   * The area for texts, large enough; what was in it is lost.
   *
   * @param {number} needed in bytes
   */
  #reserve(needed) {
    if (needed > this.#area.size) {
      const size = 2 * needed + 4096;
      const address = this.#allocate(size);
      if (!address) throw new RangeError(`no memory for a text of ${needed} bytes`);
      if (this.#area.address) this.#exports.tickbird_free(this.#area.address);
      this.#area = { address, size };
      this.#areaBytes = this.#view(address, size);
    } else if (this.#areaBytes.buffer !== this.#exports.memory.buffer) {
      this.#areaBytes = this.#view(this.#area.address, this.#area.size);
    }
    return this.#areaBytes;
  }

  /**
   * The address of so many bytes of the module's memory, which may grow by it; zero if there are none.
   *
   * @param {number} size
   */
  #allocate(size) { return this.#exports.tickbird_allocate(size) >>> 0; }

  /**
   * A view of the memory as it is now: it is used up before the next call.
   *
   * @param {number} address
   * @param {number} length
   */
  #view(address, length) { return new Uint8Array(this.#exports.memory.buffer, address, length); }

  /**
   * @param {keyof MatcherExports} name
   * @returns {(...numbers: number[]) => number}
   */
  #function(name) { return /** @type {any} */ (this.#exports[name]); }
}
