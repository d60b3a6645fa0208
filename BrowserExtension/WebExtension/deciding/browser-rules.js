// The rules that the browser has, and how they are brought to those that are wanted.

/** Numbers below are those of rules of the user's own, which keep their numbers when they change. */
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
 * @param {Omit<ReturnType<typeof ruleChange>, "next">} change
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

/**
 * A change as two: of the user's own rules, and of all others.
 *
 * @param {ReturnType<typeof ruleChange>} change
 */
function split({ removeRuleIds, removedFirst, addRules, addedLast }) {
  const isOwn = (/** @type {number} */ id) => id < firstID;
  return {
    own: { removeRuleIds: removeRuleIds.filter(isOwn), addRules: addRules.filter(({ id }) => isOwn(id)) },
    others: {
      removeRuleIds: removeRuleIds.filter((id) => !isOwn(id)),
      removedFirst: removeRuleIds.slice(0, removedFirst).filter((id) => !isOwn(id)).length,
      addRules: addRules.filter(({ id }) => !isOwn(id)),
      addedLast: addRules.slice(addRules.length - addedLast).filter(({ id }) => !isOwn(id)).length,
    },
  };
}

/** The browser's active rules, of those that stay or of those of a session. */
export class BrowserRules {
  /**
   * The user's own rules that the browser has; null as long as it is not known.
   *
   * @type {WebExt.DeclarativeRule[] | null}
   */
  own = null;
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
   * The user's own rules go first, by themselves: no list keeps them from acting, unless the browser is full.
   *
   * @param {WebExt.DeclarativeRule[]} wanted
   * @param {boolean} isGradual whether rules are handed over in parts, so that no request waits for
   *   the script to write all of them; in between some of both are active
   */
  async become(wanted, isGradual = false) {
    const { own, others, next } = await this.#change(wanted);
    const isTaken = await this.#becomeOwn(wanted, own).then(() => true, () => false);
    for (const [place, part] of parts(others, isGradual ? partSize : Infinity).entries()) {
      if (place > 0) await pause();
      await this.#update(part);
    }
    if (!isTaken) await this.#becomeOwn(wanted, own);
    this.#ids = next;
  }

  /**
   * Replaces all that is active, whatever it is, in one step; if the browser refuses that, brings what is active as
   * near as it can to what is wanted.
   *
   * @param {WebExt.DeclarativeRule[]} wanted
   * @throws {unknown} why the browser has not taken all
   */
  async replace(wanted) {
    const present = await this.#present();
    const { addRules, next } = ruleChange(new Map(), wanted, await keysOf(wanted));
    this.#ids = null;
    try {
      await this.#update({ removeRuleIds: present.map(({ id }) => id), addRules });
    } catch (error) {
      await this.#approach(wanted);
      throw error;
    }
    this.own = wanted.filter(({ id }) => id !== undefined);
    this.#ids = next;
  }

  /**
   * One part that the browser refuses keeps no other from acting.
   *
   * @param {WebExt.DeclarativeRule[]} wanted
   */
  async #approach(wanted) {
    const { own, others } = await this.#change(wanted);
    const { removeRuleIds, addRules } = others;
    const attempt = (/** @type {Promise<void>} */ work) => work.catch((error) => console.debug(error));
    if (removeRuleIds.length > 0) await attempt(this.#update({ removeRuleIds, addRules: [] }));
    await attempt(this.#becomeOwn(wanted, own));
    for (let place = 0; place < addRules.length; place += partSize) {
      await attempt(this.#update({ removeRuleIds: [], addRules: addRules.slice(place, place + partSize) }));
    }
  }

  /** Those that lists and the user's own have. */
  async #present() { return (await this.#get()).filter(({ id }) => id < firstOtherID); }

  /**
   * The change to what is wanted; from then on it is not known what the browser has.
   *
   * @param {WebExt.DeclarativeRule[]} wanted
   */
  async #change(wanted) {
    /** @type {number[]} */
    const again = [];
    let ids = this.#ids;
    if (!ids) {
      const rules = await this.#present();
      const keys = await keysOf(rules);
      ids = new Map();
      for (const [place, { id }] of rules.entries()) {
        // The number of a rule that is there twice may be given to no other as long as it is there.
        if (ids.has(keys[place])) again.push(id);
        else ids.set(keys[place], id);
      }
    }
    if (again.length > 0) await this.#update({ removeRuleIds: again, addRules: [] });
    const change = ruleChange(ids, wanted, await keysOf(wanted));
    // After a failure the browser is asked which rules it has.
    this.#ids = null;
    return { ...split(change), next: change.next };
  }

  /**
   * @param {WebExt.DeclarativeRule[]} wanted
   * @param {{ removeRuleIds: number[], addRules: WebExt.NumberedRule[] }} change
   */
  async #becomeOwn(wanted, change) {
    if (change.removeRuleIds.length + change.addRules.length > 0) await this.#update(change);
    this.own = wanted.filter(({ id }) => id !== undefined);
  }
}
