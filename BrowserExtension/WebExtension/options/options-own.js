// The options page's own rules: a text that the service checks and takes, or refuses with the place.
//
// Others may write them too: the pop-up, the picker, a terminal. What was typed here is never lost to that;
// both texts are offered.

import { isFilters } from "../own/own-rules.js";
import { byID } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { askHost } from "../shared/host-requests.js";
import { counted, text } from "../shared/texts.js";

const editor = /** @type {HTMLTextAreaElement} */ (byID("own-text"));
const theirs = /** @type {HTMLTextAreaElement} */ (byID("own-theirs"));
/** What the service has; what is typed was made of it. */
let before = "";
/** The same as the field writes it, with line ends of its own. */
let shown = "";
/**
 * What the service has besides what is typed, which was made of something older; null if there is none.
 *
 * @type {NativeHost.OwnRules | null}
 */
let newer = null;
/** What was typed and is shown no more, so that it can be brought back. */
let left = "";

/** Shows the rules that the service has, or offers them beside what is typed. */
export async function showOwnRules() {
  try {
    const own = await askHost({ type: "ownRules" });
    if (editor.value === shown) show(own);
    else if (own.text !== before) offer(own);
  } catch (error) {
    byID("own-status").textContent = text("own_unknown", messageOf(error));
  }
}

/** @param {NativeHost.OwnRules} own */
function show(own) {
  before = own.text;
  editor.value = own.text;
  shown = editor.value;
  offer(null);
  byID("own-status").textContent = own.rules > 0 ? counted("own_acting", own.rules)
    : own.text.trim() ? text("own_unused") : text("own_none");
}

/**
 * Offers what the service has beside what was typed, or no longer.
 *
 * @param {NativeHost.OwnRules | null} own
 */
function offer(own) {
  newer = own;
  byID("own-conflict").hidden = own === null;
  byID("own-conflict-words").textContent = own === null ? "" : text("own_conflict");
  theirs.value = own?.text ?? "";
}

/** Keeps what is typed, since something else comes into its place. */
function leave() {
  if (editor.value !== shown) left = editor.value;
  byID("own-bring-back").hidden = left === "";
}

/** Lets the service have what is typed. */
async function save() {
  const button = /** @type {HTMLButtonElement} */ (byID("own-form").querySelector("[type=submit]"));
  button.disabled = true;
  byID("own-fault").textContent = "";
  try {
    show(await askHost({ type: "setOwnRules", text: editor.value, before }));
    left = "";
    byID("own-bring-back").hidden = true;
  } catch (error) {
    // What was typed stays.
    const own = await askHost({ type: "ownRules" }).catch(() => null);
    if (own && own.text !== before) offer(own);
    else byID("own-fault").textContent = text("own_refused", messageOf(error));
  }
  button.disabled = false;
}

byID("own-form").addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});

byID("own-keep-mine").addEventListener("click", async () => {
  // What is replaced is what was shown, and nothing that came later.
  before = newer?.text ?? before;
  offer(null);
  editor.focus();
  await save();
});

byID("own-both").addEventListener("click", () => {
  if (!newer) return;
  const both = together(editor.value, newer.text);
  if (both === null) {
    byID("own-fault").textContent = text("own_not_both");
    return;
  }
  before = newer.text;
  offer(null);
  editor.value = both;
  editor.focus();
});

byID("own-take-theirs").addEventListener("click", () => {
  if (!newer) return;
  leave();
  byID("own-fault").textContent = "";
  show(newer);
  editor.focus();
});

byID("own-bring-back").addEventListener("click", () => {
  editor.value = left;
  left = "";
  byID("own-bring-back").hidden = true;
  editor.focus();
});

byID("own-revert").addEventListener("click", async () => {
  byID("own-fault").textContent = "";
  leave();
  editor.value = shown;
  await showOwnRules();
});

addEventListener("beforeunload", (event) => {
  if (editor.value !== shown) event.preventDefault();
});

/**
 * Two texts of rules as one, without what is in both; null where their syntaxes differ.
 *
 * @param {string} mine
 * @param {string} other
 */
export function together(mine, other) {
  if (mine.trim() === "" || other.trim() === "") return mine.trim() === "" ? other : mine;
  if (isFilters(mine) !== isFilters(other)) return null;
  if (isFilters(mine)) {
    const lines = new Set(mine.split(/\r?\n/).map((line) => line.trim()));
    const more = other.split(/\r?\n/).filter((line) => line.trim() !== "" && !lines.has(line.trim()));
    return [mine.replace(/\r?\n?$/, ""), ...more, ""].join("\n");
  }
  try {
    const [ours, others] = [mine, other].map((each) => JSON.parse(each));
    const known = new Set(ours.map((/** @type {unknown} */ rule) => JSON.stringify(rule)));
    const rules = [...ours, ...others.filter((/** @type {unknown} */ rule) => !known.has(JSON.stringify(rule)))];
    return `[\n${rules.map((rule) => `  ${JSON.stringify(rule)}`).join(",\n")}\n]\n`;
  } catch {
    return null;
  }
}
