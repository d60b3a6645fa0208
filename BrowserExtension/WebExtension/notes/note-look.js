// What a note looks like: its style, and its elements as plain data.
//
// Not a module, because scripts in documents cannot be modules: Firefox's background makes HTML of it,
// the script in documents makes elements.

globalThis.tickbirdNote ??= /** @type {typeof tickbirdNote} */ ({});

/**
 * A property of the document, or a method of it, as the browser has it: a page that names an element like
 * one gives its document the element instead.
 *
 * @template {keyof Document} Name
 * @param {Name} name
 * @returns {Document[Name]}
 */
tickbirdNote.page = (name) => {
  for (let each = Document.prototype; each; each = Object.getPrototypeOf(each)) {
    const found = Object.getOwnPropertyDescriptor(each, name);
    if (found) return found.get ? found.get.call(document) : found.value.bind(document);
  }
  throw new TypeError(name);
};

tickbirdNote.css = `
:host, .tickbird-note {
  --ground: #f6f4ef;
  --text: #23262c;
  --quiet: #626873;
  --line: #8d897f;
  --accent: #3b5b8c;
  --on-accent: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :host, .tickbird-note {
    --ground: #191b20;
    --text: #e9ebef;
    --quiet: #a2a9b5;
    --line: #717988;
    --accent: #9dbcf0;
    --on-accent: #14171c;
  }
}
.tickbird-note, .tickbird-note * { box-sizing: border-box; margin: 0; padding: 0; }
.tickbird-note {
  position: fixed;
  inset: 0;
  display: flex;
  flex-direction: column;
  color-scheme: light dark;
  color: var(--text);
  background: var(--ground);
  font: 400 17px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
  text-align: center;
  text-size-adjust: none;
  -webkit-user-select: none;
  user-select: none;
  cursor: default;
}
.tickbird-note .reading { flex: 1; min-height: 0; overflow: auto; display: flex; }
.tickbird-note .column {
  width: 100%;
  max-width: 46rem;
  margin: auto;
  padding: clamp(24px, 6vh, 72px) clamp(20px, 6vw, 56px) 24px;
}
.tickbird-note .emoji {
  margin-bottom: clamp(14px, 3vh, 28px);
  font-size: clamp(52px, 11vmin, 96px);
  line-height: 1.15;
  overflow-wrap: anywhere;
}
.tickbird-note .words {
  font-size: clamp(22px, 4.6vmin, 38px);
  line-height: 1.35;
  font-weight: 500;
  letter-spacing: -0.01em;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  tab-size: 4;
}
.tickbird-note .medium .words { font-size: clamp(19px, 3.2vmin, 27px); line-height: 1.45; }
.tickbird-note .long .words {
  font-size: clamp(16px, 2.4vmin, 19px);
  line-height: 1.6;
  font-weight: 400;
  letter-spacing: 0;
  text-align: start;
}
.tickbird-note .choices {
  flex: none;
  padding: 20px clamp(20px, 6vw, 56px) max(clamp(20px, 5vh, 44px), env(safe-area-inset-bottom));
}
.tickbird-note .buttons { display: flex; flex-wrap: wrap; justify-content: center; gap: 12px; }
.tickbird-note button {
  appearance: none;
  min-width: 10.5em;
  min-height: 46px;
  padding: 10px 24px;
  font: inherit;
  font-weight: 600;
  color: var(--text);
  background: transparent;
  border: 1px solid var(--line);
  border-radius: 12px;
  cursor: pointer;
}
.tickbird-note button:hover { border-color: var(--text); }
.tickbird-note button.leave {
  color: var(--on-accent);
  background: var(--accent);
  border-color: var(--accent);
}
.tickbird-note button.leave:hover { filter: brightness(1.08); }
.tickbird-note button:disabled { opacity: 0.55; cursor: default; }
.tickbird-note :focus { outline: none; }
.tickbird-note :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.tickbird-note .reading:focus-visible { outline-offset: -6px; border-radius: 14px; }
.tickbird-note .about, .tickbird-note .record { margin-top: 14px; color: var(--quiet); font-size: 14px; }
.tickbird-note .days {
  display: flex; justify-content: center; align-items: flex-end; gap: 3px; height: 44px; margin-top: 12px;
}
.tickbird-note .days span { display: flex; flex-direction: column; justify-content: flex-end; width: 9px; }
.tickbird-note .days i { display: block; min-height: 0; border-radius: 2px; }
.tickbird-note .days i.viewed { background: var(--line); }
.tickbird-note .days i.left { background: var(--accent); }
.tickbird-note .days .none { height: 2px; background: var(--line); opacity: 0.5; }
.tickbird-note .days .h1 { height: 4px; }
.tickbird-note .days .h2 { height: 8px; }
.tickbird-note .days .h3 { height: 12px; }
.tickbird-note .days .h4 { height: 16px; }
.tickbird-note .days .h5 { height: 20px; }
.tickbird-note .days .h6 { height: 24px; }
.tickbird-note .days .h7 { height: 28px; }
.tickbird-note .days .h8 { height: 32px; }
.tickbird-note .days .h9 { height: 36px; }
.tickbird-note .days .h10 { height: 40px; }
@media (max-width: 430px) {
  .tickbird-note button { flex: 1 1 100%; }
}
@media (max-height: 420px) {
  .tickbird-note .column { padding-top: 16px; padding-bottom: 8px; }
  .tickbird-note .choices { padding-top: 10px; padding-bottom: 12px; }
  .tickbird-note .emoji { font-size: 40px; margin-bottom: 8px; }
  .tickbird-note .about { margin-top: 8px; }
  .tickbird-note .days { display: none; }
}
@media (forced-colors: active) {
  .tickbird-note button { border-color: ButtonText; }
  .tickbird-note .days i { forced-color-adjust: none; background: CanvasText; }
  .tickbird-note .days i.left { background: Highlight; }
}
`;

