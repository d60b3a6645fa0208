// Lists that are on and that the host cannot read now: their rules of before act beside those of all others, which
// follow every change.

/** @typedef {NativeHost.Translation} Translation */

/**
 * What tells a translation from others: also which lists it lacks, as their rules are of before.
 *
 * @param {string} digest the host's
 * @param {string[]} missing the identifiers of the lists that it lacks
 */
export const nameOf = (digest, missing) => [digest, ...[...missing].sort()].join(" ");

/**
 * A translation with the rules of lists that it lacks.
 *
 * A list's rules keep their order among themselves. Where two lists have exceptions, those of one may let through
 * what the other stops, as in any translation (Documentation/DeclarativeRules.md).
 *
 * @param {Translation} translation
 * @param {Translation | null} last one that may have them
 * @param {string[]} missing their identifiers
 * @returns {Translation}
 */
export function withMissing(translation, last, missing) {
  if (!last) return translation;
  const lists = [...translation.lists];
  /** @type {Map<number, number>} */
  const places = new Map();
  const present = new Set(lists.map(({ identifier }) => identifier));
  const wanted = new Set(missing.filter((identifier) => !present.has(identifier)));
  for (const [place, list] of last.lists.entries()) {
    if (!wanted.has(list.identifier)) continue;
    places.set(place, lists.length);
    lists.push(list);
  }
  /** @type {Translation["rules"]} */
  const rules = [...translation.rules];
  for (const [list, session, rule, isExact] of last.rules) {
    const place = places.get(list);
    if (place !== undefined) rules.push([place, session, rule, isExact]);
  }
  return { lists, rules };
}
