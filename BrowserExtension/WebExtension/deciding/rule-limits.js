// How many rules Chromium takes, and what of them is for whom: the user's own come first, so that no list,
// however long, keeps a site from being exempted, or a tab from being off.

/**
 * Numbers of rules: of all, of those that change requests, and of those with regular expressions.
 *
 * @typedef {{ rules: number, changing: number, expressions: number }} RuleCounts
 */

/** What lists may take of the rules that stay: Chromium's limits, less what is kept free for the user's own. */
export const listsRoom = { rules: 30_000 - 500, changing: 5_000 - 500, expressions: 1_000 - 50 };
/** The same of those of a session. */
export const listsSessionRoom = { rules: 5_000 - 250, changing: 5_000 - 250, expressions: 1_000 - 50 };
/** What settings of sites may take of the rules that stay, beside the rule of the exempted sites. */
export const sitesRoom = { rules: 499, changing: 499, expressions: 0 };
/** What tabs that are off, and what was clicked on in them, may take of a session's; the rest is for single pages. */
export const tabsRoom = { rules: 200, changing: 0, expressions: 30 };

/**
 * Those rules that fit, in their order; rules that let through come before all others, which without them would
 * stop too much.
 *
 * @template {WebExt.DeclarativeRule} R
 * @param {R[]} rules
 * @param {RuleCounts} room
 * @returns {R[]}
 */
export function fitting(rules, room) {
  const left = { ...room };
  /** @type {Set<R>} */
  const kept = new Set();
  const isAllowing = (/** @type {R} */ { action }) => action.type === "allow";
  for (const rule of [...rules.filter(isAllowing), ...rules.filter((each) => !isAllowing(each))]) {
    const { action, condition } = rule;
    const expressions = condition.regexFilter === undefined ? 0 : 1;
    const changing = action.type === "modifyHeaders" || action.type === "redirect" ? 1 : 0;
    if (left.rules < 1 || left.expressions < expressions || left.changing < changing) continue;
    left.rules -= 1;
    left.expressions -= expressions;
    left.changing -= changing;
    kept.add(rule);
  }
  return kept.size === rules.length ? rules : rules.filter((rule) => kept.has(rule));
}
