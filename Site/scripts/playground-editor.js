"use strict";
// The field of the list, with the places of findings underlined.

/** Texts beyond this are not underlined: each change would lay out all of it twice. */
const longestMarked = 200_000;

class ListEditor {
  #field;
  #marks;
  /** The marks are those of this text. */
  #marked = "";

  constructor(box) {
    this.#field = box.querySelector("textarea");
    this.#marks = box.querySelector(".marks > div");
    this.#field.addEventListener("scroll", () => this.#follow());
    new ResizeObserver(() => this.#follow()).observe(this.#field);
    // Marks of another text are at wrong places.
    this.#field.addEventListener("input", () => {
      if (this.#field.value !== this.#marked) this.#marks.replaceChildren();
    });
  }

  get text() { return this.#field.value; }

  set text(text) {
    this.#field.value = text;
    this.#field.scrollTop = 0;
    this.#marks.replaceChildren();
  }

  set isInvalid(isInvalid) {
    if (isInvalid) this.#field.setAttribute("aria-invalid", "true");
    else this.#field.removeAttribute("aria-invalid");
  }

  /** Puts the marks over the part of the text that is seen. */
  #follow() {
    const { style } = this.#marks;
    // Without the scroll bar, whose width is not the text's.
    style.width = `${this.#field.clientWidth}px`;
    style.transform = `translateY(${-this.#field.scrollTop}px)`;
  }

  /** Underlines the places of findings in a text, if it still is what the field shows. */
  underline(text, findings) {
    if (text !== this.text) return;
    this.#marked = text;
    if (text.length > longestMarked) {
      this.#marks.replaceChildren();
      return;
    }
    const nodes = [];
    let end = 0;
    for (const { range: [start, stop], severity } of [...findings].sort((one, other) => one.range[0] - other.range[0])) {
      // Of places that overlap, the first is underlined.
      if (start < end) continue;
      // Something must be there to be underlined, also at the end of a line.
      const shown = Math.min(text.length, Math.max(stop, start + 1));
      const mark = document.createElement("span");
      mark.className = severity;
      mark.textContent = text.slice(start, shown);
      nodes.push(text.slice(end, start), mark);
      end = shown;
    }
    nodes.push(text.slice(end), "\n");
    this.#marks.replaceChildren(...nodes);
    this.#follow();
  }

  /** Selects a place and brings it into view. */
  select([start, end]) {
    this.#field.focus();
    // Browsers scroll to where a caret is put, and not to a selection.
    this.#field.setSelectionRange(start, start);
    this.#scrollTo(start);
    this.#field.setSelectionRange(start, end);
  }

  #scrollTo(place) {
    const { text } = this;
    if (text.length > longestMarked) {
      // About as far as the line is.
      const line = text.slice(0, place).split("\n").length - 1;
      this.#field.scrollTop = line * parseFloat(getComputedStyle(this.#field).lineHeight) - this.#field.clientHeight / 2;
      return;
    }
    const probe = document.createElement("div");
    const mark = document.createElement("span");
    mark.textContent = text.slice(place, place + 1) || " ";
    probe.append(text.slice(0, place), mark);
    this.#marks.parentElement.append(probe);
    probe.style.width = `${this.#field.clientWidth}px`;
    const { offsetTop } = mark;
    probe.remove();
    this.#field.scrollTop = offsetTop - this.#field.clientHeight / 2;
  }

  /** Replaces places of the text; they do not overlap. The field's own undoing goes back over it. */
  edit(edits) {
    this.#field.focus();
    for (const { range: [start, end], replacement } of [...edits].sort((one, other) => other.range[0] - one.range[0])) {
      this.#field.setSelectionRange(start, end);
      const isDone = replacement === "" ? document.execCommand("delete")
        : document.execCommand("insertText", false, replacement);
      if (!isDone) this.#field.setRangeText(replacement, start, end, "end");
    }
    this.#field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
