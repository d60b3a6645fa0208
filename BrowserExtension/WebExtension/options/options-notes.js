// The options page's notes: found by their words, changed and deleted, a part at a time.

import { PlanEditor } from "../notes/plan-editor.js";
import { ask } from "../shared/asking.js";
import { byID, inputByID, make, makeConfirmed } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { counted, text } from "../shared/texts.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {NativeHost.Note} Note */

/** How many notes come at once. */
const portion = 50;
/** The offset of what follows; null at the end. */
let next = /** @type {number | null} */ (0);
/** Counts searches, so that an answer that comes late is not shown. */
let search = 0;

/** @param {NativeHost.NoteQuestion} request */
const askNotes = (request) => ask({ type: "change-note", tabId: -1, request });

/** Shows the first notes that are searched for. */
export async function showNotes() {
  next = 0;
  byID("note-rows").replaceChildren();
  await showMore();
}

async function showMore() {
  if (next === null) return;
  search += 1;
  const own = search;
  const words = inputByID("note-search").value;
  try {
    const part = /** @type {NativeHost.AnswersByRequest["list"]} */ (/** @type {unknown} */ (
      await askNotes({ request: "list", search: words, offset: next, limit: portion })));
    if (own !== search) return;
    byID("note-rows").append(...part.notes.map(card));
    next = part.next;
    byID("notes-status").textContent = part.total > 0 ? counted("notes_found", part.total)
      : words ? text("notes_not_found", words) : text("notes_none");
  } catch (error) {
    next = null;
    byID("notes-status").textContent = text("notes_unknown", messageOf(error));
  }
  byID("more-notes").hidden = next === null;
}

/** @param {Note} note */
function card(note) {
  const fault = make("p", { className: "fault", role: "alert" });
  const row = make("li", {});
  const change = async (/** @type {NativeHost.NoteQuestion} */ request) => {
    fault.textContent = "";
    try {
      await askNotes(request);
      return true;
    } catch (error) {
      fault.textContent = messageOf(error);
      return false;
    }
  };
  const edit = make("button", { type: "button", textContent: text("notes_edit") });
  edit.addEventListener("click", () => row.replaceChildren(form()));
  const remove = makeConfirmed(text("notes_delete"), text("notes_delete_question"), async () => {
    if (await change({ request: "delete", id: note.id })) await showNotes();
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
    const words = make("textarea", { rows: 3, value: note.text, required: true, dir: "auto" });
    const emoji = make("input", { type: "text", value: note.emoji, autocomplete: "off" });
    const minutes = make("input", {
      type: "number", min: "1", max: "525600", step: "1", required: true, value: String(note.snoozeMinutes),
    });
    const plan = new PlanEditor(note.plan ?? {});
    const cancel = make("button", { type: "button", textContent: text("notes_cancel") });
    cancel.addEventListener("click", () => {
      show();
      edit.focus();
    });
    const element = make("form", {},
      make("label", { className: "field" }, make("span", { textContent: text("notes_text") }), words),
      make("label", { className: "field" }, make("span", { textContent: text("notes_emoji") }), emoji),
      make("label", { className: "field inline" },
        make("span", { textContent: text("notes_snooze") }), minutes,
        make("span", { textContent: text("plan_minutes") })),
      plan.element, fault,
      make("div", { className: "card-actions" },
        make("button", { type: "submit", className: "primary", textContent: text("notes_save") }), cancel));
    element.addEventListener("submit", async (event) => {
      event.preventDefault();
      const values = {
        text: words.value, emoji: emoji.value, snoozeMinutes: Number(minutes.value), plan: plan.value,
      };
      if (!await change({ request: "update", id: note.id, ...values })) return;
      note = { ...note, ...values };
      show();
      edit.focus();
    });
    queueMicrotask(() => words.focus());
    return element;
  };
  show();
  return row;
}

byID("more-notes").addEventListener("click", showMore);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
byID("note-search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(showNotes, milliseconds.streamTyping);
});
