// The extension's texts in the person's language, from `_locales`.
//
// A text that depends on a number has one form for each plural category of its language, as
// `Intl.PluralRules` names them: `rules_one`, `rules_other`. "other" is always there.

import { api } from "./browser.js";

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
    (typeof value === "number" ? number(value) : value))) || key;
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

/** The language that the texts are in, which may be another than the browser's. */
export function language() { return api.i18n.getMessage("language") || "en"; }

/** The locale in which the person reads numbers and dates. */
export function locale() { return api.i18n.getUILanguage?.() || language(); }

/**
 * A time of day.
 *
 * @param {number} time in milliseconds since 1970
 */
export function clock(time) { return new Date(time).toLocaleTimeString(locale(), { timeStyle: "short" }); }

/** @param {number} value */
export function number(value) { return value.toLocaleString(locale()); }

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
    document.documentElement.dir = api.i18n.getMessage("@@bidi_dir") || "ltr";
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
