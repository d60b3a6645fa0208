// The background: decides every load, and does what the decision says.
//
// All listeners are registered at once when the script starts, so that the browser finds them when
// it wakes the background for an event.

import { api, button, isFirefox } from "./browser.js";
import { Declarative } from "./declarative.js";
import { Engine } from "./engine.js";
import { Hiding } from "./hiding.js";
import { hold, isShown } from "./hold.js";
import { Host } from "./host.js";
import { tellOfLinks } from "./links.js";
import { ListTexts } from "./list-texts.js";
import { Lists } from "./lists.js";
import { isDocument, loadOf } from "./loads.js";
import { answer } from "./messages.js";
import { targetKeys } from "./note-addresses.js";
import { NoteTabs } from "./note-tabs.js";
import { Notes } from "./notes.js";
import { Observer } from "./observer.js";
import { Settings } from "./settings.js";
import { Store } from "./store.js";
import { isAhead, Tabs } from "./tabs.js";

const settings = new Settings();
const tabs = new Tabs();
/** What later events of a request have to know: by its number, `{blocksCookies, upgraded}`. */
const requests = new Map();
const notes = new Notes(() => state.host ?? noHost, () => noteTabs.refreshed());
const noteTabs = new NoteTabs(notes, tabs);
const noHost = { ask: () => Promise.reject(new Error("Tickbird's service is not connected")) };
const state = {
  settings, tabs, notes, noteTabs, engine: null, lists: null, texts: null, hiding: null, host: null,
  fault: null,
  /** The browser's own rules: all there is where it lets the extension stop nothing; null in Firefox. */
  declarative: isFirefox ? null : new Declarative(settings),
  /** Whether the browser lets requests be stopped; null as long as it was not asked. */
  canBlock: null,
};

/** Whether the browser's own rules let everything through to the matcher. */
let isOpen = false;
/** The numbers of requests that the matcher has stopped before that. */
const stopped = new Set();
/** Requests that came before there was a matcher and have not failed, by their numbers. */
const early = new Map();
const earlyLimit = 2000;
/** After how many milliseconds an early request has come through, if nothing was heard of it. */
const earlyPatience = 500;

/** Asks whether the browser lets requests be stopped: it takes that permission from all others. */
async function learn() {
  const wanted = { permissions: ["webRequestBlocking"] };
  state.canBlock = isFirefox || await api.permissions.contains(wanted);
}

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
}

const ready = Promise.all([learn(), start()]).then(() => {
  if (isFirefox) return;
  if (!state.canBlock) {
    state.declarative.start(state.host);
    return;
  }
  const unwatch = () => {
    for (const [event, listener] of watching) event.removeListener(listener);
    isOpen = true;
    stopped.clear();
  };
  // Where the matcher is missing, the browser's rules go on in its place.
  if (state.fault) unwatch();
  else state.declarative.stepBack(state.host, unwatch);
});

const update = () => ready.then(async () => {
  if (state.fault) return;
  await state.lists.update(state.host);
  await state.declarative?.update(state.host);
});
state.host = new Host({
  // Notes first: they are few, and pages may wait for them.
  onConnected: () => {
    tellOfLinks();
    return Promise.all([notes.connected(), update()]);
  },
  onNotice: (message) => {
    if (message?.type === "changed") update();
    if (message?.type === "linksChanged") tellOfLinks();
    if (message?.type === "notesChanged") notes.refresh();
  },
});
state.host.connect();

// MARK: Requests

/** Whether nothing is done on a page. */
function isAllowed(topURL) {
  const site = state.engine.site(topURL);
  return site !== null && settings.isAllowed(site);
}

