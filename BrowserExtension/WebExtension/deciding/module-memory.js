// The memory of the matcher's WebAssembly module, and calls that read from it or write to it.
//
// Any call may grow the memory, and move what is in it. So addresses and views are used in this file
// alone, and each is taken after the last call that could have made it wrong: what comes in and goes out
// are texts, numbers and copies of bytes.

/** Calls the module's functions, and carries texts and bytes into its memory and out of it. */
export class ModuleMemory {
  /** @type {MatcherExports} */
  #exports;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();
  /** The place of the texts that a call is about, and its size in bytes. */
  #area = { address: 0, size: 0 };

  /** @param {WebAssembly.Exports} exports those of the module */
  constructor(exports) { this.#exports = /** @type {MatcherExports} */ (exports); }

  /** The size of the memory in bytes. */
  get size() { return this.#exports.memory.buffer.byteLength; }

  /**
   * Calls a function that takes numbers.
   *
   * @param {"tickbird_format_version" | "tickbird_fault_offset" | "tickbird_close" | "tickbird_set_on"
   *   | "tickbird_text" | "tickbird_kinds"} name
   * @param {number[]} numbers
   * @returns {number}
   */
  call(name, ...numbers) { return this.#function(name)(...numbers); }

  /**
   * Calls a function that takes texts, each as its address and length, and numbers behind them.
   *
   * @param {"tickbird_serialized" | "tickbird_upgraded" | "tickbird_site" | "tickbird_is_suffix" | "tickbird_turn"
   *   | "tickbird_decide_load"} name
   * @param {string[]} texts
   * @param {number[]} numbers
   * @returns {number}
   * @throws {RangeError} if there is no memory for the texts
   */
  callWithTexts(name, texts, ...numbers) {
    // A character takes three bytes at most.
    this.#reserve(texts.reduce((sum, text) => sum + 3 * text.length, 0));
    const { address, size } = this.#area;
    const bytes = this.#view(address, size);
    let end = 0;
    const parameters = texts.flatMap((text) => {
      const start = end;
      end += this.#encoder.encodeInto(text, bytes.subarray(start)).written ?? 0;
      return [address + start, end - start];
    });
    return this.#function(name)(...parameters, ...numbers);
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

  /** A copy of the 32-bit numbers that the last call left. */
  resultWords() {
    const count = Math.max(0, this.#exports.tickbird_result_count());
    if (count === 0) return new Uint32Array();
    const address = this.#exports.tickbird_result() >>> 0;
    return new Uint32Array(this.#view(address, 4 * count).slice().buffer);
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
   * Makes the area for texts large enough; what was in it is lost.
   *
   * @param {number} needed in bytes
   */
  #reserve(needed) {
    if (needed <= this.#area.size) return;
    const size = 2 * needed + 4096;
    const address = this.#allocate(size);
    if (!address) throw new RangeError(`no memory for a text of ${needed} bytes`);
    if (this.#area.address) this.#exports.tickbird_free(this.#area.address);
    this.#area = { address, size };
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
