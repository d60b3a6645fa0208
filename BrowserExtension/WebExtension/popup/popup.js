// The toolbar's pop-up: what was done on the page, by which rule, and what can be changed.

import { api } from "../shared/browser.js";
import { ask } from "../shared/asking.js";
import { byID, inputByID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { hostNotice, notice } from "../shared/host-notice.js";
import { showFeeds } from "./popup-feeds.js";
import { tabId } from "./popup-tab.js";
import { blockedWords, declarativeWords, ruleWords, shortened, summary } from "./popup-words.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {Messages.PageReport} PageReport */
/** @typedef {Messages.HiddenRule} HiddenRule */

/** @type {Array<[kind: Messages.JournalKind | "css-display-none", title: string]>} */
const titles = [
  ["block", "Blocked"],
  ["passed", "Came through while the browser started"],
  ["css-display-none", "Hidden"],
  ["make-https", "Upgraded to https"],
  ["block-cookies", "Without cookies"],
];

showFeeds(tabId);

// MARK: Notices

function tryAgain() {
  ask({ type: "connect" }).then(() => setTimeout(show, milliseconds.hostReconnected));
}

/**
 * Says that the browser's own rules block, and how well they do.
 *
 * @param {Messages.DeclarativeSummary | null} declarative
 * @param {Messages.HostState} host
 */
function declarativeNotice(declarative, host) {
  const code = (/** @type {string} */ text) => make("code", { textContent: text });
  const isConnected = host.state === "connected";
  const isReady = declarative?.isReady ?? false;
  const about = notice("This browser blocks by its own rules", [
    `${declarativeWords(declarative, isConnected)} `,
    ...(isReady ? [code("tickbird translate --report"), " shows which. "] : []),
    "Installed by a policy, Tickbird does everything; ", code("tickbird browser package"),
    " makes what that takes.",
  ]);
  if (declarative?.fault && (isConnected || isReady)) return about;
  // A fact, with nothing to be done about it at once.
  about.className = "notice quiet";
  about.setAttribute("role", "note");
  return about;
}

/** @param {PageReport} page */
function showNotices(page) {
  const notices = [];
  if (page.fault) notices.push(notice(page.fault, ["Turn the extension off and on again."]));
  else {
    const kept = page.lists.length > 0 ? " The lists from last time stay active." : "";
    const about = hostNotice(page.host, kept, tryAgain);
    if (about) notices.push(about);
  }
  if (page.listsFault && page.host.state === "connected") {
    notices.push(notice("Not all lists are up to date", [page.listsFault]));
  }
  if (page.canBlock === false) {
    notices.push(declarativeNotice(page.declarative, page.host));
  }
  byID("notices").replaceChildren(...notices);
}

// MARK: A page that is blocked as a whole

/** @param {Messages.BlockedReport | null} blocked */
function showBlocked(blocked) {
  byID("blocked").hidden = !blocked?.isBlocked;
  if (blocked) byID("blocked-by").textContent = blockedWords(blocked);
}

for (const choice of /** @type {const} */ (["once", "always"])) {
  byID(`blocked-${choice}`).addEventListener("click", async () => {
    await ask({ type: "open-blocked", tabId, choice });
    window.close();
  });
}

// MARK: What was done

/**
 * @typedef {object} RowContents
 * @property {string} first
 * @property {string} by
 * @property {number} times
 * @property {Array<{ url: string, type: string }>} urls
 * @property {string} identifier
 * @property {number | null} number of the rule whose text is shown
 */

/**
 * A line that opens to show where and why.
 *
 * @param {RowContents} contents
 */
function row({ first, by, times, urls, identifier, number }) {
  const more = make("div", { className: "more" });
  const details = make("details", {},
    make("summary", {},
      make("span", { className: "what" },
        make("span", { className: "first", textContent: first, title: first }),
        make("span", { className: "by", textContent: by })),
      make("span", { className: "times", textContent: times > 1 ? `${times}×` : "" })),
    more);
  details.addEventListener("toggle", async () => {
    if (!details.open || more.childElementCount) return;
    if (urls.length) {
      more.append(make("ul", {}, ...urls.map(({ url, type }) =>
        make("li", {}, url, " ", make("span", { className: "type", textContent: type })))));
    }
    if (number === null) {
      more.append(make("p", { textContent: first }));
      return;
    }
    const { text } = await ask({ type: "rule", identifier, number });
    if (text) more.append(make("pre", { textContent: text, tabIndex: 0 }));
  });
  return details;
}

/**
 * @param {string} title
 * @param {number} count
 * @param {HTMLElement[]} rows
 */
function group(title, count, rows) {
  return make("section", {},
    make("h2", {}, title, make("span", { className: "count", textContent: String(count) })),
    make("div", { className: "rows" }, ...rows));
}

const sum = (/** @type {HiddenRule[]} */ rules) =>
  rules.reduce((total, rule) => total + rule.count, 0);

/**
 * @param {PageReport} page
 * @param {HiddenRule[]} hidden
 */
function showActions(page, hidden) {
  /** @type {HTMLElement[]} */
  const groups = [];
  for (const [kind, title] of titles) {
    if (kind === "css-display-none") {
      const rows = hidden.map(({ selector, name, number, line, count, identifier }) => row({
        first: selector,
        by: number === null ? `${name}, on every page` : `${name}, ${ruleWords([number], [line])}`,
        times: count, urls: [], identifier, number,
      }));
      if (rows.length) groups.push(group(title, sum(hidden), rows));
      continue;
    }
    const rows = page.rows.filter((each) => each.kind === kind).map((each) => row({
      first: shortened(each.examples[0]?.url ?? ""),
      by: `${each.name}, ${ruleWords(each.rules, each.lines)}`,
      times: each.count, urls: each.examples, identifier: each.identifier,
      number: each.rules[0] ?? null,
    }));
    if (rows.length) groups.push(group(title, page.counts[kind], rows));
  }
  if (page.isCut) {
    groups.push(make("p", { className: "empty", textContent: "More rules acted than are shown." }));
  }
  byID("actions").replaceChildren(...groups);
}

// MARK: What can be changed

/** @param {PageReport["lists"]} lists */
function showLists(lists) {
  byID("lists").hidden = lists.length === 0;
  byID("list-switches").replaceChildren(...lists.map(({ identifier, name, isOn, fault }) => {
    const input = make("input", { type: "checkbox", checked: isOn && !fault, disabled: !!fault });
    input.setAttribute("role", "switch");
    input.dataset.identifier = identifier;
    input.addEventListener("change", async () => {
      await ask({ type: "switch", identifier, isOn: input.checked });
      byID("allow").hidden = false;
      byID("reload-line").hidden = false;
    });
    return make("label", { className: "switch" },
      make("span", {}, make("span", { className: "name", textContent: name }),
        ...(fault ? [make("span", { className: "note", textContent: fault })] : [])),
      input);
  }));
}

byID("reload").addEventListener("click", async () => {
  // A page that was blocked is another one than the one in its place.
  const { blocked } = await ask({ type: "page", tabId });
  if (blocked) await ask({ type: "open-blocked", tabId, choice: "once" });
  else await api.tabs.reload(tabId);
  window.close();
});

/** @param {string | null} site */
function showSite(site) {
  byID("site").textContent = site || "Tickbird";
  byID("allow").hidden = !site;
  inputByID("allow-switch").onchange = async () => {
    await ask({ type: "allow", site: site ?? "", isAllowed: inputByID("allow-switch").checked });
    byID("reload-line").hidden = false;
    await show();
  };
}

async function show() {
  const page = await ask({ type: "page", tabId });
  showSite(page.site);
  inputByID("allow-switch").checked = page.isAllowed;
  showNotices(page);
  showBlocked(page.blocked);
  showLists(page.lists);
  showActions(page, []);
  byID("summary").textContent = summary(page, 0);
  if (page.site === null || page.isAllowed || page.lists.length === 0) return;
  const { rules } = await ask({ type: "hidden", tabId });
  showActions(page, rules);
  byID("summary").textContent = summary(page, sum(rules));
}

try {
  await show();
} catch (error) {
  byID("notices").replaceChildren(notice("Tickbird does not answer", [messageOf(error)]));
}
document.documentElement.dataset.shown = "true";
