// What has happened on a page, by which rule of which list.

const rowLimit = 500;
const examplesLimit = 5;
const urlLimit = 5000;

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
  /** @type {Map<string, Messages.JournalRow>} */
  #rows = new Map();
  /** @type {Set<string>} */
  #urls = new Set();

  /**
   * Records what happens to a load.
   *
   * @param {Messages.JournalKind} kind
   * @param {Array<{ identifier: string, rules: number[] }>} actions those of that kind
   * @param {Pick<Load, "url" | "type">} load
   */
  add(kind, actions, load) {
    const name = `${kind} ${load.url}`;
    if (this.#urls.has(name)) return;
    if (this.#urls.size < urlLimit) this.#urls.add(name);
    this.counts[kind] += 1;
    for (const { identifier, rules } of actions) this.#addRow(identifier, kind, rules, load);
  }

  /**
   * @param {string} identifier
   * @param {Messages.JournalKind} kind
   * @param {number[]} rules
   * @param {Pick<Load, "url" | "type">} load
   */
  #addRow(identifier, kind, rules, load) {
    const key = `${identifier}\n${kind}\n${rules.slice(0, 8).join(",")}`;
    let row = this.#rows.get(key);
    if (!row) {
      if (this.#rows.size >= rowLimit) {
        this.isCut = true;
        return;
      }
      row = { identifier, kind, rules: rules.slice(0, 100), count: 0, examples: [] };
      this.#rows.set(key, row);
    }
    row.count += 1;
    if (row.examples.length < examplesLimit) {
      row.examples.push({ url: load.url.slice(0, 2000), type: load.type });
    }
  }

  /** The rows in the order in which they came up first. */
  get rows() { return [...this.#rows.values()]; }
}
