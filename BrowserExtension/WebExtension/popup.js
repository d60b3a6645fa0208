// The toolbar's pop-up: what was done on the page, by which rule, and what can be changed.

import { api } from "./browser.js";
import { byID, make } from "./elements.js";
import { hostNotice, notice } from "./host-notice.js";
import { showFeeds } from "./popup-feeds.js";

const titles = {
  "block": "Blocked",
  "passed": "Came through while the browser started",
  "css-display-none": "Hidden",
  "make-https": "Upgraded to https",
  "block-cookies": "Without cookies",
};

export async function ask(message) {
  const answer = await api.runtime.sendMessage(message);
  if (answer?.error) throw new Error(answer.error);
  return answer;
}

/** The tab that the pop-up is about; a page of its own names it in its address. */
async function findTab() {
  const named = new URLSearchParams(location.search).get("tab");
  if (named) return Number(named);
  const [tab] = await api.tabs.query({ active: true, currentWindow: true });
  return tab?.id ?? -1;
}

export const tabId = await findTab();
showFeeds(tabId);

// MARK: Notices

function tryAgain() {
  ask({ type: "connect" }).then(() => setTimeout(show, 400));
}

/** Says that the browser's own rules block, and how well they do. */
function declarativeNotice(declarative, host) {
  const code = (text) => make("code", { textContent: text });
  const { exact = 0, approximated = 0, notExpressible = 0, isReady, fault } = declarative ?? {};
  const number = (count) => count.toLocaleString("en");
  const all = exact + approximated + notExpressible;
  const isAlone = host.state !== "connected" && !isReady;
  const state = isAlone ? "Its rules are made by Tickbird's service."
    : fault ? `Its rules could not be activated: ${fault}.`
    : isReady ? `${number(exact)} of ${number(all)} rules are exact, ${number(approximated)} `
      + `approximated, ${number(notExpressible)} not expressible.`
      : "Its rules are being made.";
  const about = notice("This browser blocks by its own rules", [
    `${state} `, ...(isReady ? [code("tickbird translate --report"), " shows which. "] : []),
    "Installed by a policy, Tickbird does everything; ", code("tickbird browser package"),
    " makes what that takes.",
  ]);
  if (fault && !isAlone) return about;
  // How it is, and nothing to be done about at once.
  about.className = "notice quiet";
  about.setAttribute("role", "note");
  return about;
}

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

// MARK: What was done

/** A line that opens to show where and why. */
function row({ first, by, times, urls, identifier, numbers }) {
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
    if (numbers[0] === null) {
      more.append(make("p", { textContent: first }));
      return;
    }
    const { text } = await ask({ type: "rule", identifier, number: numbers[0] });
    if (text) more.append(make("pre", { textContent: text, tabIndex: 0 }));
  });
  return details;
}

const counted = (number) => number.toLocaleString("en");

/** Which rules, and on which lines of their list; at most three are named. */
function ruleWords(numbers, lines) {
  const named = numbers.slice(0, 3).map((number) => counted(number + 1)).join(", ");
  const places = lines.slice(0, 3).filter((line) => line !== null).map(counted).join(", ");
  const more = numbers.length > 3 ? ` and ${counted(numbers.length - 3)} more` : "";
  return (numbers.length === 1 ? "rule " : "rules ") + named
    + (places && (numbers.length === 1 ? `, line ${places}` : `, lines ${places}`)) + more;
}

function shortened(url) {
  return url.replace(/^https?:\/\//, "");
}

function group(kind, count, rows) {
  return make("section", {},
    make("h2", {}, titles[kind], make("span", { className: "count", textContent: count })),
    make("div", { className: "rows" }, ...rows));
}

function showActions(page, hidden) {
  const groups = [];
  for (const kind of ["block", "passed", "css-display-none", "make-https", "block-cookies"]) {
    if (kind === "css-display-none") {
      const count = hidden.reduce((sum, rule) => sum + rule.count, 0);
      const rows = hidden.map((rule) => row({
        first: rule.selector,
        by: rule.number === null ? `${rule.name}, on every page`
          : `${rule.name}, ${ruleWords([rule.number], [rule.line])}`,
        times: rule.count, urls: [], identifier: rule.identifier, numbers: [rule.number],
      }));
      if (rows.length) groups.push(group(kind, count, rows));
      continue;
    }
    const rows = page.rows.filter((each) => each.kind === kind).map((each) => row({
      first: shortened(each.examples[0]?.url ?? ""),
      by: `${each.name}, ${ruleWords(each.rules, each.lines)}`,
      times: each.count, urls: each.examples, identifier: each.identifier, numbers: each.rules,
    }));
    if (rows.length) groups.push(group(kind, page.counts[kind], rows));
  }
  if (page.isCut) {
    groups.push(make("p", { className: "empty", textContent: "More rules acted than are shown." }));
  }
  byID("actions").replaceChildren(...groups);
  return groups.length > 0;
}

function summary(page, hiddenCount) {
  if (page.site === null) return "There is nothing to do on this page.";
  if (page.isAllowed) return "Allowed: nothing is blocked or hidden here.";
  if (page.lists.length === 0) return "No list is on yet.";
  const parts = [
    [page.counts.block, "blocked"], [page.counts.passed, "came through"], [hiddenCount, "hidden"],
    [page.counts["make-https"], "upgraded"], [page.counts["block-cookies"], "without cookies"],
  ].filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return parts.length ? parts.join(", ") : "Nothing was blocked or hidden here.";
}

// MARK: What can be changed

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
  await api.tabs.reload(tabId);
  window.close();
});

let site = null;

byID("allow-switch").addEventListener("change", async (event) => {
  await ask({ type: "allow", site, isAllowed: event.target.checked });
  byID("reload-line").hidden = false;
  await show();
});

async function show() {
  const page = await ask({ type: "page", tabId });
  site = page.site;
  byID("site").textContent = page.site || "Tickbird";
  byID("allow").hidden = page.site === null || page.site === "";
  byID("allow-switch").checked = page.isAllowed;
  showNotices(page);
  showLists(page.lists);
  showActions(page, []);
  byID("summary").textContent = summary(page, 0);
  if (page.site === null || page.isAllowed || page.lists.length === 0) return;
  const { rules } = await ask({ type: "hidden", tabId });
  showActions(page, rules);
  byID("summary").textContent =
    summary(page, rules.reduce((sum, rule) => sum + rule.count, 0));
}

try {
  await show();
} catch (error) {
  byID("notices").replaceChildren(notice("Tickbird does not answer", [error.message]));
}
document.documentElement.dataset.shown = "true";
