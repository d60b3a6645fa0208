// The scripts that stand in for Safari, in contexts of their own.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

const folder = new URL("../../../Sources/WebExtensions/Resources/", import.meta.url);
const source = (name) => readFileSync(new URL(`safari-${name}.js`, folder), "utf8");

const content = ["events", "patterns", "values", "content"];
const browser = ["tabs", "toolbar", "sheets"];
export const parts = {
  makeScriptSafari: content,
  makeAppPageSafari: [...content, "handlers", "app-page"],
  runSafariHandler: ["events", "patterns", ...browser, "handler"],
  makeFolderPageSafari: [
    ...content, "handlers", "windows", "settings", "menus", "added", "global", "folder-page",
  ],
  runSafariHome: ["events", "patterns", ...browser, "browser", "home"],
  runSafariWorker: ["events", "patterns", ...browser, "browser"],
};

/** Runs one of them as the translation puts it together, and gives its global object. */
export function run(start, settings, globals) {
  const context = createContext({
    console, URL, URLSearchParams, setTimeout, clearTimeout, setInterval, clearInterval, atob, Blob,
    crypto, DOMException, queueMicrotask,
    ...globals,
  });
  context.globalThis = context;
  const text = [...parts[start].map(source), `${start}(${JSON.stringify(settings)});`].join("\n");
  runInContext(`(function () {"use strict";\n${text}\n})();`, context);
  return context;
}

/** Functions of these parts, by their names. */
export function functions(names, ...wanted) {
  const context = createContext({ console, URL, DOMException });
  const text = [...names.map(source), `({ ${wanted.join(", ")} })`].join("\n");
  return runInContext(text, context);
}

/** An event of the browsers' interface. */
export function event() {
  const listeners = [];
  return {
    listeners,
    addListener: (listener) => listeners.push(listener),
    fire: (...values) => listeners.map((listener) => listener(...values)),
  };
}

/** What comes from another realm, as this one's objects. */
export const plain = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

export const everywhere = { schemes: ["http", "https"], domains: null };

/** Lets all promises that are settled by now go on. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
