// The stream of Shared Links, in Firefox's sidebar and Chromium's side panel.

import { api } from "./browser.js";
import { byID, make } from "./elements.js";
import { hostNotice, notice } from "./host-notice.js";
import { fillIcons } from "./link-icons.js";
import { ask, connect, onLinksChanged, webURL } from "./link-requests.js";
import { StreamList } from "./stream-list.js";
import { StreamSources } from "./stream-sources.js";

const pageSize = 60;
const mostAtOnce = 400;

let words = "";
let hasMore = false;
let latest = null;
/** Tells the answers of the latest load from those of earlier ones. */
let lastLoad = 0;
let isLoading = false;
let loadsAgain = false;

/** Sees that the end of the list comes into reach. */
const end = new IntersectionObserver((entries) => {
  if (entries.some(({ isIntersecting }) => isIntersecting)) loadMore();
}, { root: byID("stream"), rootMargin: "400px" });
const list = new StreamList(byID("days"), { open, mark });
const sources = new StreamSources(load);

// MARK: Loading

/** Shows the links again, as many as are shown. */
async function load() {
  if (isLoading) {
    loadsAgain = true;
    return;
  }
  isLoading = true;
  const number = ++lastLoad;
  let hasCome = false;
  try {
    const known = ask({ type: "linkSources" });
    known.catch(() => {});
    const wanted = Math.max(list.items.length, pageSize);
    const items = [];
    let answer;
    do {
      answer = await ask({
        type: "links", words, after: place(items.at(-1)),
        limit: Math.min(wanted - items.length, mostAtOnce),
      });
      items.push(...answer.items);
    } while (answer.hasMore && items.length < wanted && answer.items.length > 0);
    sources.show((await known).sources);
    if (number === lastLoad) show(items, answer);
    byID("notices").replaceChildren(...faultNotices());
    hasCome = true;
  } catch (error) {
    showFault(error);
  }
  document.documentElement.dataset.shown = "true";
  await finish(hasCome);
}

/** Shows the links behind those that are shown. */
async function loadMore() {
  if (isLoading || !hasMore) return;
  const number = lastLoad;
  let hasCome = false;
  isLoading = true;
  byID("more").disabled = true;
  try {
    const answer = await ask({
      type: "links", words, after: place(list.items.at(-1)), limit: pageSize,
    });
    const shown = new Set(list.items.map(({ id }) => id));
    const items = answer.items.filter(({ id }) => !shown.has(id));
    if (number === lastLoad) show([...list.items, ...items], answer);
    hasCome = items.length > 0;
  } catch (error) {
    showFault(error);
  }
  byID("more").disabled = false;
  await finish(hasCome);
}

/** Ends a load, and makes the one that was asked for meanwhile. */
async function finish(hasCome) {
  isLoading = false;
  if (loadsAgain) {
    loadsAgain = false;
    await load();
  } else if (hasCome) {
    awaitEnd();
  }
}

/**
 * Asks again whether the end of the list is in reach.
 *
 * The browser reports only changes: an end that came into reach while links were on their way, or
 * is still there with them, would never be reported again.
 */
function awaitEnd() {
  end.unobserve(byID("more"));
  end.observe(byID("more"));
}

/** A link's place in the stream. */
function place(item) { return item && { date: item.date, id: item.id }; }

function show(items, answer) {
  latest = answer;
  hasMore = answer.hasMore;
  list.show(items);
  byID("more").hidden = !hasMore;
  showCounts();
  showEmpty();
  fillIcons().catch(() => {});
}

// MARK: Words

let passing = null;

/** Says something for a while in the place of the counts. */
function say(text) {
  clearTimeout(passing);
  byID("status").textContent = text;
  passing = setTimeout(() => {
    passing = null;
    showCounts();
  }, 6000);
}

const links = (number) => `${number} ${number === 1 ? "link" : "links"}`;

function showCounts() {
  if (!latest) return;
  const hasUnread = words ? list.items.some(({ isRead }) => !isRead) : latest.unread > 0;
  byID("mark-all").hidden = !hasUnread;
  byID("mark-all").textContent = words ? "Mark these as read" : "Mark all as read";
  if (passing !== null) return;
  if (words) byID("status").textContent = latest.count ? `${links(latest.count)} found` : "";
  else if (latest.count === 0) byID("status").textContent = "";
  else byID("status").textContent = latest.unread ? `${latest.unread} unread` : "All read";
}

