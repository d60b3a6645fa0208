// Strangers' bytes: whatever comes, an error or a value, and an engine that goes on.

import assert from "node:assert/strict";
import test from "node:test";
import { packed } from "./loads.js";
import { randomSource, tickbird } from "./support.js";

const { check, compile, open, report } = tickbird;

const rule = (pattern, action = { type: "block" }, trigger = {}) => (
  { trigger: { "url-filter": pattern, ...trigger }, action });
const sample = JSON.stringify([
  rule("/ads/"), rule("^https?://([^/]+\\.)?tracker\\.test[/:]", { type: "block-cookies" }),
  rule("a?b?c?d+", { type: "block" }, { "if-domain": ["*news.test"] }),
  rule(".*", { type: "css-display-none", selector: ".ad, #banner" }),
  rule("x", { type: "css-display-none", selector: "b" }), rule("^http:", { type: "make-https" }),
  rule("/yy/", { type: "modify-headers", priority: 3,
    "request-headers": [{ operation: "set", header: "a", value: "b" }] }),
  rule("/zz/", { type: "redirect", redirect: { transform: { host: "x.test" } } }),
  rule("/ads/ours/", { type: "ignore-previous-rules" }),
]);
const load = { url: "https://cdn.test/ads/abcdd.js?xyz", page: "https://www.news.test/", type: "script" };

/** What is seen of an engine that works. */
function expectWorking() {
  const list = compile(sample);
  assert.deepEqual(list.decide(load).rules, [0, 2]);
  list.free();
}

function isError(error) { return error instanceof tickbird.TickbirdError && error.code !== "fault"; }

test("a compiled list that is cut off anywhere is refused", () => {
  const { bytes } = compile(sample);
  for (let count = 0; count < bytes.length; count += count < 512 ? 1 : 7) {
    assert.throws(() => open(bytes.subarray(0, count)), tickbird.CompiledListError, `${count} bytes`);
  }
  expectWorking();
});

test("a compiled list with changed bytes is refused, or decides and is explained", (context) => {
  const { bytes } = compile(sample);
  const random = randomSource(11);
  let opened = 0;
  for (let round = 0; round < 3000; round += 1) {
    const damaged = bytes.slice();
    for (let change = random(3); change >= 0; change -= 1) {
      damaged[random(damaged.length)] ^= 1 << random(8);
    }
    // With the right checksum, or none of the others would be looked at.
    setChecksum(damaged);
    let list;
    try {
      list = open(damaged);
    } catch (error) {
      assert.ok(error instanceof tickbird.CompiledListError, error);
      continue;
    }
    opened += 1;
    list.decide(load);
    list.explain(load, { hiding: true });
    list.decideAsGiven({ url: "x", page: "y", frame: "z" },
      packed("image", "first-party", "top-frame", "get"));
    list.free();
  }
  assert.ok(opened > 100, `${opened} were opened`);
  context.diagnostic(`3000 files, ${opened} of them opened`);
});

/** Writes the checksum of a compiled file; see Sources/RuleMatching/Format/Checksum.swift. */
function setChecksum(file) {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const fold = (sum, word) => {
    const product = BigInt.asUintN(64, (sum ^ word) * 0x9E3779B97F4A7C15n);
    return product ^ product >> 29n;
  };
  const lastSection = 32 + 8 * (view.getUint32(12, true) - 1);
  if (lastSection + 8 > file.length || lastSection < 32) return;
  const end = Math.min(view.getUint32(lastSection, true), file.length);
  let place = 32;
  const lanes = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n];
  for (; place <= end - 64; place += 64) {
    for (let lane = 0; lane < 8; lane += 1) {
      lanes[lane] = fold(lanes[lane], view.getBigUint64(place + 8 * lane, true));
    }
  }
  let sum = lanes.reduce(fold, BigInt(Math.max(0, end - 32)));
  for (; place < end; place += 1) sum = fold(sum, BigInt(file[place]));
  view.setBigUint64(24, sum, true);
}

test("the checksum is the engine's", () => {
  const { bytes } = compile(sample);
  const again = bytes.slice();
  setChecksum(again);
  assert.deepEqual(again, bytes);
});

test("text that is no UTF-8, and no JSON", () => {
  const random = randomSource(5);
  for (let round = 0; round < 500; round += 1) {
    const bytes = Uint8Array.from({ length: random(300) }, () => random(256));
    assert.equal(report(bytes).accepted, false);
    assert.throws(() => compile(bytes), tickbird.RefusedError);
    assert.throws(() => open(bytes), tickbird.CompiledListError);
  }
  assert.equal(report("[{\"trigger\":{\"url-filter\":\"\uD800\"},\"action\":{\"type\":\"block\"}}]").accepted, false);
  assert.equal(report("").accepted, false);
  expectWorking();
});

