// In Firefox: style sheets that the browser itself puts into new documents.
//
// What lists hide on a page that they do not know is hidden on nearly all: thousands of selectors. Inserted
// into each document, they are sent and parsed for each, while the document waits. Registered, a process
// parses them once, and documents have them from their first byte on.
//
// A registered sheet is in all documents of the web. So a host is excluded as soon as one of its documents is
// not to have the sheet: a list makes an exception, or the person has exempted the page. That document waits
// until the exclusion acts. From then on the documents of the host have their sheets inserted, as ever.

import { api } from "../shared/browser.js";
import { milliseconds } from "../shared/timings.js";

/**
 * @typedef {object} Registration
 * @property {Map<string, string>} sheets by the keys of what they hide
 * @property {Set<string>} hosts those whose documents do not get the sheets
 * @property {WebExt.RegisteredContentScript | null} script null until the browser has taken it
 */

/** How many hosts are excluded; of more, the older half is forgotten. */
const hostLimit = 200;

/**
 * The host of a page of the web, as patterns of addresses name it; null for other addresses.
 *
 * @param {string} url
 */
function hostOf(url) {
  if (!/^https?:/i.test(url)) return null;
  try {
    const { hostname } = new URL(url);
    // Firefox loads nothing from such a host; in a pattern it would name others.
    return hostname.includes("*") ? null : hostname;
  } catch {
    return null;
  }
}

/** Sheets that are registered for all documents but those of excluded hosts. */
export class RegisteredSheets {
  /**
   * The sheets that are to be registered, by the keys of what they hide.
   *
   * @type {Map<string, string>}
   */
  #sheets = new Map();
  /**
   * The hosts that are to be excluded, in the order in which they came.
   *
   * @type {Set<string>}
   */
  #hosts = new Set();
  /**
   * What new documents may have: the newest last, and those that come and go.
   *
   * @type {Set<Registration>}
   */
  #registrations = new Set();
  /**
   * The newest that the browser has taken.
   *
   * @type {Registration | null}
   */
  #acting = null;
  /** Fulfilled when the browser has taken what was wanted last. */
  #changed = Promise.resolve();
  /** Whether the browser has refused a registration; from then on all sheets are inserted. */
  #isRefused = false;

  /**
   * Registers sheets in place of those of before.
   *
   * @param {Map<string, string>} sheets by the keys of what they hide
   */
  set(sheets) {
    const isSame = sheets.size === this.#sheets.size
      && [...sheets].every(([handle, sheet]) => this.#sheets.get(handle) === sheet);
    if (isSame) return;
    this.#sheets = sheets;
    this.#change();
  }

  /**
   * The keys of the sheets that the browser puts into a document that comes now.
   *
   * Changes may come between the answer and the document. It certainly has what this says both before the
   * document and after.
   *
   * @param {string} url
   * @returns {Set<string>}
   */
  at(url) {
    const host = hostOf(url);
    const acting = this.#acting;
    return new Set(host === null || !acting || acting.hosts.has(host) ? [] : acting.sheets.keys());
  }

  /**
   * Makes sure that a document that is about to come gets no sheet that it is not to have.
   *
   * @param {string} url
   * @param {ReadonlySet<string>} wanted the keys of the sheets that it is to have
   * @returns {Promise<void> | null} what the document has to wait for; null in nearly all cases
   */
  prepare(url, wanted) {
    const host = hostOf(url);
    if (host === null || this.#isRight(host, wanted)) return null;
    return Promise.race([
      this.#exclude(host, wanted),
      // A process of the browser that hangs must not hold up documents of others.
      new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve, milliseconds.documentHold)),
    ]);
  }

  /**
   * Whether a document gets no other sheets than these, whichever registration it meets.
   *
   * @param {string} host
   * @param {ReadonlySet<string>} wanted
   */
  #isRight(host, wanted) {
    const coming = this.#isRefused ? [] : [{ sheets: this.#sheets, hosts: this.#hosts }];
    return [...this.#registrations, ...coming].every(({ sheets, hosts }) =>
      hosts.has(host) || [...sheets.keys()].every((key) => wanted.has(key)));
  }

  /**
   * @param {string} host
   * @param {ReadonlySet<string>} wanted
   */
  async #exclude(host, wanted) {
    // The sheet of a list that was switched off just now may be about to go.
    await this.#changed;
    if (this.#isRight(host, wanted)) return;
    this.#hosts.add(host);
    if (this.#hosts.size > hostLimit) this.#hosts = new Set([...this.#hosts].slice(-hostLimit / 2));
    await this.#change();
  }

  /** Brings the browser to what is wanted, behind changes that are under way. */
  #change() {
    this.#changed = this.#changed.then(() => this.#register()).catch((error) => {
      console.debug(error);
      return this.#refuse();
    });
    return this.#changed;
  }

  async #register() {
    const old = this.#acting;
    const isSame = old?.sheets === this.#sheets && old.hosts.size === this.#hosts.size
      && [...this.#hosts].every((host) => old.hosts.has(host));
    if (isSame || this.#isRefused) return;
    /** @type {Registration} */
    const next = { sheets: this.#sheets, hosts: new Set(this.#hosts), script: null };
    if (next.sheets.size > 0) {
      this.#registrations.add(next);
      next.script = await api.contentScripts.register({
        css: [{ code: [...next.sheets.values()].join("\n") }],
        cssOrigin: "user",
        matches: ["http://*/*", "https://*/*"],
        // Firefox takes no empty array.
        ...next.hosts.size > 0 && { excludeMatches: [...next.hosts].map((host) => `*://${host}/*`) },
        allFrames: true,
        runAt: "document_start",
      });
    }
    // Before the old one goes, so that no document is without.
    this.#acting = next.script ? next : null;
    await this.#end(old);
  }

  /** @param {Registration | null} registration */
  async #end(registration) {
    if (!registration) return;
    await registration.script?.unregister();
    this.#registrations.delete(registration);
  }

  /** Ends all registrations for good. */
  async #refuse() {
    this.#isRefused = true;
    this.#acting = null;
    for (const registration of this.#registrations) {
      await this.#end(registration).catch((error) => console.debug(error));
    }
  }
}
