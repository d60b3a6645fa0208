// The pop-up's notes: those of the page, and a form for a new or changed one.

import { ask } from "../shared/asking.js";
import { noteDefaults, ownDefaults } from "../notes/note-defaults.js";
import { PlanEditor } from "../notes/plan-editor.js";
import { byID, make, makeConfirmed } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { clock, text as words } from "../shared/texts.js";
import { tabId } from "./popup-tab.js";
import { distinctTargets, sentence, stateWords, targetWords } from "./popup-words.js";

/** @typedef {NativeHost.Note} Note */

const suggestions = ["📝", "⏳", "🛑", "🌱", "💭", "☕️"];

/**
 * @param {string} textContent
 * @param {Partial<HTMLButtonElement>} properties
 */
const button = (textContent, properties = {}) =>
  make("button", { type: "button", textContent, ...properties });

/**
 * @template {HTMLElement} T
 * @param {T} element
 * @param {string} event
 * @param {(event: Event) => void} action
 */
function on(element, event, action) {
  element.addEventListener(event, action);
  return element;
}

/** The section of the pop-up, about the notes of one page. */
class NotesSection {
  #element = byID("notes");
  /**
   * What the background said of the page.
   *
   * @type {Messages.PageNotes}
   */
  #page = { notes: [], choices: [], url: "", focusUntil: null };

  /** What a new note begins with. */
  #defaults = ownDefaults;

  /** Asks the background, and shows the notes, or the form with what was typed before. */
  async load() {
    // A pop-up may be about no tab.
    this.#element.hidden = tabId < 0;
    if (this.#element.hidden) return;
    let page;
    try {
      [page, this.#defaults] = await Promise.all([ask({ type: "notes", tabId }), noteDefaults()]);
    } catch (error) {
      this.#element.hidden = false;
      this.#element.replaceChildren(make("h2", { id: "notes-title", textContent: words("options_notes") }),
        make("p", { className: "note",
          textContent: words("notes_unknown", messageOf(error)) }));
      return;
    }
    this.#element.hidden = page === null;
    if (page === null) return;
    this.#page = page;
    const { draft } = page;
    const drafted = page.notes.find((note) => note.id === draft?.id) ?? null;
    if (draft && (!draft.id || drafted)) this.#showEditor(drafted, draft);
    else this.#showNotes();
  }

  /**
   * @param {NativeHost.NoteQuestion} request
   * @param {HTMLElement} fault where an error is shown
   */
  async #change(request, fault) {
    fault.textContent = "";
    try {
      await ask({ type: "change-note", tabId, request });
      await this.load();
    } catch (error) {
      fault.textContent = sentence(messageOf(error));
    }
  }

  // MARK: The page's notes

