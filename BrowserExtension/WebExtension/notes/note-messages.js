// What the pop-up asks about notes.

import { tabWith } from "../shared/browser.js";
import { messageOf } from "../shared/errors.js";

/** @typedef {import("./notes.js").Notes} Notes */
/** @typedef {import("./note-tabs.js").NoteTabs} NoteTabs */
/** @typedef {import("../deciding/tabs.js").Tabs} Tabs */

/**
 * The notes of the page that a tab shows, and what was typed there and not saved; null where pages
 * have no notes.
 *
 * @param {number} tabId
 * @param {Notes} notes
 * @returns {Promise<Messages.PageNotes | null>}
 */
export async function notesOfPage(tabId, notes) {
  const url = (await tabWith(tabId))?.url ?? "";
  const page = await notes.page(url);
  return page && { ...page, url, focusUntil: notes.focusUntil, draft: notes.drafts.get(tabId) };
}

/**
 * Carries out a request about notes; open pages get a new note, or come back.
 *
 * @param {number} tabId
 * @param {NativeHost.NoteQuestion} request
 * @param {Notes} notes
 * @param {NoteTabs} noteTabs
 */
export async function changeNote(tabId, request, notes, noteTabs) {
  const answer = await notes.ask(request);
  notes.drafts.delete(tabId);
  // The pop-up does not wait for what happens in tabs.
  noteTabs.cover().catch((error) => console.debug(error));
  return answer;
}

/**
 * Adds notes one after the other; what changes by all of them is found out once.
 *
 * @param {import("./checked-notes.js").NoteOfFile[]} added
 * @param {Pick<import("../shared/host.js").Host, "ask">} host
 * @param {Pick<Notes, "refresh">} notes
 * @param {Pick<NoteTabs, "cover">} noteTabs
 * @returns {Promise<{ faults: { address: string, fault: string }[] }>} why some could not be added
 */
export async function addNotes(added, host, notes, noteTabs) {
  /** @type {{ address: string, fault: string }[]} */
  const faults = [];
  // The host reads addresses as it does everywhere, with a scheme or without.
  for (const { kind, address, text, emoji, snoozeMinutes, plan } of added) {
    try {
      await host.ask({ request: "add", url: address, kind, text, emoji, snoozeMinutes, plan });
    } catch (error) {
      faults.push({ address, fault: messageOf(error) });
    }
  }
  await notes.refresh();
  noteTabs.cover().catch((error) => console.debug(error));
  return { faults };
}

/**
 * Keeps what is typed as long as the tab is there, because a pop-up closes when anything else is clicked.
 *
 * @param {number} tabId
 * @param {Messages.NoteDraft | null} draft
 * @param {Notes} notes
 * @param {Pick<Tabs, "isClosed">} tabs
 */
export function keepDraft(tabId, draft, notes, tabs) {
  // The last word of a pop-up may come after its tab is gone.
  if (draft && !tabs.isClosed(tabId)) notes.drafts.set(tabId, draft);
  else notes.drafts.delete(tabId);
  return {};
}
