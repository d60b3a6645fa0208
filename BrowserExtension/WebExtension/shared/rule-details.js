// A rule's text as the extension's pages show it: on demand, below a summary.

import { ask } from "./asking.js";
import { make } from "./elements.js";

/**
 * A rule, whose text is asked for when it is opened first.
 *
 * @param {HTMLElement} summary
 * @param {string} identifier the list's
 * @param {number} number from 0
 */
export function ruleDetails(summary, identifier, number) {
  const details = make("details", { className: "rule" }, summary);
  details.addEventListener("toggle", async () => {
    if (!details.open || details.querySelector("pre")) return;
    const { text } = await ask({ type: "rule", identifier, number });
    // It may have been closed and opened again meanwhile.
    if (text && !details.querySelector("pre")) details.append(make("pre", { textContent: text, tabIndex: 0, dir: "ltr" }));
  });
  return details;
}
