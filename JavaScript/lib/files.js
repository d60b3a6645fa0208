// Files of the command: lists are read plain or gzip, and compiled files are replaced as a whole.

import { randomBytes } from "node:crypto";
import {
  closeSync, fstatSync, fsyncSync, openSync, readFileSync, renameSync, unlinkSync, writeSync,
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
      if (fstatSync(file).size > most) throw new Error(`it is larger than ${most >> 20} MB`);
      bytes = readFileSync(file);
    } finally {
      if (file !== 0) closeSync(file);
    }
    if (bytes[0] === 0x1F && bytes[1] === 0x8B) bytes = gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    throw new InputFault(`${path} cannot be read: ${error.message}`);
  }
  return bytes;
}

/** Whether bytes begin as a compiled list. */
export function isCompiled(bytes) {
  return bytes.subarray(0, magic.length).equals(magic);
}

const magic = Buffer.from("TICKBIRD");

/** Replaces a file as a whole, or leaves it as it is. */
export function writeWhole(path, bytes) {
  const draft = join(dirname(path), `.tickbird-${randomBytes(8).toString("hex")}`);
  try {
    const file = openSync(draft, "wx", 0o666);
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    try { unlinkSync(draft); } catch { /* There is none. */ }
    throw new InputFault(`${path} cannot be written: ${error.message}`);
  }
}
