// The background: decides every load, and does what the decision says.
//
// All listeners are registered at once when the script starts, so that the browser finds them when
// it wakes the background for an event.

import { api, button, isFirefox } from "./browser.js";
import { Engine } from "./engine.js";
import { Hiding } from "./hiding.js";
import { hold, isShown } from "./hold.js";
import { Host } from "./host.js";
import { ListTexts } from "./list-texts.js";
import { Lists } from "./lists.js";
import { isDocument, loadOf } from "./loads.js";
import { answer } from "./messages.js";
import { Settings } from "./settings.js";
import { Store } from "./store.js";
import { Tabs } from "./tabs.js";

const settings = new Settings();
const tabs = new Tabs();
/** What later events of a request have to know: by its number, `{blocksCookies, upgraded}`. */
const requests = new Map();
const state = {
  settings, tabs, engine: null, lists: null, texts: null, hiding: null, host: null, fault: null,
  /** Whether the browser lets requests be stopped; null as long as there was none. */
  canBlock: null,
};

async function start() {
  try {
    const [module] = await Promise.all([
      fetch(api.runtime.getURL("matcher.wasm")).then((response) => response.arrayBuffer()),
      settings.load(),
    ]);
    const engine = await Engine.start(module);
    const lists = new Lists(engine, new Store(), settings);
    state.lists = lists;
    await lists.load(listenAsNeeded);
    // From here on requests are decided.
    Object.assign(state, { engine, hiding: new Hiding(engine, lists), texts: new ListTexts(engine) });
  } catch (error) {
    state.fault = `Tickbird could not start: ${error.message}`;
    return;
  }
  const update = () => state.lists.update(state.host);
  state.host = new Host({
    onConnected: update,
    onNotice: (message) => { if (message?.type === "changed") update(); },
  });
  state.host.connect();
}

const ready = start();

// MARK: Requests

/** Whether nothing is done on a page. */
function isAllowed(topURL) {
  const site = state.engine.site(topURL);
  return site !== null && settings.isAllowed(site);
}

function decideRequest(details) {
  if (!state.engine) return {};
  const navigation = isDocument(details) ? tabs.navigate(details) : null;
  // What was upgraded is not matched again.
  if (requests.get(details.requestId)?.upgraded === details.url) return {};
  const load = loadOf(details, tabs);
  if (!load || isAllowed(load.topURL)) {
    requests.delete(details.requestId);
    return {};
  }
  const decision = state.engine.decide(load);
  if (!decision.isChecked) return {};
  const { tabId, frameId } = details;
  const page = details.type === "main_frame" ? navigation : tabs.awaited(tabId, 0, load.topURL);
  const journal = page?.journal ?? tabs.tab(tabId).journal;
  journal.loads += 1;
  const later = navigation ?? tabs.awaited(tabId, frameId, load.frameURL);
  if (later) {
    later.decisions.push({ decision, load });
  } else {
    const document = tabs.frame(tabId, frameId);
    if (document) state.hiding.apply(details, document, decision, load);
  }
  return effect(details, decision, load, journal);
}

/** What the browser has to do with a request; also writes the journal. */
function effect(details, decision, load, journal) {
  // Chromium redirects no WebSockets.
  const canUpgrade = isFirefox || load.type !== "websocket";
  const upgraded = decision.makesHTTPS && !decision.isBlocked && canUpgrade
    ? state.engine.upgraded(load.url) : null;
  const effective = {
    "block": decision.isBlocked,
    "block-cookies": decision.blocksCookies && !decision.isBlocked,
    "make-https": upgraded !== null,
  };
  for (const [kind, isEffective] of Object.entries(effective)) {
    if (!isEffective) continue;
    const actions = decision.actions.filter((action) => action.kind === kind)
      .map(({ list, rules }) => ({ identifier: state.lists.withHandle(list)?.identifier, rules }));
    journal.add(kind, actions, load);
  }
  if (decision.isBlocked) {
    requests.delete(details.requestId);
    if (details.type === "main_frame") tabs.giveUp(details);
    showCount(details.tabId);
    return { cancel: true };
  }
  if (decision.blocksCookies || upgraded !== null) {
    requests.set(details.requestId, { blocksCookies: decision.blocksCookies, upgraded });
  } else {
    requests.delete(details.requestId);
  }
  if (upgraded === null) return {};
  return isFirefox ? { upgradeToSecure: true } : { redirectUrl: upgraded };
}

/** Keeps a document back whose navigation has found out that something is to be hidden. */
function holdDocument(details) {
  const navigation = tabs.navigation(details);
  if (!navigation || navigation.open || !isShown(details)) return;
  const hides = navigation.decisions.some(({ decision, load }) =>
    !isAllowed(load.topURL) && state.hiding.isNeeded(decision, load));
  if (hides) navigation.open = hold(details.requestId);
}

const without = (headers, name) => headers.filter((header) => header.name.toLowerCase() !== name);

const everything = { urls: ["<all_urls>"] };
const extra = isFirefox ? [] : ["extraHeaders"];