  #showNotes() {
    const add = on(button(words("note_add"), { id: "add-note" }), "click", () => this.#showEditor(null));
    this.#element.replaceChildren(
      make("div", { className: "notes-head" },
        make("h2", { id: "notes-title", textContent: words("options_notes") }), add),
      ...this.#page.notes.map((note, place) => this.#card(note, place === 0)));
    if (this.#page.notes.length === 0) {
      this.#element.append(make("p", { className: "note",
        textContent: words("note_add_about") }));
    } else {
      this.#element.append(this.#focusRow());
    }
  }

  /** Begins or ends a focus session, in which no note lets its page be seen. */
  #focusRow() {
    const fault = make("p", { className: "fault", role: "alert" });
    const { focusUntil } = this.#page;
    const row = make("div", { className: "note-focus" });
    if (focusUntil !== null) {
      row.append(make("span", { textContent: words("note_focus", clock(focusUntil)) }),
        makeConfirmed(words("focus_end"), words("focus_end_question"),
          () => this.#change({ request: "focus", minutes: 0 }, fault)), fault);
      return row;
    }
    const minutes = make("input", { type: "number", min: "1", max: "1440", value: "25", required: true });
    const form = make("form", { className: "note-focus" },
      make("label", { className: "field inline" },
        make("span", { textContent: words("focus_label") }), minutes,
        make("span", { textContent: words("plan_minutes") })),
      make("button", { type: "submit", textContent: words("focus_begin") }), fault);
    on(form, "submit", (event) => {
      event.preventDefault();
      this.#change({ request: "focus", minutes: Number(minutes.value) }, fault);
    });
    return form;
  }

  /**
   * @param {Note} note
   * @param {boolean} isFirst whether it is the one that is shown
   */
  #card(note, isFirst) {
    const fault = make("p", { className: "fault", role: "alert" });
    const actions = make("div", { className: "note-actions" });
    const content = make("p", { className: "note-text", textContent: note.text, dir: "auto" });
    const edit = on(button(words("notes_edit")), "click", () => this.#showEditor(note));
    const remove = button(words("notes_delete"));
    const standard = [edit, remove];
    if (note.isSnoozed) {
      standard.unshift(on(button(words("note_show_again")), "click", () =>
        this.#change({ request: "snooze", id: note.id, snoozeMinutes: 0 }, fault)));
    }
    on(remove, "click", () => {
      const keep = on(button(words("note_keep")), "click", () => {
        actions.replaceChildren(...standard);
        remove.focus();
      });
      actions.replaceChildren(make("span", { textContent: words("notes_delete_question") }), keep,
        on(button(words("notes_delete"), { className: "danger" }), "click", () =>
          this.#change({ request: "delete", id: note.id }, fault)));
      keep.focus();
    });
    actions.append(...standard);
    return make("article", { className: "note-card" },
      make("div", { className: "note-head" },
        ...(note.emoji ? [make("span", { className: "note-emoji", textContent: note.emoji })] : []),
        make("div", { className: "note-words" }, content,
          make("span", { className: "note", textContent: isFirst ? targetWords(note)
            : words("note_not_first", targetWords(note)) }),
          make("span", { className: "note", textContent: stateWords(note, new Date()) }))),
      ...note.otherTexts.map((text) => this.#otherText(note, text, fault)),
      fault, actions);
  }

  /**
   * A text that another device wrote at the same time, and the choice between the two.
   *
   * @param {Note} note
   * @param {string} text
   * @param {HTMLElement} fault
   */
  #otherText(note, text, fault) {
    const settle = async (/** @type {NativeHost.NoteQuestion | null} */ request) => {
      if (request) await this.#change(request, fault);
      if (!fault.textContent) await this.#change({ request: "settle", id: note.id }, fault);
    };
    return make("div", { className: "note-other" },
      make("strong", { textContent: words("note_other_text") }),
      make("p", { className: "note-text", textContent: text, dir: "auto" }),
      make("div", { className: "note-actions" },
        on(button(words("note_keep_text")), "click", () => settle(null)),
        on(button(words("note_take_text")), "click", () =>
          settle({ request: "update", id: note.id, text }))));
  }

  // MARK: The form

  /**
   * The targets that a note can have, as a field.
   *
   * @param {Note | null} note
   * @param {string} kind that of a new note
   * @param {Messages.NoteDraft | null} draft
   */
  #targetField(note, kind, draft) {
    const options = distinctTargets(this.#page.choices).map((target) => make("option", {
      value: target.kind, textContent: targetWords(target),
      selected: note ? note.kind === target.kind && note.address === target.address
        : target.kind === kind,
    }));
    if (note && !options.some((option) => option.selected)) {
      options.unshift(make("option", { value: "", textContent: targetWords(note), selected: true }));
    }
    const field = make("select", { id: "note-kind" }, ...options);
    if (draft && options.some((option) => option.value === draft.kind)) field.value = draft.kind;
    return field;
  }

  /**
   * @param {Note | null} note the note that is changed; null for a new one
   * @param {Messages.NoteDraft | null} draft what was typed before and not saved
   */
  #showEditor(note, draft = null) {
    const start = draft ?? {
      kind: note?.kind ?? "site", text: note?.text ?? "", emoji: (note ?? this.#defaults).emoji,
      minutes: String((note ?? this.#defaults).snoozeMinutes), plan: (note ?? this.#defaults).plan ?? {},
    };
    const plan = new PlanEditor(start.plan);
    const kind = this.#targetField(note, start.kind, draft);
    const text = make("textarea", {
      id: "note-text", rows: 4, value: start.text, dir: "auto", required: true,
      placeholder: words("note_placeholder"),
    });
    const emoji = make("input", {
      id: "note-emoji", type: "text", value: start.emoji, autocomplete: "off",
    });
    const minutes = make("input", {
      id: "note-minutes", type: "number", min: "1", max: "525600", step: "1", required: true,
      value: start.minutes,
    });
    const fault = make("p", { className: "fault", role: "alert" });
    const save = make("button", { type: "submit", className: "primary", textContent: words("notes_save") });
    /** @type {() => Messages.NoteDraft} */
    const state = () => ({
      id: note?.id ?? null, kind: kind.value, text: text.value, emoji: emoji.value,
      minutes: minutes.value, plan: plan.value,
    });
    const keep = (/** @type {Messages.NoteDraft | null} */ draftState) =>
      ask({ type: "draft", tabId, draft: draftState }).catch(() => {});
    const choose = (/** @type {string} */ each) => on(
      button(each, { className: "emoji-choice", ariaLabel: words("note_use_emoji", each) }), "click", () => {
        emoji.value = each;
        keep(state());
      });
    const form = make("form", { className: "note-form" },
      make("label", { className: "field", htmlFor: "note-text" },
        make("span", { textContent: words("notes_text") }), text),
      make("div", { className: "field" },
        make("label", { htmlFor: "note-emoji", textContent: words("notes_emoji") }),
        make("div", { className: "emoji-row" }, emoji, ...suggestions.map(choose))),
      make("label", { className: "field", htmlFor: "note-kind" },
        make("span", { textContent: words("note_for") }), kind),
      make("label", { className: "field inline", htmlFor: "note-minutes" },
        make("span", { textContent: words("notes_snooze") }), minutes,
        make("span", { textContent: words("plan_minutes") })),
      plan.element, fault,
      make("div", { className: "note-actions" },
        on(button(words("notes_cancel")), "click", async () => {
          await keep(null);
          await this.load();
          document.getElementById("add-note")?.focus();
        }), save));
    on(form, "input", () => keep(state()));
    on(form, "submit", async (event) => {
      event.preventDefault();
      save.disabled = true;
      const values = {
        text: text.value, emoji: emoji.value, snoozeMinutes: Number(minutes.value),
        plan: plan.value,
      };
      const { url } = this.#page;
      const target = kind.value
        ? { kind: /** @type {NativeHost.TargetKind} */ (kind.value), url } : {};
      await this.#change(note ? { request: "update", id: note.id, ...values, ...target }
        : { request: "add", url, ...values, ...target }, fault);
      save.disabled = false;
    });
    this.#element.replaceChildren(
      make("h2", { id: "notes-title", textContent: words(note ? "note_edit_title" : "note_new_title") }), form);
    text.focus();
  }
}

await new NotesSection().load();
