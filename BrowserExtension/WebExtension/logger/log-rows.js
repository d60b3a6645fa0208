// Rows of a logger: only those that can be seen are elements, however many there are.

import { make } from "../shared/elements.js";
import { locale, text } from "../shared/texts.js";

/** @typedef {Messages.LoggedRequest} LoggedRequest */

/** As `logger.css` has it, in pixels. */
const rowHeight = 26;
/** How many rows beyond the edges are there. */
const margin = 10;

/** A list of rows in an element that scrolls. */
export class LogRows {
  /** @type {LoggedRequest[]} */
  #rows = [];
  #view;
  #content;
  /** The place of the row that is selected; -1 for none. */
  selected = -1;
  #onSelected;

  /**
   * @param {HTMLElement} view scrolls
   * @param {HTMLElement} content in it
   * @param {(row: LoggedRequest) => void} onSelected
   */
  constructor(view, content, onSelected) {
    this.#view = view;
    this.#content = content;
    this.#onSelected = onSelected;
    view.addEventListener("scroll", () => this.#draw());
    addEventListener("resize", () => this.#draw());
    view.addEventListener("keydown", (event) => this.#pressed(event));
    content.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest("[data-place]") : null;
      if (row) this.select(Number(/** @type {HTMLElement} */ (row).dataset.place));
    });
  }

  /**
   * Shows rows; one that is at the end follows new ones.
   *
   * @param {LoggedRequest[]} rows
   */
  show(rows) {
    const { scrollTop, clientHeight, scrollHeight } = this.#view;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - rowHeight;
    const current = this.#rows[this.selected];
    this.#rows = rows;
    this.selected = current ? rows.indexOf(current) : -1;
    this.#content.style.height = `${rows.length * rowHeight}px`;
    this.#view.setAttribute("aria-rowcount", String(rows.length));
    if (isAtEnd) this.#view.scrollTop = rows.length * rowHeight;
    this.#draw();
  }

  /** @param {number} place */
  select(place) {
    if (place < 0 || place >= this.#rows.length) return;
    this.selected = place;
    const top = place * rowHeight;
    const { scrollTop, clientHeight } = this.#view;
    if (top < scrollTop) this.#view.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) this.#view.scrollTop = top + rowHeight - clientHeight;
    this.#draw();
    this.#onSelected(this.#rows[place]);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const page = Math.max(1, Math.floor(this.#view.clientHeight / rowHeight) - 1);
    /** @type {Record<string, number>} */
    const places = {
      ArrowDown: this.selected + 1, ArrowUp: Math.max(0, this.selected - 1),
      PageDown: Math.min(this.selected + page, this.#rows.length - 1),
      PageUp: Math.max(0, this.selected - page), Home: 0, End: this.#rows.length - 1,
    };
    if (!Object.hasOwn(places, event.key)) return;
    event.preventDefault();
    this.select(places[event.key]);
  }

  #draw() {
    const first = Math.max(0, Math.floor(this.#view.scrollTop / rowHeight) - margin);
    const count = Math.ceil(this.#view.clientHeight / rowHeight) + 2 * margin;
    this.#content.replaceChildren(...this.#rows.slice(first, first + count)
      .map((row, offset) => this.#element(row, first + offset)));
    const chosen = this.#content.querySelector("[aria-selected=true]");
    if (chosen) this.#view.setAttribute("aria-activedescendant", chosen.id);
    else this.#view.removeAttribute("aria-activedescendant");
  }

  /**
   * @param {LoggedRequest} row
   * @param {number} place
   */
  #element(row, place) {
    const cell = (/** @type {string} */ className, /** @type {string} */ textContent) => {
      const made = make("span", { className, textContent });
      made.setAttribute("role", "gridcell");
      return made;
    };
    const [rule] = row.rules;
    const element = make("div", { className: "row", id: `row-${row.id}` },
      cell("time", new Date(row.time).toLocaleTimeString(locale())),
      cell(`fate-${row.fate}`, text(`fate_${row.fate}`)),
      cell("type", row.resourceType || row.type),
      cell("url", row.url),
      cell("by", row.choice ? text(`choice_by_${row.choice}`)
        : rule ? text("rule_place", rule.name, rule.number + 1) : ""));
    element.setAttribute("role", "row");
    element.setAttribute("aria-rowindex", String(place + 1));
    element.setAttribute("aria-selected", String(place === this.selected));
    element.dataset.place = String(place);
    element.style.top = `${place * rowHeight}px`;
    return element;
  }
}
