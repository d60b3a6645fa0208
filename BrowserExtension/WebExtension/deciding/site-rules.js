// The choices for sites, and the tabs that are off, as Chromium's own rules.
//
// Choices are rules that stay, so that they act on the browser's first request; what is about a tab are
// rules of the session. Where the extension decides itself, the rule that lets everything through to the
// matcher is above all of these.

import { api } from "../shared/browser.js";
import { messageOf } from "../shared/errors.js";
import { text } from "../shared/texts.js";
import { RuleChanges } from "./rule-changes.js";
import { fitting, sitesRoom, tabsRoom } from "./rule-limits.js";
import { documentTypes, largeSize, mediaTypes, noScripts } from "./site-effects.js";

/** Numbers from here on are those of these rules, of both kinds; below are lists, notes and passes. */
export const firstSiteRuleID = 2_000_000;

/** Above the lists' rules: nothing of the site itself is blocked. */
const relaxedPriority = 8_950_000;
/** Above passes, which let a page through but not what was chosen for its site. */
const choicePriority = 9_300_000;
/** Above choices: what a person has clicked on to load it, and tabs that are off. */
const loadedPriority = 9_350_000;
const offPriority = 9_400_000;

const otherTypes = [
  "sub_frame", "stylesheet", "script", "image", "font", "object", "xmlhttprequest", "ping", "csp_report",
  "media", "websocket", "webtransport", "webbundle", "other",
];
const everyType = ["main_frame", ...otherTypes];

/**
 * Patterns of the decimal numbers below `largeSize`: Chromium's `?` stands for one character or none.
 *
 * @type {string[]}
 */
const smallLengths = (() => {
  const digits = String(largeSize);
  const patterns = ["?".repeat(digits.length - 1)];
  for (const [place, digit] of [...digits].entries()) {
    for (let lower = place === 0 ? 1 : 0; lower < Number(digit); lower += 1) {
      patterns.push(`${digits.slice(0, place)}${lower}${"?".repeat(digits.length - place - 1)}`);
    }
  }
  return patterns;
})();

/** Whether Chromium takes a site for a domain; one that it does not would make it refuse all rules. */
const isDomain = (/** @type {string} */ site) => /^[\x21-\x7e]+$/.test(site) && site === site.toLowerCase();

/**
 * Those sites that Chromium's own rules can mean: their domains are always with all that is below them, so
 * that one that is a public suffix, as `github.io`, would be a word about the sites of strangers.
 *
 * @param {string[]} sites
 * @param {Pick<import("../shared/settings.js").Settings, "hasSitesBelow">} settings
 */
export const sayableSites = (sites, settings) =>
  sites.filter((site) => isDomain(site) && !settings.hasSitesBelow(site));

/**
 * The rules of all choices, without numbers.
 *
 * @param {import("../shared/site-choices.js").SiteEntry[]} entries those of sites that are not exempted
 * @returns {WebExt.DeclarativeRule[]}
 */
