// Rows of a logger: only those that can be seen are elements, however many there are.

import { make, setChildren } from "../shared/elements.js";
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
   * The elements of the rows that are drawn, by the rows' numbers.
   *
   * They are kept, since a press whose element is replaced before the release is no click on it.
   *
   * @type {Map<number, HTMLElement>}
   */
  #elements = new Map();
  /** How high the view was when it was last drawn, in pixels. */
  #height = 0;
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
    new ResizeObserver(() => this.#resized()).observe(view);
    view.addEventListener("keydown", (event) => this.#keyPressed(event));
    content.addEventListener("mousedown", (event) => this.#pressed(event));
    // Clicks by script, which no press precedes.
    content.addEventListener("click", (event) => {
      if (event.detail === 0) this.select(this.#placeOf(event));
    });
  }

  /**
   * Shows rows; one that is at the end follows new ones.
   *
   * @param {LoggedRequest[]} rows
   */
  show(rows) {
    const isAtEnd = this.#isAtEnd(this.#view.clientHeight);
    const current = this.#rows[this.selected];
    this.#rows = rows;
    this.selected = current ? this.#placeWith(current.id) : -1;
    this.#content.style.height = `${rows.length * rowHeight}px`;
    this.#view.setAttribute("aria-rowcount", String(rows.length));
    if (isAtEnd) this.#scrollToEnd();
    this.#draw();
  }

  /** @param {number} place */
  select(place) {
    if (place < 0 || place >= this.#rows.length) return;
    this.selected = place;
    this.#reveal(place);
    this.#draw();
    this.#onSelected(this.#rows[place]);
  }

  /**
   * Whether the last row could be seen when the view had a height.
   *
   * @param {number} height in pixels
   */
  #isAtEnd(height) {
    return this.#view.scrollTop + height >= (this.#rows.length - 1) * rowHeight;
  }

  #scrollToEnd() {
    this.#view.scrollTop = this.#rows.length * rowHeight;
  }

  /**
   * Scrolls no further than it takes to show a row.
   *
   * @param {number} place
   */
  #reveal(place) {
    const top = place * rowHeight;
    const { scrollTop, clientHeight } = this.#view;
    if (top < scrollTop) this.#view.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) this.#view.scrollTop = top + rowHeight - clientHeight;
  }

  /** Keeps what was looked at in the view, which the details of a row make smaller. */
  #resized() {
    const { scrollTop } = this.#view;
    const top = this.selected * rowHeight;
    const wasSeen = this.selected >= 0 && top + rowHeight > scrollTop && top < scrollTop + this.#height;
    if (this.#isAtEnd(this.#height)) this.#scrollToEnd();
    if (wasSeen) this.#reveal(this.selected);
    this.#draw();
  }

  /**
   * Selects the row that is pressed, once the button is released.
   *
   * New rows may have moved it away by then. Who moves the pointer away meanwhile wants something else.
   *
   * @param {MouseEvent} press
   */
  #pressed(press) {
    const row = this.#rows[this.#placeOf(press)];
    if (press.button !== 0 || !row) return;
    addEventListener("mouseup", (release) => {
      const moved = Math.hypot(release.clientX - press.clientX, release.clientY - press.clientY);
      if (release.button === 0 && moved < rowHeight / 2) this.select(this.#placeWith(row.id));
    }, { once: true });
  }

  /**
   * The place of the row with a number; -1 for none.
   *
   * @param {number} id
   */
  #placeWith(id) { return this.#rows.findIndex((row) => row.id === id); }

  /**
   * The place of the row that something happens to; -1 for none.
   *
   * @param {Event} event
   */
  #placeOf({ target }) {
    const element = target instanceof Element ? target.closest("[data-place]") : null;
    return element instanceof HTMLElement ? Number(element.dataset.place) : -1;
  }

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
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
    this.#height = this.#view.clientHeight;
    const first = Math.max(0, Math.floor(this.#view.scrollTop / rowHeight) - margin);
    const count = Math.ceil(this.#height / rowHeight) + 2 * margin;
    const shown = this.#rows.slice(first, first + count);
    const known = this.#elements;
    this.#elements = new Map(shown.map((row) => [row.id, known.get(row.id) ?? newElement(row)]));
    const elements = [...this.#elements.values()];
    setChildren(this.#content, elements);
    for (const [offset, row] of shown.entries()) this.#fill(elements[offset], row, first + offset);
    const chosen = this.#content.querySelector("[aria-selected=true]");
    if (chosen) this.#view.setAttribute("aria-activedescendant", chosen.id);
    else this.#view.removeAttribute("aria-activedescendant");
  }

  /**
   * Writes a row into its element; texts only where they have changed.
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
