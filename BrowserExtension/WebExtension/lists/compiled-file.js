// The two parts of a compiled list: what decides, and at its end the text that it was compiled from.

/** Where the section table begins, and how large an entry of it is; every version has it so. */
const headerSize = 32;
const entrySize = 8;

/**
 * Where the text begins; the whole length where that cannot be told, as in a damaged file.
 *
 * @param {Uint8Array} file
 */
function sourceStart(file) {
  if (file.length < headerSize) return file.length;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const last = headerSize + entrySize * (view.getUint32(12, true) - 1);
  if (last < headerSize || last + entrySize > file.length) return file.length;
  return Math.min(view.getUint32(last, true), file.length);
}

/**
 * What the engine needs to decide, without a copy; the engine checks it.
 *
 * @param {Uint8Array} file
 */
export function decidingPart(file) { return file.subarray(0, sourceStart(file)); }

/**
 * The list's JSON in UTF-8, without a copy.
 *
 * @param {Uint8Array} file
 */
export function sourcePart(file) { return file.subarray(sourceStart(file)); }
