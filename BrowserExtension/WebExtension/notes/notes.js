// The notes in the background: which page has one, whether it is to be shown, and what happens to
// it.
//
// The host's index is in memory, so that a page without a note waits for nothing. Only for a page with
// a note the host is asked, which counts it; a host that does not answer does not keep a note from
// being shown.

import { messageOf } from "../shared/errors.js";
import { languageOf } from "./note-language.js";
import { targetKey, targetKeys } from "./note-addresses.js";
import { covers, isUsedUp, nextChange, waitOf } from "./note-plan.js";
import { UnsentChoices } from "./unsent-choices.js";
import { milliseconds } from "../shared/timings.js";

/** How many seconds in front the host may not know of. */
const unsentSeconds = 30;
/** In milliseconds. */
const minute = 60000;
/** What is counted of a note on a day on which none of its pages was opened. */
const unusedDay = Object.freeze({ visits: 0, seconds: 0, shown: 0, left: 0, viewed: 0 });

/** @typedef {NativeHost.IndexedNote} IndexedNote */

/**
 * The notes, as far as they are known here.
 *
 * All of it is in memory. When the background script starts again, the host's index comes anew with the
 * connection. Drafts, and choices that the host could not be told, end with the script.
 */
export class Notes {
  /** @type {() => void} */
  #markKnown = () => {};
  /**
   * What the pop-up has not saved yet, by the tab's number.
   *
   * @type {Map<number, Messages.NoteDraft>}
   */
  drafts = new Map();
  /** Whether it is known which pages have notes, or will not be soon. */
  isKnown = false;
  /**
   * Fulfilled when `isKnown`.
   *
   * @type {Promise<void>}
   */
  known = new Promise((resolve) => {
    this.#markKnown = () => {
      this.isKnown = true;
      resolve();
    };
    setTimeout(this.#markKnown, milliseconds.noteIndex);
  });
  /**
   * What is wrong with the index; null if nothing.
   *
   * @type {string | null}
   */
  fault = null;
  #host;
  /**
   * The notes that count, by the keys of their targets.
   *
   * @type {Map<string, IndexedNote>}
   */
  #index = new Map();
  /** The day on which the index came, and what happened "today". */
  #day = "";
  /**
   * The end of a focus session, in milliseconds since 1970; null if there is none.
   *
   * @type {number | null}
   */
  #focusUntil = null;
  /** Whether a note leaves minutes free. */
  countsMinutes = false;
  /**
   * Until when notes are snoozed by what was chosen here, by their ids, whether the host knows of it or
   * not.
   *
   * @type {Map<string, number>}
   */
  #rests = new Map();
  #unsent = new UnsentChoices();
  /**
   * The use of free pages that the host does not know of, by the notes' ids.
   *
   * @type {Map<string, { visits: number, seconds: number }>}
   */
  #unsentUse = new Map();
  /** @type {Promise<void>} */
  #refreshing = Promise.resolve();
  #onRefreshed;

  /**
   * @param {() => Pick<import("../shared/host.js").Host, "ask">} host the connection to the native host
   * @param {() => void} onRefreshed called when the index has come again
   */
  constructor(host, onRefreshed) {
    this.#host = host;
    this.#onRefreshed = onRefreshed;
  }

