// What was chosen on notes while the host could not be told.

/** How many are kept: more than people choose while the host is away. */
const limit = 100;
/** In milliseconds. */
const minute = 60000;

/**
 * A choice on a note, with the end of its snooze in milliseconds since 1970, if it has one.
 *
 * @typedef {{ request: "snooze" | "leave", id: string, end?: number }} Choice
 */

/** The newest choices of which the host does not know. */
export class UnsentChoices {
  /** @type {Choice[]} */
  #choices = [];

  /** @param {Choice} choice */
  add(choice) {
    this.#choices.push(choice);
    if (this.#choices.length > limit) this.#choices.shift();
  }

  /**
   * Sends them, with the time that is left of a snooze.
   *
   * @param {Pick<import("../shared/host.js").Host, "ask">} host
   */
  async send(host) {
    for (const { request, id, end } of this.#choices.splice(0)) {
      const snoozeMinutes = end === undefined ? 0 : Math.ceil((end - Date.now()) / minute);
      if (end !== undefined && snoozeMinutes < 1) continue;
      /** @type {NativeHost.NoteQuestion} */
      const question = request === "snooze" ? { request, id, snoozeMinutes } : { request, id };
      // Fails where the note is gone meanwhile.
      await host.ask(question).catch(() => {});
    }
  }
}
