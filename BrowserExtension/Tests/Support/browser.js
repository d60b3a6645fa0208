// A browser's interface as Chromium has it, as far as modules need it to be imported and tested. Import
// this first: modules look at it when they are loaded.

import { readFileSync } from "node:fs";

/** The texts that a test reads; those of the extension's own language. */
export const messages = JSON.parse(
  readFileSync(new URL("../../WebExtension/_locales/en/messages.json", import.meta.url), "utf8"));

/** What was called, as `[name, ...arguments]`. */
export const calls = [];

/** An event whose listeners a test calls by `fire`. */
export class FakeEvent {
  listeners = [];
  addListener(listener) { this.listeners.push(listener); }
  removeListener(listener) { this.listeners = this.listeners.filter((each) => each !== listener); }
  hasListener(listener) { return this.listeners.includes(listener); }
  fire(...details) { return this.listeners.map((listener) => listener(...details)); }
}

const recorded = (name, value) => (...details) => {
  calls.push([name, ...details]);
  return Promise.resolve(value);
};

/** What the extension keeps in the browser's storage. */
export const storage = {};

/** What it keeps in the browser's memory. */
export const sessionStorage = {};

export const fakeBrowser = {
  runtime: {
    getURL: (path) => `chrome-extension://tickbird/${path}`,
    sendMessage: recorded("sendMessage", {}),
    onMessage: new FakeEvent(),
    lastError: null,
  },
  action: {
    setBadgeText: recorded("setBadgeText"),
    setIcon: recorded("setIcon"),
    setTitle: recorded("setTitle"),
    setBadgeBackgroundColor: recorded("setBadgeBackgroundColor"),
  },
  storage: {
    local: {
      get: async (keys) => Object.fromEntries(
        keys.filter((key) => key in storage).map((key) => [key, storage[key]])),
      set: async (values) => { Object.assign(storage, structuredClone(values)); },
    },
    session: {
      get: async (keys) => Object.fromEntries(
        keys.filter((key) => key in sessionStorage).map((key) => [key, sessionStorage[key]])),
      set: async (values) => { Object.assign(sessionStorage, structuredClone(values)); },
    },
  },
  i18n: {
    detectLanguage: recorded("detectLanguage", { isReliable: false, languages: [] }),
    getMessage: (name, values = []) => {
      const { message = "", placeholders = {} } = messages[name] ?? {};
      return message
        .replace(/\$([A-Za-z_]\w*)\$/g, (_, word) => placeholders[word.toLowerCase()]?.content ?? "")
        .replace(/\$(\d)/g, (_, place) => values[place - 1] ?? "");
    },
    getUILanguage: () => "en",
  },
  scripting: {
    insertCSS: recorded("insertCSS"),
    executeScript: recorded("executeScript", []),
  },
  tabs: {
    get: recorded("tabs.get", { url: "" }),
    reload: recorded("tabs.reload"),
    update: recorded("tabs.update"),
    goBack: recorded("tabs.goBack"),
    query: recorded("tabs.query", []),
  },
  declarativeNetRequest: {
    getSessionRules: recorded("getSessionRules", []),
    updateSessionRules: recorded("updateSessionRules"),
  },
  webRequest: {
    onBeforeSendHeaders: new FakeEvent(),
    onHeadersReceived: new FakeEvent(),
    onCompleted: new FakeEvent(),
    onErrorOccurred: new FakeEvent(),
  },
};

globalThis.chrome = fakeBrowser;
