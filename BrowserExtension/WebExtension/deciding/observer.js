// What the browser's own rules have done, as its events tell, with the engine's reasons.
//
// Nothing is reported as blocked that the browser has not blocked.

import { BoundedMap } from "../shared/bounded-map.js";

/** @typedef {import("./engine.js").Decision} Decision */
/** @typedef {import("./journal.js").Journal} Journal */
/**
 * What the engine has decided about a load, with the journal of its page, the tab, and whether that is
 * private, as far as the browser says so of a request.
 *
 * @typedef {{ decision: Decision, load: Load, journal: Journal, tabId: number, isPrivate?: boolean }} Decided
 */

/**
 * How many decisions are kept. The oldest go: to hear of each request's end would cost as much as to hear of
 * its beginning, and one that fails later is decided again.
 */
const limits = { count: 1000, characters: 8_000_000 };

/**
 * Matches what the engine decides with what the browser did.
 *
 * The last decisions are in memory. After a restart of the background script a request
 * that the browser's rules stop is decided again; other effects on requests of before are not reported.
 */
export class Observer {
  /**
   * By the requests' numbers.
   *
   * @type {BoundedMap<string, Decided & { url: string }>}
   */
  #decided = new BoundedMap(limits, ({ url, load }) => url.length + load.url.length + load.topURL.length
    + load.frameURL.length);
  #decide;
  #record;

  /**
   * @param {object} by
   * @param {(details: WebExt.RequestDetails) => void} by.decide
   *   lets the engine decide a request, and calls `note`
   * @param {(kind: Messages.JournalKind, decided: Decided) => void} by.record
   *   writes a kind of action into a journal
   */
  constructor({ decide, record }) {
    this.#decide = decide;
    this.#record = record;
  }

  /**
   * Keeps a decision for when it is known what becomes of the request.
   *
   * @param {WebExt.RequestDetails} details
   * @param {Decided} decided
   */
  note(details, decided) {
    this.#decided.set(details.requestId, { url: details.url, ...decided });
  }

  /**
   * The decision about a request, made now for one that the browser's rules have stopped unseen.
   *
   * @param {WebExt.RequestDetails} details
   */
  #decision(details) {
    const known = this.#decided.get(details.requestId);
    if (known && known.url === details.url) return known;
    this.#decided.delete(details.requestId);
    this.#decide(details);
    return this.#decided.get(details.requestId) ?? null;
  }

  /**
   * A request has failed.
   *
   * @param {WebExt.ErrorDetails} details
   * @returns {boolean} whether it was blocked, and by a rule that is known
   */
  failed(details) {
    const isBlocked = details.error === "net::ERR_BLOCKED_BY_CLIENT";
    const known = isBlocked ? this.#decision(details) : null;
    this.#decided.delete(details.requestId);
    if (!known?.decision.isBlocked) return false;
    this.#record("block", known);
    return true;
  }

  /**
   * A request goes on at another URL.
   *
   * @param {WebExt.RedirectDetails} details
   * @param {string | null} upgraded the URL that `make-https` makes
   */
  redirected(details, upgraded) {
    const isUpgrade = details.redirectUrl === upgraded && upgraded !== details.url;
    const known = isUpgrade ? this.#decision(details) : null;
    this.#decided.delete(details.requestId);
    if (known?.decision.makesHTTPS) this.#record("make-https", known);
  }

  /**
   * A request was sent with these headers.
   *
   * @param {WebExt.SentDetails} details
   */
  sent(details) {
    const known = this.#decided.get(details.requestId);
    if (!known?.decision.blocksCookies) return;
    if (details.requestHeaders.some(({ name }) => name.toLowerCase() === "cookie")) return;
    this.#record("block-cookies", known);
  }
}
