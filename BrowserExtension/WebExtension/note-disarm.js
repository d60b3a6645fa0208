// Takes the scripts away from pages that fight the note in their place: such a page is loaded again,
// with a policy that lets no script run.
//
// An ordinary Chromium changes no answer for an extension, but has rules for a tab. Where the extension
// changes answers itself, it is enough that the page is fetched again.

import { api, isFirefox } from "./browser.js";

/** Beyond the numbers that rules of lists have. */
export const disarmingID = 1_000_000;
/** Above every rule that lets something through, which would keep this one from acting. */
const priority = 10_000_000;

const headers = [
  { header: "content-security-policy", operation: "set", value: "sandbox; default-src 'none'" },
  // Those would have an effect without any script.
  { header: "link", operation: "remove" },
  { header: "refresh", operation: "remove" },
];

/** The tabs whose next document comes without scripts. */
export class Disarmed {
  /** By the tab's number: the id of the note that was in the page's place. */
  #notes = new Map();
  #work = Promise.resolve();

  constructor() {
    // What was begun before this script was started again is not known here.
    if (!isFirefox) this.#apply();
  }

  /** Begins with a tab; comes to an end when the rule is active, or cannot be. */
  begin(tabId, noteId) {
    this.#notes.set(tabId, noteId);
    return this.#apply();
  }

  /** Ends it for a tab, and returns the note's id; undefined if it had not begun. */
  async end(tabId) {
    const noteId = this.#notes.get(tabId);
    if (!this.#notes.delete(tabId)) return undefined;
    await this.#apply();
    return noteId;
  }

  /** One change after the other, each of all tabs. */
  #apply() {
    if (isFirefox) return Promise.resolve();
    this.#work = this.#work.then(() => api.declarativeNetRequest.updateSessionRules({
      removeRuleIds: [disarmingID],
      addRules: this.#notes.size === 0 ? [] : [{
        id: disarmingID,
        priority,
        action: { type: "modifyHeaders", responseHeaders: headers },
        condition: { tabIds: [...this.#notes.keys()], resourceTypes: ["main_frame"] },
      }],
    })).catch((error) => console.debug(error));
    return this.#work;
  }
}
