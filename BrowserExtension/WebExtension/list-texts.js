// The text of lists, for people: a rule as it stands there, its line, and which rules hide everywhere.

import { RulePlaces } from "./rule-places.js";

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

  /** A rule as a value; null if it is not there. */
  rule(list, number) {
    if (!list?.handle) return null;
    const bytes = this.#placesOf(list).bytes(number, this.#engine.sourceBytes(list.handle));
    if (!bytes) return null;
    try {
      return JSON.parse(decoder.decode(bytes));
    } catch {
      // The engine takes a little more than JSON.
      return null;
    }
  }

  /** The rules that plainly hide on every page, each `{number, selector}`. */
  hidingEverywhere(list) {
    let found = this.#everywhere.get(list);
    if (!found) {
      found = [];
      for (const [number, rule] of parsed(this.#engine.source(list.handle)).entries()) {
        if (/^ignore-/.test(rule?.action?.type)) break;
        if (isForEveryPage(rule)) found.push({ number, selector: rule.action.selector });
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

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

/** Whether a rule plainly hides on every page. */
function isForEveryPage(rule) {
  const { trigger, action } = rule ?? {};
  return action?.type === "css-display-none" && typeof action.selector === "string"
    && /^\^?(?:\.\*)+\$?$/.test(trigger?.["url-filter"])
    && Object.keys(trigger).every((key) => key.startsWith("url-filter"));
}