api.webRequest.onBeforeRequest.addListener((details) => {
  state.canBlock = true;
  // Only Firefox waits for an answer, which it does at its start.
  if (!state.engine && !state.fault && isFirefox) return ready.then(() => decideRequest(details));
  return decideRequest(details);
}, everything, ["blocking"]);

/** In Firefox, documents are kept back; for cookies there are listeners of their own. */
if (isFirefox) {
  api.webRequest.onHeadersReceived.addListener((details) => {
    if (state.engine) holdDocument(details);
  }, { urls: ["<all_urls>"], types: ["main_frame", "sub_frame"] }, ["blocking", "responseHeaders"]);
}

/** Chromium drops listeners that may not block without a word. */
function noteWhetherBlocking() {
  state.canBlock ??= false;
  api.webRequest.onCompleted.removeListener(noteWhetherBlocking);
}

api.webRequest.onCompleted.addListener(noteWhetherBlocking, everything);

function stripRequest(details) {
  if (!requests.get(details.requestId)?.blocksCookies) return {};
  return { requestHeaders: without(details.requestHeaders, "cookie") };
}

function stripAnswer(details) {
  if (!requests.get(details.requestId)?.blocksCookies) return {};
  return { responseHeaders: without(details.responseHeaders, "set-cookie") };
}

function forget({ requestId }) { requests.delete(requestId); }

/**
 * Listens to what the lists make worth listening to.
 *
 * Each listener costs every request a way to this process and back.
 */
function listenAsNeeded() {
  const { webRequest } = api;
  const listen = (event, listener, isNeeded, ...options) => {
    if (isNeeded === event.hasListener(listener)) return;
    if (isNeeded) event.addListener(listener, everything, ...options);
    else event.removeListener(listener);
  };
  const strips = state.lists.mayDo("block-cookies");
  listen(webRequest.onBeforeSendHeaders, stripRequest, strips,
    ["blocking", "requestHeaders", ...extra]);
  listen(webRequest.onHeadersReceived, stripAnswer, strips,
    ["blocking", "responseHeaders", ...extra]);
  const remembers = strips || state.lists.mayDo("make-https");
  listen(webRequest.onCompleted, forget, remembers);
  listen(webRequest.onErrorOccurred, forget, remembers);
}

// MARK: Documents

function commit(details) {
  const { document, navigation } = tabs.commit(details);
  if (!state.engine) return;
  apply(details, document, navigation);
  if (navigation?.open) document.pending.then(navigation.open);
}

/** Hides in a new document what its navigation has found out. */
function apply(details, document, navigation) {
  const { tabId, frameId, url } = details;
  let decisions = navigation?.decisions ?? [];
  if (decisions.length === 0) {
    // Documents that were not requested, as srcdoc and those that a script made: only hiding counts.
    const top = tabs.frame(tabId, 0);
    if (!top || frameId === 0 && /^(?:about|chrome|moz-extension|chrome-extension|data):/.test(url)) {
      return;
    }
    const load = {
      url, topURL: top.url, frameURL: url, type: frameId === 0 ? "top-document" : "child-document",
      isTopFrame: frameId === 0, method: "GET",
    };
    decisions = [{ decision: state.engine.decide(load), load }];
  }
  for (const { decision, load } of decisions) {
    if (isAllowed(load.topURL)) continue;
    state.hiding.apply(details, document, decision, load);
  }
  if (frameId === 0) showCount(tabId);
}

api.webNavigation.onCommitted.addListener((details) => {
  if (state.engine || state.fault) commit(details);
  else ready.then(() => commit(details));
});
api.webNavigation.onHistoryStateUpdated.addListener((details) => tabs.rename(details));
api.webNavigation.onReferenceFragmentUpdated.addListener((details) => tabs.rename(details));
api.tabs.onRemoved.addListener((tabId) => tabs.remove(tabId));

// MARK: The toolbar and its pop-up

const counted = new Set();

/** Shows the number of blocked loads on the toolbar button, a moment later, for there are many. */
function showCount(tabId) {
  if (tabId < 0 || counted.has(tabId)) return;
  counted.add(tabId);
  setTimeout(() => {
    counted.delete(tabId);
    const count = tabs.tab(tabId).journal.counts.block;
    Promise.resolve(button.setBadgeText({ tabId, text: count ? String(count) : "" }))
      .catch(() => {});
  }, 200);
}

Promise.resolve(button.setBadgeBackgroundColor({ color: "#3b5b8c" })).catch(() => {});

api.runtime.onMessage.addListener((message, sender, respond) => {
  ready.then(() => answer(message, sender, state)).then(respond, (error) => {
    respond({ error: error.message });
  });
  return true;
});

if (!isFirefox) {
  // A worker that sleeps has no lists at hand when a request wakes it.
  setInterval(() => api.runtime.getPlatformInfo(), 20000);
}

// For the extension's own pages and its tests.
globalThis.tickbird = {
  ready,
  state,
  answer: (message) => answer(message, { url: api.runtime.getURL("") }, state),
  answerFromPage: (message) => answer(message, { url: "http://page.example/" }, state),
};
