// Tables of names of classes and ids, in which scripts in documents look up what they meet.
//
// A table is a text of one entry of seven characters for each name: 42 bits of its hash, sorted. So it goes
// through a message, and into a script's source, as it is, and a script that runs in each document need not
// build anything of thousands of names. Of ten thousand names and a thousand classes in a document, a class is
// met by chance in one of four hundred thousand documents; the background knows the names themselves.

if (!globalThis.tickbirdNameTable) {
  const entryLength = 7;

  /**
   * The hash of a name, below 2^42.
   *
   * @param {string} name a selector: a point or a number sign, and the name
   */
  const hash = (name) => {
    let first = 0x811C9DC5;
    let second = 0x9E3779B9;
    for (let place = 0; place < name.length; place++) {
      const code = name.charCodeAt(place);
      first = Math.imul(first ^ code, 0x01000193);
      second = Math.imul(second ^ code, 0x85EBCA6B) ^ second >>> 13;
    }
    first = Math.imul(first ^ first >>> 16, 0x7FEB352D);
    second = Math.imul(second ^ second >>> 15, 0x846CA68B);
    return ((first ^ first >>> 15) >>> 10) * 2 ** 20 + ((second ^ second >>> 16) >>> 12);
  };

  /** Six bits as a character of a text that JSON leaves as it is: "#" to "d" without the backslash. */
  const character = (/** @type {number} */ bits) => String.fromCharCode(bits + (bits < 57 ? 35 : 36));

  /**
   * The hash at a place.
   *
   * @param {string} table
   * @param {number} number
   */
  const entry = (table, number) => {
    let value = 0;
    for (let place = number * entryLength; place < (number + 1) * entryLength; place++) {
      const code = table.charCodeAt(place);
      value = value * 64 + code - (code < 92 ? 35 : 36);
    }
    return value;
  };

  globalThis.tickbirdNameTable = {
    make(names) {
      const hashes = new Set();
      for (const name of names) hashes.add(hash(name));
      return [...hashes].sort((one, other) => one - other).map((value) => {
        let text = "";
        for (let divisor = 64 ** (entryLength - 1); divisor >= 1; divisor /= 64) {
          text += character(Math.floor(value / divisor) % 64);
        }
        return text;
      }).join("");
    },

    has(table, name) {
      const wanted = hash(name);
      let low = 0;
      let high = table.length / entryLength;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const value = entry(table, middle);
        if (value === wanted) return true;
        if (value < wanted) low = middle + 1;
        else high = middle;
      }
      return false;
    },
  };
}
