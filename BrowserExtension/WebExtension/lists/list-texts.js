// The text of lists, for people: a rule as it is written, its line, and which rules hide everywhere.

import { RulePlaces } from "./rule-places.js";
import { splitSelectors } from "../hiding/selectors.js";

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

/** The texts of the lists that an engine has open, with caches of what was found in them. */
export class ListTexts {
  #engine;
  /**
   * By list, so that it goes with the list.
   *
   * @type {WeakMap<OpenedList, RulePlaces>}
   */
  #places = new WeakMap();
  /** @type {WeakMap<OpenedList, HidingRule[]>} */
  #everywhere = new WeakMap();

  /** @param {Pick<import("../deciding/engine.js").Engine, "source" | "sourceBytes">} engine */
  constructor(engine) { this.#engine = engine; }

  /**
   * The line that a rule of a list begins on; null if it has no line of its own.
   *
   * @param {OpenedList} list
   * @param {number | null} number
   */
  line(list, number) {
    return list.handle && number !== null ? this.#placesOf(list).line(number) : null;
  }

  /**
   * Rules as values, in the order of the numbers; null for one that is not there.
   *
   * All at once, because each call copies the list's text out of the engine's memory.
   *
   * @param {OpenedList} list
   * @param {number[]} numbers
   * @returns {Rule[]}
   */
  rules(list, numbers) {
    if (!list.handle || numbers.length === 0) return numbers.map(() => null);
    const places = this.#placesOf(list);
    const text = this.#engine.sourceBytes(list.handle);
    return numbers.map((number) => {
      const bytes = places.bytes(number, text);
      return bytes ? parsed(decoder.decode(bytes), null) : null;
    });
  }

  /**
   * The rules that plainly hide on every page.
   *
   * @param {OpenedList} list
   * @returns {HidingRule[]}
   */
  hidingEverywhere(list) {
    let found = this.#everywhere.get(list);
    if (!found) {
      found = [];
      /** @type {Rule[]} */
      const rules = parsed(this.#engine.source(list.handle), []);
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

  /** @param {OpenedList} list */
  #placesOf(list) {
    let places = this.#places.get(list);
    if (!places) {
      places = new RulePlaces(this.#engine.sourceBytes(list.handle));
      this.#places.set(list, places);
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
