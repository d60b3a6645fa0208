// Buttons that act only when a person has had time to see what they are about.

import { milliseconds } from "./timings.js";

/**
 * Lets buttons act some time after the page has come to the front.
 *
 * A site could bring the page to the front when a click or a key is on its way that was meant for the
 * site, so the time begins anew whenever that happens.
 *
 * @param {HTMLButtonElement[]} buttons
 * @param {object} [options]
 * @param {() => boolean} [options.mayAct] whether there is something to act on
 * @returns {() => void} begins the time anew
 */
export function guardButtons(buttons, options) {
  const mayAct = options?.mayAct ?? (() => true);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const begin = () => {
    clearTimeout(timer);
    for (const button of buttons) button.disabled = true;
    if (document.visibilityState !== "visible" || !document.hasFocus()) return;
    timer = setTimeout(() => {
      for (const button of buttons) button.disabled = !mayAct();
    }, milliseconds.blockedChoice);
  };
  document.addEventListener("visibilitychange", begin);
  window.addEventListener("focus", begin);
  window.addEventListener("blur", begin);
  begin();
  return begin;
}
