// What the browser's own rules have done, as its events tell, with the engine's reasons.
//
// Nothing is said to be blocked that the browser has not blocked.

const limit = 10000;

/** Matches what the engine decides with what the browser did. */
export class Observer {
  #decided = new Map();
  #decide;
  #record;

  /**
   * `decide` lets the engine decide a request and calls `note`; `record` writes a kind of action
   * into a journal.
   */
  constructor({ decide, record }) {
    this.#decide = decide;
    this.#record = record;
  }

  /** Keeps a decision until it is known how the request ends. */
  note(details, decision, load, journal) {
    if (this.#decided.size >= limit) this.#decided.delete(this.#decided.keys().next().value);
    this.#decided.set(details.requestId, { url: details.url, decision, load, journal });
  }

  /** The decision of a request, made now for one that the browser's rules have stopped unseen. */
  #decision(details) {
    const known = this.#decided.get(details.requestId);
    if (known && known.url === details.url) return known;
    this.#decided.delete(details.requestId);
    this.#decide(details);
    return this.#decided.get(details.requestId) ?? null;
  }

  /** A request has failed; true if it was blocked, and by a rule that is known. */
  failed(details) {
    const isBlocked = details.error === "net::ERR_BLOCKED_BY_CLIENT";
    const known = isBlocked ? this.#decision(details) : null;
    this.#decided.delete(details.requestId);
    if (!known?.decision.isBlocked) return false;
    this.#record("block", known);
    return true;
  }

  /** A request goes on at another URL. */
  redirected(details, upgraded) {
    const isUpgrade = details.redirectUrl === upgraded && upgraded !== details.url;
    const known = isUpgrade ? this.#decision(details) : null;
    this.#decided.delete(details.requestId);
    if (known?.decision.makesHTTPS) this.#record("make-https", known);
  }

  /** A request was sent with these headers. */
  sent(details) {
    const known = this.#decided.get(details.requestId);
    if (!known?.decision.blocksCookies) return;
    if (details.requestHeaders.some(({ name }) => name.toLowerCase() === "cookie")) return;
    this.#record("block-cookies", known);
  }

  /** A request is over. */
  completed({ requestId }) { this.#decided.delete(requestId); }
}
