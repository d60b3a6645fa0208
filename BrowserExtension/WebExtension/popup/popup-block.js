// The pop-up's ways to rules of one's own: choosing an element, and "block this" at a request.

import { RequestBlocker } from "../own/request-blocker.js";
import { ask } from "../shared/asking.js";
import { byID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { counted, number } from "../shared/texts.js";
import { tabId } from "./popup-tab.js";
import { pathOf } from "./popup-words.js";

/** How many requests of a host are listed. */
const shownRequests = 50;

/**
 * What the pop-up knows of the page.
 *
 * @type {Pick<Messages.PageReport, "page" | "seen">}
 */
let shown = { page: "", seen: [] };
const blocker = new RequestBlocker(() => shown.seen.map(({ url }) => url));

/**
 * Offers the ways to rules of one's own where there can be any.
 *
 * @param {Messages.PageReport} report
 */
export function showOwnRuleWays(report) {
  const isConnected = report.host.state === "connected";
  const mayWrite = isConnected && report.site !== null && !report.blocked && tabId >= 0;
  byID("pick").hidden = !mayWrite;
  showSeen(report, mayWrite);
  // Where the browser's own rules block, the background is not told of all requests.
  if (report.canBlock !== false || !mayWrite || report.isAllowed || report.isTabOff || details.open) return;
  ask({ type: "seen", tabId }).then(({ seen }) => showSeen({ page: report.page, seen }, mayWrite))
    .catch((error) => console.debug(error));
}

/**
 * @param {typeof shown} report
 * @param {boolean} mayWrite
 */
function showSeen(report, mayWrite) {
  byID("seen").hidden = !mayWrite || report.seen.length === 0;
  // What is open stays as it is, so that nothing moves under a finger.
  if (details.open) return;
  shown = report;
  byID("seen-line").textContent = counted("seen_requests", report.seen.length);
}

const details = /** @type {HTMLDetailsElement} */ (byID("seen"));
details.addEventListener("toggle", () => {
  if (details.open) byID("seen-hosts").replaceChildren(...hosts());
});

function hosts() {
  /** @type {Map<string, Messages.SeenRequest[]>} */
  const all = new Map();
  for (const each of shown.seen) {
    const host = /^\w+:\/\/([^/?#]*)/.exec(each.url)?.[1];
    if (host) all.set(host, [...all.get(host) ?? [], each]);
  }
  return [...all].sort(([, one], [, other]) => other.length - one.length).map(([host, requests]) => {
    const more = make("div", { className: "more" });
    const part = make("details", {},
      make("summary", {},
        make("span", { className: "what" }, make("span", { className: "first", textContent: host, title: host, dir: "ltr" })),
        make("span", { className: "times", textContent: number(requests.length) })), more);
    part.addEventListener("toggle", () => {
      if (part.open && more.childNodes.length === 0) more.append(list(requests));
    });
    return part;
  });
}

/** @param {Messages.SeenRequest[]} requests */
function list(requests) {
  return make("ul", {}, ...requests.slice(0, shownRequests).map(({ url, type }) => {
    const place = make("div");
    return make("li", {}, make("span", { className: "path", textContent: pathOf(url), title: url, dir: "ltr" }),
      make("span", { className: "type", textContent: type === "" ? " " : ` ${type} ` }),
      blocker.button({ url, page: shown.page, resourceType: type }, place), place);
  }));
}

byID("pick").addEventListener("click", async (event) => {
  if (!event.isTrusted) return;
  try {
    await ask({ type: "pick", tabId });
    window.close();
  } catch (error) {
    byID("pick").textContent = messageOf(error);
  }
});
