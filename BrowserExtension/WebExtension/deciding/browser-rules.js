// The rules that the browser has, and how they are brought to those that are wanted.

/** Numbers below are those of rules of the user's own. */
const firstID = 100;
/** Numbers from here on are those of rules for single tabs, which come and go without the lists. */
export const firstOtherID = 1_000_000;

/**
 * A rule as text that is the same for the same rule, whatever the order of its keys.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function ruleKey(value) {
  if (Array.isArray(value)) return `[${value.map(ruleKey).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  // A rule's number is no part of it, and false is what the browser leaves out.
  const entries = Object.entries(value).filter(([key, each]) => key !== "id" && each !== false);
  return `{${entries.sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, each]) => `${key}:${ruleKey(each)}`).join()}}`;
}

/** How many rules are looked at before other work of the script has its turn. */
const sliceSize = 200;

/**
 * How many rules are handed over before other work of the script has its turn: for each part the browser
 * writes and indexes all rules that it has, thousands of which take its process a third of a second.
 */
const partSize = 4000;

/**
 * Lets requests and messages that have come meanwhile have their turn.
 *
 * Not by a timer: each of a row takes four milliseconds, which makes half a second of thousands of rules.
 */
const pause = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve(undefined);
  };
  port2.postMessage(null);
});

/**
 * The keys of rules that were looked at before; a switch or an exempted site leaves nearly all as they are.
 *
 * @type {WeakMap<WebExt.DeclarativeRule, string>}
 */
const knownKeys = new WeakMap();

/**
 * The keys of rules, which nobody changes. Of thousands, requests that wait for the script would feel the time
 * it takes.
 *
 * @param {WebExt.DeclarativeRule[]} rules
 */
async function keysOf(rules) {
  /** @type {string[]} */
  const keys = [];
  let count = 0;
  for (const rule of rules) {
    let key = knownKeys.get(rule);
    if (key === undefined) {
      key = ruleKey(rule);
      knownKeys.set(rule, key);
      count += 1;
      if (count % sliceSize === 0) await pause();
    }
    keys.push(key);
  }
  return keys;
}

/**
 * Whether the browser takes fewer rules of a kind than of others, by the rule's key: regular expressions, and
 * what changes requests. A text that only looks like it does no harm.
 *
 * @param {string} key
 */
const isLimited = (key) => /regexFilter:|type:"(redirect|modifyHeaders)"/.test(key);

/**
 * The change from the rules that are there to those that are wanted.
 *
 * @param {Map<string, number>} present the numbers of the rules that are there, by their keys
 * @param {WebExt.DeclarativeRule[]} wanted one with a number of its own keeps it
 * @param {string[]} keys those of the wanted rules
 * @returns {{ removeRuleIds: number[], removedFirst: number, addRules: WebExt.NumberedRule[], addedLast: number,
 *   next: Map<string, number> }} with the numbers afterwards; so many of those that are removed and added are
 *   rules of which the browser takes fewer, the first and the last ones
 */
export function ruleChange(present, wanted, keys = wanted.map(ruleKey)) {
  /** @type {Map<string, number>} */
  const next = new Map();
  /** @type {WebExt.NumberedRule[]} */
  const addRules = [];
  /** @type {WebExt.NumberedRule[]} */
  const limited = [];
  const used = new Set(present.values());
  let id = firstID;
  for (const [place, rule] of wanted.entries()) {
    const key = keys[place];
    if (next.has(key)) continue;
    let number = present.get(key);
    if (number === undefined) {
      while (used.has(id)) id += 1;
      number = rule.id ?? id;
      used.add(number);
      (isLimited(key) ? limited : addRules).push({ ...rule, id: number });
    }
    next.set(key, number);
  }
  const removed = [...present].filter(([key]) => !next.has(key));
  const first = removed.filter(([key]) => isLimited(key));
  return {
    removeRuleIds: [...first, ...removed.filter(([key]) => !isLimited(key))].map(([, number]) => number),
    removedFirst: first.length,
    addRules: [...addRules, ...limited],
    addedLast: limited.length,
    next,
  };
}

/**
 * A change in parts that remove and add at most so many rules.
 *
 * Between two parts there are never more rules than before or afterwards, also of those of which the browser
 * takes fewer: of these, none is added before all are removed that have to be.
 *
 * @param {ReturnType<typeof ruleChange>} change
 * @param {number} size
 * @returns {WebExt.RuleChange[]}
 */
function parts({ removeRuleIds, removedFirst, addRules, addedLast }, size) {
  const changes = [];
  for (let removed = 0, added = 0; removed < removeRuleIds.length || added < addRules.length;) {
    const removedNext = Math.min(removed + size, removeRuleIds.length);
    const addable = removedNext < removedFirst ? addRules.length - addedLast : addRules.length;
    const addedNext = Math.min(added + size, addable);
    changes.push({
      removeRuleIds: removeRuleIds.slice(removed, removedNext), addRules: addRules.slice(added, addedNext),
    });
    [removed, added] = [removedNext, addedNext];
  }
  return changes;
}

/** The browser's active rules, of those that stay or of those of a session. */
export class BrowserRules {
  #get;
  #update;
  /**
   * Numbers by the keys of their rules; null as long as the browser was not asked.
   *
   * @type {Map<string, number> | null}
   */
  #ids = null;

  /**
   * @param {() => Promise<WebExt.NumberedRule[]>} get
   * @param {(change: WebExt.RuleChange) => Promise<void>} update
   */
  constructor(get, update) {
    this.#get = get;
    this.#update = update;
  }

  /**
   * Brings what is active to what is wanted; only differences are handed over.
   *
   * @param {WebExt.DeclarativeRule[]} wanted
   * @param {boolean} isGradual whether rules are handed over in parts, so that no request waits for
   *   the script to write all of them; in between some of both are active
   */
  async become(wanted, isGradual = false) {
    if (!this.#ids) {
      const rules = (await this.#get()).filter(({ id }) => id < firstOtherID);
      const keys = await keysOf(rules);
      this.#ids = new Map(rules.map(({ id }, place) => [keys[place], id]));
    }
    const change = ruleChange(this.#ids, wanted, await keysOf(wanted));
    // After a failure the browser is asked which rules it has.
    this.#ids = null;
    for (const [place, part] of parts(change, isGradual ? partSize : Infinity).entries()) {
      if (place > 0) await pause();
      await this.#update(part);
    }
    this.#ids = change.next;
  }
}
