import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeBrowser } from "./Support/browser.js";

/** Elements as far as the script asks them. */
class FakeElement {
  attributes = new Map();
  constructor(properties) { Object.assign(this, properties); }
  querySelectorAll() { return []; }
  hasAttribute(name) { return this.attributes.has(name); }
  setAttribute(name, value) { this.attributes.set(name, value); }
  removeAttribute(name) { this.attributes.delete(name); }
  get title() { return this.attributes.get("title"); }
  cloneNode() { return new FakeImage({ isHidden: this.isHidden }); }
  after(place) { this.place = place; }
  remove() { this.isRemoved = true; }
}
class FakeImage extends FakeElement {
  complete = true;
  naturalWidth = 0;
  currentSrc = "";
}
class FakeMedia extends FakeElement {}
class FakeDocument {
  querySelectorAll() { return this.all; }
  createElementNS() { return new FakeElement({}); }
}

const listeners = {};
const page = new FakeDocument();
Object.assign(globalThis, {
  Element: FakeElement, HTMLImageElement: FakeImage, HTMLMediaElement: FakeMedia, KeyboardEvent: class {},
  getComputedStyle: ({ isTakenOut, isHidden }) => ({ display: isTakenOut || isHidden ? "none" : "inline" }), Document: FakeDocument, document: page, addEventListener: (name, listener) => { listeners[name] = listener; },
});
// As a page has it that calls a picture so.
page.querySelectorAll = {};
await import("../WebExtension/shared/direction.js");
await import("../WebExtension/media/load-on-click.js");
const { tickbirdMedia } = globalThis;

test("every picture waits for its click, whatever the page calls one", async () => {
  const urls = ["https://a.example/100%.jpg", "https://a.example/b%C3%BC.jpg", "https://a.example/c.jpg"];
  page.all = urls.map((src) => new FakeImage({ src }));
  tickbirdMedia.wait(urls);
  assert.deepEqual(page.all.map(({ attributes }) => attributes.has("data-tickbird-media")), [true, true, true]);
  assert.match(page.all[0].title, /100%\.jpg/);
  assert.match(page.all[1].title, /bü\.jpg/);
});

test("a picture's name turns no words around", () => {
  const [image] = page.all = [new FakeImage({ src: "https://a.example/%E2%81%A7x.jpg" })];
  tickbirdMedia.wait([image.src]);
  assert.ok(image.title.endsWith("\u2068x.jpg\u2069"), image.title);
});

test("a click that no person has made loads nothing", async () => {
  const sent = [];
  fakeBrowser.runtime.sendMessage = async (message) => { sent.push(message); return {}; };
  page.all = [new FakeImage({ src: "https://a.example/100%.jpg" })];
  tickbirdMedia.wait([page.all[0].src]);
  const [image] = page.all;
  const click = (isTrusted, target) => listeners.click({
    isTrusted, composedPath: () => [target], preventDefault() {}, stopImmediatePropagation() {},
  });
  click(false, image);
  click(true, new FakeImage({ src: "https://a.example/c.jpg" }));
  assert.deepEqual(sent, []);
  click(true, image);
  assert.deepEqual(sent, [{ type: "load-media", url: image.src }]);
});

test("something waits in the place of a picture that the browser has taken out of the page", async () => {
  const sent = [];
  fakeBrowser.runtime.sendMessage = async (message) => { sent.push(message); return {}; };
  const taken = new FakeImage({ src: "https://a.example/d.jpg", isTakenOut: true });
  const hidden = new FakeImage({ src: "https://a.example/e.jpg", isHidden: true });
  page.all = [taken, hidden];
  tickbirdMedia.wait([taken.src, hidden.src]);
  const { place } = taken;
  assert.deepEqual([place.attributes.get("role"), place.attributes.get("tabindex")], ["button", "0"]);
  assert.match(place.textContent, /d\.jpg/);
  assert.ok(hidden.place.isRemoved);
  listeners.click({ isTrusted: true, composedPath: () => [place], preventDefault() {}, stopImmediatePropagation() {} });
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(sent, [{ type: "load-media", url: taken.src }]);
  assert.ok(place.isRemoved);
});

test("what a page has dropped is not kept for it, and of addresses the last are", async () => {
  let dropped = 0;
  const registry = new FinalizationRegistry(() => { dropped += 1; });
  const { setFlagsFromString } = await import("node:v8");
  const { runInNewContext } = await import("node:vm");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const url = "https://a.example/gone.jpg";
  for (let number = 0; number < 20; number++) {
    page.all = [new FakeImage({ src: url, isTakenOut: true })];
    registry.register(page.all[0]);
    tickbirdMedia.wait([url]);
    assert.ok(page.all[0].place, "it waits");
  }
  page.all = [];
  for (let attempt = 0; attempt < 50 && dropped < 20; attempt++) {
    await new Promise((resolve) => setTimeout(resolve));
    collect();
  }
  assert.equal(dropped, 20);

  tickbirdMedia.wait(Array.from({ length: 500 }, (_, number) => `https://b.example/${number}`));
  page.all = [new FakeImage({ src: url }), new FakeImage({ src: "https://b.example/0" })];
  tickbirdMedia.wait([]);
  assert.deepEqual(page.all.map(({ attributes }) => attributes.has("data-tickbird-media")), [false, true]);
});
