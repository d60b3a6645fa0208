// The own rules of a file that is imported: shown, and asked about before they act.

import { make } from "../shared/elements.js";
import { counted, text } from "../shared/texts.js";

/**
 * How many rules a text has: entries of JSON, or lines that are no comments.
 *
 * @param {string} rules
 */
export function countRules(rules) {
  try {
    const parsed = JSON.parse(rules);
    if (Array.isArray(parsed)) return parsed.length;
  } catch {
    // Filters are lines.
  }
  return rules.split(/\r?\n/).filter((line) => /^\s*(?!\[Adblock|!)\S/i.test(line)).length;
}

/**
 * Characters that nobody sees, that look like a space and are none, or that turn the direction of others.
 *
 * Those behind the properties are letters and signs by their properties, and blank all the same: a filler of Khitan, the
 * blanks of Egyptian, a note without a head, Braille without a dot, and what stands for an object.
 */
const unseen = new RegExp(String.raw`(?! |\t|\n|\r\n)`
  + String.raw`[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u{16fe4}\u{13441}\u{13442}\u{1d159}\u2800\ufffc]`, "gu");

/**
 * A stranger's text with what nobody sees in it made visible: it could say something else than it does.
 *
 * @param {string} rules
 */
export const visible = (rules) => rules.replace(unseen, (character) => {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
});

/**
 * The question whether a file's own rules are used, with all of them. Nothing is chosen at first.
 *
 * @param {string} rules
 * @param {() => void} onDecided
 */
export function askAboutRules(rules, onDecided) {
  /** @param {string} key */
  const answer = (key) => {
    const input = make("input", { type: "radio", name: "imported-rules", value: key });
    input.addEventListener("change", onDecided);
    return { input, label: make("label", {}, input, make("span", { textContent: text(key) })) };
  };
  const use = answer("backup_own_use");
  const discard = answer("backup_own_discard");
  const shown = make("pre", { className: "imported-rules", tabIndex: 0, dir: "ltr", textContent: visible(rules) });
  shown.setAttribute("role", "region");
  shown.setAttribute("aria-label", text("backup_own_shown"));
  return {
    element: make("fieldset", { className: "rules-question" },
      make("legend", { textContent: counted("backup_own_brings", countRules(rules)) }),
      make("p", { className: "note", textContent: text("backup_own_about") }), shown,
      make("div", { className: "bar" }, use.label, discard.label)),
    get isDecided() { return use.input.checked || discard.input.checked; },
    get isUsed() { return use.input.checked; },
  };
}
