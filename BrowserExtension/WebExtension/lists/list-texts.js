// The text of lists, for people: a rule as it is written, its line, and which rules hide everywhere.

import { RulePlaces } from "./rule-places.js";
import { splitSelectors } from "../hiding/selectors.js";
import { milliseconds } from "../shared/timings.js";

const decoder = new TextDecoder();

/**
 * A rule as a value; lists are checked, but may have more keys than these.
 *
 * @typedef {{ trigger?: Record<string, unknown>, action?: Record<string, unknown> } | null} Rule
 */
/**
 * A rule that hides on every page.
 *
 * @typedef {{ number: number, selector: string, selectors: string[] }} HidingRule
 */

/** The texts of the lists that are open, with caches of what was found in them. */
export class ListTexts {
  #lists;
  /**
   * By list, so that it goes with the list; those that were read.
   *
   * @type {WeakMap<OpenedList, RulePlaces>}
   */
  #places = new WeakMap();
  /** @type {WeakMap<OpenedList, HidingRule[]>} */
  #everywhere = new WeakMap();

  /**
   * By list, those whose texts could not be had: when `know` asks for one again, and how long it waits after that.
   *
   * @type {WeakMap<OpenedList, { next: number, delay: number }>}
   */
  #missing = new WeakMap();

  /** @param {Pick<import("./lists.js").Lists, "all" | "source">} lists */
  constructor(lists) { this.#lists = lists; }

  /**
   * Reads the texts of all lists that were not read yet, so that `line` knows their lines.
   *
   * An open logger asks ten times a second, and to look for a text means to read the whole list: one that could not be
   * had is asked for again when its list is replaced, the host is there again or some time has passed.
   */
  async know() {
    for (const list of this.#lists.all) {
      if (!list.handle || this.#places.has(list)) continue;
      const missing = this.#missing.get(list);
      if (missing && Date.now() < missing.next) continue;
      this.#find(list, await this.#source(list));
      if (this.#places.has(list)) continue;
      const delay = missing?.delay ?? milliseconds.listsRetry;
      this.#missing.set(list, {
        next: Date.now() + delay, delay: Math.min(2 * delay, milliseconds.listsLongestRetry),
      });
    }
  }

  /** The host is there again, or has something new: texts that could not be had may come now. */
  hostChanged() { this.#missing = new WeakMap(); }

  /**
   * The line that a rule of a list begins on; null if it has no line of its own, or the list was not read.
   *
   * @param {OpenedList} list
   * @param {number | null} number
   */
  line(list, number) { return number === null ? null : this.#places.get(list)?.line(number) ?? null; }

  /**
   * Rules as values, in the order of the numbers; null for one that is not there.
   *
   * All at once, because each call reads the list's text out of the store.
   *
   * @param {OpenedList} list
   * @param {number[]} numbers
   * @returns {Promise<Rule[]>}
   */
  async rules(list, numbers) {
    if (!list.handle || numbers.length === 0) return numbers.map(() => null);
    const text = await this.#source(list);
    const places = this.#find(list, text);
    return numbers.map((number) => {
      const bytes = places.bytes(number, text);
      return bytes ? parsed(decoder.decode(bytes), null) : null;
    });
  }

  /**
   * The rules that plainly hide on every page.
   *
   * @param {OpenedList} list
   * @returns {Promise<HidingRule[]>}
   */
  async hidingEverywhere(list) {
    let found = this.#everywhere.get(list);
    if (!found) {
      found = [];
      const text = await this.#source(list);
      // It may come the next time.
      if (text.length === 0) return found;
      /** @type {Rule[]} */
      const rules = parsed(decoder.decode(text), []);
      for (const [number, rule] of rules.entries()) {
        if (/^ignore-/.test(String(rule?.action?.type))) break;
        const selector = selectorOnEveryPage(rule);
        if (selector === null) continue;
        found.push({ number, selector, selectors: splitSelectors(selector) });
      }
      this.#everywhere.set(list, found);
    }
    return found;
  }

  /**
   * The text of a list; empty where it cannot be had: without its host, a list has no lines, and nothing else
   * is lost.
   *
   * @param {OpenedList} list
   */
  async #source(list) {
    try {
      return await this.#lists.source(list);
    } catch (error) {
      console.debug(error);
      return new Uint8Array();
    }
  }

  /**
   * Finds the rules of a list in its text, if that was not done before.
   *
   * @param {OpenedList} list
   * @param {Uint8Array} text
   */
  #find(list, text) {
    let places = this.#places.get(list);
    if (!places) {
      places = new RulePlaces(text);
      // A text that was replaced meanwhile says nothing of the list.
      if (text.length > 0) this.#places.set(list, places);
    }
    return places;
  }
}

/**
 * A value of JSON; the engine reads a little more than JSON, of which another value comes.
 *
 * @param {string} text
 * @param {any} otherwise any, as what JSON.parse returns
 */
function parsed(text, otherwise) {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * The selector of a rule that plainly hides on every page; null for all other rules.
 *
 * @param {Rule} rule
 */
function selectorOnEveryPage(rule) {
  const { trigger = {}, action = {} } = rule ?? {};
  const isForEveryPage = action.type === "css-display-none"
    && /^\^?(?:\.\*)+\$?$/.test(String(trigger["url-filter"]))
    && Object.keys(trigger).every((key) => key.startsWith("url-filter"));
  return isForEveryPage && typeof action.selector === "string" ? action.selector : null;
}
