// The links of the stream as a list, grouped by days.

import { make, setChildren } from "./elements.js";
import { makeIcon } from "./link-icons.js";
import { webURL } from "./link-requests.js";
import { dateOf, dayWords, exactWords, relativeWords } from "./stream-times.js";

/** What a row shows; a row is made again only if that changes. */
const signature = ({ title, text, name, url, icon, date, isDated }) =>
  JSON.stringify([title, text, name, url, icon, date, isDated]);

/** The list; `open(item, {inTab, inBackground})` and `mark(item, isRead)` are the page's. */
export class StreamList {
  #element;
  #open;
  #mark;
  #rows = new Map();
  #days = new Map();
  items = [];

  constructor(element, { open, mark }) {
    this.#element = element;
    this.#open = open;
    this.#mark = mark;
    document.addEventListener("keydown", (event) => this.#key(event));
    setInterval(() => this.#tick(), 60000);
  }

  /** Shows these items and no others; rows that are there already stay. */
  show(items) {
    this.items = items;
    const now = new Date();
    const rows = new Map();
    const days = new Map();
    const groups = [];
    for (const item of items) {
      const old = this.#rows.get(item.id);
      const row = old?.signature === signature(item) ? old : this.#makeRow(item);
      row.item = item;
      this.#showState(row);
      rows.set(item.id, row);
      const words = dayWords(row.date, now);
      if (groups.at(-1)?.words !== words) groups.push({ words, elements: [] });
      groups.at(-1).elements.push(row.element);
    }
    const sections = groups.map(({ words, elements }) => {
      // Days come once each, for items are in the order of their dates.
      const day = days.get(words) ?? this.#days.get(words) ?? this.#makeDay(words);
      days.set(words, day);
      setChildren(day.list, elements);
      return day.section;
    });
    setChildren(this.#element, sections);
    this.#rows = rows;
    this.#days = days;
  }

  /** Shows an item's state after it has changed. */
  update(item) {
    const row = this.#rows.get(item.id);
    if (row) this.#showState(row);
  }

  /** Gives the first link the focus. */
  focusFirst() { this.#element.querySelector("a")?.focus(); }

  #makeDay(words) {
    const list = make("ol", {});
    return { list, section: make("section", {}, make("h2", { textContent: words }), list) };
  }

  #makeRow(item) {
    const date = dateOf(item.date);
    const time = make("time", {
      dateTime: date.toISOString(), title: exactWords(date) + (item.isDated ? "" : ", first seen"),
    });
    const unread = make("span", { className: "unseen", textContent: "Unread. " });
    const link = make("a", { rel: "noreferrer noopener" },
      makeIcon(item.icon, item.name),
      make("span", { className: "what" },
        make("span", { className: "by" },
          make("span", { className: "name", textContent: item.name, dir: "auto" }), " ", time),
        make("span", { className: "title", dir: "auto" }, unread,
          make("bdi", { textContent: item.title })),
        ...(item.text ? [make("span", { className: "text", textContent: item.text, dir: "auto" })]
          : [])));
    const url = webURL(item.url);
    // Without an address there is nothing to open.
    if (url) link.href = url.href;
    const mark = make("button", { type: "button", className: "mark" });
    const row = { item, date, time, link, mark, unread, signature: signature(item),
      element: make("li", {}, link, mark) };
    mark.addEventListener("click", () => this.#mark(row.item, !row.item.isRead));
    for (const type of ["click", "auxclick"]) {
      link.addEventListener(type, (event) => this.#click(event, row));
    }
    return row;
  }

  #click(event, row) {
    if (event.button > 1 || !row.link.href) return;
    event.preventDefault();
    const isBehind = event.button === 1 || event.ctrlKey || event.metaKey;
    this.#open(row.item, {
      inTab: isBehind || event.shiftKey, inBackground: isBehind && !event.shiftKey,
    });
  }

  #showState({ item, date, time, element, mark, unread }) {
    const words = relativeWords(date, new Date());
    if (time.textContent !== words) time.textContent = words;
    element.classList.toggle("unread", !item.isRead);
    unread.hidden = item.isRead;
    mark.title = item.isRead ? "Mark as unread" : "Mark as read";
    mark.setAttribute("aria-label", `${mark.title}: ${item.title.slice(0, 100)}`);
  }

  /** Times go on; at midnight so do the days. */
  #tick() {
    if (!document.hidden) this.show(this.items);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    if (this.#element.closest("[hidden]")) return;
    const links = [...this.#element.querySelectorAll("a")];
    const place = links.indexOf(document.activeElement?.closest("li")?.querySelector("a"));
    const row = [...this.#rows.values()].find(({ link }) => link === links[place]);
    let next = null;
    switch (event.key) {
      case "ArrowDown": case "j": next = links[place + 1]; break;
      case "ArrowUp": case "k": next = links[Math.max(place - 1, 0)]; break;
      case "Home": next = links[0]; break;
      case "End": next = links.at(-1); break;
      case "m":
        if (row) this.#mark(row.item, !row.item.isRead);
        return;
      default: return;
    }
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.closest("li").scrollIntoView({ block: "nearest" });
  }
}
