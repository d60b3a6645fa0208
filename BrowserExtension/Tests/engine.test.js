import assert from "node:assert/strict";
import { test } from "node:test";
const { Engine } = await import("../WebExtension/deciding/engine.js");

const decoder = new TextDecoder();

/**
 * A module whose memory grows with every call, as an allocator may let it: every view of before is
 * detached, and nothing but what a call is given is where it was.
 */
function growingModule(verdicts = null) {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const asked = [];
  let result = { address: 0, count: 0 };
  let turned = null;
  const grown = (size) => {
    const address = memory.buffer.byteLength;
    memory.grow(Math.max(1, Math.ceil(size / 65536)));
    return address;
  };
  const read = (address, length) => {
    assert.notEqual(address, 0, "no text is at address 0");
    const text = decoder.decode(new Uint8Array(memory.buffer, address, length));
    asked.push(text);
    return text;
  };
  const leave = (bytes, count) => {
    result = { address: grown(bytes.length), count };
    new Uint8Array(memory.buffer).set(bytes, result.address);
    return count;
  };
  const leaveText = (text) => {
    const bytes = new TextEncoder().encode(text);
    return leave(bytes, bytes.length);
  };
  const exports = {
    memory,
    tickbird_format_version: () => 7,
    tickbird_allocate: grown,
    tickbird_free: () => { grown(1); },
    tickbird_open: (address, length) => {
      read(address, length);
      return 1;
    },
    tickbird_fault_offset: () => 0,
    tickbird_close: () => 0,
    tickbird_set_on: () => 0,
    tickbird_turn: (top, topLength, frame, frameLength) => {
      turned = [read(top, topLength), read(frame, frameLength)];
      return 0;
    },
    tickbird_decide_load: (address, length) => {
      const isBlocked = read(address, length).includes("ads");
      const words = verdicts
        ? Uint32Array.from(verdicts.flatMap((verdict, place) => [place + 1, verdict, 0, 0]))
        : Uint32Array.of(1, isBlocked ? 1 : 0, 0, 1, 3, 0, 2, 8, 9);
      leave(new Uint8Array(words.buffer), words.length);
      return 2;
    },
    tickbird_serialized: (address, length) => leaveText(read(address, length)),
    tickbird_upgraded: () => -1,
    // As if github.io were the one public suffix of two labels.
    tickbird_site: (address, length) => leaveText(
      /(?:[^.]+\.github\.io|[^.]+\.[^.]+|[^.]+)\.?$/.exec(new URL(read(address, length)).hostname)?.[0] ?? ""),
    tickbird_is_suffix: (address, length) => Number(["https://github.io/", "https://com/"].includes(read(address, length))),
    tickbird_text: (_, slot) => leaveText(`.s${slot}`),
    tickbird_kinds: () => 1 << 1 | 1 << 6,
    tickbird_hiding_hosts: (handle) => (handle === 1 ? leaveText("a.example\nb.example") : handle === 2 ? leaveText("") : -1),
    tickbird_result: () => result.address,
    tickbird_result_count: () => result.count,
  };
  return { engine: new Engine({ exports }), asked, turned: () => turned };
}

test("the first text that a new module is asked about is read where it was written", () => {
  const { engine, asked } = growingModule();
  assert.equal(engine.site("http://first.example/"), "first.example");
  assert.deepEqual(asked, ["http://first.example/"]);
});

test("a site that is a public suffix has other sites below it", () => {
  const { engine } = growingModule();
  for (const one of ["github.io", "com"]) assert.ok(engine.hasSitesBelow(one), one);
  for (const one of ["a.github.io", "b.example", "localhost", "127.0.0.1", "[::1]", ""]) assert.ok(!engine.hasSitesBelow(one), one);
});

test("a text that is longer than all before it is read where it was written", () => {
  const { engine } = growingModule();
  engine.site("http://short.example/");
  for (const length of [10_000, 100_000, 1_000_000]) {
    const long = `http://long.example/${"ä".repeat(length)}`;
    assert.equal(engine.site(long), "long.example");
    assert.equal(engine.serialized(long), long);
  }
});

test("a page and its frame are handed over together, whatever their lengths", () => {
  const { engine, turned } = growingModule();
  for (const length of [1, 5000, 50_000]) {
    const top = `http://top.example/${"ü".repeat(length)}`;
    const frame = `http://frame.example/${"€".repeat(2 * length)}`;
    const decision = engine.decide({ url: "http://a.example/ads", topURL: top, frameURL: frame });
    assert.deepEqual(turned(), [top, frame]);
    assert.ok(decision.isChecked && decision.isBlocked);
    assert.deepEqual(decision.actions, [{ list: 1, kind: "block", slot: 3, rules: [8, 9] }]);
  }
});

test("what was read stays as it is when the memory grows", () => {
  const { engine } = growingModule();
  assert.equal(engine.open(new TextEncoder().encode("list")), 1);
  engine.site(`http://next.example/${"x".repeat(100_000)}`);
  assert.deepEqual([...engine.kinds(1)], ["block-cookies", "make-https"]);
  assert.equal(engine.globalSheet(1), ".s-1");
});

test("lists of which an ignore rule acts are told apart from those whose sheet is attached", () => {
  const verdicts = [0, 1 << 16, 1 << 17, 1 << 16 | 1 << 17];
  const { engine } = growingModule(verdicts);
  const { ignoring, sheets } = engine.decide({ url: "https://a.example/", topURL: "https://a.example/", type: "image" });
  assert.deepEqual([ignoring, sheets], [[2, 3, 4], [1, 3]]);
});

test("which requests may hide more than documents is a list of hosts, none, or all", () => {
  const { engine } = growingModule();
  assert.deepEqual([1, 2, 3].map((handle) => engine.hidingHosts(handle)), [["a.example", "b.example"], [], null]);
});