function showEmpty() {
  const empty = byID("empty");
  empty.hidden = list.items.length > 0;
  if (!empty.hidden) empty.replaceChildren(...emptyWords());
}

function emptyWords() {
  const text = (...parts) => make("p", {}, ...parts);
  const code = (line) => make("code", { textContent: line });
  const heading = (line) => make("h2", { textContent: line });
  if (words) return [heading("Nothing found"), text("No link has all of these words.")];
  if (sources.all.length === 0) {
    const button = make("button", {
      type: "button", className: "primary", textContent: "Subscribe to a site",
    });
    button.addEventListener("click", () => sources.toggle(true));
    return [
      heading("No subscriptions yet"),
      text("New links of the sites that you subscribe to appear here, newest first."),
      button,
      text("On a site with a feed, Tickbird's button in the toolbar offers it, too. In a terminal:",
        code("tickbird links add example.org")),
    ];
  }
  return [heading("No links yet"), text("Your subscriptions have none, or were not fetched yet.")];
}

// MARK: Faults

function faultNotices() {
  const { faults } = sources;
  if (!faults) return [];
  const button = make("button", { type: "button", textContent: "Show" });
  button.addEventListener("click", () => sources.toggle(true));
  const line = make("div", { className: "notice line" },
    make("span", {
      textContent: `${faults} of your subscriptions could not be fetched`,
    }), button);
  return [line];
}

function showFault(error) {
  const kept = list.items.length ? " The links below are from before." : "";
  const tryAgain = async () => {
    await connect();
    setTimeout(load, 400);
  };
  // Where the host is there, it says itself what is wrong.
  const about = error.host && hostNotice(error.host, kept, tryAgain);
  byID("notices").replaceChildren(about ?? notice("The links cannot be shown", [error.message]));
}

// MARK: What the user does

async function open(item, { inTab, inBackground }) {
  const url = webURL(item.url)?.href;
  if (!url) return;
  if (!item.isRead) mark(item, true);
  const [tab] = inTab ? [] : await api.tabs.query({ active: true, currentWindow: true });
  if (tab) await api.tabs.update(tab.id, { url });
  else await api.tabs.create({ url, active: !inBackground });
}

async function mark(item, isRead) {
  const set = (value) => {
    if (item.isRead === value) return;
    item.isRead = value;
    if (latest) latest.unread += value ? -1 : 1;
    list.update(item);
    showCounts();
  };
  set(isRead);
  try {
    await ask({ type: "markLinks", ids: [item.id], isRead });
  } catch (error) {
    set(!isRead);
    say(`Not marked: ${error.message}`);
  }
}

byID("mark-all").addEventListener("click", async () => {
  const question = words
    ? { ids: list.items.map(({ id }) => id) } : { through: latest.time };
  try {
    await ask({ type: "markLinks", isRead: true, ...question });
    await load();
  } catch (error) {
    say(`Not marked: ${error.message}`);
  }
});

byID("refresh").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  clearTimeout(passing);
  passing = -1;
  byID("status").textContent = "Fetching…";
  try {
    const { new: count, failed } = await ask({ type: "refreshLinks" });
    await load();
    const found = count ? `${count} new` : "Nothing new";
    say(failed.length ? `${found}, ${failed.length} not fetched` : found);
  } catch (error) {
    say(`Not fetched: ${error.message}`);
  }
  button.setAttribute("aria-busy", "false");
});

let typing = null;

byID("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(search, 200);
});

byID("search").addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") {
    event.preventDefault();
    list.focusFirst();
  } else if (event.key === "Enter") {
    clearTimeout(typing);
    search();
  } else if (event.key === "Escape" && byID("search").value) {
    event.preventDefault();
    byID("search").value = "";
    search();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input")) return;
  event.preventDefault();
  sources.toggle(false);
  byID("search").focus();
});

async function search() {
  const typed = byID("search").value.trim();
  if (typed === words) return;
  words = typed;
  sources.toggle(false);
  // What is on its way answers an older question.
  lastLoad += 1;
  list.items = [];
  clearTimeout(passing);
  passing = null;
  await load();
  byID("stream").scrollTop = 0;
}

byID("more").addEventListener("click", loadMore);

onLinksChanged(load);
await load();
// What is due is fetched now that somebody looks; new links show by themselves.
ask({ type: "refreshLinks", isDue: true }).catch(() => {});
