// What a note looks like: its style, and its elements as plain data.
//
// Not a module, because scripts in documents cannot be modules: Firefox's background makes HTML of it,
// the script in documents makes elements.

globalThis.tickbirdNote ??= /** @type {typeof tickbirdNote} */ ({});

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
.tickbird-note .about { margin-top: 14px; color: var(--quiet); font-size: 14px; }
@media (max-width: 430px) {
  .tickbird-note button { flex: 1 1 100%; }
}
@media (max-height: 420px) {
  .tickbird-note .column { padding-top: 16px; padding-bottom: 8px; }
  .tickbird-note .choices { padding-top: 10px; padding-bottom: 12px; }
  .tickbird-note .emoji { font-size: 40px; margin-bottom: 8px; }
  .tickbird-note .about { margin-top: 8px; }
}
@media (forced-colors: active) {
  .tickbird-note button { border-color: ButtonText; }
}
`;

/**
 * A length of time in words: "15 minutes", "2 hours".
 *
 * @param {number} minutes
 */
tickbirdNote.duration = (minutes) => {
  /** @type {[number, string]} */
  const [count, word] = minutes % 1440 === 0 ? [minutes / 1440, "day"]
    : minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
  return `${count} ${word}${count === 1 ? "" : "s"}`;
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
tickbirdNote.parts = ({ displayText, emoji, snoozeMinutes, address, language }, isReachable = false) => {
  const lines = displayText.split("\n").length;
  const size = displayText.length > 420 || lines > 9 ? "long"
    : displayText.length > 110 || lines > 4 ? "medium" : "short";
  /** @type {NoteElement[]} */
  const picture = emoji ? [["p", { class: "emoji", "aria-hidden": "true" }, emoji]] : [];
  return ["div", {
    class: "tickbird-note", role: "alertdialog", "aria-modal": "true", "aria-label": "Your note",
    ...(isReachable ? { "aria-description": displayText } : { "aria-describedby": "tickbird-words" }),
  },
  ["div", {
    class: "reading", tabindex: "0", role: "document",
    ...(isReachable ? { "aria-label": displayText, lang: language } : { "aria-label": "Your note" }),
  },
    ["div", { class: `column ${size}`, ...(isReachable ? { inert: "" } : {}) },
      ...picture,
      ["p", { class: "words", id: "tickbird-words", dir: "auto", lang: language }, displayText]]],
  ["div", { class: "choices" },
    ["div", { class: "buttons" },
      ["button", { type: "button", class: "leave" }, "Leave"],
      ["button", { type: "button", class: "view", "aria-describedby": "tickbird-about" },
        "View Website"]],
    ["p", { class: "about", id: "tickbird-about" },
      `“View Website” shows ${address.split(/[/?#]/, 1)[0]} for `
        + `${tickbirdNote.duration(snoozeMinutes)}.`]]];
};

// Firefox returns a script's last value to the background, and cannot return a function.
undefined;
