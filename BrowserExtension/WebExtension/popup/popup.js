// The toolbar's pop-up: what was done on the page, by which rule, and what can be changed.

import { api, isFirefox } from "../shared/browser.js";
import { ask } from "../shared/asking.js";
import { byID, inputByID, make, setChildren } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { hostNotice, notice } from "../shared/host-notice.js";
import { showActions } from "./popup-actions.js";
import { showOwnRuleWays } from "./popup-block.js";
import { showFeeds } from "./popup-feeds.js";
import { showGallery } from "./popup-gallery.js";
import { showFailedUpdates, showOffers } from "./popup-lists.js";
import { showOnSite } from "./popup-site.js";
import { tabId } from "./popup-tab.js";
import { blockedWords, declarativeWords, sentence, summary } from "./popup-words.js";
import { clock, localize, nodes, sentences, text } from "../shared/texts.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {Messages.PageReport} PageReport */

localize();
const code = (/** @type {string} */ line) => make("code", { textContent: line, dir: "ltr" });
byID("limits-report").append(...nodes("limits_report", code("tickbird translate --report")));
byID("limits-policy").append(...nodes("limits_policy", code("tickbird browser package")));
showFeeds(tabId);
showGallery(tabId);

// MARK: Notices

function tryAgain() {
  ask({ type: "connect" }).then(() => setTimeout(show, milliseconds.hostReconnected));
}

/**
 * Says in one line that the browser's own rules block, and how well; the rest when it is opened.
 *
 * @param {PageReport} page
 */
function showLimits({ canBlock, declarative, host }) {
  byID("limits").hidden = canBlock !== false;
  if (canBlock !== false) return;
  const isConnected = host.state === "connected";
  byID("limits-line").textContent = declarativeWords(declarative, isConnected);
  byID("limits-report").hidden = !declarative?.isReady;
}

/** Says that private windows are left alone, as long as the browser's user has not allowed them. */
async function showPrivateWindows() {
  if (await api.extension.isAllowedIncognitoAccess()) return;
  byID("private-way").textContent = isFirefox
    ? text("private_firefox") : text("private_chromium");
  byID("private").hidden = false;
}

/** @param {PageReport} page */
function showNotices(page) {
  const notices = [];
  if (page.fault) notices.push(notice(page.fault, [text("turn_off_and_on")]));
  else {
    const kept = page.lists.length > 0 ? text("lists_stay") : "";
    const about = hostNotice(page.host, kept, tryAgain);
    if (about) notices.push(about);
  }
  if (page.listsFault && page.host.state === "connected") {
    notices.push(notice(text("lists_not_all_current"), [page.listsFault]));
  }
  const { declarative } = page;
  const mayHaveRules = page.host.state === "connected" || declarative?.isReady;
  if (page.canBlock === false && mayHaveRules && declarative?.fault) {
    notices.push(notice(text("rules_not_all_active"),
      [sentences(sentence(declarative.fault), text("tried_again"))]));
  }
  // Where the extension decides itself, they act at the browser's start alone.
  if (page.canBlock && declarative?.fault) {
    notices.push(notice(text("start_rules_old"), [sentences(sentence(declarative.fault), text("tried_again"))]));
  }
  byID("notices").replaceChildren(...notices);
}

byID("open-logger").addEventListener("click", async () => {
  await api.tabs.create({ url: `${api.runtime.getURL("/logger/logger.html")}?tab=${tabId}` });
  window.close();
});

/**
 * Does what a control asks for, and says what was wrong with it; what is chosen is shown as it is.
 *
 * @param {() => Promise<unknown>} action
 */
async function change(action) {
  let fault;
  try {
    await action();
  } catch (error) {
    fault = messageOf(error);
  }
  byID("reload-line").hidden = false;
  await show();
  if (fault) byID("notices").prepend(notice(text("rule_failed", fault), []));
}

// MARK: A page that is blocked as a whole

/**
 * The page that the pop-up says is blocked.
 *
 * @type {string}
 */
let blockedURL = "";

/** @param {Messages.BlockedReport | null} blocked */
function showBlocked(blocked) {
  blockedURL = blocked?.url ?? "";
  byID("blocked").hidden = !blocked?.isBlocked;
  if (blocked) byID("blocked-by").textContent = blockedWords(blocked);
}

for (const choice of /** @type {const} */ (["once", "always"])) {
  byID(`blocked-${choice}`).addEventListener("click", async () => {
    try {
      await ask({ type: "open-blocked", tabId, url: blockedURL, choice });
      window.close();
    } catch (error) {
      byID("notices").prepend(notice(text("blocked_not_opened", messageOf(error)), []));
    }
  });
}

