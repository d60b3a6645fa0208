// The options page's sites that have settings of their own, besides those on which nothing is done.

import { ask } from "../shared/asking.js";
import { choiceSwitches, modeAbout, modeOf, setMode, showModes } from "../shared/choice-controls.js";
import { byID, inputByID, make, setChildren } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { text } from "../shared/texts.js";

/**
 * A site that was added here and has no choice yet; null if there is none.
 *
 * @type {string | null}
 */
let added = null;

/**
 * The rows that are shown, by their sites: those that are there stay, and with them the focus.
 *
 * @type {Map<string, { element: HTMLElement, show(choices: Messages.SiteChoice[]): void }>}
 */
let rows = new Map();

/** Shows the sites with their choices. */
export async function showChoices() {
  const { entries } = await ask({ type: "choices" });
  if (added !== null && !entries.some(({ site }) => site === added)) {
    entries.unshift({ site: added, choices: [] });
  }
  rows = new Map(entries.map(({ site }) => [site, rows.get(site) ?? row(site)]));
  for (const { site, choices } of entries) rows.get(site)?.show(choices);
  setChildren(byID("choice-rows"), [...rows.values()].map(({ element }) => element));
}

/**
 * Does something that a control asks for, and says what was wrong with it.
 *
 * @param {() => Promise<unknown>} action
 */
async function change(action) {
  const fault = byID("choices-fault");
  fault.textContent = "";
  try {
    await action();
  } catch (error) {
    fault.textContent = messageOf(error);
  }
  await showChoices();
}

/** @param {string} site */
function row(site) {
  const mode = make("select", {});
  showModes(mode);
  mode.addEventListener("change", () => change(() => setMode(site, mode.value)));
  const about = make("p", { className: "note" });
  const switches = choiceSwitches((choice, isOn) =>
    change(() => ask({ type: "choose", site, choice, isOn })));
  const remove = make("button", { type: "button", textContent: text("sites_remove"),
    ariaLabel: text("sites_remove_named", site) });
  remove.addEventListener("click", async () => {
    if (added === site) added = null;
    await change(() => ask({ type: "take-choices", entries: [{ site, choices: [] }] }));
    byID("choices-address").focus();
  });
  const sum = make("span", { className: "note" });
  const details = make("details", { className: "choice-site", open: added === site },
    make("summary", {}, make("span", { textContent: site, dir: "ltr" }), sum),
    make("label", { className: "field" }, make("span", { textContent: text("site_mode") }), mode),
    about, ...switches.elements, make("div", { className: "card-actions" }, remove));
  return {
    element: make("li", {}, details),
    show(/** @type {Messages.SiteChoice[]} */ choices) {
      mode.value = modeOf(choices);
      about.textContent = modeAbout(mode.value);
      switches.show(choices);
      const words = choices.map((each) =>
        text(each === "strict" || each === "relaxed" ? `mode_${each}` : `choice_${each}`));
      sum.textContent = new Intl.ListFormat(document.documentElement.lang, { style: "narrow" }).format(words);
    },
  };
}

byID("add-choices").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = inputByID("choices-address");
  change(async () => {
    const { site, isSuffix } = await ask({ type: "site", address: field.value });
    if (!site) throw new Error(text("sites_wrong", field.value));
    if (isSuffix) throw new Error(text("sites_suffix", site));
    added = site;
    field.value = "";
  });
});
