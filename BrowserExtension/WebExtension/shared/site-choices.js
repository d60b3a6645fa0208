// What a person has chosen for single sites, besides exempting them.

import { text } from "./texts.js";

/**
 * What may be chosen for a site:
 *
 * - `shown`: lists hide nothing there.
 * - `cookies`: other sites get no cookies there, and set none.
 * - `scripts`: no script runs there, written into the page or loaded.
 * - `fonts`: no font is fetched there.
 * - `media`: large pictures, films and sounds wait for a click.
 * - `strict`: scripts and frames of other sites are blocked there, besides what lists block.
 * - `relaxed`: what comes from the site itself is let through there, and nothing is hidden.
 *
 * @typedef {"shown" | "cookies" | "scripts" | "fonts" | "media" | "strict" | "relaxed"} Choice
 */
/** @typedef {{ site: string, choices: Choice[] }} SiteEntry */

/** @type {readonly Choice[]} */
export const choiceWords = ["shown", "cookies", "scripts", "fonts", "media", "strict", "relaxed"];

/** How many sites may have choices: Chromium has room for fewer where each takes rules of its own. */
export const siteLimit = 1000;
/** The longest name of a site; those of hosts have 253 characters at most. */
const longestSite = 255;

/**
 * Whether a value is a choice.
 *
 * @param {unknown} value
 * @returns {value is Choice}
 */
export const isChoice = (value) => choiceWords.some((word) => word === value);

/**
 * Whether a value is what a site has: some choices, each once, and not two that exclude each other.
 *
 * @param {unknown} value
 * @returns {value is Choice[]}
 */
export function areChoices(value) {
  return Array.isArray(value) && value.length > 0 && value.length <= choiceWords.length
    && value.every(isChoice) && new Set(value).size === value.length
    && !(value.includes("strict") && value.includes("relaxed"));
}

/** @type {ReadonlySet<Choice>} */
const none = new Set();

/** The choices of all sites. They are about pages, so that a site's frames on other pages have none. */
export class SiteChoices {
  /**
   * A map, since a site may have any name.
   *
   * @type {Map<string, Set<Choice>>}
   */
  #sites = new Map();

  /** Whether no site has any: nothing has to be asked about. */
  get isEmpty() { return this.#sites.size === 0; }

  /**
   * All sites with theirs, sorted.
   *
   * @returns {SiteEntry[]}
   */
  get all() {
    return [...this.#sites].sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([site, choices]) => ({ site, choices: choiceWords.filter((word) => choices.has(word)) }));
  }

  /**
   * The choices of a site.
   *
   * @param {string | null} site
   */
  of(site) { return (site === null ? undefined : this.#sites.get(site)) ?? none; }

  /**
   * Whether any site has a choice.
   *
   * @param {Choice} choice
   */
  has(choice) {
    for (const choices of this.#sites.values()) if (choices.has(choice)) return true;
    return false;
  }

  /**
   * Makes a choice for a site, or takes it back. "strict" and "relaxed" end each other.
   *
   * @param {string} site
   * @param {Choice} choice
   * @param {boolean} isOn
   * @throws {RangeError} if there are as many sites as there may be
   */
  set(site, choice, isOn) {
    const choices = new Set(this.of(site));
    if (isOn) choices.add(choice);
    else choices.delete(choice);
    if (isOn && choice === "strict") choices.delete("relaxed");
    if (isOn && choice === "relaxed") choices.delete("strict");
    this.#put(site, choices);
  }

  /**
   * Takes all choices of a site back.
   *
   * @param {string} site
   */
  remove(site) { this.#sites.delete(site); }

  /**
   * Gives sites these choices; a site that has some keeps them, unless it is to have none.
   *
   * @param {SiteEntry[]} entries
   * @throws {RangeError} as `set` does, and then takes none
   */
  take(entries) {
    const before = new Map(this.#sites);
    try {
      for (const { site, choices } of entries) {
        if (choices.length === 0 || !this.#sites.has(site)) this.#put(site, new Set(choices));
      }
    } catch (error) {
      this.#sites = before;
      throw error;
    }
  }

  /**
   * @param {string} site
   * @param {Set<Choice>} choices
   */
  #put(site, choices) {
    if (choices.size === 0) {
      this.#sites.delete(site);
      return;
    }
    if (!this.#sites.has(site) && this.#sites.size >= siteLimit) {
      throw new RangeError(text("choices_too_many", siteLimit));
    }
    if (site === "" || site.length > longestSite) throw new RangeError(text("sites_wrong", site.slice(0, 80)));
    this.#sites.set(site, choices);
  }

  /** What is kept of all; pairs, because no name of a site may be that of something else. */
  get kept() { return this.all.map(({ site, choices }) => [site, choices]); }

  /**
   * Takes what was kept; whatever else is there counts as nothing chosen.
   *
   * @param {unknown} value
   */
  load(value) {
    const pairs = Array.isArray(value) ? value.slice(0, siteLimit) : [];
    this.#sites = new Map(pairs.flatMap((pair) => {
      const [site, choices] = Array.isArray(pair) ? pair : [];
      return typeof site === "string" && site !== "" && site.length <= longestSite && areChoices(choices)
        ? [[site, new Set(choices)]] : [];
    }));
  }
}
