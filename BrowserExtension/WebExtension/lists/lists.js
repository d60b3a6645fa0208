// The active lists: opened in the engine, kept in the store, brought up to date by the host.

import { ListMemoryError, RefusedListError } from "../deciding/engine.js";
import { KeptLists } from "./kept-lists.js";
import { checkedOffers } from "./list-answers.js";
import { ListSources } from "./list-sources.js";
import { TextStore } from "./text-store.js";
import { digestOf } from "../shared/digest.js";
import { messageOf } from "../shared/errors.js";
import { Retry } from "../shared/retry.js";
import { listed, text } from "../shared/texts.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {import("../shared/host.js").HostConnection} HostConnection */

/**
 * Why a list could not be opened, in the person's language.
 *
 * @param {unknown} error
 */
function faultOf(error) {
  if (error instanceof RefusedListError) return text("list_refused", error.offset);
  return error instanceof ListMemoryError ? text("list_memory") : messageOf(error);
}

/**
 * The active lists.
 *
 * `load` opens those of the last time when the background script starts; `update` brings them to what
 * the host has.
 */
export class Lists {
  /**
   * In the host's order; one that the engine refuses has a fault and no handle.
   *
   * @type {OpenedList[]}
   */
  all = [];
  /**
   * What was wrong when the lists were last brought up to date; null if nothing.
   *
   * @type {string | null}
   */
  fault = null;
  #engine;
  #kept;
  #settings;
  #texts;
  #sources;
  /**
   * Whom texts are fetched from; null before the first update.
   *
   * @type {HostConnection | null}
   */
  #host = null;
  /**
   * Why the engine refuses lists as the host has them, by their digests: to fetch those again would bring the
   * same bytes. Only in memory, as the next start may be that of another engine.
   *
   * @type {Map<string, string>}
   */
  #refused = new Map();
  /**
   * The update that is running.
   *
   * @type {Promise<void> | null}
   */
  #update = null;
  /** Whether an update was asked for while one was running. */
  #isStale = false;
  #retry = new Retry(milliseconds.listsRetry, milliseconds.listsLongestRetry);
  #onChanged = () => {};
  #markKnown = () => {};
  /**
   * Fulfilled when the lists of the last time are open, or others have come in their place.
   *
   * @type {Promise<void>}
   */
  known = new Promise((resolve) => { this.#markKnown = resolve; });

  /**
   * @param {import("../deciding/engine.js").Engine} engine
   * @param {Pick<import("./store.js").Store, "lists" | "list" | "change">} store
   * @param {Pick<import("../shared/settings.js").Settings, "isListOff" | "setListOn">} settings
   * @param {Pick<TextStore, "text" | "keep" | "drop">} texts
   */
  constructor(engine, store, settings, texts = new TextStore()) {
    this.#engine = engine;
    this.#kept = new KeptLists(store);
    this.#settings = settings;
    this.#texts = texts;
    this.#sources = new ListSources(store, texts);
  }

  /**
   * Opens lists of the last time.
   *
   * @param {ListRecord[]} kept what the store keeps
   * @param {() => void} onChanged called then, and whenever lists come or go
   * @param {string | null} storeFault why the store could not be read; it is read again
   */
  load(kept, onChanged, storeFault = null) {
    this.#onChanged = onChanged;
    this.#kept.fault = storeFault;
    if (storeFault === null) {
      this.#markKnown();
    } else {
      this.fault = text("lists_unkept", storeFault);
      this.#retry.schedule(() => this.#retryReading());
    }
    for (const record of kept) this.#putInForce(this.#opened(record));
    this.#onChanged();
  }

  /** As long as no host has brought the lists; from then on, updates read what the store keeps. */
  async #retryReading() {
    await this.#readAgain();
    if (this.#kept.fault !== null && this.#host === null) this.#retry.schedule(() => this.#retryReading());
  }

  /**
   * Whether a list that is on may contain an action.
   *
   * @param {string} kind
   */
  mayDo(kind) { return this.all.some((list) => list.isOn && list.mayDo.has(kind)); }

  /**
   * Whether a list hides anything anywhere.
   *
   * @param {number} handle
   */
  hides(handle) {
    return this.withHandle(handle)?.mayDo.has("css-display-none") === true || this.#engine.globalSheet(handle) !== "";
  }

  /** Whether a list that is on hides anything anywhere. */
  get anyHides() { return this.all.some(({ isOn, handle }) => isOn && handle !== 0 && this.hides(handle)); }

  /**
   * The hosts whose requests may hide what the requests for a page's documents do not hide, by the lists that are on;
   * null if any request may.
   *
   * @returns {string[] | null}
   */
  hidingHosts() {
    const all = [];
    for (const list of this.all.filter(({ isOn, handle }) => isOn && handle)) {
      // The engine goes through the whole list for it.
      if (list.hidingHosts === undefined) list.hidingHosts = this.#engine.hidingHosts(list.handle);
      if (list.hidingHosts === null) return null;
      all.push(...list.hidingHosts);
    }
    return [...new Set(all)].sort();
  }

  /**
   * The list with a handle.
   *
   * @param {number} handle
   */
  withHandle(handle) { return this.all.find((list) => list.handle === handle); }

  /**
   * The JSON text of a list, as `ListSources` has it.
   *
   * @param {OpenedList} list
   */
  source(list) { return this.#sources.source(list, this.#host); }

  /**
   * Switches a list on or off, at once and for good.
   *
   * @param {string} identifier
   * @param {boolean} isOn
   */
  async setOn(identifier, isOn) {
    const kept = this.#settings.setListOn(identifier, isOn);
    this.#followSwitch(identifier);
    try {
      await kept;
    } catch (error) {
      // It was not kept.
      this.#followSwitch(identifier);
      throw error;
    }
  }

  /** @param {string} identifier */
  #followSwitch(identifier) {
    const list = this.all.find((each) => each.identifier === identifier);
    if (list) this.#switch(list);
    this.#onChanged();
  }

  /**
   * Brings the lists to what the host has; calls during an update make it run once more.
   *
   * A list is replaced when all its new bytes have come, and stays as it is if they do not. One that could not
   * be opened, as it was damaged in the store, is fetched again, whether or not the host has another now. A
   * failed update is tried again later, unless all that fails is what the engine refuses.
   *
   * @param {HostConnection} host
   */
  update(host) {
    this.#retry.cancel();
    this.#host = host;
    if (this.#update) {
      this.#isStale = true;
      return this.#update;
    }
    this.#update = (async () => {
      try {
        do {
          this.#isStale = false;
          this.fault = await this.#updateOnce(host);
        } while (this.#isStale);
        this.#retry.succeed();
      } catch (error) {
        this.fault = messageOf(error);
        this.#retry.schedule(() => this.update(host));
      } finally {
        this.#update = null;
      }
    })();
    return this.#update;
  }

  /**
   * @param {HostConnection} host
   * @returns {Promise<string | null>} what the engine refuses, until the host has something else; null if nothing
   * @throws {Error} if an update may do later what this one could not
   */
  async #updateOnce(host) {
    const answer = await host.ask({ type: "lists", formatVersion: this.#engine.formatVersion });
    const { offered, isWhole } = checkedOffers(answer);
    await this.#readAgain();
    const present = new Map(this.all.map((list) => [list.identifier, list]));
    const faults = isWhole ? [] : [text("host_odd", "lists")];
    if (this.#kept.fault !== null) faults.push(text("lists_unkept", this.#kept.fault));
    const attempt = (/** @type {string} */ name, /** @type {Promise<void>} */ work) =>
      work.catch((error) => { faults.push(text("named_fault", name, messageOf(error))); });
    const refusals = [];
    /**
     * The names of lists that the host cannot give, by the reason: where it is not known which are on, it is one.
     *
     * @type {Map<string, string[]>}
     */
    const withheld = new Map();
    for (const [place, { identifier, name, digest: wanted, size, deciding, fault }] of offered.entries()) {
      const old = present.get(identifier);
      if (fault || !wanted || !size) {
        const reason = fault || text("list_wrong_bytes");
        withheld.set(reason, [...withheld.get(reason) ?? [], name]);
        // One that works goes on; otherwise the list is shown with its fault.
        if (!old?.handle) {
          this.#replace(old, { ...this.#unopened(identifier, name, "", place), fault: fault ?? "", isRefused: false });
        }
        continue;
      }
      const refusal = this.#refused.get(wanted);
      const isHere = old?.digest === wanted && (old.handle || refusal);
      if (isHere && (old.place !== place || old.name !== name)) await attempt(name, this.#rename(old, name, place));
      if (refusal) {
        refusals.push(text("named_fault", name, refusal));
        // Where nothing works that it would replace, the list is shown with its fault.
        if (!isHere && !old?.handle) {
          this.#replace(old, { ...this.#unopened(identifier, name, wanted, place), fault: refusal, isRefused: true });
        }
      }
      if (isHere && this.#kept.isMissing(identifier)) {
        await attempt(name, this.#kept.keepAgain(async () => ({
          identifier, name, digest: wanted, place, size,
          bytes: await this.#fetched(host, deciding ?? { digest: wanted, size }),
        })));
      }
      if (isHere || refusal) continue;
      try {
        const bytes = await this.#fetched(host, deciding ?? { digest: wanted, size });
        const record = { identifier, name, digest: wanted, place, bytes, size };
        const opened = this.#opened(record);
        if (opened.fault) {
          // Another error, as of memory, may not come again.
          if (opened.isRefused) this.#refused.set(wanted, opened.fault);
          (opened.isRefused ? refusals : faults).push(text("named_fault", name, opened.fault));
          // An old one that works goes on; otherwise the list is shown with its fault.
          if (old?.handle) continue;
        } else {
          await attempt(name, this.#kept.keep(record));
        }
        this.#replace(old, opened);
      } catch (error) {
        faults.push(text("named_fault", name, messageOf(error)));
      }
    }
    for (const [reason, names] of withheld) faults.push(text("named_fault", listed(names, "unit"), reason));
    const digests = new Set(offered.map((list) => list.digest));
    for (const refused of this.#refused.keys()) if (!digests.has(refused)) this.#refused.delete(refused);
    const identifiers = new Set(offered.map((list) => list.identifier));
    // Which list an entry is that nobody understands is not known: all stay.
    const gone = isWhole ? this.all.filter((list) => !identifiers.has(list.identifier)) : [];
    await attempt(listed(gone.map(({ name }) => name), "unit"),
      this.#kept.drop(gone.map(({ identifier }) => identifier)));
    for (const list of gone) this.#replace(list, null);
    this.all.sort((a, b) => a.place - b.place);
    if (offered.length === 0 || this.all.some(({ handle }) => handle)) this.#markKnown();
    this.#texts.drop(this.all.map((list) => list.digest)).catch((error) => console.debug(error));
    if (faults.length) throw new Error(listed([...faults, ...refusals], "unit"));
    return refusals.length ? listed(refusals, "unit") : null;
  }

  /**
   * A list without what the engine says of it.
   *
   * @param {string} identifier
   * @param {string} name
   * @param {string} digest
   * @param {number} place
   * @returns {OpenedList}
   */
  #unopened(identifier, name, digest, place) {
    const isOn = !this.#settings.isListOff(identifier);
    return { identifier, name, digest, place, isOn, handle: 0, fault: null, isRefused: false, mayDo: new Set() };
  }

  /**
   * @param {ListRecord} record
   * @returns {OpenedList}
   */
  #opened({ identifier, name, digest, place, bytes }) {
    const list = this.#unopened(identifier, name, digest, place);
    try {
      list.handle = this.#engine.open(bytes);
      // Until it is put in force; then the list's switch is read.
      this.#engine.setOn(list.handle, false);
      list.mayDo = this.#engine.kinds(list.handle);
    } catch (error) {
      list.isRefused = error instanceof RefusedListError;
      list.fault = faultOf(error);
    }
    return list;
  }

  /** Reads what the store keeps, if it could not be read before; what has come from the host since stays. */
  #readAgain() {
    return this.#kept.readAgain((records) => {
      this.fault = null;
      const working = new Set(this.all.flatMap(({ identifier, handle }) => (handle ? identifier : [])));
      for (const record of records) {
        if (working.has(record.identifier)) continue;
        this.all = this.all.filter(({ identifier }) => identifier !== record.identifier);
        this.#putInForce(this.#opened(record));
      }
      this.all.sort((a, b) => a.place - b.place);
      this.#markKnown();
      this.#onChanged();
    });
  }

  /**
   * @param {OpenedList | undefined} old
   * @param {OpenedList | null} list
   */
  #replace(old, list) {
    this.all = this.all.filter((each) => each !== old);
    if (old?.handle) this.#engine.close(old.handle);
    if (list) this.#putInForce(list);
    this.#onChanged();
  }

  /**
   * Adds a list, and lets it decide if it is on; a switch may have been used since it was opened.
   *
   * @param {OpenedList} list
   */
  #putInForce(list) {
    this.#switch(list);
    this.all.push(list);
  }

  /**
   * Lets a list decide if it is on.
   *
   * @param {OpenedList} list
   */
  #switch(list) {
    list.isOn = !this.#settings.isListOff(list.identifier);
    if (list.handle) this.#engine.setOn(list.handle, list.isOn);
  }

  /**
   * @param {OpenedList} list
   * @param {string} name
   * @param {number} place
   */
  async #rename(list, name, place) {
    Object.assign(list, { name, place });
    await this.#kept.rename(list.identifier, name, place);
  }

  /**
   * @param {HostConnection} host
   * @param {{ digest: string, size: number }} offer
   */
  async #fetched(host, offer) {
    const bytes = await host.fetch(offer);
    if (await digestOf(bytes) !== offer.digest) throw new Error(text("list_wrong_bytes"));
    return bytes;
  }
}
