// Which language a note is written in, for screen readers and fonts.

import { api } from "../shared/browser.js";

/**
 * The language of a text; empty, which documents take for unknown, if the browser is not sure.
 *
 * @param {string} text
 * @returns {Promise<string>} a BCP 47 tag
 */
export async function languageOf(text) {
  try {
    const { isReliable, languages } = await api.i18n.detectLanguage(text);
    const [first] = languages.sort((one, other) => other.percentage - one.percentage);
    // Of a text in several languages, none is the text's own.
    const isOwn = isReliable && first && first.percentage > 60;
    return isOwn && first.language !== "und" ? first.language : "";
  } catch {
    // Browsers may be built without it.
    return "";
  }
}