  /** The notes that count, each for its target. */
  get all() { return [...this.#index.values()]; }

  /**
   * The note that counts for a page, snoozed or not; undefined if there is none.
   *
   * @param {string} url
   */
  find(url) {
    if (this.#index.size === 0) return undefined;
    for (const key of targetKeys(url)) {
      const note = this.#index.get(key);
      if (note) return note;
    }
    return undefined;
  }

  /**
   * The note with an id; undefined if no page has it.
   *
   * @param {string} id
   */
  withID(id) {
    for (const note of this.#index.values()) if (note.id === id) return note;
    return undefined;
  }

  /**
   * Whether a note is snoozed.
   *
   * @param {Pick<IndexedNote, "id" | "snoozedUntil">} note
   */
  isResting(note) { return Date.now() < this.#restsUntil(note); }

  /**
   * When a note's snooze ends or has ended, in milliseconds since 1970; 0 if it was never snoozed.
   *
   * @param {Pick<IndexedNote, "id" | "snoozedUntil">} note
   */
  #restsUntil(note) { return Math.max(note.snoozedUntil ?? 0, this.#rests.get(note.id) ?? 0); }

  /** The end of the focus session, in milliseconds since 1970; null if there is none. */
  get focusUntil() {
    return this.#focusUntil !== null && Date.now() < this.#focusUntil ? this.#focusUntil : null;
  }

  /**
   * What happened with a note today; null if nothing.
   *
   * @param {Pick<IndexedNote, "today">} note
   */
  #today({ today }) { return this.#day === new Date().toDateString() ? today ?? null : null; }

  /**
   * Whether a note's pages are shown because of its limit alone.
   *
   * @param {IndexedNote} note
   */
  isLimited(note) {
    return this.focusUntil === null && !this.isResting(note) && covers(note.plan, new Date())
      && !isUsedUp(note.plan, this.#today(note));
  }

  /**
   * Whether a note's pages are shown now.
   *
   * @param {IndexedNote} note
   */
  #isFree(note) {
    if (this.focusUntil !== null) return false;
    return this.isResting(note) || !covers(note.plan, new Date())
      || !isUsedUp(note.plan, this.#today(note));
  }

  /**
   * When it is to be looked at next whether notes are due, in milliseconds since 1970; null if nothing
   * changes by itself.
   */
  get nextDue() {
    const all = this.all;
    const ends = all.filter((note) => this.isResting(note)).map((note) => this.#restsUntil(note));
    const change = nextChange(all.flatMap(({ plan }) => plan ?? []), new Date());
    if (change !== null) ends.push(change);
    if (this.focusUntil !== null) ends.push(this.focusUntil);
    return ends.length === 0 ? null : Math.min(...ends);
  }

  /**
   * The note that is to be shown in place of a page, as far as is known here; null if none is.
   *
   * @param {string} url
   */
  due(url) {
    const note = this.find(url);
    return note && !this.#isFree(note) ? note : null;
  }

  /**
   * The note that is to be shown now in place of a page; the host counts it. Null if none is.
   *
   * @param {string} url
   * @returns {Promise<Messages.ShownNote | null>}
   */
  async show(url) {
    const known = this.due(url);
    if (!known) return null;
    const answer = await this.#soon(this.#host().ask({ request: "check", url }));
    if (!answer) {
      const wait = waitOf(known.plan, this.#today(known));
      return this.inItsLanguage({ ...known, wait, focusUntil: this.focusUntil });
    }
    const isCurrent = answer.type === "message" && answer.id === known.id
      && answer.displayText === known.displayText;
    if (!isCurrent) this.refresh();
    if (answer.type !== "message" || answer.isSnoozed) return null;
    const {
      id, displayText, emoji, snoozeMinutes, kind, address, wait, counts, days, focusUntil,
    } = answer;
    return this.inItsLanguage({
      id, displayText, emoji, snoozeMinutes, kind, address, wait, counts, days, focusUntil,
    });
  }

  /**
   * A note as it is shown.
   *
   * @param {Omit<Messages.ShownNote, "language" | "shownAt">} note
   * @returns {Promise<Messages.ShownNote>}
   */
  async inItsLanguage(note) {
    return { ...note, shownAt: Date.now(), language: await this.#soon(languageOf(note.displayText)) ?? "" };
  }

  /**
   * The result of a promise; null if it fails, or takes longer than a note waits.
   *
   * @template T
   * @param {Promise<T>} promise
   * @returns {Promise<T | null>}
   */
  #soon(promise) {
    return Promise.race([
      promise.catch(() => null),
      new Promise((resolve) => setTimeout(() => resolve(null), milliseconds.noteAnswer)),
    ]);
  }

  /**
   * "View Website": the note is snoozed, even if the host cannot be reached now.
   *
   * @param {Pick<IndexedNote, "id" | "snoozeMinutes">} note
   */
  async view({ id, snoozeMinutes }) {
    const end = Date.now() + snoozeMinutes * minute;
    this.#rests.set(id, end);
    await this.#soon(this.#host().ask({ request: "snooze", id }).then(async () => {
      await this.refresh();
      // The host knows from here on, and another program may end the snooze.
      if (!this.fault) this.#rests.delete(id);
    }, () => { this.#unsent.add({ request: "snooze", id, end }); }));
  }

  /**
   * Pages of a note with a limit were visited, or in front, while they were free.
   *
   * @param {IndexedNote} note one of the index
   * @param {{ visits?: number, seconds?: number }} used
   */
  async use(note, { visits = 0, seconds = 0 }) {
    const today = this.#today(note) ?? unusedDay;
    note.today = { ...today, visits: today.visits + visits, seconds: today.seconds + seconds };
    // A visit lasts as long as "View Website" does.
    if (visits > 0) this.#rests.set(note.id, Date.now() + note.snoozeMinutes * minute);
    const unsent = this.#unsentUse.get(note.id) ?? { visits: 0, seconds: 0 };
    this.#unsentUse.set(note.id,
      { visits: unsent.visits + visits, seconds: unsent.seconds + seconds });
    // Not every few seconds: the host writes each to the disk.
    if (visits > 0 || unsent.seconds + seconds >= unsentSeconds || isUsedUp(note.plan, note.today)) {
      await this.#sendUse();
    }
    if (visits > 0 && !this.#unsentUse.has(note.id)) {
      await this.refresh();
      // The host knows from here on, and another program may end the visit.
      if (!this.fault) this.#rests.delete(note.id);
      return;
    }
    // Open pages get their note, now or when the visit ends.
    if (isUsedUp(note.plan, note.today)) this.#onRefreshed();
  }

  /** Tells the host what it does not know of the use of free pages. */
  async #sendUse() {
    for (const [id, { visits, seconds }] of this.#unsentUse) {
      this.#unsentUse.delete(id);
      try {
        await this.#host().ask({ request: "use", id, visits, seconds });
      } catch {
        const newer = this.#unsentUse.get(id) ?? { visits: 0, seconds: 0 };
        this.#unsentUse.set(id, { visits: newer.visits + visits, seconds: newer.seconds + seconds });
        return;
      }
    }
  }

  /**
   * "Leave": is counted.
   *
   * @param {Pick<IndexedNote, "id">} note
   */
  async leave({ id }) {
    await this.#soon(this.#host().ask({ request: "leave", id })
      .then(() => {}, () => { this.#unsent.add({ request: "leave", id }); }));
  }

  /**
   * What the pop-up shows of a page; null where pages have no notes.
   *
   * @param {string} url
   */
  async page(url) {
    if (targetKeys(url).length === 0) return null;
    const answer = await this.#host().ask({ request: "page", url });
    return { notes: answer.notes, choices: answer.choices };
  }

  /**
   * Passes a request of the pop-up on, and brings the index up to date if something was changed.
   *
   * @param {NativeHost.NoteQuestion} request
   */
  async ask(request) {
    const answer = await this.#host().ask(request);
    if (answer.type === "reload") await this.refresh();
    return answer;
  }

  /** Sends the host what could not be sent before, and asks for the index. */
  async connected() {
    await this.#unsent.send(this.#host());
    await this.#sendUse();
    await this.refresh();
    if (!this.fault) this.#rests.clear();
  }

  /** Brings the index up to date; a failure leaves the old one. */
  refresh() {
    const read = () => this.#read();
    // A refresh that is running may have read too early, and one that has failed keeps none from coming.
    this.#refreshing = this.#refreshing.then(read, read);
    return this.#refreshing;
  }

  /**
   * A note of the host's index, with what the host does not know of its use today.
   *
   * @param {IndexedNote} note
   */
  #withUnsent(note) {
    const unsent = this.#unsentUse.get(note.id);
    if (!unsent) return note;
    const today = note.today ?? unusedDay;
    return { ...note,
      today: { ...today, visits: today.visits + unsent.visits, seconds: today.seconds + unsent.seconds } };
  }

  async #read() {
    /** @type {Map<string, IndexedNote>} */
    const index = new Map();
    let focusUntil = null;
    const day = new Date().toDateString();
    try {
      /** @type {number | null} */
      let offset = 0;
      while (offset !== null) {
        /** @type {NativeHost.AnswersByRequest["index"]} */
        const part = await this.#host().ask({ request: "index", offset });
        for (const note of part.notes) index.set(targetKey(note.kind, note.address), this.#withUnsent(note));
        focusUntil = part.focusUntil ?? null;
        offset = part.next ?? null;
      }
    } catch (error) {
      this.fault = messageOf(error);
      this.#markKnown();
      return;
    }
    this.fault = null;
    this.#index = index;
    this.#focusUntil = focusUntil;
    this.#day = day;
    this.countsMinutes = [...index.values()].some(({ plan }) => plan?.limit?.minutes !== undefined);
    this.#markKnown();
    this.#onRefreshed();
  }
}
