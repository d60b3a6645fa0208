// The extension's texts in the person's language, from `_locales`; dates, numbers and lists as the person
// writes them.
//
// A sentence is one text, with values in it: other languages have another order. A text that depends on a
// number has one form for each plural category of its language, as `Intl.PluralRules` names them:
// `rules_one`, `rules_other`. "other" is always there.

import "./direction.js";
import { api } from "./browser.js";

/** Stand for nodes in a text until it is taken apart. */
const firstMark = 0xe000;

/**
 * A text in the person's language; its key where there is none, so that a fault is seen.
 *
 * @param {string} key as in `_locales/en/messages.json`
 * @param {Array<string | number>} values what stands for $1, $2, …; numbers are written as the person
 *     writes them
 * @returns {string}
 */
export function text(key, ...values) {
  return api.i18n.getMessage(key, values.map((value) =>
    (typeof value === "number" ? number(value) : isolated(value)))) || key;
}

/**
 * A text with elements in it, as contents of an element.
 *
 * @param {string} key
 * @param {Array<string | number | Node>} values
 * @returns {Array<string | Node>}
 */
export function nodes(key, ...values) {
  /** @type {Map<string, Node>} */
  const marked = new Map();
  const plain = values.map((value, place) => {
    // Nobody's text stands for a node.
    if (typeof value === "string") return value.replace(/[\ue000-\ue008]/g, "\ufffd");
    if (!(value instanceof Node)) return value;
    const mark = String.fromCharCode(firstMark + place);
    marked.set(mark, value);
    return mark;
  });
  return text(key, ...plain).split(/([\ue000-\ue008])/)
    .map((part) => marked.get(part) ?? part).filter((part) => part !== "");
}

/**
 * A text that depends on a number, which stands for $1.
 *
 * @param {string} key without its plural category
 * @param {number} count
 * @param {Array<string | number>} values what stands for $2, $3, …
 */
export function counted(key, count, ...values) {
  const category = new Intl.PluralRules(language()).select(count);
  const form = `${key}_${category}`;
  const isThere = api.i18n.getMessage(form) !== "";
  return text(isThere ? form : `${key}_other`, count, ...values);
}

/**
 * Sentences after one another.
 *
 * @param {string[]} all empty ones are left out
 */
export function sentences(...all) {
  return all.filter(Boolean).join(/^(?:ja|zh)\b/.test(language()) ? "" : " ");
}

/** The language that the texts are in, which may be another than the browser's. */
export function language() { return api.i18n.getMessage("language") || "en"; }

/** The direction in which that language is written; the browser's own may be another. */
export function direction() { return tickbirdDirection.ofTexts(); }

/** The locale in which the person reads numbers and dates. */
export function locale() { return api.i18n.getUILanguage?.() || language(); }

/** The locale of words that the browser makes, which stand among texts: the person's if it has their language. */
export function wordLocale() {
  const own = locale();
  return own.split("-")[0] === language().split("-")[0] ? own : language();
}

/**
 * A value that keeps its own direction, and the text around it its own, whatever the value holds.
 *
 * @param {string} value
 */
export function isolated(value) { return tickbirdDirection.isolated(value); }

/**
 * Values as a list: "a, b, and c".
 *
 * @param {Array<string | number>} values
 * @param {"conjunction" | "unit"} type "unit" for parts of one statement, without "and"
 */
export function listed(values, type = "conjunction") {
  return new Intl.ListFormat(wordLocale(), { type, style: "long" })
    .format(values.map((value) => (typeof value === "number" ? number(value) : isolated(value))));
}

/**
 * A time of day.
 *
 * @param {number} time in milliseconds since 1970
 */
export function clock(time) { return new Date(time).toLocaleTimeString(locale(), { timeStyle: "short" }); }

/**
 * A day and the time.
 *
 * @param {number} time in milliseconds since 1970
 */
export function dayAndClock(time) {
  return new Date(time).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
}

/** @param {number} value */
export function number(value) { return value.toLocaleString(locale()); }

/**
 * A size in its largest unit.
 *
 * @param {number} bytes
 */
export function size(bytes) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const place = !(bytes >= 1) ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return (bytes / 1000 ** place).toLocaleString(wordLocale(), {
    style: "unit", unit: units[place], unitDisplay: place === 0 ? "long" : "short", maximumFractionDigits: 1,
  });
}

/** Attributes that may have a text: that of a title is named by `data-text-title`. */
const attributes = ["title", "placeholder", "aria-label", "alt"];

/**
 * Fills a page's elements with their texts, and says in which language and direction they are.
 *
 * `data-text` names the text that is all of an element.
 *
 * @param {Document | Element} [root]
 */
export function localize(root = document) {
  if (root === document) {
    document.documentElement.lang = language();
    document.documentElement.dir = direction();
  }
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-text]"))) {
    element.textContent = text(element.dataset.text ?? "");
  }
  for (const attribute of attributes) {
    for (const element of root.querySelectorAll(`[data-text-${attribute}]`)) {
      element.setAttribute(attribute, text(element.getAttribute(`data-text-${attribute}`) ?? ""));
    }
  }
}
