// What has happened on a page, to which requests, by which rules of which lists.

import { beginning, fingerprint } from "../shared/cut-text.js";

const rowLimit = 1000;
const ruleLimit = 20;
const urlLimit = 5000;
/** How much of an address is kept. */
const addressLimit = 2000;
/** How many requests are remembered that rules can be made of, and their longest address. */
export const seenLimit = 500;
export const seenLength = 1000;

/**
 * The host of a URL; empty where it has none.
 *
 * @param {string} url
 */
function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}

/**
 * The record of one page; bounded, whatever the page does.
 *
 * A URL counts once, because browsers request again what a preload has requested.
 */
export class Journal {
  /**
   * How many URLs were blocked, upgraded and stripped of cookies; `passed` are those that would have
   * been blocked but came before there was anything to decide by.
   *
   * @type {Record<Messages.JournalKind, number>}
   */
  counts = { "block": 0, "passed": 0, "make-https": 0, "block-cookies": 0 };
  /** How many loads were looked at. */
  loads = 0;
  /** Whether rows were left out. */
  isCut = false;
  /**
   * One for each URL and kind, in the order in which they came up first.
   *
   * @type {Messages.JournalRow[]}
   */
  rows = [];
  /** @type {Set<string>} */
  #urls = new Set();
  /**
   * The first requests of the page, whatever became of them, by address and type.
   *
   * @type {Map<string, Messages.SeenRequest>}
   */
  #seen = new Map();

  /** The first requests of the page, whatever became of them. */
  get seen() { return [...this.#seen.values()]; }

  /**
   * A load is looked at.
   *
   * @param {Pick<Load, "url" | "type">} load
   */
  see({ url, type }) {
    this.loads += 1;
    if (type === "top-document" || url.length > seenLength || this.#seen.size >= seenLimit) return;
    const key = `${type} ${url}`;
    if (!this.#seen.has(key)) this.#seen.set(key, { url, type });
  }

  /**
   * Records what happens to a load, and says whether it is new.
   *
   * @param {Messages.JournalKind} kind
   * @param {Array<{ identifier: string, rules: number[] }>} actions those of that kind
   * @param {Pick<Load, "url" | "type">} load
   */
  add(kind, actions, load) {
    const name = `${kind} ${fingerprint(load.url, addressLimit)}`;
    if (this.#urls.has(name)) return false;
    if (this.#urls.size < urlLimit) this.#urls.add(name);
    this.counts[kind] += 1;
    if (this.rows.length >= rowLimit) {
      this.isCut = true;
      return true;
    }
    this.rows.push({
      kind, host: hostOf(load.url), url: beginning(load.url, addressLimit), type: load.type,
      by: actions.map(({ identifier, rules }) => ({ identifier, rules: rules.slice(0, ruleLimit) })),
    });
    return true;
  }
}
