// The notes in the background: which page has one, whether it is to be shown, and what happens to
// it.
//
// The host's index is in memory, so that a page without a note waits for nobody. Only for a page with
// a note the host is asked, which counts it; a host that does not answer does not keep a note from
// being shown.

import { targetKey, targetKeys } from "./note-addresses.js";

/** How long a note waits for the host's newest word, in milliseconds. */
const patience = 250;
/** How long pages wait for the index when the browser starts, in milliseconds. */
const startPatience = 1500;

export class Notes {
  #markKnown;
  /** What the pop-up has not saved yet, by the tab's number. */
  drafts = new Map();
  /** Whether it is known which pages have notes, or will not be soon. */
  isKnown = false;
  /** Kept when `isKnown`. */
  known = new Promise((resolve) => {
    this.#markKnown = () => {
      this.isKnown = true;
      resolve();
    };
    setTimeout(this.#markKnown, startPatience);
  });
  /** What is wrong with the index; null if nothing. */
  fault = null;
  #host;
  #index = new Map();
  /** Until when notes rest by what was chosen here, whether the host knows of it or not. */
  #rests = new Map();
  /** What could not be sent to the host. */
  #untold = [];
  #refreshing = null;
  #onRefreshed;

  /** `host` gives the connection; `onRefreshed` is called when the index is there again. */
  constructor(host, onRefreshed) {
    this.#host = host;
    this.#onRefreshed = onRefreshed;
  }

  /** The notes that count, each for its target. */
  get all() { return [...this.#index.values()]; }

  /** The note that counts for a page, resting or not; undefined if there is none. */
  find(url) {
    if (this.#index.size === 0) return undefined;
    for (const key of targetKeys(url)) {
      const note = this.#index.get(key);
      if (note) return note;
    }
    return undefined;
  }

  /** The note of an id; undefined if no page has it. */
  withID(id) {
    for (const note of this.#index.values()) if (note.id === id) return note;
    return undefined;
  }

  isResting(note) {
    const until = Math.max(note.snoozedUntil ?? 0, this.#rests.get(note.id) ?? 0);
    return Date.now() < until;
  }

  /** The note that is to be shown in place of a page, as far as is known here; null if none is. */
  due(url) {
    const note = this.find(url);
    return note && !this.isResting(note) ? note : null;
  }

  /** The note that is to be shown now in place of a page; the host counts it. Null if none is. */
  async show(url) {
    const known = this.due(url);
    if (!known) return null;
    const answer = await this.#soon(this.#host().ask({ request: "check", url }));
    if (!answer) return known;
    const isStale = answer.type !== "message" || answer.id !== known.id
      || answer.displayText !== known.displayText;
    if (isStale) this.refresh();
    if (answer.type !== "message" || answer.isSnoozed) return null;
    const { id, displayText, emoji, snoozeMinutes, kind, address } = answer;
    return { id, displayText, emoji, snoozeMinutes, kind, address };
  }

  /** The result of a promise; null if it fails or takes long. */
  #soon(promise) {
    return Promise.race([
      promise.catch(() => null),
      new Promise((resolve) => setTimeout(() => resolve(null), patience)),
    ]);
  }

  /** "View Website": the note rests, even if the host cannot be reached now. */
  async view(note) {
    const request = { request: "snooze", id: note.id };
    const end = Date.now() + note.snoozeMinutes * 60000;
    this.#rests.set(note.id, end);
    await this.#soon(this.#host().ask(request).then(async () => {
      await this.refresh();
      // From here on the host knows, and may be told otherwise elsewhere.
      if (!this.fault) this.#rests.delete(note.id);
    }, () => this.#untold.push({ ...request, end })));
  }

  /** "Leave": is counted. */
  async leave(note) {
    const request = { request: "leave", id: note.id };
    await this.#soon(this.#host().ask(request).catch(() => this.#untold.push(request)));
  }

  /** What the pop-up shows of the page in a tab; null where pages have no notes. */
  async page(url) {
    if (targetKeys(url).length === 0) return null;
    const answer = await this.#host().ask({ request: "page", url });
    return { notes: answer.notes, choices: answer.choices };
  }

  /** Passes a request of the pop-up on, and brings the index up to date if something was changed. */
  async ask(request) {
    const answer = await this.#host().ask(request);
    if (answer.type === "reload") await this.refresh();
    return answer;
  }

  /** Sends the host what could not be sent before, and asks for the index. */
  async connected() {
    for (const { end, ...request } of this.#untold.splice(0)) {
      const minutes = Math.ceil((end - Date.now()) / 60000);
      if (end && minutes < 1) continue;
      const told = end ? { ...request, snoozeMinutes: minutes } : request;
      // A note that is gone meanwhile needs no word.
      await this.#host().ask(told).catch(() => {});
    }
    await this.refresh();
    if (!this.fault) this.#rests.clear();
  }

  /** Brings the index up to date; a failure leaves the old one. */
  refresh() {
    // One that is under way may have read too early.
    const next = (this.#refreshing ?? Promise.resolve()).then(() => this.#read());
    this.#refreshing = next;
    return next;
  }

  async #read() {
    const index = new Map();
    try {
      for (let offset = 0; offset !== null;) {
        const part = await this.#host().ask({ request: "index", offset });
        for (const note of part.notes) index.set(targetKey(note.kind, note.address), note);
        offset = part.next ?? null;
      }
    } catch (error) {
      this.fault = error.message;
      this.#markKnown();
      return;
    }
    this.fault = null;
    this.#index = index;
    this.#markKnown();
    this.#onRefreshed();
  }
}
