// "Open this once": tabs in which the pages of a site are opened although a list blocks them.

import { api, isFirefox } from "../shared/browser.js";
import { firstOtherID } from "./browser-rules.js";
import { RuleChanges } from "./rule-changes.js";
import { firstSiteRuleID } from "./site-rules.js";

/** The numbers of these rules begin behind that of `note-disarm.js`. */
const firstPassID = firstOtherID + 1;
/** Above the lists' rules and the exempted sites'. */
const priority = 9_200_000;

/**
 * What in a rule's condition are the pages of a site: a domain of the browser's rules is always with all that
 * is below it, which is a stranger's where the site is a public suffix.
 *
 * @param {string} site
 * @param {boolean} hasSitesBelow
 * @returns {WebExt.DeclarativeRule["condition"]}
 */
export const pagesOf = (site, hasSitesBelow) => (hasSitesBelow
  ? { regexFilter: `^https?://${site.replaceAll(".", "\\.")}(:\\d+)?/` } : { requestDomains: [site] });

/**
 * The sites whose pages tabs may open; each holds until its tab leaves the site or is closed. Only the
 * pages themselves are let through: what they load is decided as ever.
 *
 * In memory alone: when the background script starts again, no tab has a pass, and the browser's rules
 * of before are removed.
 */
export class Passes {
  /**
   * Sites by the tab's number.
   *
   * @type {Map<number, string>}
   */
  #sites = new Map();
  #changes = new RuleChanges(() => this.#write());
  #hasSitesBelow;
  #rulesDecide;

  /**
   * @param {(site: string) => boolean} hasSitesBelow whether other sites are below a site's name
   * @param {() => boolean} rulesDecide whether a pass acts by the browser's rules alone
   */
  constructor(hasSitesBelow, rulesDecide = () => !isFirefox) {
    this.#hasSitesBelow = hasSitesBelow;
    this.#rulesDecide = rulesDecide;
    this.#apply();
  }

  /** Why the browser has not taken the rules; null if it has. */
  get fault() { return this.#changes.fault; }

  /**
   * Whether a tab may open pages of a site.
   *
   * @param {number} tabId
   * @param {string | null} site
   */
  has(tabId, site) { return site !== null && this.#sites.get(tabId) === site; }

  /**
   * Lets a tab open pages of a site; the promise is fulfilled when it may.
   *
   * @param {number} tabId
   * @param {string} site
   * @throws {Error} if the browser does not take the rule by which it would; then the tab has what it had before
   */
  async give(tabId, site) {
    const before = this.#sites.get(tabId);
    this.#sites.set(tabId, site);
    await this.#apply();
    if (this.fault === null || !this.#rulesDecide()) return;
    const { fault } = this;
    // Another one may have been given meanwhile.
    if (this.#sites.get(tabId) === site) {
      if (before === undefined) this.#sites.delete(tabId);
      else this.#sites.set(tabId, before);
    }
    throw new Error(fault);
  }

  /**
   * Ends a tab's pass, if it has one.
   *
   * @param {number} tabId
   */
  end(tabId) {
    if (this.#sites.delete(tabId)) this.#apply();
  }

  #apply() { return isFirefox ? Promise.resolve() : this.#changes.apply(); }

  /** Writes the browser's own rules anew. */
  async #write() {
    const rules = await api.declarativeNetRequest.getSessionRules();
    await api.declarativeNetRequest.updateSessionRules({
      removeRuleIds: rules.map(({ id }) => id).filter((id) => id >= firstPassID && id < firstSiteRuleID),
      addRules: [...this.#sites].map(([tabId, site], place) => ({
        id: firstPassID + place,
        priority,
        action: { type: "allow" },
        condition: { tabIds: [tabId], ...pagesOf(site, this.#hasSitesBelow(site)), resourceTypes: ["main_frame"] },
      })),
    });
  }
}
