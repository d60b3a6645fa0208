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
}
class FakeImage extends FakeElement {
  complete = true;
  naturalWidth = 0;
  currentSrc = "";
}
class FakeMedia extends FakeElement {}
class FakeDocument { querySelectorAll() { return this.all; } }

const listeners = {};
const page = new FakeDocument();
Object.assign(globalThis, {
  Element: FakeElement, HTMLImageElement: FakeImage, HTMLMediaElement: FakeMedia, KeyboardEvent: class {},
  Document: FakeDocument, document: page, addEventListener: (name, listener) => { listeners[name] = listener; },
});
// As a page has it that calls a picture so.
page.querySelectorAll = {};
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

test("a click that no person has made loads nothing", async () => {
  const sent = [];
  fakeBrowser.runtime.sendMessage = async (message) => { sent.push(message); return {}; };
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
