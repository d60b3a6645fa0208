// Selector lists and the style sheets made of them.

/**
 * The selectors of a list of selectors, split at the commas outside of brackets and strings.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function splitSelectors(text) {
  /** @type {string[]} */
  const selectors = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  for (let place = 0; place < text.length; place++) {
    const character = text[place];
    if (character === "\\") {
      place += 1;
    } else if (quote) {
      if (character === quote) quote = "";
    } else if (character === "\"" || character === "'") {
      quote = character;
    } else if (character === "(" || character === "[") {
      depth += 1;
    } else if (character === ")" || character === "]") {
      depth -= 1;
    } else if (character === "," && depth === 0) {
      selectors.push(text.slice(start, place).trim());
      start = place + 1;
    }
  }
  selectors.push(text.slice(start).trim());
  return selectors.filter((selector) => selector !== "");
}

/**
 * Whether a selector ends within itself, and says nothing but what is selected.
 *
 * One with a bracket, string, comment or escape that is open at its end would swallow the rules behind it,
 * also those of other lists; one with a brace outside of strings could end its rule and say something else.
 *
 * @param {string} selector
 */
function isWhole(selector) {
  if (!/["'\\()[\]{}/;@]/.test(selector)) return true;
  /** @type {string[]} */
  const open = [];
  for (let place = 0; place < selector.length; place++) {
    const character = selector[place];
    const last = open[open.length - 1];
    const isString = last === "\"" || last === "'";
    if (character === "\\") {
      place += 1;
      if (place === selector.length || !isString && /[{}]/.test(selector[place])) return false;
    } else if (isString) {
      if (character === last) open.pop();
      else if (/[\n\r\f]/.test(character)) return false;
    } else if (character === "\"" || character === "'" || character === "[") {
      open.push(character);
    } else if (character === "(") {
      // Brackets belong to pseudo-classes; between those of an address, quotes are none.
      const name = /:([\w-]+)$/.exec(selector.slice(Math.max(0, place - 64), place))?.[1] ?? "url";
      if (name.toLowerCase() === "url") return false;
      open.push(character);
    } else if (character === ")" || character === "]") {
      if (open.pop() !== (character === ")" ? "(" : "[")) return false;
    } else if (character === "/" && selector[place + 1] === "*") {
      place = selector.indexOf("*/", place + 2) + 1;
      if (place === 0) return false;
    } else if ("{};@".includes(character)) {
      return false;
    }
  }
  return open.length === 0;
}

/** A class or an id, written so that every browser knows it. Nearly all of a list's global selectors are that. */
const plain = /^[.#]-?[A-Za-z_][\w-]*$/;
/** How many plain selectors share a rule; browsers drop what is behind some thousands. */
const groupSize = 1000;

/**
 * Those selectors of a list of selectors that a style sheet has.
 *
 * @param {string} text
 */
export const wholeSelectors = (text) =>
  splitSelectors(text).filter((selector) => plain.test(selector) || isWhole(selector));

/**
 * A style sheet that hides what a list of selectors selects.
 *
 * Each selector has a rule of its own, because a browser drops a whole rule for one selector that it
 * does not know. One that is not whole is left out. Plain ones share rules, which halves the sheet.
 *
 * @param {string} text
 */
export function hidingSheet(text) {
  /** @type {string[][]} */
  const groups = [];
  /** @type {string[]} */
  const others = [];
  for (const selector of wholeSelectors(text)) {
    if (!plain.test(selector)) {
      others.push(selector);
    } else if (groups.length > 0 && groups[groups.length - 1].length < groupSize) {
      groups[groups.length - 1].push(selector);
    } else {
      groups.push([selector]);
    }
  }
  return [...groups.map((group) => group.join(",")), ...others]
    .map((selectors) => `${selectors}{display:none!important}`)
    .join("\n");
}
