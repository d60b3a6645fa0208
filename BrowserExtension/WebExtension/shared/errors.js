// What was thrown, in words.

/**
 * The message of an error; JavaScript may throw anything.
 *
 * @param {unknown} error
 */
export function messageOf(error) { return error instanceof Error ? error.message : String(error); }
