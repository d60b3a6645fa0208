// Opens the sample list in the module and compares decisions with the native ones.
//
//     node try.mjs matcher.wasm FOLDER
//
// FOLDER holds list.tbc, spoiled.tbc, spoiled-files and answers.json, which the test MatcherSample
// writes.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const [, , modulePath, folder] = process.argv;
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const matcher = instance.exports;
const answers = JSON.parse(readFileSync(join(folder, "answers.json"), "utf8"));

function give(bytes) {
  const address = matcher.tickbird_allocate(bytes.length);
  new Uint8Array(matcher.memory.buffer, address, bytes.length).set(bytes);
  return address;
}

function withText(text, use) {
  const bytes = new TextEncoder().encode(text);
  const address = give(bytes);
  const result = use(address, bytes.length);
  matcher.tickbird_free(address);
  return result;
}

// The verdict and the actions of the only list.
function answer() {
  const words = new Uint32Array(matcher.memory.buffer, matcher.tickbird_result());
  const actions = [];
  let place = 4;
  for (let count = words[3]; count > 0; count--) {
    const rules = words[place + 2];
    // In the order of the names, in which the answers were written.
    actions.push({
      kind: words[place + 1],
      rules: Array.from(words.slice(place + 3, place + 3 + rules)),
      slot: words[place],
    });
    place += 3 + rules;
  }
  return [words[1], actions];
}

// Asks for all actions, those included that hide whatever the load's type.
const allActions = 0x8000_0000;

let failures = 0;
function expectEqual(what, seen, expected) {
  if (JSON.stringify(seen) === JSON.stringify(expected)) return;
  failures += 1;
  if (failures > 10) return;
  console.error(`${what}: ${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`);
}

const file = readFileSync(join(folder, "list.tbc"));
const handle = matcher.tickbird_open(give(file), file.length);
if (handle <= 0) throw new Error(`refused at byte ${matcher.tickbird_fault_offset()}`);

const length = matcher.tickbird_text(handle, -1);
const sheet = new Uint8Array(matcher.memory.buffer, matcher.tickbird_result(), length);
expectEqual("global sheet", new TextDecoder().decode(sheet), answers.globalSheet);

let page = null;
for (const load of answers.loads) {
  const name = `${load.top} ${load.frame}`;
  if (name !== page) {
    page = name;
    withText(load.top, (top, topLength) =>
      withText(load.frame, (frame, frameLength) =>
        matcher.tickbird_turn(top, topLength, frame, frameLength)));
  }
  withText(load.url, (url, urlLength) =>
    matcher.tickbird_decide_load(url, urlLength, (load.properties | allActions) >>> 0));
  expectEqual(`${page} ${load.url}`, answer(), [load.kinds, load.actions]);
}

// A refused file says where and frees its memory, however often.
const spoiled = readFileSync(join(folder, "spoiled.tbc"));
for (let round = 0; round < 100; round++) {
  expectEqual("spoiled", matcher.tickbird_open(give(spoiled), spoiled.length), -1);
}
expectEqual("fault", matcher.tickbird_fault_offset(), answers.faultOffset);
expectEqual("close", matcher.tickbird_close(handle), 0);
expectEqual("closed twice", matcher.tickbird_close(handle), -1);
expectEqual("closed", matcher.tickbird_text(handle, 0), -1);

// Numbers have fewer bits here; the verdicts must be the same, and no call may trap.
const files = readFileSync(join(folder, "spoiled-files"));
let accepted = 0;
for (let place = 0; place < files.length; ) {
  const count = files.readUInt32LE(place);
  const isAccepted = files.readUInt32LE(place + 4) === 1;
  const opened = matcher.tickbird_open(give(files.subarray(place + 8, place + 8 + count)), count);
  expectEqual(`spoiled file at ${place}`, opened > 0, isAccepted);
  if (opened > 0) {
    accepted += 1;
    for (const load of answers.loads.slice(0, 40)) {
      withText(load.url, (url, urlLength) => {
        matcher.tickbird_turn(url, urlLength, url, urlLength);
        return matcher.tickbird_decide_load(url, urlLength, load.properties);
      });
    }
    matcher.tickbird_close(opened);
  }
  place += 8 + count;
}

// Memory that was given back is used again.
const large = new Uint8Array(8 << 20);
matcher.tickbird_open(give(large), large.length);
const grown = matcher.memory.buffer.byteLength;
for (let round = 0; round < 10; round++) matcher.tickbird_open(give(large), large.length);
expectEqual("memory", matcher.memory.buffer.byteLength, grown);

const size = matcher.memory.buffer.byteLength;
if (failures) {
  console.error(`${failures} differences`);
  process.exit(1);
}
console.log(
  `${answers.loads.length} loads decided as by the native matcher, `
  + `${accepted} spoiled files accepted as there, ${size} bytes of memory`,
);