test("JSON as deep as it is long", () => {
  for (const text of ["[", "[{\"trigger\":", "{\"a\":[", "(".repeat(1)].map((open) => open.repeat(300_000))) {
    assert.equal(report(text).accepted, false);
    assert.throws(() => compile(text), tickbird.RefusedError);
  }
  const pattern = `${"(".repeat(60_000)}a${")".repeat(60_000)}`;
  report(JSON.stringify([rule(pattern)]));
  const selector = `${":is(".repeat(60_000)}a${")".repeat(60_000)}`;
  report(JSON.stringify([rule("a", { type: "css-display-none", selector })]));
  expectWorking();
});

test("patterns that cost too much are refused as natively", () => {
  const lists = [
    [rule("a?".repeat(40_000) + "b")],
    [rule(`x${".*a".repeat(200_000)}`)],
    Array.from({ length: 3000 }, (_, number) => rule(`.*${"[ab]?".repeat(400)}${number}`)),
    Array.from({ length: 60 }, () => rule(`^https?://h\\.test/${"a?".repeat(16_000)}b{1}`)),
  ];
  for (const list of lists) {
    try {
      compile(JSON.stringify(list)).free();
    } catch (error) {
      assert.ok(isError(error), error);
    }
  }
  expectWorking();
});

test("loads that are none", () => {
  const list = compile(sample);
  const faults = [
    [{}, "missing"], [{ url: "https://a.test/" }, "missing"], [{ url: "a", type: "script" }, "bad-url"],
    [{ ...load, type: "scripture" }, "bad-word"], [{ ...load, context: "x" }, "bad-word"],
    [{ ...load, party: "x" }, "bad-word"], [{ ...load, page: "x" }, "bad-url"],
    [{ ...load, frame: "x" }, "bad-url"], [{ ...load, url: `https://a.test/${"a".repeat(17 << 20)}` }, "too-long"],
  ];
  for (const [fault, code] of faults) {
    for (const use of [(each) => list.decide(each), (each) => list.explain(each)]) {
      assert.throws(() => use(fault), (error) => error instanceof tickbird.LoadError
        && error.code === code && error.message.length > 10, JSON.stringify(fault).slice(0, 80));
    }
  }
  for (const none of [null, undefined, "https://a.test/", 3]) {
    assert.throws(() => list.decide(none), TypeError);
  }
  assert.throws(() => list.decide({ ...load, url: 3 }), TypeError);
  assert.deepEqual(list.decide(load).rules, [0, 2]);
  assert.deepEqual(list.decide({ ...load, url: `https://a.test/${"ads/".repeat(1 << 20)}` }).rules, [0, 2]);
});

test("inputs that are none", () => {
  for (const none of [null, undefined, 3, {}, []]) {
    for (const use of [check, compile, open]) assert.throws(() => use(none), TypeError);
  }
});

test("a list that is longer than is taken", () => {
  const long = new Uint8Array(129 << 20);
  for (const use of [check, compile]) {
    assert.throws(() => use(long), (error) => error.code === "too-long");
  }
  expectWorking();
});

test("a list for which the memory does not suffice", () => {
  const kept = compile(sample);
  assert.deepEqual(kept.decide(load).rules, [0, 2]);
  tickbird.setMemoryLimit(24 << 20);
  try {
    const long = JSON.stringify(Array.from({ length: 100_000 }, (_, number) => rule(`/ad${number}/`)));
    assert.throws(() => compile(long), (error) => error.code === "out-of-memory");
    assert.throws(() => check(long), (error) => error.code === "out-of-memory");
    // Others are not touched, and the next one has an engine of its own.
    assert.deepEqual(kept.decide(load).rules, [0, 2]);
    expectWorking();
  } finally {
    tickbird.setMemoryLimit(2 ** 32);
  }
});

test("an engine whose memory has ended in a decision is replaced", () => {
  const list = compile(sample);
  assert.deepEqual(list.decide(load).rules, [0, 2]);
  const long = { ...load, url: `https://a.test/${"a".repeat(15 << 20)}` };
  tickbird.setMemoryLimit(16 << 20);
  try {
    const other = compile(sample);
    assert.throws(() => other.decide(long), (error) => error.code === "out-of-memory");
    assert.deepEqual(other.decide(load).rules, [0, 2]);
    assert.equal(other.explain(load).matches.length, 2);
  } finally {
    tickbird.setMemoryLimit(2 ** 32);
  }
  assert.deepEqual(list.decide(long).rules, []);
});
