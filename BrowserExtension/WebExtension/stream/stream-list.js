// The links of the stream as a list, grouped by days.

import { isTyped, make, setChildren } from "../shared/elements.js";
import { makeIcon } from "../links/link-icons.js";
import { webURL } from "../links/link-requests.js";
import { text } from "../shared/texts.js";
import { dateOf, dayWords, exactWords, relativeWords } from "./stream-times.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {NativeHost.Link} Link */
/**
 * @typedef {object} Row
 * @property {Link} item
 * @property {Date} date
 * @property {HTMLTimeElement} time
 * @property {HTMLAnchorElement} link
 * @property {HTMLButtonElement} mark
 * @property {HTMLElement} unread
 * @property {string} signature
 * @property {HTMLLIElement} element
 */
/** @typedef {{ list: HTMLOListElement, section: HTMLElement }} Day */
/** @typedef {{ inTab: boolean, inBackground: boolean }} Opening */

/**
 * What a row shows; a row is made again only if that changes.
 *
 * @param {Link} link
 */
const signature = ({ title, text, name, url, icon, date, isDated }) =>
  JSON.stringify([title, text, name, url, icon, date, isDated]);

/** The list of links in the page. */
export class StreamList {
  #element;
  #open;
  #mark;
  /**
   * By the link's id.
   *
   * @type {Map<number, Row>}
   */
  #rows = new Map();
  /**
   * By the day's heading.
   *
   * @type {Map<string, Day>}
   */
  #days = new Map();
  /** @type {Link[]} */
  items = [];

  /**
   * @param {HTMLElement} element
   * @param {object} actions
   * @param {(item: Link, opening: Opening) => void} actions.open
   * @param {(item: Link, isRead: boolean) => void} actions.mark
   */
  constructor(element, { open, mark }) {
    this.#element = element;
    this.#open = open;
    this.#mark = mark;
    document.addEventListener("keydown", (event) => this.#key(event));
    setInterval(() => this.#tick(), milliseconds.streamTimes);
  }

  /**
   * Shows these items and no others; rows that are there already stay.
   *
   * @param {Link[]} items
   */
  show(items) {
    this.items = items;
    const now = new Date();
    /** @type {Map<number, Row>} */
    const rows = new Map();
    /** @type {Map<string, Day>} */
    const days = new Map();
    /** @type {Array<{ words: string, elements: HTMLElement[] }>} */
    const groups = [];
    for (const item of items) {
      const old = this.#rows.get(item.id);
      const row = old && old.signature === signature(item) ? old : this.#makeRow(item);
      row.item = item;
      this.#showState(row);
      rows.set(item.id, row);
      const words = dayWords(row.date, now);
      const group = groups.at(-1);
      if (group?.words === words) group.elements.push(row.element);
      else groups.push({ words, elements: [row.element] });
    }
    const sections = groups.map(({ words, elements }) => {
      // Each day comes once, because items are in the order of their dates.
      const day = days.get(words) ?? this.#days.get(words) ?? this.#makeDay(words);
      days.set(words, day);
      setChildren(day.list, elements);
      return day.section;
    });
    setChildren(this.#element, sections);
    this.#rows = rows;
    this.#days = days;
  }

  /**
   * Shows an item's state after it has changed.
   *
   * @param {Link} item
   */
  update(item) {
    const row = this.#rows.get(item.id);
    if (row) this.#showState(row);
  }

  /** Gives the first link the focus. */
  focusFirst() { this.#element.querySelector("a")?.focus(); }

  /**
   * @param {string} words
   * @returns {Day}
   */
  #makeDay(words) {
    const list = make("ol", {});
    return { list, section: make("section", {}, make("h2", { textContent: words }), list) };
  }

  /**
   * @param {Link} item
   * @returns {Row}
   */
  #makeRow(item) {
    const date = dateOf(item.date);
    const time = make("time", {
      dateTime: date.toISOString(), title: item.isDated ? exactWords(date) : text("link_first_seen", exactWords(date)),
    });
    const unread = make("span", { className: "unseen", textContent: `${text("link_unread")} ` });
    const link = make("a", { rel: "noreferrer noopener" },
      makeIcon(item.icon, item.name),
      make("span", { className: "what" },
        make("span", { className: "by" },
          make("span", { className: "name", textContent: item.name, dir: "auto" }), " ", time),
        // The direction is the title's; the words for screen readers would make it theirs.
        make("span", { className: "title" }, unread,
          make("span", { className: "words", textContent: item.title, dir: "auto" })),
        ...(item.text ? [make("span", { className: "text", textContent: item.text, dir: "auto" })]
          : [])));
    const url = webURL(item.url);
    // Without an address there is nothing to open.
    if (url) link.href = url.href;
    const mark = make("button", { type: "button", className: "mark" });
    const row = { item, date, time, link, mark, unread, signature: signature(item),
      element: make("li", {}, link, mark) };
    mark.addEventListener("click", () => this.#mark(row.item, !row.item.isRead));
    link.addEventListener("click", (event) => this.#click(event, row));
    link.addEventListener("auxclick", (event) => this.#click(event, row));
    return row;
  }

  /**
   * @param {MouseEvent} event
   * @param {Row} row
   */
  #click(event, row) {
    if (event.button > 1 || !row.link.href) return;
    event.preventDefault();
    const isBehind = event.button === 1 || event.ctrlKey || event.metaKey;
    this.#open(row.item, {
      inTab: isBehind || event.shiftKey, inBackground: isBehind && !event.shiftKey,
    });
  }

  /** @param {Row} row */
  #showState({ item, date, time, element, mark, unread }) {
    const words = relativeWords(date, new Date());
    if (time.textContent !== words) time.textContent = words;
    element.classList.toggle("unread", !item.isRead);
    unread.hidden = item.isRead;
    mark.title = text(item.isRead ? "link_mark_unread" : "link_mark_read");
    mark.setAttribute("aria-label",
      text(item.isRead ? "link_mark_unread_named" : "link_mark_read_named", item.title.slice(0, 100)));
  }

  /** Writes relative times anew; at midnight the days move, too. */
  #tick() {
    if (!document.hidden) this.show(this.items);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyped(event)) return;
    if (this.#element.closest("[hidden]")) return;
    const links = [...this.#element.querySelectorAll("a")];
    const focused = document.activeElement?.closest("li")?.querySelector("a");
    const place = focused ? links.indexOf(focused) : -1;
    const row = [...this.#rows.values()].find(({ link }) => link === links[place]);
    /** @type {HTMLAnchorElement | undefined} */
    let next;
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
    next.closest("li")?.scrollIntoView({ block: "nearest" });
  }
}
