// Selector lists and the style sheets made of them.

/** The selectors of a list of selectors, split at the commas outside of brackets and strings. */
export function splitSelectors(text) {
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
 * Each selector has a rule of its own, because one that this browser does not know would take all
 * others of its rule with it. Braces cannot be in a selector but in strings, where the escape of
 * WebKit's reader keeps them; a selector with one elsewhere is left out, so that it can say nothing
 * but what is hidden.
 */
export function hidingSheet(text) {
  return splitSelectors(text)
    .filter((selector) => !/[{}]/.test(selector.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, "")))
    .map((selector) => `${selector}{display:none!important}`)
    .join("\n");
}
