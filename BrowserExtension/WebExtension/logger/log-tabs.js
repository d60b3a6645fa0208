// The logger's choice of a tab, where its address names none that is there.

import { api } from "../shared/browser.js";
import { byID, make } from "../shared/elements.js";
import { text } from "../shared/texts.js";

/**
 * Shows the tabs that can be chosen in place of the requests.
 *
 * @param {string | null} named what the address names; null if it names nothing
 */
export async function chooseTab(named) {
  const tabs = (await api.tabs.query({})).filter(({ id, url }) => id !== undefined && /^https?:/.test(url ?? ""));
  const links = tabs.map(({ id, url = "", title = "" }) => make("li", {},
    make("a", { href: `?tab=${id}`, textContent: title.slice(0, 200) || url.slice(0, 200), dir: "auto" }),
    make("span", { className: "note", textContent: new URL(url).host, dir: "ltr" })));
  byID("title").textContent = text("logger_any");
  document.title = text("logger_any");
  for (const each of document.querySelectorAll("header > :not(h1), #status, #limited")) each.remove();
  const words = [...(named === null ? [] : [text("logger_gone")]),
    tabs.length === 0 ? text("logger_no_tabs") : named === null ? text("logger_choose") : ""].filter(Boolean);
  document.querySelector("main")?.replaceChildren(make("div", { className: "tabs" },
    ...words.map((textContent) => make("p", { textContent })), make("ul", {}, ...links)));
}