/**
 * A length of time in words: "15 minutes", "2 hours".
 *
 * @param {number} minutes
 */
tickbirdNote.duration = (minutes) => {
  /** @type {[number, string]} */
  const [count, unit] = minutes % 1440 === 0 ? [minutes / 1440, "day"]
    : minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  const options = { style: "unit", unit, unitDisplay: "long" };
  return count.toLocaleString(tickbirdNote.locale(), /** @type {object} */ (options));
};

/** The person's locale if it has the language of the texts; else that language. */
tickbirdNote.locale = () => {
  const { i18n } = globalThis.browser ?? globalThis.chrome;
  const language = i18n.getMessage("language") || "en";
  const own = i18n.getUILanguage?.() || language;
  return own.split("-")[0] === language.split("-")[0] ? own : language;
};

/** The direction in which the texts are written; the browser's own may be another. */
tickbirdNote.direction = () => tickbirdDirection.ofTexts();

/**
 * A text in the person's language; scripts in documents cannot import `shared/texts.js`.
 *
 * @param {string} key
 * @param {Array<string | number>} values
 */
tickbirdNote.text = (key, ...values) => {
  const { i18n } = globalThis.browser ?? globalThis.chrome;
  return i18n.getMessage(key, values.map((value) =>
    (typeof value === "number" ? value.toLocaleString(tickbirdNote.locale())
      : tickbirdDirection.isolated(value)))) || key;
};

/**
 * A text that depends on a number, which stands for $1.
 *
 * @param {string} key without its plural category
 * @param {number} count
 * @param {Array<string | number>} values
 */
tickbirdNote.counted = (key, count, ...values) => {
  const form = `${key}_${new Intl.PluralRules(tickbirdNote.text("language")).select(count)}`;
  const found = tickbirdNote.text(form, count, ...values);
  return found === form ? tickbirdNote.text(`${key}_other`, count, ...values) : found;
};

/**
 * How often a note was left, as a sentence and as a chart of the last days; nothing if it never was a
 * choice.
 *
 * @param {Pick<Messages.ShownNote, "counts" | "days">} note
 * @returns {NoteElement[]}
 */
tickbirdNote.record = ({ counts, days = [] }) => {
  const choices = (counts?.left ?? 0) + (counts?.viewed ?? 0);
  if (!counts || choices === 0) return [];
  const most = Math.max(1, ...days.map(({ left, viewed }) => left + viewed));
  const height = (/** @type {number} */ count) => Math.ceil(count / most * 10);
  /** @type {(day: NativeHost.NoteDay) => NoteElement} */
  const column = ({ left, viewed }) => ["span", {},
    ...(viewed ? [/** @type {NoteElement} */ (["i", { class: `viewed h${height(viewed)}` }])] : []),
    ...(left ? [/** @type {NoteElement} */ (["i", { class: `left h${height(left)}` }])] : []),
    ...(left + viewed ? [] : [/** @type {NoteElement} */ (["i", { class: "none" }])])];
  const sum = (/** @type {"left" | "viewed"} */ key) => days.reduce((all, day) => all + day[key], 0);
  /** @type {NoteElement[]} */
  const chart = sum("left") + sum("viewed") === 0 ? [] : [["div", {
    class: "days", role: "img", "aria-label": tickbirdNote.counted("note_days", days.length, sum("left"), sum("viewed")),
  }, ...days.map(column)]];
  return [["p", { class: "record" }, tickbirdNote.counted("note_left", choices, counts.left)], ...chart];
};

