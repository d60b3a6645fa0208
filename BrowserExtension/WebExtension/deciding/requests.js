// Requests in the background: decides each one, and tells the browser what to do with it.

import { BoundedMap } from "../shared/bounded-map.js";
import { api, isFirefox } from "../shared/browser.js";
import { samplePage } from "../first-run/samples.js";
import { frameTypes, isDocument, isWithoutContent, loadOf, mayBeDocument } from "./loads.js";
import { isPrerendered } from "./tabs.js";

/** @typedef {import("./matcher.js").Matcher} Matcher */
/** @typedef {import("./observer.js").Decided} Decided */
/** @typedef {import("./page.js").Navigation} Navigation */

/** The filter of listeners to all requests. */
export const everything = { urls: ["<all_urls>"] };
/** How many requests are remembered that have effects on their later events: some never end. */
const limits = { count: 5000, characters: 8_000_000 };
/** What listeners that change header fields ask for: Chromium hides cookies from others. */
export const extraHeaders = isFirefox ? [] : ["extraHeaders"];

/**
 * Whether lists that are on, or choices for sites, may strip cookies, for which header fields are asked for.
 *
 * @param {import("../lists/lists.js").Lists} lists
 * @param {import("../shared/site-choices.js").SiteChoices} choices
 */
export const mayStrip = (lists, choices) => lists.mayDo("block-cookies") || choices.has("cookies");

/**
 * @param {WebExt.HTTPHeader[]} headers
 * @param {string} name in lower case
 */
const without = (headers, name) => headers.filter((header) => header.name.toLowerCase() !== name);

/**
 * Decides requests.
 *
 * What is kept of a request is in memory until it ends. After a restart of the background script, later
 * events of a request of before leave it as it is.
 */
export class Requests {
  /**
   * What decides; null until it has started.
   *
   * @type {Matcher | null}
   */
  matcher = null;
  /**
   * Called with each request that was decided; null as long as nobody wants to know.
   *
   * @type {((details: WebExt.RequestDetails, decided: Decided) => void) | null}
   */
  onDecided = null;
  /**
   * What later events of a request have to know, by its number.
   *
   * @type {BoundedMap<string, { blocksCookies: boolean, upgraded: string | null }>}
   */
  #effects = new BoundedMap(limits, ({ upgraded }) => upgraded?.length ?? 0);
  #tabs;
  #badge;
  #onStopped;
  #passes;
  #onPageBlocked;

  /**
   * @param {import("./tabs.js").Tabs} tabs
   * @param {import("../popup/badge.js").Badge} badge
   * @param {import("./passes.js").Passes} passes
   * @param {object} calls
   * @param {(requestId: string) => void} calls.onStopped called for each request that is stopped here
   * @param {(details: WebExt.RequestDetails, navigation: Navigation, isStoppedHere: boolean) => void}
   *   calls.onPageBlocked called for each page that is blocked as a whole
   */
  constructor(tabs, badge, passes, { onStopped, onPageBlocked }) {
    this.#tabs = tabs;
    this.#badge = badge;
    this.#passes = passes;
    this.#onStopped = onStopped;
    this.#onPageBlocked = onPageBlocked;
  }

  /** Listens to the ends of those requests for documents that bring none. */
  listenToEnds() {
    const documents = { ...everything, types: frameTypes };
    api.webRequest.onErrorOccurred.addListener((details) => this.#documentFailed(details), documents);
    api.webRequest.onCompleted.addListener((details) => {
      if (isWithoutContent(details)) this.#tabs.end(details);
    }, documents);
  }

  /**
   * A request for a document has failed, or was given up.
   *
   * @param {WebExt.ErrorDetails} details
   */
  #documentFailed(details) {
    // Of a page that Chromium's own rules have blocked, `RuleWatch` says so, perhaps later; then `stopped` ends it.
    if (details.type === "main_frame" && details.error === "net::ERR_BLOCKED_BY_CLIENT") return;
    this.#tabs.fail(details);
  }

  /**
   * Decides a request, and says what the browser has to do with it.
   *
   * @param {WebExt.RequestDetails} details
   * @returns {WebExt.BlockingResponse | Promise<WebExt.BlockingResponse>} a promise only in Firefox
   */
  decide(details) {
    const decided = this.look(details);
    const effect = decided ? this.#effect(details, decided) : {};
    const { matcher } = this;
    if (!mayBeDocument(details) || effect.cancel || !matcher) return effect;
    const { url, type, tabId } = details;
    const navigation = this.#tabs.navigation(details);
    const decisions = navigation?.decisions ?? (decided ? [decided] : []);
    const hiding = matcher.hidingDecisions(decisions, url, type === "main_frame", tabId);
    const waiting = matcher.hiding.prepare(url, navigation, hiding);
    return waiting ? waiting.then(() => effect) : effect;
  }

