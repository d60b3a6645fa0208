// The options page's own rules: a text that the service checks and takes, or refuses with the place.

import { byID } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { askHost } from "../shared/host-requests.js";
import { counted, text } from "../shared/texts.js";

const editor = /** @type {HTMLTextAreaElement} */ (byID("own-text"));
/** What the service has; what is typed was made of it. */
let before = "";
/** The same as the field writes it, with line ends of its own. */
let shown = "";

/** Shows the rules that the service has, unless something is typed that it does not have. */
export async function showOwnRules() {
  if (editor.value !== shown) return;
  try {
    show(await askHost({ type: "ownRules" }));
  } catch (error) {
    byID("own-status").textContent = text("own_unknown", messageOf(error));
  }
}

/** @param {NativeHost.OwnRules} own */
function show(own) {
  before = own.text;
  editor.value = own.text;
  shown = editor.value;
  byID("own-status").textContent = own.rules > 0 ? counted("own_acting", own.rules)
    : own.text.trim() ? text("own_unused") : text("own_none");
}

byID("own-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const save = /** @type {HTMLButtonElement} */ (byID("own-form").querySelector("[type=submit]"));
  save.disabled = true;
  byID("own-fault").textContent = "";
  try {
    show(await askHost({ type: "setOwnRules", text: editor.value, before }));
  } catch (error) {
    // What was typed stays.
    byID("own-fault").textContent = text("own_refused", messageOf(error));
  }
  save.disabled = false;
});

byID("own-revert").addEventListener("click", async () => {
  byID("own-fault").textContent = "";
  editor.value = shown;
  await showOwnRules();
});

addEventListener("beforeunload", (event) => {
  if (editor.value !== shown) event.preventDefault();
});
