// Listens to what Chromium's own rules do: while they alone block, and at the browser's start, where
// they act beside the matcher until they are told to let everything through.

import { api } from "../shared/browser.js";
import { Observer } from "./observer.js";
import { everything, extraHeaders } from "./requests.js";

/** @typedef {import("./matcher.js").Matcher} Matcher */

/**
 * Reports what the browser's own rules have done.
 *
 * What it knows of requests is in memory; see `Observer`.
 */
export class RuleWatch {
  /** Whether the browser's own rules are all that blocks: the browser lets no extension do it. */
  isAlone = false;
  /**
   * Fulfilled when it is known which pages were open at the start.
   *
   * @type {Promise<unknown>}
   */
  #found;
  /**
   * The numbers of requests that the matcher has stopped, and not the rules.
   *
   * @type {Set<string>}
   */
  #stopped = new Set();
  #isEnded = false;
  #requests;
  #observer;
  /** @type {() => void} */
  #removeListeners;
  #send = (/** @type {WebExt.SentDetails} */ details) => {
    if (this.isAlone && this.#requests.matcher) this.#observer.sent(details);
  };

  /**
   * Begins to listen.
   *
   * @param {import("./requests.js").Requests} requests
   * @param {import("./early-requests.js").EarlyRequests} early
   * @param {Promise<unknown>} found fulfilled when it is known which pages were open at the start
   */
  constructor(requests, early, found) {
    this.#requests = requests;
    this.#found = found;
    this.#observer = new Observer({
      decide: (details) => this.#observe(details),
      record: (kind, decided) => requests.matcher?.record(kind, decided),
    });
    this.#removeListeners = this.#listen(early);
  }

  /**
   * Looks at the headers of requests only as long as a list that is on, or a choice for a site, strips cookies: a listener that
   * asks for extra headers costs every request several times what all others cost.
   *
   * @param {import("../lists/lists.js").Lists} lists
   * @param {import("../shared/site-choices.js").SiteChoices} choices
   */
  listenAsNeeded(lists, choices) {
    const { onSendHeaders } = api.webRequest;
    const isNeeded = !this.#isEnded && (lists.mayDo("block-cookies") || choices.has("cookies"));
    if (isNeeded === onSendHeaders.hasListener(this.#send)) return;
    if (isNeeded) onSendHeaders.addListener(this.#send, everything, ["requestHeaders", ...extraHeaders]);
    else onSendHeaders.removeListener(this.#send);
  }

  /** Ends it: the rules let everything through from here on, or are gone. */
  end() {
    this.#removeListeners();
    api.webRequest.onSendHeaders.removeListener(this.#send);
    this.#isEnded = true;
    this.#stopped.clear();
  }

  /**
   * The matcher has stopped a request.
   *
   * @param {string} requestId
   */
  stoppedByMatcher(requestId) {
    if (!this.#isEnded) this.#stopped.add(requestId);
  }

  /** @param {import("./early-requests.js").EarlyRequests} early */
  #listen(early) {
    const { onBeforeRequest, onErrorOccurred, onBeforeRedirect } = api.webRequest;
    /** The matcher, if the browser's own rules are all that blocks. */
    const alone = () => (this.isAlone ? this.#requests.matcher : null);
    // Chromium silently drops listeners that may not block, so this one only observes.
    const observe = (/** @type {WebExt.RequestDetails} */ details) => {
      if (this.isAlone) this.#observe(details);
    };
    const fail = (/** @type {WebExt.ErrorDetails} */ details) => {
      early.delete(details.requestId);
      if (alone()) this.#fail(details);
      // At the browser's start the rules act beside the matcher; documents come in another order.
      else this.#found.then(() => this.#failAtStart(details));
    };
    const redirect = (/** @type {WebExt.RedirectDetails} */ details) => {
      const matcher = alone();
      if (matcher) this.#observer.redirected(details, matcher.engine.upgraded(details.url));
    };
    onBeforeRequest.addListener(observe, everything);
    onErrorOccurred.addListener(fail, everything);
    onBeforeRedirect.addListener(redirect, everything);
    return () => {
      onBeforeRequest.removeListener(observe);
      onErrorOccurred.removeListener(fail);
      onBeforeRedirect.removeListener(redirect);
    };
  }

  /**
   * Lets the engine decide a request, and keeps the decision until it is known how it ends.
   *
   * @param {WebExt.RequestDetails} details
   */
  #observe(details) {
    const decided = this.#requests.look(details);
    if (decided) this.#observer.note(details, decided);
  }

  /** @param {WebExt.ErrorDetails} details */
  #failAtStart(details) {
    if (this.#requests.matcher && !this.#stopped.delete(details.requestId)) this.#fail(details);
  }

  /**
   * A request has failed, perhaps because of the rules.
   *
   * @param {WebExt.ErrorDetails} details
   */
  #fail(details) {
    if (this.#observer.failed(details)) this.#requests.stopped(details, false);
  }
}
