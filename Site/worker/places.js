// Places in a list's text: the engine counts bytes of UTF-8, a field's selection the units of JavaScript's texts.

/** The indices in a text of some offsets in bytes, by these. */
export function indicesOf(text, offsets) {
  const found = new Map();
  let byte = 0;
  let index = 0;
  for (const offset of [...new Set(offsets)].sort((one, other) => one - other)) {
    while (byte < offset && index < text.length) {
      const point = text.codePointAt(index);
      // Half of a pair is encoded as what stands for it, in three bytes.
      byte += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      index += point < 0x10000 ? 1 : 2;
    }
    found.set(offset, index);
  }
  return found;
}

/** The offsets in bytes at which lines begin; LF, CR LF and CR end a line. */
export function lineStarts(bytes) {
  const starts = [0];
  for (let place = 0; place < bytes.length; place += 1) {
    if (bytes[place] === 10 || bytes[place] === 13 && bytes[place + 1] !== 10) starts.push(place + 1);
  }
  return starts;
}
