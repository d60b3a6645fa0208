// The window of the element picker: the selectors of what was chosen, what each would hide, and saving.
//
// A window of the extension's own, which no page can cover, read or press.

import { hidingRule } from "../own/own-rules.js";
import { RuleChooser } from "../own/rule-chooser.js";
import { ask } from "../shared/asking.js";
import { api } from "../shared/browser.js";
import { byID, inputByID } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { counted, localize, text } from "../shared/texts.js";

const tabId = Number(new URLSearchParams(location.search).get("tab"));
const port = api.runtime.connect({ name: `picker:${tabId}` });
/** What is hidden by the rule that was saved. */
let saved = /** @type {string | null} */ (null);
let isOver = false;
const selector = () => String(chooser.chosen?.own.rule.action.selector ?? "");

const chooser = new RuleChooser({
  onChosen: show,
  onSaved: (isSaved, { rule }) => {
    saved = isSaved ? String(rule.action.selector) : null;
    inputByID("preview").checked = isSaved;
    show();
  },
});
byID("chooser").append(chooser.element);

/** Shows in the page what is chosen. */
function show() {
  const isHidden = inputByID("preview").checked;
  const chosen = selector();
  if (!isOver && chosen) {
    attempt(() => ask({ type: "pick-show", tabId, selector: chosen, isHidden }));
  }
}

async function refresh() {
  const picked = await ask({ type: "picked", tabId });
  if (!picked) return end();
  const { site, name, isFramed, candidates } = picked;
  byID("title").textContent = text("pick_title", site);
  document.title = text("pick_title", site);
  byID("name").textContent = text(isFramed ? "pick_name_framed" : "pick_name", name);
  saved = null;
  chooser.show(candidates.map((each) => ({
    subject: each.selector, own: hidingRule(site, each.selector),
    effect: each.here === each.all ? counted("pick_count", each.all)
      : text("pick_counts", counted("pick_count", each.here), counted("pick_count", each.all)),
  })));
}

/**
 * Does something, and says what was wrong with it.
 *
 * @param {() => Promise<unknown>} action
 */
async function attempt(action) {
  if (!isOver) byID("fault").textContent = "";
  try {
    await action();
  } catch (error) {
    byID("fault").textContent = messageOf(error);
  }
}

/** The page is gone, choosing has ended, or the background has, which then knows nothing of it any more. */
function end() {
  isOver = true;
  for (const id of ["again", "wider", "narrower", "preview"]) {
    /** @type {HTMLButtonElement} */ (byID(id)).disabled = true;
  }
  byID("fault").textContent = text("pick_ended");
}

port.onMessage.addListener((message) => {
  const { type } = /** @type {{ type: string }} */ (message);
  if (type === "ended") end();
  else attempt(refresh);
});
port.onDisconnect.addListener(end);
// What a saved rule hides stays hidden.
addEventListener("pagehide", () => { if (!isOver) port.postMessage({ type: "end", hidden: saved }); });
addEventListener("keydown", (event) => { if (event.key === "Escape") window.close(); });

inputByID("preview").addEventListener("change", show);
byID("again").addEventListener("click", () => attempt(() => ask({ type: "pick", tabId })));
for (const way of /** @type {const} */ (["wider", "narrower"])) {
  byID(way).addEventListener("click", () => attempt(() => ask({ type: "pick-move", tabId, way })));
}

localize();
await attempt(refresh);
document.documentElement.dataset.shown = "true";
