// The pop-up's notes: those of the page, and a form for a new or changed one.

import { make } from "./elements.js";
import { ask, tabId } from "./popup.js";

const suggestions = ["📝", "⏳", "🛑", "🌱", "💭", "☕️"];
const section = document.getElementById("notes");
/** What the background said of the page; null where there are no notes. */
let page = null;

const button = (textContent, properties = {}) =>
  make("button", { type: "button", textContent, ...properties });

function on(element, event, action) {
  element.addEventListener(event, action);
  return element;
}

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

// MARK: Words

function targetWords({ kind, address }) {
  switch (kind) {
    case "site": return `All of ${address}`;
    case "host": return `${address}, not what is below it`;
    case "path": return `Everything below ${address}`;
    default: return "Only this page";
  }
}

function stateWords({ snoozedUntil, isSnoozed, counts }) {
  const times = (count) => `${count} time${count === 1 ? "" : "s"}`;
  const words = [counts.shown ? `Shown ${times(counts.shown)}` : "Not shown yet"];
  if (counts.left) words.push(`left ${times(counts.left)}`);
  if (isSnoozed) {
    const date = new Date(snoozedUntil);
    const isToday = date.toDateString() === new Date().toDateString();
    const shape = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
    words.push(`rests until ${date.toLocaleString(undefined, shape)}`);
  }
  return words.join(", ");
}

/** The targets of a page that differ from each other. */
function choices() {
  const site = page.choices.find((choice) => choice.kind === "site")?.address;
  return page.choices.filter(({ kind, address }) =>
    !(kind === "host" && address === site || kind === "path" && !address.includes("/")));
}

// MARK: The page's notes

async function change(request, fault) {
  fault.textContent = "";
  try {
    await ask({ type: "change-note", tabId, request });
    await load();
  } catch (error) {
    fault.textContent = sentence(error.message);
  }
}

function noteCard(note, isFirst) {
  const fault = make("p", { className: "fault", role: "alert" });
  const actions = make("div", { className: "note-actions" });
  const words = make("p", { className: "note-text", textContent: note.text, dir: "auto" });
  const edit = on(button("Edit"), "click", () => showEditor(note));
  const remove = button("Delete");
  const standard = [edit, remove];
  if (note.isSnoozed) {
    standard.unshift(on(button("Show again"), "click", () =>
      change({ request: "snooze", id: note.id, snoozeMinutes: 0 }, fault)));
  }
  on(remove, "click", () => {
    const keep = on(button("Keep"), "click", () => {
      actions.replaceChildren(...standard);
      remove.focus();
    });
    actions.replaceChildren(make("span", { textContent: "Delete this note?" }), keep,
      on(button("Delete", { className: "danger" }), "click", () =>
        change({ request: "delete", id: note.id }, fault)));
    keep.focus();
  });
  actions.append(...standard);
  return make("article", { className: "note-card" },
    make("div", { className: "note-head" },
      ...(note.emoji ? [make("span", { className: "note-emoji", textContent: note.emoji })] : []),
      make("div", { className: "note-words" }, words,
        make("span", { className: "note", textContent: isFirst ? targetWords(note)
          : `${targetWords(note)}; a more exact or newer note is shown` }),
        make("span", { className: "note", textContent: stateWords(note) }))),
    ...note.otherTexts.map((text) => otherText(note, text, fault)),
    fault, actions);
}

/** A text that another device wrote at the same time; one of them is to be right. */
function otherText(note, text, fault) {
  const settle = async (request) => {
    if (request) await change(request, fault);
    if (!fault.textContent) await change({ request: "settle", id: note.id }, fault);
  };
  return make("div", { className: "note-other" },
    make("strong", { textContent: "Another device wrote at the same time:" }),
    make("p", { className: "note-text", textContent: text, dir: "auto" }),
    make("div", { className: "note-actions" },
      on(button("Keep the text above"), "click", () => settle(null)),
      on(button("Take this one"), "click", () =>
        settle({ request: "update", id: note.id, text }))));
}

