// The page in the place of one that is blocked as a whole: which rule blocks it, and the ways on.

import { api } from "../shared/browser.js";
import { byID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { ask } from "../shared/asking.js";
import { guardButtons } from "../shared/guard.js";
import { ruleDetails } from "../shared/rule-details.js";
import { localize, text } from "../shared/texts.js";
import { blockedWords, ruleWords } from "../popup/popup-words.js";

/** The page that this one is about, as its address says. */
const url = new URLSearchParams(location.search).get("url") ?? "";
const tabId = (await api.tabs.getCurrent())?.id ?? -1;

/** @type {HTMLButtonElement} */
const back = byID("back");
/** @type {HTMLButtonElement[]} */
const ways = [byID("once"), byID("always")];
const isWayBack = history.length > 1;

/**
 * @param {Messages.BlockedReport["rules"][number]} rule
 * @param {number} _
 * @param {Messages.BlockedReport["rules"]} all
 */
function ruleOf({ identifier, name, number, line }, _, all) {
  const words = all.length === 1 ? text("blocked_rule") : ruleWords(name, [number], [line]);
  return ruleDetails(make("summary", { textContent: words, dir: "auto" }), identifier, number);
}

/** @param {Messages.BlockedReport} report */
function show(report) {
  const { site, isBlocked, rules } = report;
  document.title = isBlocked ? text("blocked_document", site) : site;
  byID("title").textContent = text(isBlocked ? "blocked_title" : "blocked_no_more");
  byID("reason").textContent = blockedWords(report);
  byID("rules").replaceChildren(...rules.map(ruleOf));
  byID("always").hidden = !isBlocked;
  byID("once").textContent = text(isBlocked ? "blocked_once" : "blocked_open");
  byID("always").textContent = text("blocked_always_named", site);
  byID("about").textContent = isBlocked ? text("blocked_about", site) : "";
}

/** The address with its host made to stand out, so that nobody has to search for it. */
function showAddress() {
  const [, before, host, after] = /^(https?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(url) ?? ["", url, "", ""];
  byID("address").replaceChildren(before, make("strong", { textContent: host }), after);
}

/** @param {"once" | "always"} choice */
async function open(choice) {
  byID("fault").textContent = "";
  try {
    await ask({ type: "open-blocked", tabId, url, choice });
  } catch (error) {
    byID("fault").textContent = text("blocked_not_opened", messageOf(error));
  }
}

localize();
back.textContent = text(isWayBack ? "blocked_back" : "blocked_close");
back.addEventListener("click", () => {
  if (isWayBack) history.back();
  else api.tabs.remove(tabId);
});
byID("once").addEventListener("click", (event) => { if (event.isTrusted) open("once"); });
byID("always").addEventListener("click", (event) => { if (event.isTrusted) open("always"); });

showAddress();
try {
  const report = await ask({ type: "blocked", tabId, url });
  if (report) {
    show(report);
    byID("choices").hidden = false;
    guardButtons(ways);
  } else {
    byID("reason").textContent = text("blocked_no_page");
  }
} catch (error) {
  byID("fault").textContent = text("no_answer", messageOf(error));
}
document.documentElement.dataset.shown = "true";
