// Texts that pages choose, cut to what is kept of them.

/**
 * The beginning of a text, as a text of its own: a part that is cut out of another one keeps all of that in the
 * browser's memory.
 *
 * @param {string} text
 * @param {number} limit in characters
 */
export const beginning = (text, limit) => (text.length <= limit ? text : copied(text.slice(0, limit)));

/**
 * What tells long texts apart without keeping them: short ones as they are, of others the beginning, the end and the
 * length.
 *
 * @param {string} text
 * @param {number} limit in characters
 */
export const fingerprint = (text, limit) => (text.length <= limit ? text
  : copied(`${text.length} ${text.slice(0, limit / 2)} ${text.slice(-limit / 2)}`));

/**
 * A text that shares no memory with another one.
 *
 * @param {string} text
 */
const copied = (text) => JSON.parse(JSON.stringify(text));
