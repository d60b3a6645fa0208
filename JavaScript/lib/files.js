// Files of the command: lists are read plain or gzip, and compiled files are replaced as a whole.

import { randomBytes } from "node:crypto";
import {
  closeSync, fsyncSync, openSync, readSync, realpathSync, renameSync, statSync, unlinkSync, writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A file that cannot be read or written. */
export class InputFault extends Error {}

// More than the engine takes, and less than fills a machine's memory.
const most = 256 << 20;

/** Returns the bytes of a list; - is standard input. */
export function readInput(path) {
  let bytes;
  try {
    const file = path === "-" ? 0 : openSync(path, "r");
    try {
      bytes = readAll(file);
    } finally {
      if (file !== 0) closeSync(file);
    }
    if (bytes[0] === 0x1F && bytes[1] === 0x8B) bytes = gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    throw new InputFault(`${path} cannot be read: ${error.message}`);
  }
  return bytes;
}

// A pipe has no size, and may have no end.
function readAll(file) {
  const pieces = [];
  let size = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(1 << 20);
    let count;
    try {
      count = readSync(file, piece);
    } catch (error) {
      if (error.code === "EAGAIN") {
        // Nothing is there yet; some terminals and pipes do not wait.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
        continue;
      }
      if (error.code !== "EOF") throw error;
      count = 0;
    }
    if (count === 0) return Buffer.concat(pieces, size);
    size += count;
    if (size > most) throw new Error(`it is larger than ${most >> 20} MB`);
    pieces.push(piece.subarray(0, count));
  }
}

/** Whether bytes begin as a compiled list. */
export function isCompiled(bytes) {
  return bytes.subarray(0, magic.length).equals(magic);
}

const magic = Buffer.from("TICKBIRD");

/** Replaces a file as a whole, or leaves it as it is. */
export function writeWhole(path, bytes) {
  let draft = null;
  try {
    const old = statSync(path, { throwIfNoEntry: false });
    // A device would be replaced by a file, and a link by what it should lead to.
    if (old && !old.isFile()) throw new Error("it is no regular file");
    const place = old ? realpathSync(path) : path;
    draft = join(dirname(place), `.tickbird-${randomBytes(8).toString("hex")}`);
    const file = openSync(draft, "wx", old ? old.mode & 0o777 : 0o666);
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, place);
  } catch (error) {
    try { if (draft !== null) unlinkSync(draft); } catch { /* There is none. */ }
    throw new InputFault(`${path} cannot be written: ${error.message}`);
  }
}
