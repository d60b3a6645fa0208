import { calls, FakeEvent, fakeBrowser } from "./Support/browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const tab = { id: 7, url: "https://news.example/", windowId: 1 };
Object.assign(fakeBrowser.runtime, { onConnect: new FakeEvent() });
fakeBrowser.webNavigation = { onCommitted: new FakeEvent() };
fakeBrowser.tabs.onRemoved = new FakeEvent();
fakeBrowser.tabs.get = async () => tab;
fakeBrowser.tabs.create = async (details) => { calls.push(["tabs.create", details]); return {}; };
fakeBrowser.scripting.removeCSS = async (details) => { calls.push(["removeCSS", details]); };
fakeBrowser.windows = {
  create: async (details) => { calls.push(["windows.create", details]); return { id: 3 }; },
  update: async (...details) => { calls.push(["windows.update", ...details]); },
};
const { candidatesOf, Picker } = await import("../WebExtension/picker/picker.js");

/** A port that a script or a page has opened. */
function portOf(name, sender) {
  const port = {
    name, sender, told: [], isOpen: true, onMessage: new FakeEvent(), onDisconnect: new FakeEvent(),
    postMessage: (message) => { port.told.push(message); }, disconnect: () => { port.isOpen = false; },
  };
  fakeBrowser.runtime.onConnect.fire(port);
  return port;
}
const document = (frameId, tabId = 7) =>
  portOf("pick", { tab: { id: tabId }, frameId, url: "https://news.example/" });
const pickerWindow = (url = "chrome-extension://tickbird//picker/picker.html?tab=7") => portOf("picker:7", { url });
const types = (port) => port.told.map(({ type }) => type);
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

async function started(...more) {
  for (const event of [fakeBrowser.runtime.onConnect, fakeBrowser.webNavigation.onCommitted, fakeBrowser.tabs.onRemoved]) {
    event.listeners = [];
  }
  calls.length = 0;
  const picker = new Picker(() => "news.example");
  await picker.start(7, ...more);
  const [top, inner] = [document(0), document(4)];
  return { picker, top, inner };
}
const candidates = [{ selector: "#ad", count: 1 }, { selector: ".ad", count: 2 }];

test("what a document says of selectors is bounded and checked", () => {
  assert.deepEqual(candidatesOf(candidates), candidates);
  for (const bad of [null, "x", {}, [null], [{ selector: "a,b", count: 1 }], [{ selector: "a{b", count: 1 }],
    [{ selector: "#ad", count: -1 }], [{ selector: "#ad", count: "1" }], [{ selector: {}, count: 1 }]]) {
    assert.deepEqual(candidatesOf(bad), []);
  }
  assert.equal(candidatesOf(Array.from({ length: 99 }, (_, number) => ({ selector: `#a${number}`, count: 1 }))).length, 5);
});

test("the frame whose menu was opened is told to choose its element, once", async () => {
  const { picker, top, inner } = await started(4, true, 12);
  assert.deepEqual(top.told, [{ type: "pick", hasKeyboard: false }]);
  assert.deepEqual(inner.told, [{ type: "pick", hasKeyboard: true, menu: { elementId: 12 } }]);
  await picker.start(7, 0, true);
  assert.deepEqual(top.told.at(-1), { type: "pick", hasKeyboard: true, menu: { elementId: undefined } });
  await picker.again(7);
  assert.deepEqual(top.told.at(-1), { type: "pick", hasKeyboard: true });
});

test("an element is chosen in one frame, and counted in all", async () => {
  const { picker, top, inner } = await started();
  assert.deepEqual(top.told, [{ type: "pick", hasKeyboard: true }]);
  assert.deepEqual(inner.told, [{ type: "pick", hasKeyboard: false }]);
  inner.onMessage.fire({ type: "chosen", candidates, name: "div#ad" });
  await turn();
  assert.deepEqual(types(top), ["pick", "rest"]);
  assert.equal(calls.filter(([name]) => name === "windows.create").length, 1);
  const report = picker.report(7);
  await turn();
  for (const [port, counts] of [[top, [0, 5]], [inner, [1, 2]]]) {
    const { number, selectors } = port.told.at(-1);
    assert.deepEqual(selectors, ["#ad", ".ad"]);
    port.onMessage.fire({ type: "counted", number, counts });
  }
  assert.deepEqual(await report, {
    site: "news.example", name: "div#ad", isFramed: true,
    candidates: [{ selector: "#ad", here: 1, all: 1 }, { selector: ".ad", here: 2, all: 7 }],
  });
});

