// What new notes begin with in this browser, whether they are added in the pop-up or on the options page.

import { api } from "../shared/browser.js";
import { checkedDefaults } from "./checked-notes.js";

/** @typedef {import("./checked-notes.js").NoteDefaults} NoteDefaults */

/**
 * Where nothing is chosen.
 *
 * @type {NoteDefaults}
 */
export const ownDefaults = Object.freeze({ emoji: "📝", snoozeMinutes: 15, plan: {} });

/**
 * What new notes begin with; whatever else is in the storage counts as nothing chosen.
 *
 * @returns {Promise<NoteDefaults>}
 */
export async function noteDefaults() {
  const { noteDefaults: kept } = await api.storage.local.get(["noteDefaults"]);
  if (kept === undefined || kept === null) return ownDefaults;
  try {
    return checkedDefaults(kept, "noteDefaults");
  } catch {
    return ownDefaults;
  }
}

/**
 * Lets new notes begin with something else; null for what they begin with where nothing is chosen.
 *
 * @param {NoteDefaults | null} values
 */
export async function keepNoteDefaults(values) {
  await api.storage.local.set({ noteDefaults: values && checkedDefaults(values, "noteDefaults") });
}
