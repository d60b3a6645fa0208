// The options page's notes: found by their words, added, changed and deleted, a page of them at a time.

import { keepNoteDefaults, noteDefaults, ownDefaults } from "../notes/note-defaults.js";
import { ask } from "../shared/asking.js";
import { byID, inputByID, make, makeConfirmed } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { counted, text } from "../shared/texts.js";
import { milliseconds } from "../shared/timings.js";
import { noteForm } from "./note-form.js";

/** @typedef {NativeHost.Note} Note */

/** How many notes are shown at once, however many there are. */
const portion = 50;
/**
 * The offsets of the pages up to the one that is shown; a page may have fewer notes than others if they
 * are long.
 */
let offsets = [0];
/**
 * The offset of what follows; null at the end.
 *
 * @type {number | null}
 */
let next = null;
/** Counts searches, so that an answer that comes late is not shown. */
let search = 0;

/** @param {NativeHost.NoteQuestion} request */
const askNotes = (request) => ask({ type: "change-note", tabId: -1, request });

/** Shows the first notes that are searched for. */
export async function showNotes() {
  offsets = [0];
  await Promise.all([showPage(), showDefaults()]);
}

/** Shows the page of notes that is chosen. */
async function showPage() {
  search += 1;
  const own = search;
  const words = inputByID("note-search").value;
  const offset = offsets[offsets.length - 1];
  try {
    const part = /** @type {NativeHost.AnswersByRequest["list"]} */ (/** @type {unknown} */ (
      await askNotes({ request: "list", search: words, offset, limit: portion })));
    if (own !== search) return;
    if (part.notes.length === 0 && offset > 0) {
      // The last note of a page was deleted.
      offsets.pop();
      await showPage();
      return;
    }
    byID("note-rows").replaceChildren(...part.notes.map(card));
    next = part.next;
    byID("notes-status").textContent = part.total > portion
      ? text("notes_range", offset + 1, offset + part.notes.length, part.total)
      : part.total > 0 ? counted("notes_found", part.total)
        : words ? text("notes_not_found", words) : text("notes_none");
  } catch (error) {
    next = null;
    byID("note-rows").replaceChildren();
    byID("notes-status").textContent = text("notes_unknown", messageOf(error));
  }
  byID("notes-pages").hidden = next === null && offsets.length === 1;
  /** @type {HTMLButtonElement} */ (byID("fewer-notes")).disabled = offsets.length === 1;
  /** @type {HTMLButtonElement} */ (byID("more-notes")).disabled = next === null;
}

/** @param {Note} note */
function card(note) {
  const fault = make("p", { className: "fault", role: "alert" });
  const row = make("li", {});
  const edit = make("button", { type: "button", textContent: text("notes_edit") });
  edit.addEventListener("click", () => {
    row.replaceChildren(form());
    row.querySelector("textarea")?.focus();
  });
  const remove = makeConfirmed(text("notes_delete"), text("notes_delete_question"), async () => {
    fault.textContent = "";
    try {
      await askNotes({ request: "delete", id: note.id });
      await showPage();
    } catch (error) {
      fault.textContent = messageOf(error);
    }
  });
  const show = () => row.replaceChildren(
    make("div", { className: "card-head" },
      make("span", { ariaHidden: "true", textContent: note.emoji }),
      make("span", { className: "what" },
        make("span", { className: "words", textContent: note.text, dir: "auto" }),
        make("span", { className: "note", textContent: note.address, dir: "ltr" }),
        make("span", { className: "note",
          textContent: text("notes_counts", note.counts.shown, note.counts.left, note.counts.viewed) }))),
    fault, make("div", { className: "card-actions" }, edit, remove));
  const form = () => {
    const back = () => {
      show();
      edit.focus();
    };
    const cancel = make("button", { type: "button", textContent: text("notes_cancel") });
    cancel.addEventListener("click", back);
    return noteForm({
      start: { ...note, plan: note.plan ?? {} }, others: [cancel],
      save: async ({ text: words, emoji, snoozeMinutes, plan }) => {
        const values = { text: words, emoji, snoozeMinutes, plan };
        await askNotes({ request: "update", id: note.id, ...values });
        note = { ...note, ...values };
        back();
      },
    });
  };
  show();
  return row;
}

// MARK: New notes

byID("add-note").addEventListener("click", async () => {
  const place = byID("new-note");
  const close = () => {
    place.replaceChildren();
    byID("add-note").hidden = false;
    byID("add-note").focus();
  };
  const cancel = make("button", { type: "button", textContent: text("notes_cancel") });
  cancel.addEventListener("click", close);
  place.replaceChildren(noteForm({
    start: await noteDefaults(), hasAddress: true, others: [cancel],
    save: async (note) => {
      await askNotes({ request: "add", ...note });
      close();
      inputByID("note-search").value = "";
      offsets = [0];
      await showPage();
    },
  }));
  byID("add-note").hidden = true;
  place.querySelector("input")?.focus();
});

/** Shows what new notes begin with, unless it is being changed. */
async function showDefaults() {
  const place = byID("note-defaults");
  if (place.contains(document.activeElement)) return;
  const status = make("span", { className: "note", role: "status" });
  const again = make("button", { type: "button", textContent: text("notes_defaults_reset") });
  const fill = (/** @type {import("../notes/checked-notes.js").NoteDefaults} */ start) =>
    place.replaceChildren(noteForm({
      start, hasText: false, others: [again],
      save: async ({ emoji, snoozeMinutes, plan }) => {
        await keepNoteDefaults({ emoji, snoozeMinutes, plan });
        status.textContent = text("notes_defaults_saved");
      },
    }), status);
  again.addEventListener("click", async () => {
    await keepNoteDefaults(null);
    fill(ownDefaults);
    status.textContent = text("notes_defaults_saved");
  });
  fill(await noteDefaults());
}

// MARK: Finding

byID("more-notes").addEventListener("click", async () => {
  if (next === null) return;
  offsets.push(next);
  await showPage();
  byID("notes-status").scrollIntoView();
});
byID("fewer-notes").addEventListener("click", async () => {
  if (offsets.length === 1) return;
  offsets.pop();
  await showPage();
  byID("notes-status").scrollIntoView();
});
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
byID("note-search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    offsets = [0];
    showPage();
  }, milliseconds.streamTyping);
});
