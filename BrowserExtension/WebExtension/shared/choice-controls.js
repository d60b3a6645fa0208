// The controls for the choices of a site, which the pop-up and the options page have.

import { ask } from "./asking.js";
import { make } from "./elements.js";
import { text } from "./texts.js";

/** @typedef {Messages.SiteChoice} Choice */

/**
 * The choices that have a switch of their own.
 *
 * @type {readonly Choice[]}
 */
export const switchedChoices = ["shown", "cookies", "scripts", "fonts", "media"];

const modes = ["normal", "strict", "relaxed"];

/**
 * How strictly lists act, as one of three words.
 *
 * @param {Choice[]} choices
 */
export const modeOf = (choices) => choices.find((each) => modes.includes(each)) ?? "normal";

/** What one of those words means, in a sentence. */
export const modeAbout = (/** @type {string} */ mode) => text(`mode_about_${mode}`);

/**
 * Gives a field the three words.
 *
 * @param {HTMLSelectElement} select
 */
export function showModes(select) {
  select.replaceChildren(...modes.map((value) =>
    make("option", { value, textContent: text(`mode_${value}`) })));
}

/**
 * @param {string} site
 * @param {string} mode one of the three words
 */
export async function setMode(site, mode) {
  if (mode === "strict" || mode === "relaxed") await ask({ type: "choose", site, choice: mode, isOn: true });
  else {
    // Both, also where one of them cannot act now.
    /** @type {Choice[]} */
    const chosen = ["strict", "relaxed"];
    const outcomes = await Promise.allSettled(chosen.map((choice) => ask({ type: "choose", site, choice, isOn: false })));
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  }
}

/**
 * A switch for each of the other choices.
 *
 * @param {(choice: Choice, isOn: boolean) => unknown} onChange
 */
export function choiceSwitches(onChange) {
  const inputs = switchedChoices.map((choice) => {
    const input = make("input", { type: "checkbox", role: "switch" });
    input.dataset.choice = choice;
    input.addEventListener("change", () => onChange(choice, input.checked));
    return input;
  });
  return {
    elements: inputs.map((input, place) => make("label", { className: "switch" },
      make("span", {},
        make("span", { className: "name", textContent: text(`choice_${switchedChoices[place]}`) }),
        make("span", { className: "note", textContent: text(`choice_about_${switchedChoices[place]}`) })),
      input)),
    /** @param {Choice[]} choices */
    show(choices) {
      for (const [place, input] of inputs.entries()) input.checked = choices.includes(switchedChoices[place]);
    },
  };
}
