// The pop-up's part about what was done on the page: requests by their hosts, and hidden elements.

import { byID, make } from "../shared/elements.js";
import { ruleDetails } from "../shared/rule-details.js";
import { counted, number as written, text } from "../shared/texts.js";
import { pathOf, ruleWords } from "./popup-words.js";

/** @typedef {Messages.PageReport["rows"][number]} Row */

/** How many hosts or selectors of a kind are shown until more are asked for. */
const shownFirst = 8;
/** What stands before a choice for the site in place of a list's identifier. */
const choicePrefix = "choice:";
/** How many requests of a host are listed. */
const shownRequests = 100;

/**
 * The kinds of what was done, with the keys of their titles.
 *
 * @type {Array<[kind: Messages.JournalKind | "css-display-none", title: string]>}
 */
const titles = [
  ["block", "actions_blocked"],
  ["passed", "actions_passed"],
  ["css-display-none", "actions_hidden"],
  ["make-https", "actions_upgraded"],
  ["block-cookies", "actions_stripped"],
];

/**
 * Shows what was done on a page.
 *
 * @param {Messages.PageReport} page
 * @param {Messages.HiddenRule[]} hidden
 */
export function showActions(page, hidden) {
  const isOpen = openParts();
  /** @type {HTMLElement[]} */
  const groups = [];
  for (const [kind, title] of titles) {
    const parts = kind === "css-display-none" ? hidden.map((rule) => () => hiddenPart(rule))
      : hostParts(kind, page.rows.filter((row) => row.kind === kind));
    const count = kind === "css-display-none"
      ? hidden.reduce((total, rule) => total + rule.count, 0) : page.counts[kind];
    if (parts.length) groups.push(group(kind, text(title), count, parts));
  }
  if (page.isCut) {
    groups.push(make("p", { className: "empty", textContent: text("actions_cut") }));
  }
  byID("actions").replaceChildren(...groups);
  // What was opened stays open when the report comes again.
  for (const details of document.querySelectorAll("#actions details")) {
    if (details instanceof HTMLDetailsElement && isOpen(details.dataset.key)) details.open = true;
  }
}

/** Whether the part with a key is open now. */
function openParts() {
  const open = new Set([...document.querySelectorAll("#actions details[open]")]
    .map((each) => /** @type {HTMLElement} */ (each).dataset.key));
  return (/** @type {string | undefined} */ key) => open.has(key);
}

/**
 * @param {string} kind
 * @param {string} title
 * @param {number} count
 * @param {Array<() => HTMLElement>} parts those that nobody has asked for are not made
 */
function group(kind, title, count, parts) {
  const rows = make("div", { className: "rows" }, ...parts.slice(0, shownFirst).map((made) => made()));
  const rest = parts.slice(shownFirst);
  const section = make("section", {},
    make("h2", {}, title, make("span", { className: "count", textContent: written(count) })), rows);
  section.dataset.kind = kind;
  if (rest.length > 0) {
    const more = make("button", {
      type: "button", className: "more-rows", textContent: counted("show_more", rest.length),
    });
    more.addEventListener("click", () => {
      const others = rest.map((made) => made());
      rows.append(...others);
      others[0].querySelector("summary")?.focus();
      more.remove();
    });
    section.append(more);
  }
  return section;
}

/**
 * A line that opens; what is in it is made when it is opened first.
 *
 * @param {{ key: string, first: string, by?: string, count?: number }} words
 * @param {() => Array<Node | string>} contents
 */
function part({ key, first, by, count }, contents) {
  const more = make("div", { className: "more" });
  const details = make("details", {},
    make("summary", {},
      make("span", { className: "what" },
        make("span", { className: "first", textContent: first, title: first, dir: "ltr" }),
        ...(by ? [make("span", { className: "by", textContent: by })] : [])),
      ...(count === undefined ? [] : [make("span", { className: "times", textContent: written(count) })])),
    more);
  details.dataset.key = key;
  details.addEventListener("toggle", () => {
    if (details.open && more.childNodes.length === 0) more.append(...contents());
  });
  return details;
}

/**
 * The hosts of requests, those with the most first.
 *
 * @param {string} kind
 * @param {Row[]} rows
 */
function hostParts(kind, rows) {
  /** @type {Map<string, Row[]>} */
  const hosts = new Map();
  for (const row of rows) {
    const known = hosts.get(row.host);
    if (known) known.push(row);
    else hosts.set(row.host, [row]);
  }
  return [...hosts].sort(([, one], [, other]) => other.length - one.length)
    .map(([host, all]) => () => part({
      key: `${kind} ${host}`, first: host || text("actions_no_host"), count: all.length,
    }, () => requestList(all)));
}

/**
 * @param {Row[]} rows
 * @returns {Node[]}
 */
function requestList(rows) {
  const list = make("ul", {}, ...rows.slice(0, shownRequests).map(({ url, type, by }) =>
    make("li", {},
      make("span", { className: "path", textContent: pathOf(url), title: url, dir: "ltr" }),
      make("span", { className: "type", textContent: ` ${type}` }),
      ...by.flatMap(({ identifier, name, rules, lines }) => {
        const [number] = rules;
        const choice = identifier.startsWith(choicePrefix) ? identifier.slice(choicePrefix.length) : null;
        if (choice) return [make("span", { className: "note", textContent: text(`choice_by_${choice}`) })];
        return number === undefined ? []
          : [ruleDetails(make("summary", { textContent: ruleWords(name, rules, lines) }),
            identifier, number)];
      }))));
  if (rows.length <= shownRequests) return [list];
  return [list, make("p", { textContent: counted("and_more", rows.length - shownRequests) })];
}

/** @param {Messages.HiddenRule} rule */
function hiddenPart({ selector, name, number, line, count, identifier }) {
  const by = number === null ? text("rule_everywhere", name) : ruleWords(name, [number], [line]);
  return part({ key: `hidden ${identifier} ${number} ${selector}`, first: selector, by, count }, () => {
    if (number === null) return [make("p", { textContent: selector, dir: "ltr" })];
    const details = ruleDetails(make("summary", { textContent: text("rule_itself") }), identifier, number);
    details.open = true;
    return [details];
  });
}
