// The two parts of a compiled list: what decides, and at its end the text that it was compiled from.

/** Where the section table begins, and how large an entry of it is; every version has it so. */
const headerSize = 32;
const entrySize = 8;

/**
 * Where the text begins and ends, before what fills the file up; both are the whole length where that cannot
 * be told, as in a damaged file.
 *
 * @param {Uint8Array} file
 */
function sourceRange(file) {
  const none = { start: file.length, end: file.length };
  if (file.length < headerSize) return none;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const last = headerSize + entrySize * (view.getUint32(12, true) - 1);
  if (last < headerSize || last + entrySize > file.length) return none;
  const start = view.getUint32(last, true);
  const end = start + view.getUint32(last + 4, true);
  return end <= file.length ? { start, end } : none;
}

/**
 * What the engine needs to decide, without a copy; the engine checks it.
 *
 * @param {Uint8Array} file
 */
export function decidingPart(file) { return file.subarray(0, sourceRange(file).start); }

/**
 * The list's JSON in UTF-8, without a copy.
 *
 * @param {Uint8Array} file
 */
export function sourcePart(file) {
  const { start, end } = sourceRange(file);
  return file.subarray(start, end);
}
