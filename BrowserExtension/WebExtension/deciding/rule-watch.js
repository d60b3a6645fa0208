// Listens to what Chromium's own rules do: while they alone block, and at the browser's start, where
// they act beside the matcher until they are told to let everything through.

import { api } from "../shared/browser.js";
import { isDocument } from "./loads.js";
import { Observer } from "./observer.js";
import { RequestEvents } from "./request-events.js";
import { everything, extraHeaders, mayStrip } from "./requests.js";

/** @typedef {import("./engine.js").Decision} Decision */
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
  /** Tells of requests that begin. One that the rules stop is looked at when it fails, whether or not it was told of. */
  #begun = new RequestEvents((details) => {
    if (this.isAlone) this.#observe(details);
  });
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
   * Looks at as much of requests as lists that are on, choices for sites and an open logger need.
   *
   * A listener that asks for extra headers, which only those need that strip cookies, costs every request several
   * times what all others cost.
   *
   * @param {import("../lists/lists.js").Lists} lists
   * @param {import("../shared/site-choices.js").SiteChoices} choices
   */
  listenAsNeeded(lists, choices) {
    const { onSendHeaders } = api.webRequest;
    const strips = mayStrip(lists, choices);
    if (this.isAlone) this.#begun.want(strips || this.#requests.onDecided ? null : lists.hidingHosts());
    const isNeeded = !this.#isEnded && strips;
    if (isNeeded === onSendHeaders.hasListener(this.#send)) return;
    if (isNeeded) onSendHeaders.addListener(this.#send, everything, ["requestHeaders", ...extraHeaders]);
    else onSendHeaders.removeListener(this.#send);
  }

  /**
   * The requests for a document have been decided.
   *
   * They tell what all requests of its page hide, unless an ignore rule acts on one of them that other requests may
   * not meet. Then all requests of the tab are looked at, until another page is there.
   *
   * @param {number} tabId
   * @param {boolean} isPage whether it is the document of a page that is there from here on
   * @param {Decision[] | null} decisions empty where they do not tell what other requests hide; null where nothing is
   *   hidden
   */
  documentDecided(tabId, isPage, decisions) {
    if (!this.isAlone) return;
    const lists = this.#requests.matcher?.lists;
    const isCut = decisions !== null && (decisions.length === 0
      || decisions.some(({ ignoring }) => ignoring.some((list) => lists?.hides(list))));
    if (isCut || isPage) this.#begun.wantTab(tabId, isCut);
  }

  /**
   * Lists or settings are others than those by which the requests for a page's documents were decided: what they hide is
   * known by its next requests.
   *
   * @param {number} tabId
   */
  pageIsStale(tabId) {
    const lists = this.#requests.matcher?.lists;
    if (this.isAlone && (!lists || lists.anyHides)) this.#begun.wantTab(tabId, true);
  }

  /**
   * A tab is closed.
   *
   * @param {number} tabId
   */
  tabClosed(tabId) { this.#begun.tabClosed(tabId); }

  /** Ends it: the rules let everything through from here on, or are gone. */
  end() {
    this.#removeListeners();
    this.#begun.end();
    api.webRequest.onSendHeaders.removeListener(this.#send);
    this.isAlone = false;
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
    const { onErrorOccurred, onBeforeRedirect } = api.webRequest;
    /** The matcher, if the browser's own rules are all that blocks. */
    const alone = () => (this.isAlone ? this.#requests.matcher : null);
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
    onErrorOccurred.addListener(fail, everything);
    onBeforeRedirect.addListener(redirect, everything);
    return () => {
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
    if (!decided || !isDocument(details)) return;
    const { decision, load } = decided;
    // Before its document is there, so that none of its requests is missed. A new tab's empty document is left at once.
    const isFirst = details.type === "main_frame" && load.frameURL === "about:blank";
    this.documentDecided(details.tabId, isFirst, [decision]);
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