export function choiceRules(entries) {
  const known = entries.filter(({ site }) => isDomain(site));
  const sitesWith = (/** @type {import("../shared/site-choices.js").Choice} */ choice) =>
    known.flatMap(({ site, choices }) => (choices.includes(choice) ? site : []));
  /**
   * @param {WebExt.DeclarativeRule["action"]} action
   * @param {WebExt.DeclarativeRule["condition"]} condition
   * @param {number} priority
   */
  const rule = (action, condition, priority = choicePriority) => ({ priority, action, condition });
  const block = { type: "block" };
  /** @type {WebExt.DeclarativeRule[]} */
  const rules = [];
  const scripts = sitesWith("scripts");
  if (scripts.length > 0) {
    const policy = { header: "content-security-policy", operation: "append", value: noScripts };
    rules.push(
      rule({ type: "modifyHeaders", responseHeaders: [policy] },
        { topDomains: scripts, resourceTypes: documentTypes }),
      rule(block, { topDomains: scripts, resourceTypes: ["script"] }),
    );
  }
  const fonts = sitesWith("fonts");
  if (fonts.length > 0) rules.push(rule(block, { topDomains: fonts, resourceTypes: ["font"] }));
  const media = sitesWith("media");
  if (media.length > 0) {
    rules.push(
      rule(block, {
        topDomains: media, resourceTypes: mediaTypes,
        responseHeaders: [{ header: "content-length" }],
        excludedResponseHeaders: [{ header: "content-length", values: smallLengths }],
      }),
      rule(block, {
        topDomains: media, resourceTypes: ["media"], responseHeaders: [{ header: "content-type" }],
        excludedResponseHeaders: [{ header: "content-length" }],
      }),
    );
  }
  // The party is that of the page, and the browser's own word for it is about the frame.
  for (const site of sitesWith("cookies")) {
    rules.push(rule({
      type: "modifyHeaders",
      requestHeaders: [{ header: "cookie", operation: "remove" }],
      responseHeaders: [{ header: "set-cookie", operation: "remove" }],
    }, { topDomains: [site], excludedRequestDomains: [site], resourceTypes: otherTypes }));
  }
  for (const site of sitesWith("strict")) {
    rules.push(rule(block, {
      topDomains: [site], excludedRequestDomains: [site], resourceTypes: ["script", "sub_frame", "object"],
    }));
  }
  for (const site of sitesWith("relaxed")) {
    rules.push(rule({ type: "allow" },
      { topDomains: [site], requestDomains: [site], resourceTypes: everyType }, relaxedPriority));
  }
  return rules;
}

/**
 * What in a rule's condition is one address, and no other: a page chooses it, and could name all of an
 * advertiser's by a star.
 *
 * @param {string} url
 */
const onlyAddress = (url) => (/[*^]|\|$/.test(url)
  ? { regexFilter: `^${url.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}$` } : { urlFilter: `|${url}|` });

/**
 * The rules about tabs, without numbers.
 *
 * @param {Array<[tabId: number, site: string]>} off
 * @param {Array<[tabId: number, url: string]>} loaded what was clicked on to load it
 * @returns {WebExt.DeclarativeRule[]}
 */
export function tabRules(off, loaded) {
  return [
    ...off.filter(([, site]) => isDomain(site)).map(([tabId, site]) => ({
      priority: offPriority,
      action: { type: "allow" },
      condition: { tabIds: [tabId], topDomains: [site], resourceTypes: everyType },
    })),
    ...loaded.map(([tabId, url]) => ({
      priority: loadedPriority,
      action: { type: "allow" },
      condition: {
        tabIds: [tabId], ...onlyAddress(url), isUrlFilterCaseSensitive: true, resourceTypes: mediaTypes,
      },
    })),
  ];
}

/**
 * Whether the browser takes a rule; one that it does not, as for a long regular expression, would make it
 * refuse all.
 *
 * @param {WebExt.DeclarativeRule} rule
 */
async function isTaken({ condition: { regexFilter } }) {
  if (regexFilter === undefined) return true;
  const asked = { regex: regexFilter, isCaseSensitive: true };
  return (await api.declarativeNetRequest.isRegexSupported(asked)).isSupported;
}

/**
 * Keeps the browser's rules as the settings say.
 *
 * When the background script starts again, the rules of before are replaced: they are few.
 */
export class SiteRules {
  /**
   * Why the browser has not taken those of sites, and those of tabs; null if it has.
   *
   * @type {[string | null, string | null]}
   */
  #faults = [null, null];
  /**
   * What does not fit beside the lists' rules.
   *
   * @type {WebExt.DeclarativeRule[]}
   */
  #leftOut = [];
  #settings;
  #media;
  #changes = new RuleChanges(() => this.#apply());
  /** The rules that the browser has, as texts: those that stay, those of the session. */
  #present = ["", ""];

  /**
   * @param {import("../shared/settings.js").Settings} settings
   * @param {import("../media/large-media.js").LargeMedia} media
   */
  constructor(settings, media) {
    this.#settings = settings;
    this.#media = media;
  }