/** What the browser has to do with a request; one that is only observed is noted for `observer`. */
function decideRequest(details, isObserved = state.canBlock === false) {
  // A document that Chromium is about to show asks under a number of its own for a moment.
  if (details.parentFrameId === -1 && details.frameId > 0 && !isAhead(details)) details.frameId = 0;
  const navigation = isDocument(details) ? tabs.navigate(details) : null;
  if (!state.engine) return {};
  // What was upgraded is not matched again.
  if (requests.get(details.requestId)?.upgraded === details.url) return {};
  const load = loadOf(details, tabs);
  if (!load || isAllowed(load.topURL)) {
    requests.delete(details.requestId);
    return {};
  }
  const decision = state.engine.decide(load);
  if (!decision.isChecked) return {};
  const { frameId } = details;
  const page = tabs.page(details);
  const coming = details.type === "main_frame" ? navigation : page.awaitedTop(load.topURL);
  const { journal } = coming ?? page;
  journal.loads += 1;
  const later = navigation ?? page.awaited(frameId, load.frameURL);
  if (later) {
    later.decisions.push({ decision, load });
  } else {
    const document = page.document(frameId);
    if (document) state.hiding.apply(details, document, decision, load);
  }
  if (isObserved) {
    observer.note(details, decision, load, journal);
    return {};
  }
  return effect(details, decision, load, journal);
}

/** Writes what has happened to a load into its page's journal, as an action of a kind had it. */
function record(kind, { decision, load, journal }, what = kind) {
  const actions = decision.actions.filter((action) => action.kind === kind)
    .map(({ list, rules }) => ({ identifier: state.lists.withHandle(list)?.identifier, rules }));
  journal.add(what, actions, load);
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
    if (isEffective) record(kind, { decision, load, journal });
  }
  if (decision.isBlocked) {
    requests.delete(details.requestId);
    if (!isOpen && !isFirefox) stopped.add(details.requestId);
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

/**
 * Does what can be done still for a request that came before there was anything to decide by: hides,
 * and reports what would have been stopped.
 */
function catchUp(details) {
  const load = loadOf(details, tabs);
  if (!load || isAllowed(load.topURL)) return;
  const decision = state.engine.decide(load);
  if (!decision.isChecked) return;
  const page = tabs.page(details);
  const { journal } = page.awaitedTop(load.topURL) ?? page;
  journal.loads += 1;
  const document = isDocument(details) ? null : page.document(details.frameId);
  if (document) state.hiding.apply(details, document, decision, load);
  if (!decision.isBlocked) return;
  // The browser's own rules may have stopped it, which is reported a moment later.
  setTimeout(() => {
    if (early.has(details.requestId)) record("block", { decision, load, journal }, "passed");
  }, earlyPatience);
}

const without = (headers, name) => headers.filter((header) => header.name.toLowerCase() !== name);

const everything = { urls: ["<all_urls>"] };
const extra = isFirefox ? [] : ["extraHeaders"];

api.webRequest.onBeforeRequest.addListener((details) => {
  if (!state.engine && !state.fault) {
    // Only Firefox waits for an answer.
    if (isFirefox) return ready.then(() => decideRequest(details));
    if (early.size < earlyLimit) early.set(details.requestId, details);
  }
  return decideRequest(details);
}, everything, ["blocking"]);

/** In Firefox, documents are kept back; for cookies there are listeners of their own. */
if (isFirefox) {
  const receive = (details) => {
    const replaced = noteTabs.replace(details);
    if (replaced) return replaced;
    if (state.engine) holdDocument(details);
  };
  api.webRequest.onHeadersReceived.addListener((details) =>
    (notes.isKnown ? receive(details) : notes.known.then(() => receive(details))),
  { urls: ["<all_urls>"], types: ["main_frame", "sub_frame"] }, ["blocking", "responseHeaders"]);
} else {
  api.webRequest.onHeadersReceived.addListener((details) => noteTabs.disarm(details),
    { urls: ["<all_urls>"], types: ["main_frame"] }, ["blocking", "responseHeaders"]);
}

const observer = new Observer({ decide: (details) => decideRequest(details, true), record });

/** Sees requests without stopping them. Chromium drops listeners that may not block without a word. */
function observe(details) {
  if (state.canBlock === false) decideRequest(details);
}

/** A request has failed: by the browser's rules, perhaps. */
function fail(details) {
  if (!observer.failed(details)) return;
  if (details.type === "main_frame") tabs.giveUp(details);
  showCount(details.tabId);
}

/** Listens to what the browser's own rules do; events, listeners and what they ask for. */
const watching = isFirefox ? [] : [
  [api.webRequest.onBeforeRequest, observe],
  [api.webRequest.onErrorOccurred, (details) => {
    early.delete(details.requestId);
    if (state.canBlock === false && state.engine) fail(details);
    // At the browser's start its rules act beside the matcher. Documents come by another way.
    else found.then(() => { if (state.engine && !stopped.delete(details.requestId)) fail(details); });
  }],
  [api.webRequest.onBeforeRedirect, ifOrdinary((details) => {
    observer.redirected(details, state.engine.upgraded(details.url));
  })],
  [api.webRequest.onSendHeaders, ifOrdinary((details) => observer.sent(details)),
    ["requestHeaders", ...extra]],
  [api.webRequest.onCompleted, ifOrdinary((details) => observer.completed(details))],
];

function ifOrdinary(body) {
  return (details) => { if (state.canBlock === false && state.engine) body(details); };
}

for (const [event, listener, options] of watching) {
  event.addListener(listener, everything, ...options ? [options] : []);
}

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
  const { document, navigation, wasAhead } = tabs.commit(details);
  noteTabs.committed(details, navigation);
  if (!state.engine) return;
  if (wasAhead) showCount(details.tabId);
  else apply(details, document, navigation);
  if (navigation?.open) document.pending.then(navigation.open);
}

