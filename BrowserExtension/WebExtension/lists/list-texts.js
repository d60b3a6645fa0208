// The text of lists, for people: a rule as it stands there, its line, and which rules hide everywhere.

import { RulePlaces } from "./rule-places.js";
import { splitSelectors } from "../hiding/selectors.js";

const decoder = new TextDecoder();

/** The texts of the lists that an engine has open; what was found out of one is kept with it. */
export class ListTexts {
  #engine;
  /** By list, so that it goes with the list. */
  #places = new WeakMap();
  #everywhere = new WeakMap();

  constructor(engine) { this.#engine = engine; }

  /** The line that a rule of a list begins on; null if there is none to tell. */
  line(list, number) {
    return list?.handle && number !== null ? this.#placesOf(list).line(number) : null;
  }

  /**
   * Rules as values, in the order of their numbers; null for one that is not there.
   *
   * All at once, because the text is brought out of the engine for it.
   */
  rules(list, numbers) {
    if (!list?.handle || numbers.length === 0) return numbers.map(() => null);
    const places = this.#placesOf(list);
    const text = this.#engine.sourceBytes(list.handle);
    return numbers.map((number) => {
      const bytes = places.bytes(number, text);
      return bytes ? parsed(decoder.decode(bytes), null) : null;
    });
  }

  /** The rules that plainly hide on every page, each `{number, selector, selectors}`. */
  hidingEverywhere(list) {
    let found = this.#everywhere.get(list);
    if (!found) {
      found = [];
      for (const [number, rule] of parsed(this.#engine.source(list.handle), []).entries()) {
        if (/^ignore-/.test(rule?.action?.type)) break;
        if (!isForEveryPage(rule)) continue;
        const { selector } = rule.action;
        found.push({ number, selector, selectors: splitSelectors(selector) });
      }
      this.#everywhere.set(list, found);
    }
    return found;
  }

  #placesOf(list) {
    let places = this.#places.get(list);
    if (!places) {
      places = new RulePlaces(this.#engine.sourceBytes(list.handle));
      this.#places.set(list, places);
    }
    return places;
  }
}

/** A value of JSON; the engine takes a little more than that, which becomes another value. */
function parsed(text, otherwise) {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Whether a rule plainly hides on every page. */
function isForEveryPage(rule) {
  const { trigger, action } = rule ?? {};
  return action?.type === "css-display-none" && typeof action.selector === "string"
    && /^\^?(?:\.\*)+\$?$/.test(trigger?.["url-filter"])
    && Object.keys(trigger).every((key) => key.startsWith("url-filter"));
}
