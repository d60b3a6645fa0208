// The pop-up's part about the site of the page: what is chosen for it, and for this tab.

import { ask } from "../shared/asking.js";
import { choiceSwitches, modeAbout, modeOf, setMode, showModes } from "../shared/choice-controls.js";
import { byID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { counted, text } from "../shared/texts.js";
import { tabId } from "./popup-tab.js";

/** @type {HTMLSelectElement} */
const mode = byID("site-mode");
showModes(mode);

/** Called when a choice was made, which what is loaded from now on follows. */
let onChanged = async () => {};

/** The site that the controls are about. */
let site = "";

/**
 * Does something that a control asks for, and says what was wrong with it.
 *
 * @param {() => Promise<unknown>} action
 */
async function change(action) {
  const fault = byID("site-fault");
  fault.textContent = "";
  try {
    await action();
  } catch (error) {
    fault.textContent = messageOf(error);
  }
  await onChanged();
}

const switches = choiceSwitches((choice, isOn) =>
  change(() => ask({ type: "choose", site, choice, isOn })));

const off = make("input", { type: "checkbox", role: "switch", id: "tab-off-switch" });
off.addEventListener("change", () =>
  change(() => ask({ type: "tab-off", tabId, site, isOff: off.checked })));
byID("site-switches").append(
  make("label", { className: "switch" },
    make("span", {}, make("span", { className: "name", textContent: text("tab_off") }),
      make("span", { className: "note", textContent: text("tab_off_about") })), off),
  ...switches.elements);

mode.addEventListener("change", () => change(() => setMode(site, mode.value)));

/**
 * Shows what is chosen for the page's site.
 *
 * @param {Messages.PageReport} page
 * @param {() => Promise<void>} changed called when something was chosen here
 */
export function showOnSite(page, changed) {
  onChanged = changed;
  site = page.site ?? "";
  byID("on-site").hidden = page.site === null;
  mode.value = modeOf(page.choices);
  byID("site-mode-about").textContent = modeAbout(mode.value);
  switches.show(page.choices);
  off.checked = page.isTabOff;
  off.disabled = tabId < 0;
  const count = page.choices.length + (page.isTabOff ? 1 : 0);
  byID("on-site-sum").textContent = page.isAllowed ? text("site_sum_allowed")
    : count === 0 ? "" : counted("site_sum", count);
}
