// What lists hide, in parts that are inserted each for itself.

/**
 * Something that a list hides: its global sheet, or the selectors of one of its actions.
 *
 * @typedef {object} Part
 * @property {string} key names it among all lists
 * @property {number} list the list's handle
 * @property {number} slot the action's; `globalSlot` for the sheet
 * @property {number[]} rules those behind the action
 */

/** The slot of a list's global sheet. */
export const globalSlot = -1;

/**
 * The part that is a list's global sheet.
 *
 * @param {number} list
 * @returns {Part}
 */
export const globalPart = (list) => ({ key: String(list), list, slot: globalSlot, rules: [] });

/**
 * What the actions of a decision hide, each once.
 *
 * @param {Pick<import("../deciding/engine.js").Decision, "actions">} decision
 * @returns {Part[]}
 */
export function hidingActions({ actions }) {
  return actions.filter(({ kind }) => kind === "css-display-none")
    .map(({ list, slot, rules }) => ({ key: `${list} ${slot}`, list, slot, rules }));
}

/**
 * The list's handle in a part's key.
 *
 * @param {string} key
 */
export const listOf = (key) => Number.parseInt(key, 10);
