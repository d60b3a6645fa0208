// The form of a note on the options page: of a new one, of one that is changed, and of what new ones
// begin with.

import { PlanEditor } from "../notes/plan-editor.js";
import { make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { text } from "../shared/texts.js";

/** @typedef {import("../notes/checked-notes.js").NoteDefaults} NoteDefaults */
/**
 * What is typed in a form.
 *
 * @typedef {NoteDefaults & { text: string, url: string, kind: NativeHost.TargetKind }} Typed
 */

/** What a new note is for, in the order of the choice. */
const kinds = /** @type {const} */ ([
  ["site", "notes_kind_site"], ["host", "notes_kind_host"], ["path", "notes_kind_path"],
  ["page", "notes_kind_page"],
]);

/**
 * @param {string} label a text's key
 * @param {HTMLElement} control
 */
const field = (label, control) =>
  make("label", { className: "field" }, make("span", { textContent: text(label) }), control);

/**
 * A form.
 *
 * @param {object} options
 * @param {NoteDefaults & { text?: string }} options.start what is in it at the beginning
 * @param {boolean} [options.hasText] whether it is about a note, and not about what notes begin with
 * @param {boolean} [options.hasAddress] whether the note is a new one
 * @param {(typed: Typed) => Promise<void>} options.save
 * @param {HTMLButtonElement[]} [options.others] other buttons
 */
export function noteForm({ start, hasText = true, hasAddress = false, save, others = [] }) {
  const address = make("input", {
    type: "text", required: hasAddress, maxLength: 4096, dir: "ltr", autocomplete: "off", spellcheck: false, className: "note-address",
  });
  const kind = make("select", {}, ...kinds.map(([value, label]) =>
    make("option", { value, textContent: text(label) })));
  const words = make("textarea", { rows: 3, value: start.text ?? "", required: hasText, dir: "auto" });
  const emoji = make("input", {
    type: "text", value: start.emoji, autocomplete: "off", maxLength: 64, className: "note-emoji",
  });
  const minutes = make("input", {
    type: "number", min: "1", max: "525600", step: "1", required: true, value: String(start.snoozeMinutes),
  });
  const plan = new PlanEditor(start.plan);
  const fault = make("p", { className: "fault", role: "alert" });
  const button = make("button", { type: "submit", className: "primary", textContent: text("notes_save") });
  const form = make("form", { className: "note-form" },
    ...(hasAddress ? [field("notes_address", address), field("notes_kind", kind)] : []),
    ...(hasText ? [field("notes_text", words)] : []),
    field("notes_emoji", emoji),
    make("label", { className: "field inline" }, make("span", { textContent: text("notes_snooze") }), minutes,
      make("span", { textContent: text("plan_minutes") })),
    plan.element, fault, make("div", { className: "card-actions" }, button, ...others));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    button.disabled = true;
    const typed = address.value.trim();
    try {
      await save({
        text: words.value, emoji: emoji.value, snoozeMinutes: Number(minutes.value), plan: plan.value,
        kind: /** @type {NativeHost.TargetKind} */ (kind.value),
        url: /^https?:/i.test(typed) ? typed : `https://${typed}`,
      });
    } catch (error) {
      // What was typed stays.
      fault.textContent = messageOf(error);
    }
    button.disabled = false;
  });
  return form;
}