  /** Why the browser has not taken all rules; null if it has. */
  get fault() { return this.#faults[0] ?? this.#faults[1] ?? (this.#leftOut.length > 0 ? this.#fullness : null); }

  get #fullness() { return text("site_rules_full", this.#leftOut.length); }

  /**
   * Why a choice does not act, or is not taken back; null if all is as chosen, whatever is wrong with others.
   *
   * @param {string} site
   * @param {import("../shared/site-choices.js").Choice} choice
   * @param {boolean} isOn
   */
  choiceFault(site, choice, isOn) {
    if (this.#faults[0] !== null) return this.#faults[0];
    const own = choiceRules(isOn ? [{ site, choices: [choice] }] : []).map((rule) => JSON.stringify(rule));
    return this.#leftOut.some((rule) => own.includes(JSON.stringify(rule))) ? this.#fullness : null;
  }

  /**
   * The same of a tab that is off, or not any more.
   *
   * @param {number} tabId
   */
  tabFault(tabId) {
    const isOfTab = (/** @type {WebExt.DeclarativeRule} */ { condition: { tabIds, topDomains } }) =>
      topDomains !== undefined && tabIds?.includes(tabId);
    return this.#faults[1] ?? (this.#leftOut.some(isOfTab) ? this.#fullness : null);
  }

  /** Brings the browser's rules to what is chosen; fulfilled when they are, or are to be tried again. */
  apply() { return this.#changes.apply(); }

  /** @throws {Error} if some are not as chosen */
  async #apply() {
    /** @type {WebExt.DeclarativeRule[]} */
    let leftOut = [];
    const faultOf = (/** @type {Promise<WebExt.DeclarativeRule[]>} */ applied) => applied.then((rules) => {
      leftOut = [...leftOut, ...rules];
      return null;
    }, messageOf);
    // Choices that the browser does not take keep no tab from being off.
    this.#faults = [await faultOf(this.#applyChoices()), await faultOf(this.#applyTabs())];
    this.#leftOut = leftOut;
    const fault = this.#faults[0] ?? this.#faults[1];
    if (fault !== null) throw new Error(fault);
  }

  /** @param {string} site */
  #isSayable(site) { return sayableSites([site], this.#settings).length > 0; }

  /** Returns the rules of choices that are left out. */
  async #applyChoices() {
    const { declarativeNetRequest: dnr } = api;
    const { choices, exemptSites } = this.#settings;
    const exempt = new Set(exemptSites);
    const rules = choiceRules(choices.all.filter(({ site }) => !exempt.has(site) && this.#isSayable(site)));
    return this.#become(0, rules, fitting(rules, sitesRoom),
      () => dnr.getDynamicRules(), (change) => dnr.updateDynamicRules(change));
  }

  /** Returns the rules about tabs that are left out. */
  async #applyTabs() {
    const { declarativeNetRequest: dnr } = api;
    const off = this.#settings.tabsOff.all.filter(([, site]) => this.#isSayable(site));
    const rules = tabRules(off, this.#media.loaded);
    const taken = await Promise.all(rules.map(isTaken));
    return this.#become(1, rules, fitting(rules.filter((_, place) => taken[place]), tabsRoom),
      () => dnr.getSessionRules(), (change) => dnr.updateSessionRules(change));
  }

  /**
   * Returns those of the rules that are left out.
   *
   * @param {0 | 1} kind
   * @param {WebExt.DeclarativeRule[]} rules
   * @param {WebExt.DeclarativeRule[]} kept those of them that the browser is to have
   * @param {() => Promise<WebExt.NumberedRule[]>} get
   * @param {(change: WebExt.RuleChange) => Promise<void>} update
   */
  async #become(kind, rules, kept, get, update) {
    const wanted = JSON.stringify(kept);
    if (this.#present[kind] !== wanted) {
      const removeRuleIds = (await get()).map(({ id }) => id).filter((id) => id >= firstSiteRuleID);
      const addRules = kept.map((rule, place) => ({ ...rule, id: firstSiteRuleID + place }));
      if (removeRuleIds.length + addRules.length > 0) await update({ removeRuleIds, addRules });
      this.#present[kind] = wanted;
    }
    const isKept = new Set(kept);
    return rules.filter((rule) => !isKept.has(rule));
  }
}
