// Loaded before the scripts of a web extension that was written for Safari.
//
// It gives them what the browser lacks and can have, and leads native messages to the extension's own
// handler. The browser itself decides which extension may start which host: nothing here protects
// anything.
(function (settings) {
  "use strict";

  const mark = Symbol.for("tickbird.prelude");
  const isPlain = !globalThis.browser?.runtime;
  // Pages of the web, and of the extension in a sandbox, have no such interface.
  if (!(globalThis.browser ?? globalThis.chrome)?.runtime?.id || globalThis[mark]) return;
  globalThis[mark] = true;
  // Chromium from version 148 on has `browser` itself, with promises everywhere.
  if (isPlain) globalThis.browser = globalThis.chrome;
  const api = globalThis.browser;
  const isChromium = settings.browser === "chromium";

  // Replaces a member of what both `browser` and `chrome` lead to: two objects in Firefox, and in
  // Chromium one.
  function replace(path, name, make) {
    const find = (root) => path.split(".").reduce((value, part) => value?.[part], root);
    for (const owner of new Set([find(globalThis.browser), find(globalThis.chrome)])) {
      if (!owner) continue;
      const value = make(owner, owner[name]);
      try {
        owner[name] = value;
      } catch {
        // Writable no more: what is there stays.
      }
      if (owner[name] !== value) Object.defineProperty(owner, name, { value, configurable: true });
    }
  }

  // Gives an outcome to a callback, or as a promise where there is none.
  function settle(promise, callback) {
    if (typeof callback !== "function") return promise;
    promise.then(
      (value) => callback(value),
      (error) => withLastError({ message: error.message }, callback),
    );
    return undefined;
  }

  function withLastError(value, callback) {
    const runtime = (globalThis.chrome ?? api).runtime;
    try {
      Object.defineProperty(runtime, "lastError", { value, configurable: true });
    } catch {
      console.error(value.message);
    }
    try {
      callback();
    } finally {
      try {
        delete runtime.lastError;
      } catch {
        // The browser's own.
      }
    }
  }

  // MARK: The native handler

  class PortEvent {
    #listeners = new Set();

    addListener(listener) {
      this.#listeners.add(listener);
    }

    removeListener(listener) {
      this.#listeners.delete(listener);
    }

    hasListener(listener) {
      return this.#listeners.has(listener);
    }

    hasListeners() {
      return this.#listeners.size > 0;
    }

    fire(...values) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(...values);
        } catch (error) {
          console.error(error);
        }
      }
    }
  }

  function question(message) {
    return { type: "sendMessage", message: message === undefined ? null : message };
  }

  function failure(answer) {
    const error = new Error(answer?.message ?? "the native host gave no answer");
    error.code = answer?.code;
    return error;
  }

  // Safari sends every message to the app that the extension came with, whatever application is
  // named.
  if (settings.host && typeof api.runtime.sendNativeMessage === "function") {
    const send = api.runtime.sendNativeMessage.bind(api.runtime);
    const connect = api.runtime.connectNative.bind(api.runtime);

    async function ask(message) {
      const answer = await send(settings.host, question(message));
      if (answer?.type !== "sendMessage") throw failure(answer);
      return answer.message;
    }

    replace("runtime", "sendNativeMessage", () => function sendNativeMessage(...values) {
      const callback = typeof values.at(-1) === "function" ? values.pop() : undefined;
      const [first, second] = values;
      // The application may be left out, and the callback may be null.
      const isNamed = values.length > 1 && (typeof first === "string" || (first ?? null) === null);
      return settle(ask(isNamed ? second : first), callback);
    });

    replace("runtime", "connectNative", () => function connectNative(application) {
      const wire = connect(settings.host);
      const port = {
        name: String(application ?? ""),
        error: null,
        onMessage: new PortEvent(),
        onDisconnect: new PortEvent(),
        postMessage: (message) => wire.postMessage(question(message)),
        disconnect: () => wire.disconnect(),
      };
      // What the app dispatches comes one by one. The handler's answers go nowhere, as in Safari.
      wire.onMessage.addListener((answer) => {
        if (answer?.type === "error") console.error(failure(answer).message);
        if (answer?.type !== "nextMessage") return;
        wire.postMessage({ type: "nextMessage" });
        port.onMessage.fire(answer.message, port);
      });
      wire.onDisconnect.addListener(() => {
        const error = wire.error ?? globalThis.chrome?.runtime?.lastError;
        port.error = error ? { message: error.message } : null;
        port.onDisconnect.fire(port);
      });
      wire.postMessage({ type: "nextMessage" });
      return port;
    });
  }

  // MARK: What either browser lacks

  function add(path, name, value) {
    const owner = path.split(".").reduce((object, part) => object?.[part], api);
    if (owner && owner[name] === undefined) replace(path, name, () => value);
  }

  add("i18n", "getSystemUILanguage", async () => api.i18n.getUILanguage());
  add("i18n", "getPreferredSystemLanguages", async () => [...navigator.languages]);
  add("runtime", "getVersion", () => api.runtime.getManifest().version);
  add("tabs", "getSelected", (...values) => {
    const callback = typeof values.at(-1) === "function" ? values.pop() : undefined;
    const wanted = { active: true, windowId: values[0] ?? api.windows.WINDOW_ID_CURRENT };
    return settle(api.tabs.query(wanted).then((tabs) => tabs[0]), callback);
  });

  if (settings.imported) {
    // The event page has loaded them before the script that asks for them.
    globalThis.importScripts ??= (...names) => {
      for (const name of names) {
        if (settings.imported.includes(String(name))) continue;
        throw new Error(`${name} cannot be imported: it was not named by a plain text`);
      }
    };
  }

  // MARK: What Firefox knows by newer names alone

  function renamed(object, names) {
    if (object === null || typeof object !== "object") return object;
    const copy = { ...object };
    for (const [old, name] of Object.entries(names)) {
      if (copy[old] === undefined) continue;
      copy[name] ??= copy[old];
      delete copy[old];
    }
    return copy;
  }

  function takeOlderNames() {
    for (const name of ["create", "update"]) {
      if (!api.tabs?.[name]) continue;
      replace("tabs", name, (owner, original) => (...values) =>
        original.apply(owner, values.map((value) => renamed(value, { selected: "active" }))));
    }
    const names = { domains: "initiatorDomains", excludedDomains: "excludedInitiatorDomains" };
    const newer = (rule) =>
      rule?.condition ? { ...rule, condition: renamed(rule.condition, names) } : rule;
    for (const name of ["updateDynamicRules", "updateSessionRules"]) {
      if (!api.declarativeNetRequest?.[name]) continue;
      replace("declarativeNetRequest", name, (owner, original) => (options, ...rest) => {
        const rules = options?.addRules;
        if (!Array.isArray(rules)) return original.call(owner, options, ...rest);
        return original.call(owner, { ...options, addRules: rules.map(newer) }, ...rest);
      });
    }
  }

  if (!isChromium) {
    takeOlderNames();
    return;
  }

  // MARK: Chromium before version 148

  // Lets listeners answer by a promise.
  function takePromises(event) {
    if (!event) return;
    const wrappers = new WeakMap();
    const wrapper = (listener) => {
      if (typeof listener !== "function") return listener;
      if (!wrappers.has(listener)) {
        wrappers.set(listener, (message, sender, sendResponse) => {
          const answer = listener(message, sender, sendResponse);
          if (typeof answer?.then !== "function") return answer;
          answer.then(sendResponse, (error) => {
            console.error(error);
            sendResponse();
          });
          return true;
        });
      }
      return wrappers.get(listener);
    };
    for (const name of ["addListener", "removeListener", "hasListener"]) {
      const original = event[name].bind(event);
      event[name] = (listener, ...rest) => original(wrapper(listener), ...rest);
    }
  }

  if (isPlain) {
    takePromises(api.runtime.onMessage);
    takePromises(api.runtime.onMessageExternal);
    // Scripts that are run later have this one before them, too.
    const before = (script) =>
      script.js && script.world !== "MAIN" ? { ...script, js: [settings.path, ...script.js] } : script;
    for (const name of ["registerContentScripts", "updateContentScripts"]) {
      if (!api.scripting) continue;
      replace("scripting", name, (owner, original) => (scripts, ...rest) =>
        original.call(owner, scripts.map(before), ...rest));
    }
    if (api.scripting) {
      replace("scripting", "executeScript", (owner, original) => (injection, ...rest) => {
        if (injection.world === "MAIN") return original.call(owner, injection, ...rest);
        const first = { target: injection.target, files: [settings.path] };
        if (injection.injectImmediately) first.injectImmediately = true;
        const done = original.call(owner, first).catch(() => {});
        return settle(done.then(() => original.call(owner, injection)), rest[0]);
      });
    }
  }

  // MARK: Version 2 of manifests

  if (settings.manifestVersion !== 2) return;

  // Where `browser` is an object of its own, both get it.
  function addInterface(name, value) {
    for (const root of new Set([globalThis.browser, globalThis.chrome])) {
      if (value && !root[name]) root[name] = value;
    }
  }

  const action = api.action;
  if (action) {
    addInterface("browserAction", action);
    addInterface(
      "pageAction",
      Object.create(action, {
        show: { value: (tab, callback) => settle(action.enable(tab), callback) },
        hide: { value: (tab, callback) => settle(action.disable(tab), callback) },
        isShown: { value: (tab, callback) => settle(action.isEnabled(tab.tabId), callback) },
      }),
    );
  }
  addInterface("menus", api.contextMenus);
  if (api.extension) {
    add("extension", "getURL", (path) => api.runtime.getURL(path));
    add("extension", "sendMessage", (...values) => api.runtime.sendMessage(...values));
  }

  // The arguments of executeScript and its like: a tab, which may be absent, details, a callback.
  async function injection(tab, details) {
    const tabId = tab ?? (await api.tabs.query({ active: true, currentWindow: true }))[0]?.id;
    const target = { tabId };
    if (details.allFrames) target.allFrames = true;
    if (details.frameId !== undefined) target.frameIds = [details.frameId];
    return { target };
  }

  function split(values) {
    const callback = typeof values.at(-1) === "function" ? values.pop() : undefined;
    const details = values.pop() ?? {};
    return { tab: values[0], details, callback };
  }

  if (api.tabs && api.scripting) {
    add("tabs", "executeScript", (...values) => {
      const { tab, details, callback } = split(values);
      const run = async () => {
        if (details.code !== undefined) {
          throw new Error("Chromium runs files of the extension alone, no code given as text");
        }
        const wanted = await injection(tab, details);
        wanted.files = [details.file];
        if (details.runAt === "document_start") wanted.injectImmediately = true;
        return (await api.scripting.executeScript(wanted)).map((frame) => frame.result);
      };
      return settle(run(), callback);
    });
    for (const name of ["insertCSS", "removeCSS"]) {
      add("tabs", name, (...values) => {
        const { tab, details, callback } = split(values);
        const run = async () => {
          const wanted = await injection(tab, details);
          if (details.code === undefined) wanted.files = [details.file];
          else wanted.css = details.code;
          if (details.cssOrigin === "user") wanted.origin = "USER";
          await api.scripting[name](wanted);
        };
        return settle(run(), callback);
      });
    }
  }
})(/* settings */);