test("a person's word opens one window, however often a frame says what was chosen", async () => {
  const { picker, top, inner } = await started();
  const opened = () => calls.filter(([name]) => name === "windows.create").length;
  const choose = (port) => port.onMessage.fire({ type: "chosen", candidates, name: "x" });
  for (let time = 0; time < 100; time++) choose(inner);
  await turn();
  assert.equal(opened(), 1);
  // Nor does it end what was chosen, before its window is there.
  inner.onMessage.fire({ type: "end" });
  assert.equal(top.isOpen, true);
  const own = pickerWindow();
  for (let time = 0; time < 100; time++) choose(inner);
  assert.deepEqual(types(own), []);
  // Another frame may have it from this one.
  picker.move(7, "wider");
  picker.move(7, "wider");
  for (let time = 0; time < 100; time++) choose(top);
  assert.deepEqual(types(own), ["chosen", "chosen"]);
  await picker.again(7);
  for (let time = 0; time < 100; time++) choose(top);
  assert.deepEqual(types(own), ["chosen", "chosen", "chosen"]);
  assert.equal(opened(), 1);
});

test("where nothing was begun, documents and pages are not heard", async () => {
  const { picker, top } = await started();
  const stranger = document(0, 8);
  assert.equal(stranger.isOpen, false);
  assert.deepEqual(stranger.told, []);
  const forged = pickerWindow("https://news.example/picker/");
  assert.deepEqual(forged.told, []);
  top.onMessage.fire({ type: "chosen", candidates: [{ selector: "a,b", count: 1 }], name: "x" });
  top.onMessage.fire({ type: "hand-over", said: {}, way: "up" });
  top.onMessage.fire({ type: "hand-over", said: "x", way: "sideways" });
  top.onMessage.fire(null);
  await turn();
  assert.equal(calls.filter(([name]) => name === "windows.create").length, 0);
  assert.equal(await picker.report(7), null);
  assert.equal(await picker.report(8), null);
});

test("what is chosen is outlined or hidden in all frames, and gone at the end unless it was saved", async () => {
  const { picker, top } = await started();
  top.onMessage.fire({ type: "chosen", candidates, name: "x" });
  await turn();
  const css = () => calls.filter(([name]) => /CSS$/.test(name)).map(([name, details]) => [name, details.css.split("{")[0], details.target.allFrames]);
  await picker.show(7, "#ad", false);
  await picker.show(7, "#ad, body", true);
  await picker.show(7, "a}body{", true);
  assert.deepEqual(css(), [["insertCSS", "#ad", true]]);
  await picker.show(7, ".ad", true);
  assert.deepEqual(css().slice(1), [["insertCSS", ".ad", true], ["removeCSS", "#ad", true]]);
  const own = pickerWindow();
  own.onMessage.fire({ type: "end", hidden: ".ad" });
  await turn();
  assert.equal(top.isOpen, false);
  assert.equal(css().length, 3);
  const again = await started();
  again.top.onMessage.fire({ type: "chosen", candidates, name: "x" });
  await again.picker.show(7, "#ad", true);
  await again.picker.end(7);
  assert.deepEqual(css().map(([name]) => name), ["insertCSS", "removeCSS"]);
});

test("the keyboard goes from frame to frame by what both have heard before", async () => {
  const { picker, top, inner } = await started();
  top.onMessage.fire({ type: "hand-over", said: "1-2", way: "down" });
  assert.deepEqual(inner.told.at(-1), { type: "expect", said: "1-2", way: "down" });
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(top.told.at(-1), { type: "go" });
  inner.onMessage.fire({ type: "took-over" });
  await picker.again(7);
  assert.deepEqual(inner.told.at(-1), { type: "pick", hasKeyboard: true });
  assert.deepEqual(top.told.at(-1), { type: "pick", hasKeyboard: false });
});

test("another document in the tab ends it, one in a frame is picked from as well", async () => {
  const { top } = await started();
  const before = calls.length;
  fakeBrowser.webNavigation.onCommitted.fire({ tabId: 7, frameId: 9 });
  await turn();
  assert.deepEqual(calls.slice(before).map(([name, { target }]) => [name, target.frameIds]), [["executeScript", [9]]]);
  const own = pickerWindow();
  fakeBrowser.webNavigation.onCommitted.fire({ tabId: 7, frameId: 0 });
  await turn();
  assert.equal(top.isOpen, false);
  assert.deepEqual(types(own), ["ended"]);
});

test("pages of the browser's own are left alone", async () => {
  const { picker } = await started();
  fakeBrowser.tabs.get = async () => ({ ...tab, url: "chrome://settings/" });
  await assert.rejects(picker.start(9), /pages of the web/);
  fakeBrowser.tabs.get = async () => tab;
});
