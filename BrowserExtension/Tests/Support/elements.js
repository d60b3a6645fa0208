// Elements as far as the extension's own pages make them, for tests without a browser.

export class FakeElement {
  listeners = {};
  attributes = {};
  children = [];
  dataset = {};
  style = {};
  classList = { add() {} };
  textContent = "";

  constructor(name) { this.name = name; }
  addEventListener(name, listener) { (this.listeners[name] ??= []).push(listener); }
  setAttribute(name, value) { this.attributes[name] = value; }
  get childNodes() { return this.children; }
  get firstChild() { return this.children[0] ?? null; }
  prepend(...children) { this.children.unshift(...children); }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  /** All elements below, itself first. */
  get all() { return [this, ...this.children.flatMap((each) => (each instanceof FakeElement ? each.all : []))]; }
  querySelectorAll() { return []; }
  querySelector(selector) { return this.all.find(({ className }) => selector === `.${className}`) ?? null; }
  contains() { return false; }
  focus() {}
  /** What a person does, or a script. */
  fire(name, more = {}) { for (const each of this.listeners[name] ?? []) each({ isTrusted: true, ...more }); }
}

/** The page's elements by their ids, made when they are asked for. */
export const elements = new Map();

globalThis.document = Object.assign(new FakeElement("document"), {
  documentElement: new FakeElement("html"), body: new FakeElement("body"), activeElement: null,
  visibilityState: "visible", hasFocus: () => true,
  createElement: (name) => new FakeElement(name),
  getElementById: (id) => {
    if (!elements.has(id)) elements.set(id, new FakeElement(id));
    return elements.get(id);
  },
});
globalThis.window = Object.assign(new FakeElement("window"), { close() {} });
globalThis.addEventListener = (name, listener) => window.addEventListener(name, listener);