// MARK: What can be changed

/**
 * Shows the lists with their switches; those that are there already stay, and with them the focus.
 *
 * @param {PageReport} page
 */
function showLists({ lists, host }) {
  byID("lists").hidden = lists.length === 0;
  const isEmpty = lists.length === 0 && host.state === "connected";
  byID("no-list").hidden = !isEmpty;
  if (isEmpty) showOffers(show);
  else if (host.state === "connected") showFailedUpdates();
  const known = new Map([...document.querySelectorAll("#list-switches label")]
    .map((each) => [/** @type {HTMLElement} */ (each).dataset.identifier, each]));
  setChildren(byID("list-switches"), lists.map((list) => {
    const label = known.get(list.identifier) ?? listSwitch(list.identifier);
    const input = /** @type {HTMLInputElement} */ (label.querySelector("input"));
    Object.assign(input, { checked: list.isOn && !list.fault, disabled: !!list.fault });
    const [name, note] = label.querySelectorAll("span span");
    name.textContent = list.name;
    note.textContent = list.fault;
    return label;
  }));
}

/** @param {string} identifier */
function listSwitch(identifier) {
  const input = make("input", { type: "checkbox" });
  input.setAttribute("role", "switch");
  input.addEventListener("change", () =>
    change(() => ask({ type: "switch", identifier, isOn: input.checked })));
  const label = make("label", { className: "switch" },
    make("span", {}, make("span", { className: "name", dir: "auto" }), make("span", { className: "note" })),
    input);
  label.dataset.identifier = identifier;
  return label;
}

byID("reload").addEventListener("click", async () => {
  // A page that was blocked is another one than the one in its place.
  const { blocked } = await ask({ type: "page", tabId });
  if (blocked) await ask({ type: "open-blocked", tabId, url: blocked.url, choice: "once" });
  else await api.tabs.reload(tabId);
  window.close();
});

/** @param {PageReport} page */
function showSite({ site, isAllowed, isAllowanceRefused, allowedUntil, lists }) {
  byID("site").textContent = site || "Tickbird";
  byID("open-logger").hidden = tabId < 0;
  // Without a list there is nothing to exempt a site from.
  byID("allow").hidden = !site || (lists.length === 0 && !isAllowed);
  byID("allow-note").textContent = isAllowanceRefused ? text("allow_refused")
    : allowedUntil !== null ? text("allow_until", clock(allowedUntil)) : text(isAllowed ? "allow_always" : "allow_not");
  byID("allow-while").hidden = isAllowed;
  byID("allow-while").onclick = () => change(() => ask({ type: "allow-for-a-while", site: site ?? "" }));
  inputByID("allow-switch").onchange = () =>
    change(() => ask({ type: "allow", site: site ?? "", isAllowed: inputByID("allow-switch").checked }));
}

const sum = (/** @type {Messages.HiddenRule[]} */ rules) =>
  rules.reduce((total, rule) => total + rule.count, 0);

/** @type {Messages.HiddenRule[]} */
let shownHidden = [];
let isShown = false;
/** Whether the page has not answered what is hidden, because it shows an alert, for example. */
let isLate = false;

async function show() {
  const page = await ask({ type: "page", tabId });
  showSite(page);
  showOnSite(page, async () => {
    byID("reload-line").hidden = false;
    await show();
  });
  inputByID("allow-switch").checked = page.isAllowed;
  showNotices(page);
  showBlocked(page.blocked);
  showLists(page);
  showLimits(page);
  showOwnRuleWays(page);
  if (!isShown) showActions(page, []);
  const count = () => (isLate ? null : sum(shownHidden));
  byID("summary").textContent = summary(page, count());
  const mayHide = page.site !== null && !page.isAllowed && !page.isTabOff && page.lists.length > 0 && !page.blocked;
  const hidden = mayHide ? await ask({ type: "hidden", tabId }) : { rules: [], isAnswered: true };
  isLate = !hidden.isAnswered;
  if (isLate) setTimeout(show, milliseconds.pageAnswer);
  else shownHidden = hidden.rules;
  showActions(page, shownHidden);
  byID("summary").textContent = summary(page, count());
  isShown = true;
}

try {
  await show();
  await showPrivateWindows();
} catch (error) {
  byID("notices").replaceChildren(notice(text("no_answer_title"), [messageOf(error)]));
}
document.documentElement.dataset.shown = "true";