  /**
   * Decides a request, records it, and hides what it asks for; the request itself goes on. Null for
   * one that is not looked at.
   *
   * @param {WebExt.RequestDetails} details
   * @returns {Decided | null}
   */
  look(details) {
    // For a moment, a prerendered document that Chromium is about to show asks under its old number.
    if (details.parentFrameId === -1 && details.frameId > 0 && !isPrerendered(details)) {
      details.frameId = 0;
    }
    const navigation = isDocument(details) ? this.#tabs.navigate(details) : null;
    const { matcher } = this;
    if (!matcher) return null;
    // What was upgraded is not matched again.
    if (this.#effects.get(details.requestId)?.upgraded === details.url) return null;
    const load = loadOf(details, this.#tabs);
    const decision = load && matcher.decide(load, details.tabId);
    if (!decision) {
      this.#effects.delete(details.requestId);
      return null;
    }
    const isPassed = details.type === "main_frame" && decision.isBlocked
      && this.#passes.has(details.tabId, matcher.engine.site(details.url));
    if (isPassed) decision.isBlocked = false;
    const page = this.#tabs.page(details);
    const coming = details.type === "main_frame" ? navigation : page.awaitedTop(load.topURL);
    const { journal } = coming ?? page;
    journal.see(load);
    const later = navigation ?? page.awaited(details.frameId, load.frameURL);
    if (later) {
      later.add(decision, load);
    } else {
      const document = page.document(details.frameId);
      // The first page shows a block, and stays as it is.
      if (document && load.topURL !== samplePage) matcher.hiding.apply(details, document, decision, load);
    }
    const decided = { decision, load, journal, tabId: details.tabId, isPrivate: details.incognito };
    this.onDecided?.(details, decided);
    return decided;
  }

  /**
   * What the browser has to do with a request; also writes the journal.
   *
   * @param {WebExt.RequestDetails} details
   * @param {Decided} decided
   * @returns {WebExt.BlockingResponse}
   */
  #effect(details, decided) {
    const { matcher } = this;
    if (!matcher) return {};
    const { decision: { isBlocked, blocksCookies, makesHTTPS }, load } = decided;
    // Chromium redirects no WebSockets.
    const canUpgrade = isFirefox || load.type !== "websocket";
    const upgraded = makesHTTPS && !isBlocked && canUpgrade ? matcher.engine.upgraded(load.url) : null;
    if (isBlocked) matcher.record("block", decided);
    if (blocksCookies && !isBlocked) matcher.record("block-cookies", decided);
    if (upgraded !== null) matcher.record("make-https", decided);
    if (isBlocked) {
      this.#effects.delete(details.requestId);
      this.#onStopped(details.requestId);
      this.stopped(details, true);
      return { cancel: true };
    }
    // One that goes on is among the newest again.
    this.#effects.delete(details.requestId);
    if (blocksCookies || upgraded !== null) this.#effects.set(details.requestId, { blocksCookies, upgraded });
    if (upgraded === null) return {};
    return isFirefox ? { upgradeToSecure: true } : { redirectUrl: upgraded };
  }

  /**
   * Shows that a request was stopped.
   *
   * @param {WebExt.RequestDetails} details
   * @param {boolean} isStoppedHere and not by the browser's own rules
   */
  stopped(details, isStoppedHere) {
    const navigation = details.type === "main_frame" ? this.#tabs.giveUp(details) : null;
    if (navigation) this.#onPageBlocked(details, navigation, isStoppedHere);
    this.#badge.show(details.tabId);
  }

  /** @type {WebExt.BlockingListener<WebExt.SentDetails>} */
  #stripRequest = (details) => {
    if (!this.#effects.get(details.requestId)?.blocksCookies) return {};
    return { requestHeaders: without(details.requestHeaders, "cookie") };
  };

  /** @type {WebExt.BlockingListener<WebExt.ReceivedDetails>} */
  #stripAnswer = (details) => {
    if (!this.#effects.get(details.requestId)?.blocksCookies) return {};
    return { responseHeaders: without(details.responseHeaders, "set-cookie") };
  };

  #forget = (/** @type {WebExt.RequestDetails} */ { requestId }) => {
    this.#effects.delete(requestId);
  };

  /**
   * Listens to those events that the lists need.
   *
   * Each listener costs every request a way to this process and back.
   *
   * @param {import("../lists/lists.js").Lists} lists
   * @param {import("../shared/site-choices.js").SiteChoices} choices
   * @param {boolean} mayAct whether the browser lets the extension change requests
   */
  listenAsNeeded(lists, choices, mayAct = true) {
    const { webRequest } = api;
    /**
     * @template Details
     * @param {WebExt.RequestEvent<Details>} event
     * @param {WebExt.BlockingListener<Details>} listener
     * @param {boolean} isNeeded
     * @param {[string[]?]} options
     */
    const listen = (event, listener, isNeeded, ...options) => {
      if (isNeeded === event.hasListener(listener)) return;
      if (isNeeded) event.addListener(listener, everything, ...options);
      else event.removeListener(listener);
    };
    const strips = mayAct && mayStrip(lists, choices);
    listen(webRequest.onBeforeSendHeaders, this.#stripRequest, strips,
      ["blocking", "requestHeaders", ...extraHeaders]);
    listen(webRequest.onHeadersReceived, this.#stripAnswer, strips,
      ["blocking", "responseHeaders", ...extraHeaders]);
    const remembers = strips || mayAct && lists.mayDo("make-https");
    listen(webRequest.onCompleted, this.#forget, remembers);
    listen(webRequest.onErrorOccurred, this.#forget, remembers);
  }
}
