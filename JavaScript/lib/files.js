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
const tooLarge = `it is larger than ${most >> 20} MB`;

/** Says why a file cannot be read or written, without the name of the error and of the call. */
function reason({ code, message }) {
  if (code === "ERR_BUFFER_TOO_LARGE") return tooLarge;
  if (code === "EISDIR") return "it is a folder";
  // What zlib says of bytes.
  if (/^Z_/.test(code)) return `it is not a whole gzip file (${message})`;
  const [, words] = /^E[A-Z0-9]+: (.*?), [a-z]+/.exec(message) ?? [];
  return words ?? message;
}

/** The error of a file that was to be read, in the native command's words. */
function unread(path, error) {
  switch (error.code) {
    case "ENOENT": case "ENOTDIR":
      return new InputFault(`there is no file ${path}; check the path, which is relative to the current folder`);
    case "EACCES":
      return new InputFault(`${path} may not be read; change its permissions, or give another file`);
    default: return new InputFault(`${path} cannot be read: ${reason(error)}; give another file`);
  }
}

/** The error of a file that was to be written. */
function unwritten(path, error) {
  const remedy = {
    ENOENT: "create its folder", ENOTDIR: "create its folder", ENOSPC: "make room on the disk",
    EACCES: "give yourself the permission, or use another place",
    EPERM: "give yourself the permission, or use another place",
  };
  return new InputFault(`${path} cannot be written: ${reason(error)}; ${remedy[error.code] ?? "use another place"}`);
}

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
    throw unread(path, error);
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
    if (size > most) throw new Error(tooLarge);
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
    throw unwritten(path, error);
  }
}