function showNotes() {
  const add = on(button("Add a note", { id: "add-note" }), "click", () => showEditor(null));
  section.replaceChildren(
    make("div", { className: "notes-head" },
      make("h2", { id: "notes-title", textContent: "Notes" }), add),
    ...page.notes.map((note, place) => noteCard(note, place === 0)));
  if (page.notes.length === 0) {
    section.append(make("p", { className: "note",
      textContent: "A note is shown in place of the page at the next visit." }));
  }
}

// MARK: The form

function showEditor(note, draft = null) {
  const start = draft ?? {
    kind: note?.kind ?? "site", text: note?.text ?? "", emoji: note?.emoji ?? suggestions[0],
    minutes: String(note?.snoozeMinutes ?? 15),
  };
  const options = choices().map(({ kind, address }) => make("option", {
    value: kind, textContent: targetWords({ kind, address }),
    selected: note ? note.kind === kind && note.address === address : kind === start.kind,
  }));
  if (note && !options.some((option) => option.selected)) {
    options.unshift(make("option", { value: "", textContent: targetWords(note), selected: true }));
  }
  const kind = make("select", { id: "note-kind" }, ...options);
  if (draft && options.some((option) => option.value === draft.kind)) kind.value = draft.kind;
  const text = make("textarea", {
    id: "note-text", rows: 4, value: start.text, dir: "auto", required: true,
    placeholder: "What do you want to read here?",
  });
  const emoji = make("input", {
    id: "note-emoji", type: "text", value: start.emoji, autocomplete: "off",
  });
  const minutes = make("input", {
    id: "note-minutes", type: "number", min: "1", max: "525600", step: "1", required: true,
    value: start.minutes,
  });
  const fault = make("p", { className: "fault", role: "alert" });
  const save = make("button", { type: "submit", className: "primary", textContent: "Save" });
  const state = () => ({
    id: note?.id ?? null, kind: kind.value, text: text.value, emoji: emoji.value,
    minutes: minutes.value,
  });
  const keep = (draftState) => ask({ type: "draft", tabId, draft: draftState }).catch(() => {});
  const choose = (each) => on(
    button(each, { className: "emoji-choice", ariaLabel: `Use ${each}` }), "click", () => {
      emoji.value = each;
      keep(state());
    });
  const form = make("form", { className: "note-form" },
    make("label", { className: "field", htmlFor: "note-text" },
      make("span", { textContent: "Text" }), text),
    make("div", { className: "field" },
      make("label", { htmlFor: "note-emoji", textContent: "Emoji" }),
      make("div", { className: "emoji-row" }, emoji, ...suggestions.map(choose))),
    make("label", { className: "field", htmlFor: "note-kind" },
      make("span", { textContent: "For" }), kind),
    make("label", { className: "field inline", htmlFor: "note-minutes" },
      make("span", { textContent: "“View Website” lasts" }), minutes,
      make("span", { textContent: "minutes" })),
    fault,
    make("div", { className: "note-actions" },
      on(button("Cancel"), "click", async () => {
        await keep(null);
        await load();
        section.querySelector("#add-note")?.focus();
      }), save));
  on(form, "input", () => keep(state()));
  on(form, "submit", async (event) => {
    event.preventDefault();
    save.disabled = true;
    const values = {
      text: text.value, emoji: emoji.value, snoozeMinutes: Number(minutes.value),
      ...(kind.value ? { kind: kind.value, url: page.url } : {}),
    };
    await change(note ? { request: "update", id: note.id, ...values }
      : { request: "add", ...values }, fault);
    save.disabled = false;
  });
  section.replaceChildren(
    make("h2", { id: "notes-title", textContent: note ? "Edit note" : "New note" }), form);
  text.focus();
}

async function load() {
  // A pop-up that is about no tab.
  section.hidden = tabId < 0;
  if (section.hidden) return;
  try {
    page = await ask({ type: "notes", tabId });
  } catch (error) {
    section.hidden = false;
    section.replaceChildren(make("h2", { id: "notes-title", textContent: "Notes" }),
      make("p", { className: "note",
        textContent: `Notes cannot be had: ${sentence(error.message)}` }));
    return;
  }
  section.hidden = page === null;
  if (page === null) return;
  const { draft } = page;
  const drafted = draft?.id ? page.notes.find((note) => note.id === draft.id) : null;
  if (draft && (!draft.id || drafted)) showEditor(drafted, draft);
  else showNotes();
}

await load();
