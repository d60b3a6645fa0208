// What the tests share: the built package, the vectors, and the real lists where there are any.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The folder of the package, as `Scripts/build-npm --folder` leaves it. */
export const packageFolder = process.env.TICKBIRD_NPM ?? join(root, ".build/npm/package");

export const tickbird = await import(join(packageFolder, "node.js"));

/** The native command, with which results are compared; `null` if it is not built. */
export const native = [process.env.TICKBIRD_COMMAND, join(root, ".build/release/tickbird")]
  .find((path) => path !== undefined && existsSync(path)) ?? null;

/** Runs the native command; returns its output, and its status. */
export function runNative(...args) {
  const done = spawnSync(native, args, { maxBuffer: 1 << 30 });
  if (done.error) throw done.error;
  return done;
}

export function json(path) { return JSON.parse(readFileSync(join(root, path), "utf8")); }

/** The recorded vectors: the shared ones, if they are there, else the repository's copies. */
export const vectorFolders = ["../shared/spec/vectors", "Tests/Fixtures/Vectors"]
  .map((path) => join(root, path)).concat(process.env.TICKBIRD_SHARED
    ? [join(process.env.TICKBIRD_SHARED, "spec/vectors")] : [])
  .filter(existsSync);

export function vectors(folder, name) {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
}

/** The folder of real lists; `null` where there is none. */
export const dataFolder = [process.env.TICKBIRD_SHARED, join(root, "../shared")]
  .filter((path) => path !== undefined).map((path) => join(path, "data")).find(existsSync) ?? null;

export const absent = "the folder of real lists is not beside the repository";

/** The text of a file of the folder of real lists, which may be gzip. */
export function dataBytes(path) {
  const plain = join(dataFolder, path);
  return existsSync(plain) ? readFileSync(plain) : gunzipSync(readFileSync(`${plain}.gz`));
}

/** The same as text; bytes that are no UTF-8 are in none of them. */
export function dataText(path) { return dataBytes(path).toString("utf8"); }

export const listNames = dataFolder === null ? []
  : readdirSync(join(dataFolder, "lists")).map((name) => name.replace(/\.json(\.gz)?$/, "")).sort();

/** A source of numbers that are the same in each run. */
export function randomSource(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6D2B79F5) >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) % limit;
  };
}