/**
 * The button "View Website", which waits where the note wants it.
 *
 * @param {Messages.ShownNote} note
 * @returns {NoteElement}
 */
tickbirdNote.viewButton = ({ wait = 0, focusUntil = null }) => {
  const { text } = tickbirdNote;
  const attributes = { type: "button", class: "view", "aria-describedby": "tickbird-about" };
  if (focusUntil !== null) {
    const time = new Date(focusUntil).toLocaleTimeString(tickbirdNote.locale(), { timeStyle: "short" });
    return ["button", { ...attributes, disabled: "", "data-wait": "0" }, text("note_focus", time)];
  }
  if (wait === 0) return ["button", attributes, text("note_view")];
  return ["button", { ...attributes, disabled: "", "data-wait": String(wait) },
    text("note_view_wait", wait)];
};

/**
 * Counts down for a button that waits, as long as somebody can see it.
 *
 * @param {HTMLButtonElement} button
 */
tickbirdNote.countDown = (button) => {
  let left = Number(button.dataset.wait ?? 0);
  // In a focus session it waits for the note to come again.
  if (left === 0) return;
  const timer = setInterval(() => {
    if (tickbirdNote.page("visibilityState") !== "visible") return;
    left -= 1;
    button.textContent = left > 0 ? tickbirdNote.text("note_view_wait", left) : tickbirdNote.text("note_view");
    if (left > 0) return;
    clearInterval(timer);
    delete button.dataset.wait;
    button.disabled = false;
  }, 1000);
};

/**
 * The elements of a note.
 *
 * In a document that scripts of the site can reach, `isReachable`, the note's words are inert: those
 * scripts could find them by `window.find()`, even in a closed shadow root. A screen reader gets them
 * as the region's label.
 *
 * @param {Messages.ShownNote} note
 * @param {boolean} isReachable
 * @returns {NoteElement}
 */
tickbirdNote.parts = (note, isReachable = false) => {
  const { displayText, emoji, snoozeMinutes, address, language } = note;
  const { text } = tickbirdNote;
  const record = tickbirdNote.record(note);
  // What is inert is read out with the note.
  const description = [displayText, ...record.slice(0, 1).map(([, , words]) => words)].join("\n");
  const lines = displayText.split("\n").length;
  const size = displayText.length > 420 || lines > 9 ? "long"
    : displayText.length > 110 || lines > 4 ? "medium" : "short";
  /** @type {NoteElement[]} */
  const picture = emoji ? [["p", { class: "emoji", "aria-hidden": "true" }, emoji]] : [];
  return ["div", {
    class: "tickbird-note", lang: text("language"), dir: tickbirdNote.direction(), role: "alertdialog", "aria-modal": "true", "aria-label": text("note_label"),
    ...(isReachable ? { "aria-description": description } : { "aria-describedby": "tickbird-words" }),
  },
  ["div", {
    class: "reading", tabindex: "0", role: "document",
    ...(isReachable ? { "aria-label": displayText, lang: language } : { "aria-label": text("note_label") }),
  },
    ["div", { class: `column ${size}`, ...(isReachable ? { inert: "" } : {}) },
      ...picture,
      ["p", { class: "words", id: "tickbird-words", dir: "auto", lang: language }, displayText]]],
  ["div", { class: "choices" },
    ["div", { class: "buttons" },
      ["button", { type: "button", class: "leave" }, text("note_leave")],
      tickbirdNote.viewButton(note)],
    ["p", { class: "about", id: "tickbird-about" },
      text("note_about", address.split(/[/?#]/, 1)[0], tickbirdNote.duration(snoozeMinutes))],
    ...(record.length === 0 ? []
      : [/** @type {NoteElement} */ (["div", isReachable ? { inert: "" } : {}, ...record])])]];
};

// Firefox returns a script's last value to the background, and cannot return a function.
undefined;
