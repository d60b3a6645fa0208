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
  /**
   * Those of the rows that are elements, by the rows' numbers.
   *
   * They stay while their rows do: browsers take a press for no click when its element is replaced meanwhile.
   *
   * @type {Map<number, HTMLElement>}
   */
  #elements = new Map();
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
    // New rows may move the one that is pressed away before the button is released.
    content.addEventListener("mousedown", (event) => {
      if (event.button === 0) this.#selectPressed(event);
    });
    // Clicks without a pointer, as assistive technology makes them.
    content.addEventListener("click", (event) => {
      if (event.detail === 0) this.#selectPressed(event);
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

  /** @param {MouseEvent} event */
  #selectPressed(event) {
    const row = event.target instanceof Element ? event.target.closest("[data-place]") : null;
    if (row) this.select(Number(/** @type {HTMLElement} */ (row).dataset.place));
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
    const shown = this.#rows.slice(first, first + count);
    const known = this.#elements;
    this.#elements = new Map(shown.map((row) => [row.id, known.get(row.id) ?? newElement(row)]));
    for (const [id, element] of known) if (!this.#elements.has(id)) element.remove();
    let next = this.#content.firstElementChild;
    for (const [offset, row] of shown.entries()) {
      const element = /** @type {HTMLElement} */ (this.#elements.get(row.id));
      if (element === next) next = next.nextElementSibling;
      else this.#content.insertBefore(element, next);
      this.#fill(element, row, first + offset);
    }
    const chosen = this.#content.querySelector("[aria-selected=true]");
    if (chosen) this.#view.setAttribute("aria-activedescendant", chosen.id);
    else this.#view.removeAttribute("aria-activedescendant");
  }

  /**
   * Writes what has changed of a row.
   *
   * @param {HTMLElement} element
   * @param {LoggedRequest} row
   * @param {number} place
   */
  #fill(element, row, place) {
    const [rule] = row.rules;
    const cells = [
      ["time", new Date(row.time).toLocaleTimeString(locale())],
      [`fate-${row.fate}`, text(`fate_${row.fate}`)],
      ["type", row.resourceType || row.type],
      ["url", row.url],
      ["by", row.choice ? text(`choice_by_${row.choice}`)
        : rule ? text("rule_place", rule.name, rule.number + 1) : ""],
    ];
    for (const [number, [className, words]] of cells.entries()) {
      const cell = element.children[number];
      if (cell.className !== className) cell.className = className;
      if (cell.textContent !== words) cell.textContent = words;
    }
    element.setAttribute("aria-rowindex", String(place + 1));
    element.setAttribute("aria-selected", String(place === this.selected));
    element.dataset.place = String(place);
    element.style.top = `${place * rowHeight}px`;
  }
}

/**
 * A row without texts.
 *
 * @param {LoggedRequest} row
 */
function newElement(row) {
  const element = make("div", { className: "row", id: `row-${row.id}` },
    ...Array.from({ length: 5 }, () => {
      const cell = make("span");
      cell.setAttribute("role", "gridcell");
      return cell;
    }));
  element.setAttribute("role", "row");
  return element;
}
