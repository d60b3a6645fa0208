// What is free of the pages of notes with a limit: counts visits, and the time that they are in front.

import { api } from "../shared/browser.js";
import { milliseconds } from "../shared/timings.js";

/** Counts the use of pages whose notes leave something free. */
export class NoteUse {
  #notes;
  /** When it was last looked at what is in front, in milliseconds since 1970. */
  #last = Date.now();

  /** @param {import("./notes.js").Notes} notes */
  constructor(notes) {
    this.#notes = notes;
    setInterval(() => this.tick().catch((error) => console.debug(error)), milliseconds.noteUse);
  }

  /**
   * A page is in a tab: the visit is counted, if its note counts visits and is not resting.
   *
   * @param {string} url
   */
  async visited(url) {
    const note = this.#notes.find(url);
    if (!note?.plan?.limit?.visits || !this.#notes.isLimited(note)) return;
    await this.#notes.use(note, { visits: 1 });
  }

  /** Counts the time since the last call for the page in front, if its note counts minutes. */
  async tick() {
    const now = Date.now();
    // After a sleep of the machine nobody has looked at the page in between.
    const passed = Math.min(now - this.#last, 2 * milliseconds.noteUse);
    this.#last = now;
    if (!this.#notes.countsMinutes) return;
    const [tab] = await api.tabs.query({ active: true, lastFocusedWindow: true });
    const note = tab?.url ? this.#notes.find(tab.url) : undefined;
    if (!note?.plan?.limit?.minutes || !this.#notes.isLimited(note)) return;
    const { focused } = await api.windows.get(tab.windowId);
    if (focused) await this.#notes.use(note, { seconds: Math.round(passed / 1000) });
  }
}
