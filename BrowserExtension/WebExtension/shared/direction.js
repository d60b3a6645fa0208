// In which direction texts are written, and values in them that others have chosen.
//
// Not a module, because scripts in documents cannot be modules.

globalThis.tickbirdDirection ??= (() => {
  /** Letters of scripts that are written from right to left, and characters that change a direction. */
  const odd = new RegExp(String.raw`[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc`
    + String.raw`\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`, "u");
  /** Text up to a character that ends a paragraph, and with it all that was begun in it. */
  const paragraph = /[^\n\r\x1c-\x1e\x85\u2029]+/gu;
  const isolates = /[\u2066-\u2069]/gu;
  const end = "\u2069";

  /**
   * A paragraph without those characters of its own that begin an isolate and leave it open, or end one that it has
   * not begun. What else changes a direction ends with the isolate around it.
   *
   * @param {string} text
   */
  const balanced = (text) => {
    const found = [...text.matchAll(isolates)].map(({ 0: character, index = 0 }) => ({ character, index }));
    /** @type {number[]} */
    const begun = [];
    const alone = new Set();
    for (const { character, index } of found) {
      if (character !== end) begun.push(index);
      else if (begun.pop() === undefined) alone.add(index);
    }
    for (const index of begun) alone.add(index);
    return alone.size === 0 ? text : text.replace(isolates, (character, index) => (alone.has(index) ? "" : character));
  };

  return {
    /** That of the extension's texts; the browser's own may be another. */
    ofTexts() {
      const { i18n } = globalThis.browser ?? globalThis.chrome;
      return /^(?:ar|fa|he|ur)\b/.test(i18n.getMessage("language")) ? "rtl" : "ltr";
    },

    /**
     * A value that keeps its own direction, and the text around it its own: addresses and names may be
     * written in another direction than the text.
     *
     * @param {string} value
     */
    isolated(value) {
      if (this.ofTexts() === "ltr" && !odd.test(value)) return value;
      return value.replace(paragraph, (each) => `\u2068${balanced(each)}${end}`);
    },
  };
})();
