// Where the rules of a list are in its text, so that a person finds them there.

const quotationMark = 0x22, backslash = 0x5c, lineFeed = 0x0a, carriageReturn = 0x0d;

/** What a byte means outside of strings; all others are parts of numbers and words. */
const space = 1, lineEnd = 2, quote = 3, opening = 4, closing = 5, comma = 6;
const meanings = new Uint8Array(256);
/** @type {Array<[meaning: number, characters: string]>} */
const meant = [
  [space, " \t"], [lineEnd, "\n\r"], [quote, '"'], [opening, "[{"], [closing, "]}"], [comma, ","],
];
for (const [meaning, text] of meant) {
  for (const character of text) meanings[character.charCodeAt(0)] = meaning;
}

/**
 * The offsets and lines of the elements of a JSON array, by their numbers from 0.
 *
 * Looks at brackets, quotation marks and commas alone, so it reads whatever the engine reads: line
 * breaks in strings, numbers of any size. Reads the text once; keeps twelve bytes for each rule.
 */
export class RulePlaces {
  /** How many rules there are. */
  count = 0;
  #starts = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  #lines = new Uint32Array(1024);

  /**
   * Reads a list's text.
   *
   * @param {Uint8Array} bytes in UTF-8
   */
  constructor(bytes) {
    const { length } = bytes;
    let place = Math.max(0, bytes.indexOf(0x5b));
    let line = 1;
    /** Where the next line begins; lines are counted up to a rule when it begins. */
    const lineAfter = lineFinder(bytes);
    let nextLine = lineAfter(0);
    let depth = 0;
    let isInside = false;
    let end = 0;
    for (; place < length; place++) {
      const meaning = meanings[bytes[place]];
      if (meaning === space || meaning === lineEnd) continue;
      if (depth === 1) {
        if (meaning === comma || meaning === closing) {
          if (isInside) this.#ends[this.count - 1] = end;
          isInside = false;
          if (meaning === comma) continue;
          break;
        }
        if (!isInside) {
          while (nextLine <= place) {
            line++;
            nextLine = lineAfter(nextLine);
          }
          this.#add(place, line);
          isInside = true;
        }
      }
      if (meaning === quote) {
        for (place++; place < length; place++) {
          const byte = bytes[place];
          if (byte === quotationMark) break;
          if (byte === backslash) place++;
        }
      } else if (meaning === opening) {
        depth++;
      } else if (meaning === closing) {
        depth--;
      }
      end = place + 1;
    }
  }

  /**
   * The line that a rule begins on, from 1; null if there is no such rule, or all are on one line.
   *
   * @param {number} number
   */
  line(number) {
    if (!(number in this.#lines) || number >= this.count) return null;
    const isOneLine = this.count > 1 && this.#lines[this.count - 1] === this.#lines[0];
    return isOneLine ? null : this.#lines[number];
  }

  /**
   * The bytes of a rule; null if there is no such rule.
   *
   * @param {number} number
   * @param {Uint8Array} all the bytes that were read
   */
  bytes(number, all) {
    if (!(number in this.#starts) || number >= this.count) return null;
    return all.subarray(this.#starts[number], this.#ends[number]);
  }

  /**
   * @param {number} start
   * @param {number} line
   */
  #add(start, line) {
    if (this.count === this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#ends = doubled(this.#ends);
      this.#lines = doubled(this.#lines);
    }
    this.#starts[this.count] = start;
    this.#lines[this.count] = line;
    this.count += 1;
  }
}

/**
 * The same numbers with room for as many again.
 *
 * @param {Uint32Array} numbers
 */
function doubled(numbers) {
  const more = new Uint32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}

/**
 * A function that finds the beginning of the line after an offset; infinity where there is none.
 *
 * @param {Uint8Array} bytes
 * @returns {(start: number) => number}
 */
function lineFinder(bytes) {
  if (!bytes.includes(carriageReturn)) {
    return (start) => {
      const end = bytes.indexOf(lineFeed, start);
      return end < 0 ? Infinity : end + 1;
    };
  }
  return (start) => {
    for (let place = start; place < bytes.length; place++) {
      if (bytes[place] === lineFeed) return place + 1;
      // CR LF is one end, CR alone is one too.
      if (bytes[place] === carriageReturn && bytes[place + 1] !== lineFeed) return place + 1;
    }
    return Infinity;
  };
}
