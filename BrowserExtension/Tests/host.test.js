import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { FakeEvent, fakeBrowser } from "./Support/browser.js";
import { awaited } from "./Support/timers.js";
const { Host, HostError } = await import("../WebExtension/shared/host.js");

/** The other side of the port. */
class FakePort {
  onMessage = new FakeEvent();
  onDisconnect = new FakeEvent();
  error = null;
  sent = [];
  postMessage(message) { this.sent.push(message); }
  answer(answer, { question } = this.sent.at(-1)) { this.onMessage.fire({ ...answer, question }); }
}

let port;
let notices;

function connected() {
  const host = new Host({ onConnected: () => {}, onNotice: (notice) => notices.push(notice.type) });
  host.connect();
  return host;
}

/** Ends the connection, returns the state then, and connects again. */
function disconnect(host, reason) {
  const last = port;
  last.error = reason ? { message: reason } : null;
  last.onDisconnect.fire();
  const state = { state: host.state, message: host.message };
  host.connect();
  return state;
}

beforeEach(() => {
  notices = [];
  fakeBrowser.runtime.connectNative = () => (port = new FakePort());
});

test("answers find their questions, whatever their order", async () => {
  const host = connected();
  const first = host.ask({ request: "hello" });
  const second = host.ask({ type: "linkSources" });
  const [hello, sources] = port.sent;
  assert.notEqual(hello.question, sources.question);
  port.answer({ type: "linkSources", sources: [] }, sources);
  port.answer({ type: "hello", version: 2 }, hello);
  assert.equal((await second).type, "linkSources");
  assert.equal((await first).version, 2);
  assert.equal(host.state, "connected");
});

test("an error comes in place of an answer", async () => {
  const host = connected();
  const asked = host.ask({ type: "linkSources" });
  port.answer({ type: "error", code: "failed", message: "no room" });
  await assert.rejects(asked, new HostError("no room"));
});

test("what answers nothing is a notice; an answer is told once", async () => {
  const host = connected();
  const asked = host.ask({ request: "hello" });
  port.answer({ type: "hello", version: 2 });
  await asked;
  port.answer({ type: "hello", version: 3 });
  port.onMessage.fire({ type: "changed" });
  port.onMessage.fire(null);
  assert.deepEqual(notices, ["hello", "changed"]);
});

test("a question without an answer fails in time", async () => {
  const host = connected();
  await assert.rejects(
    awaited(host.ask({ type: "linkSources" }, 1)), /not answered “linkSources” in time/);
  port.answer({ type: "linkSources" });
  assert.deepEqual(notices, ["linkSources"]);
});

test("without a connection nothing is asked, and open questions end with it", async () => {
  const host = new Host({ onConnected: () => {}, onNotice: () => {} });
  await assert.rejects(host.ask({ request: "hello" }), /not connected/);
  host.connect();
  const asked = host.ask({ request: "hello" });
  disconnect(host, "gone");
  await assert.rejects(asked, new HostError("gone"));
});

test("the browser's reason says what is wrong", () => {
  for (const [reason, state] of [
    ["Specified native messaging host not found.", "missing"],
    ["No such native application tickbird.host", "missing"],
    ["Access to the specified native messaging host is forbidden.", "forbidden"],
    ["Native host has exited.", "stopped"], ["", "stopped"],
  ]) assert.deepEqual(disconnect(connected(), reason), { state, message: reason });
});

test("the end of an older port changes nothing", () => {
  const host = connected();
  const older = port;
  disconnect(host, "");
  assert.notEqual(port, older);
  older.onDisconnect.fire();
  assert.equal(host.state, "connecting");
});

/** Answers questions about data as the host does: `cut` bytes at a time. */
function answering(data, cut, version = 2) {
  fakeBrowser.runtime.connectNative = () => {
    port = new FakePort();
    port.postMessage = (message) => {
      port.sent.push(message);
      const { question, request, offset } = message;
      queueMicrotask(() => port.onMessage.fire(request === "hello"
        ? { type: "hello", version, question }
        : { type: "part", offset, question,
          bytes: Buffer.from(data.subarray(offset, offset + cut)).toString("base64") }));
    };
    return port;
  };
}

test("long data comes in parts", async () => {
  const data = Uint8Array.from({ length: 1000 }, (_, place) => place & 255);
  for (const cut of [1000, 999, 7, 5000]) {
    answering(data, cut);
    assert.deepEqual(await connected().fetch({ digest: "d", size: 1000 }), data, String(cut));
  }
});

test("parts that are too short or too long are not taken", async () => {
  answering(new Uint8Array(100), 50);
  await assert.rejects(connected().fetch({ digest: "d", size: 120 }), /wrong part at byte 100/);
  await assert.rejects(connected().fetch({ digest: "d", size: 70 }), /wrong part at byte 50/);
});

test("sizes that cannot be right are not asked for", async () => {
  answering(new Uint8Array(1), 1);
  const host = connected();
  for (const size of [0, -1, 1.5, NaN, Infinity, 2 ** 40]) {
    await assert.rejects(host.fetch({ digest: "d", size }), /is not taken/, String(size));
  }
  assert.deepEqual(port.sent, []);
});

test("a host of another version is not asked for parts", async () => {
  answering(new Uint8Array(1), 1, 1);
  await assert.rejects(connected().fetch({ digest: "d", size: 1 }), /version 1 of the messages/);
  assert.deepEqual(port.sent.map(({ request }) => request), ["hello"]);
});
