// `safari` for scripts in pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { event, everywhere, functions, plain, run, settled } from "./Support/safari.js";

function page(kind, more = {}) {
  const sent = [];
  const listeners = {};
  const onMessage = event();
  const globals = {
    browser: {
      runtime: {
        id: "abc",
        getURL: (path) => `extension://abc/${path}`,
        onMessage,
        sendMessage: async (message) => void sent.push(plain(message)),
      },
    },
    location: new URL("http://a.example/x"),
    document: { baseURI: "http://a.example/x" },
    addEventListener: (name, listener, isCapture) =>
      (listeners[`${name} ${isCapture}`] ??= []).push(listener),
    ...more,
  };
  const settings = {
    kind, access: everywhere,
    guards: [{ allowed: ["http://*example/*"], excluded: ["*://b*/*"] }],
  };
  const context = run("makeScriptSafari", settings, globals);
  const receive = (message, sender = { id: "abc" }) => onMessage.fire(message, sender);
  return { context, safari: context.safari, sent, receive, listeners };
}

test("a message of an app extension's script is JSON, and must be an object", () => {
  const { safari, sent } = page("app");
  safari.extension.dispatchMessage("Hello", { a: 1, b: undefined, c: [true, null] });
  safari.extension.dispatchMessage("Alone");
  assert.throws(() => safari.extension.dispatchMessage("Bad", "text"), { name: "TypeError" });
  assert.deepEqual(sent, [
    { safari: "message", name: "Hello", message: { a: 1, c: [true, null] } },
    { safari: "message", name: "Alone", message: null },
  ]);
  assert.equal(safari.extension.baseURI, "extension://abc/");
  assert.equal(safari.self.tab, undefined);
});

test("messages reach listeners until they are removed, and one that throws stops no other", () => {
  const { safari, receive } = page("app", { console: { error() {} } });
  const seen = [];
  const listener = (event) => seen.push([event.name, event.message.a]);
  safari.self.addEventListener("message", () => {
    throw new Error("x");
  });
  safari.self.addEventListener("message", listener);
  safari.self.addEventListener("message", listener);
  receive({ safari: "toPage", name: "Go", message: { a: 1 } });
  safari.self.removeEventListener("message", listener);
  receive({ safari: "toPage", name: "Go", message: { a: 2 } });
  assert.deepEqual(seen, [["Go", 1]]);
});

test("only the extension's own background is heard", () => {
  const { safari, receive } = page("app");
  let count = 0;
  safari.self.addEventListener("message", () => (count += 1));
  receive({ safari: "toPage", name: "Go" }, { id: "other" });
  receive({ safari: "toPage", name: "Go" }, { id: "abc", tab: { id: 1 } });
  receive({ type: "else" });
  assert.equal(count, 0);
});

test("an older folder's script sends whatever can be cloned, and may always load", () => {
  const { safari, sent, receive } = page("folder");
  const { unpackValue } = functions(["values"], "unpackValue");
  safari.self.tab.dispatchMessage("Hello", [undefined, /a+/gi, new Date(5), { $: "x" }, Infinity]);
  assert.deepEqual(plain(unpackValue(sent[0].message).slice(2)), [
    "1970-01-01T00:00:00.005Z", { $: "x" }, null,
  ]);
  assert.equal(String(unpackValue(sent[0].message)[1]), "/a+/gi");
  const cycle = {};
  cycle.cycle = cycle;
  assert.throws(() => safari.self.tab.dispatchMessage("Bad", cycle), { name: "DataCloneError" });
  assert.equal(safari.self.tab.canLoad({}, "x"), true);
  let message = "none";
  safari.self.addEventListener("message", (event) => (message = event.message));
  receive({ safari: "toPage", name: "Go", message: { $: "undefined" } });
  assert.equal(message, undefined);
});

test("what a script says at the pointer is told once, and nothing of the time before", async () => {
  const { safari, sent, listeners } = page("app");
  const open = (say) => {
    const event = { isTrusted: true };
    listeners["contextmenu true"].forEach((listener) => listener(event));
    if (say) safari.extension.setContextMenuEventUserInfo(event, say);
    listeners["contextmenu false"].forEach((listener) => listener(event));
  };
  open({ url: undefined, text: "a" });
  await settled();
  open();
  safari.extension.setContextMenuEventUserInfo({}, { forged: true });
  await settled();
  assert.deepEqual(sent, [
    { safari: "contextMenu", userInfo: { text: "a" } }, { safari: "contextMenu", userInfo: null },
  ]);
});

test("a script whose patterns no browser has asks for itself", () => {
  const at = (url, base = url) => {
    const { context } = page("app", { location: new URL(url), document: { baseURI: base } });
    return context.tickbirdIsPage(0);
  };
  assert.equal(at("http://a.example/"), true);
  assert.equal(at("http://b.example/"), false);
  assert.equal(at("https://a.example/"), false);
  assert.equal(at("about:blank", "http://a.example/"), true);
});

test("a second loading keeps the first", () => {
  const { context, safari } = page("app");
  assert.equal(context.safari, safari);
  assert.equal(run("makeScriptSafari", {}, { browser: {} }).safari, undefined);
});

test("in Chromium a script that is put into the document runs in the page, once", () => {
  class Node {
    isConnected = true;
    appendChild(node) {
      return node;
    }
    insertBefore(node) {
      return node;
    }
  }
  class HTMLScriptElement extends Node {
    constructor(members) {
      super();
      Object.assign(this, { src: "", type: "", textContent: "go()" }, members);
    }
  }
  const sent = [];
  const context = run("makeScriptSafari", { kind: "folder", browser: "chromium", access: everywhere, guards: [] }, {
    browser: {
      runtime: { id: "abc", getURL: (path) => path, onMessage: event(), sendMessage: async (one) => void sent.push(plain(one)) },
    },
    Node, HTMLScriptElement, addEventListener() {}, location: new URL("http://a.example/"), document: {},
  });
  const parent = new Node();
  const script = new HTMLScriptElement({});
  assert.equal(parent.appendChild(script), script);
  parent.insertBefore(script, null);
  for (const other of [
    new HTMLScriptElement({ src: "http://a.example/a.js" }), new HTMLScriptElement({ type: "text/template" }),
    new HTMLScriptElement({ isConnected: false }), new Node(),
  ]) {
    parent.appendChild(other);
  }
  assert.deepEqual(sent, [{ safari: "runInPage", code: "go()" }]);
  assert.ok(context.safari);
});

test("scripts for several browsers find no other one than Safari", () => {
  const { context } = page("folder", { chrome: { runtime: { id: "abc" } } });
  assert.deepEqual([typeof context.chrome, typeof context.browser, typeof context.safari], [
    "undefined", "undefined", "object",
  ]);
});
