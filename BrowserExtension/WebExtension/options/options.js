// The options page: shows one of its parts, and says where the service is not reached.

import { ask } from "../shared/asking.js";
import { byID } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { hostNotice, notice } from "../shared/host-notice.js";
import { leadToLocalApp } from "../shared/local-app.js";
import { localize, text } from "../shared/texts.js";
import { milliseconds } from "../shared/timings.js";
import { showAppearance } from "./options-appearance.js";
import { showBackup } from "./options-backup.js";
import { showChoices } from "./options-choices.js";
import { showLists } from "./options-lists.js";
import { showNotes } from "./options-notes.js";
import { showOwnRules } from "./options-own.js";
import { showSites } from "./options-sites.js";
import { showStatistics } from "./options-statistics.js";

/** The parts, by their ids; each shows itself anew. */
const parts = {
  lists: showLists, own: showOwnRules, sites: () => Promise.all([showSites(), showChoices()]),
  notes: showNotes, statistics: showStatistics, appearance: showAppearance, backup: showBackup,
};

/** Shows the part that the address names. */
async function show() {
  const named = location.hash.slice(1);
  const current = /** @type {keyof typeof parts} */ (Object.hasOwn(parts, named) ? named : "lists");
  for (const id of Object.keys(parts)) byID(id).hidden = id !== current;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${current}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const isStarted = await showHost();
  try {
    await parts[current]();
  } catch (error) {
    // Why the extension has not started is said already.
    if (isStarted) byID("notices").prepend(notice(messageOf(error), []));
  }
  document.documentElement.dataset.shown = current;
}

/** Says what is wrong with the extension or the host, and what to do; false where the extension could not start. */
async function showHost() {
  const { host, fault } = await ask({ type: "page", tabId: -1 });
  const about = fault ? notice(fault, [text("turn_off_and_on")]) : hostNotice(host, "", async () => {
    await ask({ type: "connect" });
    setTimeout(show, milliseconds.hostReconnected);
  });
  byID("notices").replaceChildren(...(about ? [about] : []));
  return !fault;
}

localize();
leadToLocalApp(/** @type {HTMLButtonElement} */ (byID("open-app")));
addEventListener("hashchange", show);
await show();
// What was changed elsewhere is there when the person comes back; notes may be in the middle of a change.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && location.hash !== "#notes") show();
});
