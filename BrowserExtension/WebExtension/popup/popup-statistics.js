// The pop-up's line about what was blocked, which leads to the statistics, and the way to the local app.

import { ask } from "../shared/asking.js";
import { api } from "../shared/browser.js";
import { byID } from "../shared/elements.js";
import { leadToLocalApp } from "../shared/local-app.js";
import { text } from "../shared/texts.js";
import { tabId } from "./popup-tab.js";

const link = byID("statistics-line");

/** Shows how much was blocked on the page and today; nothing while that is not counted. */
async function show() {
  const [{ counts }, { blocked }] = await Promise.all([
    ask({ type: "page", tabId }), ask({ type: "blocked-today" }),
  ]);
  link.hidden = blocked === null;
  if (blocked !== null) link.textContent = text("popup_today", counts.block, blocked);
}

link.addEventListener("click", async (event) => {
  event.preventDefault();
  await api.tabs.create({ url: api.runtime.getURL("options/options.html#statistics") });
  window.close();
});

leadToLocalApp(/** @type {HTMLButtonElement} */ (byID("open-app")), () => window.close());

// What cannot be counted is no fault that a person has to read here.
await show().catch((error) => console.debug(error));