/** Hides in a new document what its navigation has found out. */
function apply(details, document, navigation) {
  const { tabId, frameId, url } = details;
  const page = tabs.page(details);
  const isTop = page.isTop(frameId);
  let decisions = navigation?.decisions ?? [];
  if (decisions.length === 0) {
    // Documents that were not requested, as srcdoc and those that a script made: only hiding counts.
    const { top } = page;
    if (!top || isTop && /^(?:about|chrome|moz-extension|chrome-extension|data):/.test(url)) {
      return;
    }
    const load = {
      url, topURL: top.url, frameURL: url, type: isTop ? "top-document" : "child-document",
      isTopFrame: isTop, method: "GET",
    };
    decisions = [{ decision: state.engine.decide(load), load }];
  }
  for (const { decision, load } of decisions) {
    if (isAllowed(load.topURL)) continue;
    state.hiding.apply(details, document, decision, load);
  }
  if (frameId === 0) showCount(tabId);
}

/** Learns of the pages that were open before the extension was there, and hides in them. */
async function findOpenPages() {
  for (const { id: tabId } of await api.tabs.query({})) {
    const frames = await api.webNavigation.getAllFrames({ tabId }).catch(() => null);
    // A page before its frames, whose loads are judged by it.
    for (const frame of (frames ?? []).sort((one, other) => one.frameId - other.frameId)) {
      const details = { ...frame, tabId };
      const document = tabs.find(details);
      if (document) apply(details, document, null);
    }
  }
}

const found = ready.then(() => (state.engine ? findOpenPages() : undefined)).then(() => {
  // Elsewhere the browser's own rules are all there is.
  if (state.engine && state.canBlock) early.forEach(catchUp);
  setTimeout(() => early.clear(), 2 * earlyPatience);
});

api.webNavigation.onCommitted.addListener((details) => {
  if (state.engine || state.fault) commit(details);
  else ready.then(() => commit(details));
});
function rename(details) {
  const oldURL = tabs.frame(details)?.url;
  tabs.rename(details);
  if (oldURL) noteTabs.renamed(details, oldURL);
}

api.webNavigation.onHistoryStateUpdated.addListener(rename);
api.webNavigation.onReferenceFragmentUpdated.addListener(rename);
api.tabs.onRemoved.addListener((tabId) => {
  tabs.remove(tabId);
  noteTabs.removed(tabId);
});

// MARK: The toolbar and its pop-up

const counted = new Set();

/** Shows the number of blocked loads on the toolbar button, a moment later, for there are many. */
function showCount(tabId) {
  if (tabId < 0 || counted.has(tabId)) return;
  counted.add(tabId);
  setTimeout(() => {
    counted.delete(tabId);
    const count = tabs.shown(tabId).journal.counts.block;
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
  targetKeys,
  answer: (message) => answer(message, { url: api.runtime.getURL("") }, state),
  answerFromPage: (message) => answer(message, { url: "http://page.example/" }, state),
};
