// Requests of Chromium that came before there was anything to decide by. Firefox waits for an answer.

import { isDocument, loadOf } from "./loads.js";
import { BoundedMap } from "../shared/bounded-map.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {import("./matcher.js").Matcher} Matcher */

const limits = { count: 2000, characters: 8_000_000 };

/**
 * Requests that came before the matcher had started and have not failed.
 *
 * In memory for the first moments of the background script alone: each start has early requests of its
 * own.
 */
export class EarlyRequests {
  /**
   * By their numbers.
   *
   * @type {BoundedMap<string, WebExt.RequestDetails>}
   */
  #requests = new BoundedMap(limits, ({ url, initiator = "" }) => url.length + initiator.length);
  #tabs;

  /** @param {import("./tabs.js").Tabs} tabs */
  constructor(tabs) { this.#tabs = tabs; }

  /** @param {WebExt.RequestDetails} details */
  add(details) {
    this.#requests.set(details.requestId, details);
  }

  /**
   * A request has failed.
   *
   * @param {string} requestId
   */
  delete(requestId) { this.#requests.delete(requestId); }

  /**
   * Does what can still be done: hides, and reports what would have been stopped.
   *
   * @param {Matcher} matcher
   */
  catchUp(matcher) {
    for (const details of this.#requests.values) this.#catchUp(matcher, details);
  }

  /** Forgets all requests, after the browser has had time to report which of them have failed. */
  end() { setTimeout(() => this.#requests.clear(), 2 * milliseconds.earlyRequest); }

  /**
   * @param {Matcher} matcher
   * @param {WebExt.RequestDetails} details
   */
  #catchUp(matcher, details) {
    const load = loadOf(details, this.#tabs);
    const decision = load && matcher.decide(load, details.tabId);
    if (!decision) return;
    const page = this.#tabs.page(details);
    const { journal } = page.awaitedTop(load.topURL) ?? page;
    journal.see(load);
    const document = isDocument(details) ? null : page.document(details.frameId);
    if (document) matcher.hiding.apply(details, document, decision, load);
    if (!decision.isBlocked) return;
    // The browser's own rules may have stopped it, which is reported a moment later.
    setTimeout(() => {
      if (this.#requests.has(details.requestId)) {
        matcher.record("block", { decision, load, journal }, "passed");
      }
    }, milliseconds.earlyRequest);
  }
}
