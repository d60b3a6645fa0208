// Takes the scripts away from pages that fight the note in their place: such a page is loaded again,
// with a policy that lets no script run.
//
// An ordinary Chromium changes no answer for an extension, but has rules for a tab. Where the extension
// changes answers itself, it is enough that the page is fetched again.

import { api, isFirefox } from "../shared/browser.js";
import { firstOtherID } from "../deciding/browser-rules.js";
import { RuleChanges } from "../deciding/rule-changes.js";

/** The rule's number. */
const disarmingID = firstOtherID;
/** Above that of every rule that allows something, which would keep this one from acting. */
const priority = 10_000_000;

const headers = [
  { header: "content-security-policy", operation: "set", value: "sandbox; default-src 'none'" },
  // Both fields act without any script.
  { header: "link", operation: "remove" },
  { header: "refresh", operation: "remove" },
];

/**
 * The tabs whose next document comes without scripts.
 *
 * In memory alone: when the background script starts again, no tab is among them, and the browser's
 * rule of before is removed.
 */
export class Disarmed {
  /**
   * By the tab's number: the id of the note that was in the page's place.
   *
   * @type {Map<number, string>}
   */
  #notes = new Map();
  #changes = new RuleChanges(() => this.#write());

  constructor() {
    // Removes the rule that is left from before this script was started again.
    this.#apply();
  }

  /**
   * Disarms a tab's next document; the promise is fulfilled when the rule is active, or cannot be yet.
   *
   * @param {number} tabId
   * @param {string} noteId
   */
  begin(tabId, noteId) {
    this.#notes.set(tabId, noteId);
    return this.#apply();
  }

  /**
   * Whether a tab's next document comes without scripts.
   *
   * @param {number} tabId
   */
  has(tabId) { return this.#notes.has(tabId); }

  /**
   * Ends it for a tab, and returns the note's id; undefined if it had not begun.
   *
   * @param {number} tabId
   */
  async end(tabId) {
    const noteId = this.#notes.get(tabId);
    if (!this.#notes.delete(tabId)) return undefined;
    await this.#apply();
    return noteId;
  }

  #apply() { return isFirefox ? Promise.resolve() : this.#changes.apply(); }

  /** Writes the rule for all tabs anew. */
  #write() {
    return api.declarativeNetRequest.updateSessionRules({
      removeRuleIds: [disarmingID],
      addRules: this.#notes.size === 0 ? [] : [{
        id: disarmingID,
        priority,
        action: { type: "modifyHeaders", responseHeaders: headers },
        condition: { tabIds: [...this.#notes.keys()], resourceTypes: ["main_frame"] },
      }],
    });
  }
}
