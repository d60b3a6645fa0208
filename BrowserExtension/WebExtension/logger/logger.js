// The logger: the requests of a tab as they come, what became of each, and by which rule.

import { ask } from "../shared/asking.js";
import { api, tabWith } from "../shared/browser.js";
import { byID, inputByID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { counted, localize, text } from "../shared/texts.js";
import { RequestBlocker } from "../own/request-blocker.js";
import { exceptionButton } from "./log-exceptions.js";
import { archive, blockingRule, searching, testLine } from "./log-words.js";
import { KeptRequests } from "./kept-requests.js";
import { LogRows } from "./log-rows.js";
import { chooseTab } from "./log-tabs.js";

/** @typedef {Messages.LoggedRequest} LoggedRequest */

const named = new URLSearchParams(location.search).get("tab");
const tabId = /^\d{1,15}$/.test(named ?? "") ? Number(named) : -1;

const kept = new KeptRequests();
const blocker = new RequestBlocker(() => kept.all.map(({ url }) => url));
const rows = new LogRows(byID("view"), byID("rows"), showDetails);

/** Shows what is searched for. */
function show() {
  const search = inputByID("search").value;
  const { all, dropped } = kept;
  const found = search.trim() ? all.filter(searching(search)) : all;
  rows.show(found);
  const words = [found.length < all.length ? text("logger_found", found.length, all.length)
    : all.length === 0 ? text("logger_empty") : counted("logger_count", all.length)];
  if (dropped > 0) words.push(counted("logger_dropped", dropped));
  byID("status").textContent = words.join(" ");
}

// MARK: One request

/** @param {LoggedRequest} row */
async function showDetails(row) {
  const status = make("span", { className: "note", role: "status" });
  const copy = (/** @type {string} */ words, /** @type {() => string} */ made) => {
    const button = make("button", { type: "button", textContent: words });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(made());
        status.textContent = text("logger_copied");
      } catch (error) {
        status.textContent = text("logger_not_copied", messageOf(error));
      }
    });
    return button;
  };
  const facts = [
    [text("logger_url"), row.url], [text("logger_fate"), `${text(`fate_${row.fate}`)} ${row.status ?? ""} ${row.error}`],
    [text("logger_type"), `${row.resourceType} (${row.type})`], [text("logger_page"), row.page],
    [text("logger_initiator"), row.initiator], [text("logger_frame"), String(row.frameId)],
  ];
  const list = make("dl", {}, ...facts.filter(([, value]) => value.trim() !== "").flatMap(([name, value]) =>
    [make("dt", { textContent: name }), make("dd", { textContent: value, dir: "auto" })]));
  const rules = make("div");
  const place = make("div");
  const details = byID("details");
  details.hidden = false;
  details.replaceChildren(list, rules, make("div", { className: "actions" },
    copy(text("logger_copy_rule"), () => blockingRule(row)),
    copy(text("logger_copy_test"), () => testLine(row)), blocker.button(row, place),
    ...(row.rules.some(({ kind }) => kind === "block") ? [exceptionButton(row, () => kept.all, place)] : []), status), place);
  const texts = await Promise.all(row.rules.map(async ({ identifier, name, number, line, kind }) => {
    const { text: rule } = await ask({ type: "rule", identifier, number }).catch(() => ({ text: null }));
    const place = line === null ? text("rule_place", name, number + 1)
      : text("rule_place_line", name, number + 1, line);
    return make("div", {}, make("p", { className: "note", textContent: `${kind} · ${place}` }),
      make("pre", { textContent: rule ?? "", dir: "ltr" }));
  }));
  rules.replaceChildren(...texts);
}

// MARK: All of them

inputByID("search").addEventListener("input", show);
byID("clear").addEventListener("click", () => {
  kept.clear();
  byID("details").hidden = true;
  show();
});
byID("pause").addEventListener("click", () => {
  kept.isPaused = !kept.isPaused;
  byID("pause").setAttribute("aria-pressed", String(kept.isPaused));
  byID("pause").textContent = text(kept.isPaused ? "logger_resume" : "logger_pause");
  show();
});
byID("export").addEventListener("click", () => {
  const { version } = api.runtime.getManifest();
  const search = inputByID("search").value;
  const found = kept.all.filter(searching(search));
  const file = new Blob([archive(found, version)], { type: "application/json" });
  const link = make("a", { href: URL.createObjectURL(file), download: "tickbird.har" });
  link.click();
  URL.revokeObjectURL(link.href);
});

/** Connects to the background, again if it is started anew. */
function connect() {
  const port = api.runtime.connect({ name: `log:${tabId}` });
  port.onMessage.addListener((message) => {
    const { rows: news } = /** @type {{ rows: LoggedRequest[] }} */ (message);
    kept.take(news);
    if (!kept.isPaused) show();
  });
  port.onDisconnect.addListener(connect);
}

localize();
const tab = await tabWith(tabId);
if (tab) await showRequests(tab);
else await chooseTab(named);
document.documentElement.dataset.shown = "true";

/**
 * Shows the requests of a tab from now on.
 *
 * @param {WebExt.Tab} tab
 */
async function showRequests(tab) {
  const host = tab.url && /^https?:/.test(tab.url) ? new URL(tab.url).host : String(tabId);
  byID("title").textContent = text("logger_title", host);
  document.title = text("logger_title", host);
  const { canBlock } = await ask({ type: "page", tabId });
  byID("limited").hidden = canBlock !== false;
  connect();
  show();
}
