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
 * A style sheet that hides what a list of selectors selects.
 *
 * Each selector has a rule of its own, because a browser drops a whole rule for one selector that it
 * does not know. A selector has braces only in strings. One with a brace elsewhere is left out: it
 * could end the rule and say something other than what is hidden.
 *
 * @param {string} text
 */
export function hidingSheet(text) {
  return splitSelectors(text)
    .filter((selector) => !/[{}]/.test(selector.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, "")))
    .map((selector) => `${selector}{display:none!important}`)
    .join("\n");
}
