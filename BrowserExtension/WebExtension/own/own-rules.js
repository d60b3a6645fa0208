// The rules that the user writes, as a text with one more, and the way back: all code that adds to them.

import { splitSelectors, hidingSheet } from "../hiding/selectors.js";
import { askHost } from "../shared/host-requests.js";
import { text as words } from "../shared/texts.js";
import { attempts } from "../shared/timings.js";

/**
 * A rule to be added; `filter` is the same in filter syntax, null where that cannot say it.
 *
 * @typedef {{ rule: { trigger: Record<string, unknown>, action: Record<string, unknown> },
 *   filter: string | null }} OwnRule
 */
/**
 * What was written, so that it can be taken back.
 *
 * @typedef {{ before: string, after: string, line: string }} Written
 */

/** The longest selector that is written, in characters. */
export const longestSelector = 400;

/**
 * Whether a text is one selector, and one that hides nothing else: a page has made up its names.
 *
 * @param {unknown} selector
 * @returns {selector is string}
 */
export function isOneSelector(selector) {
  if (typeof selector !== "string" || selector.length > longestSelector) return false;
  if (selector.trim() !== selector || /[\u0000-\u001f\u007f]/.test(selector)) return false;
  const [only, ...others] = splitSelectors(selector);
  return only === selector && others.length === 0 && hidingSheet(selector) !== "";
}

/**
 * The entry of `if-domain` for a site with all that is below it.
 *
 * @param {string} site
 */
export function siteDomain(site) {
  return /^[\d.]+$|^\[/.test(site) ? site : `*${site}`;
}

/**
 * A rule that hides what a selector selects on a site.
 *
 * @param {string} site
 * @param {string} selector
 * @returns {OwnRule}
 */
export function hidingRule(site, selector) {
  return {
    rule: {
      trigger: { "url-filter": ".*", "if-domain": [siteDomain(site)] },
      action: { type: "css-display-none", selector },
    },
    // What begins another kind of filter is left to JSON.
    filter: /^[\w*.-]+$/.test(site) && !/#[@?$%]?#|^\+js\(|:(?:style|remove|has-text|matches|-abp)|\^/.test(selector)
      ? `${site}##${selector}` : null,
  };
}

/**
 * A text of rules with one more at its end, in the syntax that the text has.
 *
 * @param {string} text the own rules
 * @param {OwnRule} own
 * @returns {Written | null} null where the rule is there already
 * @throws {Error} where it cannot be said in that syntax
 */
export function withRule(text, { rule, filter }) {
  const json = JSON.stringify(rule);
  if (isFilters(text)) {
    if (filter === null) throw new Error(words("own_no_filter"));
    if (text.split(/\r?\n/).some((line) => line.trim() === filter)) return null;
    return { before: text, after: `${text.replace(/\n?$/, "\n")}${filter}\n`, line: filter };
  }
  const trimmed = text.trim();
  const end = trimmed.lastIndexOf("]");
  if (trimmed !== "" && end !== trimmed.length - 1) throw new Error(words("own_odd_rules"));
  const inner = trimmed.slice(1, -1).trim();
  if (inner === "") return { before: text, after: `[\n  ${json}\n]\n`, line: json };
  const known = parsed(trimmed);
  if (known?.some((each) => JSON.stringify(each) === json)) return null;
  return { before: text, after: `${trimmed.slice(0, end).trimEnd()},\n  ${json}\n]\n`, line: json };
}

/**
 * A text without what was written into it; null where that is there no more, or not once.
 *
 * @param {string} text the own rules as they are now
 * @param {Written} written
 */
export function withoutRule(text, { before, after, line }) {
  if (text === after) return before;
  if (isFilters(text)) {
    const lines = text.split("\n");
    const places = lines.flatMap((each, place) => (each.trim() === line ? place : []));
    return places.length === 1 ? lines.filter((_, each) => each !== places[0]).join("\n") : null;
  }
  const place = text.indexOf(line);
  if (place < 0 || text.indexOf(line, place + 1) >= 0) return null;
  const head = text.slice(0, place).trimEnd();
  const tail = text.slice(place + line.length);
  const rest = head.endsWith(",") ? head.slice(0, -1) + tail : head + tail.trimStart().replace(/^,/, "");
  // Nothing else may go with it.
  return parsed(rest)?.length === (parsed(text)?.length ?? 0) - 1 ? rest : null;
}

/**
 * Whether a text of rules is in filter syntax, and not WebKit's JSON.
 *
 * @param {string} text
 */
export function isFilters(text) { return !/^\s*(?:$|\[\s*[{\]])/.test(text); }

/**
 * @param {string} text
 * @returns {unknown[] | null}
 */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    // The engine reads a little more than JSON.
    return null;
  }
}

/**
 * Adds a rule to the own rules; what others write meanwhile stays.
 *
 * @param {OwnRule} own
 * @returns {Promise<Written | null>} null where it is there already
 * @throws {Error} if it is refused; then nothing is changed
 */
export async function addOwnRule(own) {
  return change((before) => withRule(before, own));
}

/**
 * Takes back what was added.
 *
 * @param {Written} written
 * @throws {Error} if it is there no more, or is refused
 */
export async function takeBack(written) {
  await change((before) => {
    const after = withoutRule(before, written);
    if (after === null) throw new Error(words("own_not_there"));
    return { before, after, line: "" };
  });
}

/**
 * Replaces the text that the host has by one made of it; made anew if somebody else was faster.
 *
 * @template {{ before: string, after: string } | null} Change
 * @param {(before: string) => Change} make
 */
async function change(make) {
  for (let attempt = 1; ; attempt++) {
    const { text: before } = await askHost({ type: "ownRules" });
    const made = make(before);
    if (made === null) return made;
    try {
      await askHost({ type: "setOwnRules", text: made.after, before });
      return made;
    } catch (error) {
      const { text: now } = await askHost({ type: "ownRules" });
      if (now === made.after) return made;
      if (now === before || attempt === attempts.ownRules) throw error;
    }
  }
}
