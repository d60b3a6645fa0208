// The part of a note's form that says when the note is shown, what is free before, and how long "View
// Website" waits.

import { make } from "../shared/elements.js";
import { text, wordLocale } from "../shared/texts.js";

/** @typedef {NativeHost.NotePlan} NotePlan */

/**
 * Minutes since midnight as a time field has them.
 *
 * @param {number} minutes
 */
const clock = (minutes) =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/**
 * A time field's value as minutes since midnight; null if none is in it.
 *
 * @param {string} value
 */
function minutesOf(value) {
  const [hours, minutes] = value.split(":").map(Number);
  return Number.isInteger(hours) && Number.isInteger(minutes) ? hours * 60 + minutes : null;
}

/** @param {Partial<HTMLInputElement>} properties */
const number = (properties) => make("input", { type: "number", step: "1", required: true, ...properties });

/** Edits a plan; `element` is put into a form, `value` read when it is sent. */
export class PlanEditor {
  #times = make("div", { className: "plan-times" });
  #limit;
  #limitKind;
  #delay;
  #growth;
  element;

  /** @param {NotePlan} plan */
  constructor({ times = [], limit = {}, delay }) {
    this.#times.append(...times.map((each) => this.#row(each)));
    const kind = limit.minutes !== undefined ? "minutes" : limit.visits !== undefined ? "visits" : "";
    this.#limitKind = make("select", {}, ...["", "minutes", "visits"].map((value) => make("option", {
      value, selected: value === kind,
      textContent: value === "" ? text("plan_nothing_free")
        : value === "minutes" ? text("plan_free_minutes") : text("plan_free_visits"),
    })));
    this.#limit = number({ min: "1", max: "1440", value: String(limit.minutes ?? limit.visits ?? 10) });
    this.#limit.setAttribute("aria-label", text("plan_limit"));
    this.#delay = number({ min: "0", max: "600", value: String(delay?.seconds ?? 0) });
    this.#growth = number({ min: "0", max: "600", value: String(delay?.growth ?? 0) });
    const add = make("button", { type: "button", textContent: text("plan_add_times") });
    add.addEventListener("click", () => {
      const row = this.#row({ days: [1, 2, 3, 4, 5], from: 540, to: 1020 });
      this.#times.append(row);
      row.querySelector("input")?.focus();
      this.#changed();
    });
    this.#limitKind.addEventListener("change", () => this.#showLimit());
    this.element = make("details", {
      className: "plan", open: times.length > 0 || kind !== "" || delay !== undefined,
    },
      make("summary", { textContent: text("plan_title") }),
      make("p", { className: "note", textContent: text("plan_always") }),
      this.#times, add,
      make("div", { className: "field inline" },
        make("label", { className: "field inline" },
          make("span", { textContent: text("plan_limit") }), this.#limitKind), this.#limit),
      make("label", { className: "field inline" },
        make("span", { textContent: text("plan_delay") }), this.#delay,
        make("span", { textContent: text("plan_seconds") })),
      make("label", { className: "field inline" },
        make("span", { textContent: text("plan_growth") }), this.#growth,
        make("span", { textContent: text("plan_seconds") })));
    this.#showLimit();
  }

  /** Only with a kind of limit there is a number. */
  #showLimit() {
    this.#limit.hidden = this.#limitKind.value === "";
    this.#limit.disabled = this.#limit.hidden;
  }

  /** Lets the form keep what was changed without typing. */
  #changed() { this.#times.dispatchEvent(new Event("input", { bubbles: true })); }

  /** @param {NonNullable<NotePlan["times"]>[number]} times */
  #row({ days, from, to }) {
    // 2024-01-01 was a Monday.
    const name = (/** @type {number} */ day, /** @type {"narrow" | "long"} */ weekday) =>
      new Date(2024, 0, day).toLocaleDateString(wordLocale(), { weekday });
    const boxes = [1, 2, 3, 4, 5, 6, 7].map((day) => {
      const box = make("input", { type: "checkbox", value: String(day), checked: days.includes(day) });
      box.setAttribute("aria-label", name(day, "long"));
      return make("label", { className: "plan-day", title: name(day, "long") }, box,
        make("span", { textContent: name(day, "narrow"), ariaHidden: "true" }));
    });
    const start = make("input", { type: "time", className: "from", value: clock(from), required: true });
    start.setAttribute("aria-label", text("plan_from"));
    const end = make("input", { type: "time", className: "to", value: clock(to), required: true });
    end.setAttribute("aria-label", text("plan_to"));
    const remove = make("button", { type: "button", textContent: text("plan_remove_times") });
    const row = make("fieldset", { className: "plan-row" },
      make("legend", { textContent: text("plan_times") }),
      make("div", { className: "plan-days" }, ...boxes),
      make("div", { className: "plan-hours" }, start, make("span", { textContent: "–" }), end, remove));
    remove.addEventListener("click", () => {
      row.remove();
      this.#changed();
    });
    return row;
  }

  /**
   * The plan as it is edited; times without a day are left out.
   *
   * @returns {NotePlan}
   */
  get value() {
    const times = [...this.#times.children].flatMap((row) => {
      const days = [...row.querySelectorAll("input:checked")]
        .map((box) => Number(/** @type {HTMLInputElement} */ (box).value));
      const [from, to] = ["from", "to"].map((name) => minutesOf(
        /** @type {HTMLInputElement} */ (row.querySelector(`.${name}`)).value));
      if (days.length === 0 || from === null || to === null) return [];
      // Midnight at the end is that of the next day.
      return [{ days, from, to: to === 0 ? 1440 : to }];
    });
    const kind = this.#limitKind.value;
    const count = Number(this.#limit.value);
    const seconds = Number(this.#delay.value);
    const growth = Number(this.#growth.value);
    return {
      ...(times.length > 0 ? { times } : {}),
      ...(kind === "minutes" ? { limit: { minutes: count } } : {}),
      ...(kind === "visits" ? { limit: { visits: count } } : {}),
      ...(seconds + growth > 0 ? { delay: { seconds, growth } } : {}),
    };
  }
}
