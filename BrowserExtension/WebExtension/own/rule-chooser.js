// Choosing a rule for the own rules: which one of several, what it does, its text, and the way back.

import { make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { guardButtons } from "../shared/guard.js";
import { text } from "../shared/texts.js";
import { addOwnRule, takeBack } from "./own-rules.js";

/** @typedef {import("./own-rules.js").OwnRule} OwnRule */
/**
 * A rule that can be chosen: what it is about, and what it would do.
 *
 * @typedef {{ subject: string, effect: string, own: OwnRule }} Choice
 */

/**
 * A part of an extension's page in which one of several rules is chosen and saved.
 *
 * What is shown is what is saved: both are of the same choice.
 */
export class RuleChooser {
  /** @type {Choice[]} */
  #choices = [];
  #place = 0;
  /**
   * What was saved last, and is not taken back.
   *
   * @type {{ written: import("./own-rules.js").Written, own: OwnRule } | null}
   */
  #saved = null;
  #isBusy = false;
  /**
   * What is shown after what is being done, which is about the rules that are shown now.
   *
   * @type {(() => void) | null}
   */
  #later = null;
  /** @type {HTMLInputElement[]} */
  #inputs = [];
  #list = make("div", { className: "choices" });
  #json = make("pre", { tabIndex: 0, dir: "ltr", className: "rule-json" });
  #filter = make("pre", { tabIndex: 0, dir: "ltr", className: "rule-filter" });
  #save = make("button", { type: "button", className: "save-rule", textContent: text("rule_save") });
  #undo = make("button", { type: "button", className: "undo-rule", textContent: text("rule_undo") });
  #status = make("p", { className: "rule-status" });
  #name = `choice-${Math.random().toString(36).slice(2)}`;
  #guard;
  #calls;
  /** Holds everything. */
  element;

  /**
   * @param {object} [calls]
   * @param {(choice: Choice, place: number) => void} [calls.onChosen]
   * @param {(isSaved: boolean, own: OwnRule) => void} [calls.onSaved] also when it is taken back
   */
  constructor(calls = {}) {
    this.#calls = calls;
    this.#save.classList.add("primary");
    this.#status.setAttribute("role", "status");
    this.#list.setAttribute("role", "radiogroup");
    this.#list.setAttribute("aria-label", text("rule_choices"));
    this.#json.setAttribute("aria-label", text("rule_json"));
    this.#filter.setAttribute("aria-label", text("rule_filter"));
    const copies = [
      this.#copy("copy-json", "rule_copy_json", ({ rule }) => JSON.stringify(rule)),
      this.#copy("copy-filter", "rule_copy_filter", ({ filter }) => filter),
    ];
    const download = make("button", { type: "button", className: "download-rule", textContent: text("rule_download") });
    download.addEventListener("click", () => this.#download());
    this.element = make("section", { className: "rule-chooser" }, this.#list,
      make("h3", { textContent: text("rule_shown") }), this.#json, this.#filter,
      make("div", { className: "actions" }, this.#save, this.#undo, ...copies, download), this.#status);
    this.element.setAttribute("aria-label", text("rule_about"));
    this.#save.addEventListener("click", (event) => { if (event.isTrusted) this.#act(() => this.#write()); });
    this.#undo.addEventListener("click", (event) => { if (event.isTrusted) this.#act(() => this.#takeBack()); });
    this.#guard = guardButtons([this.#save], { mayAct: () => this.#maySave });
    this.#refresh();
  }

  /** The rule that is chosen. */
  get chosen() { return this.#choices[this.#place]; }

  get #maySave() { return !this.#isBusy && this.#saved === null && this.chosen !== undefined; }

  /**
   * Shows other rules; what was saved cannot be taken back here any more.
   *
   * @param {Choice[]} choices
   * @param {number} [place] the one that is chosen
   */
  show(choices, place = 0) {
    if (this.#isBusy) {
      this.#later = () => this.show(choices, place);
      return;
    }
    this.#inputs = [];
    this.#choices = choices;
    this.#place = Math.min(place, Math.max(0, choices.length - 1));
    this.#saved = null;
    this.#status.textContent = "";
    this.#list.replaceChildren(...choices.map(({ subject, effect }, number) => {
      const input = make("input", { type: "radio", name: this.#name, checked: number === this.#place });
      input.addEventListener("change", () => this.#choose(number));
      this.#inputs.push(input);
      return make("label", { className: "choice" }, input,
        make("span", {}, make("code", { className: "subject", textContent: subject, dir: "ltr" }),
          make("span", { className: "effect", textContent: effect })));
    }));
    // Who was about to press for another rule has to see this one first.
    this.#guard();
    this.#refresh();
    if (this.chosen) this.#calls.onChosen?.(this.chosen, this.#place);
  }

  /**
   * Says anew what the rules would do.
   *
   * @param {string[]} effects
   */
  setEffects(effects) {
    for (const [place, note] of [...this.#list.querySelectorAll(".effect")].entries()) {
      note.textContent = effects[place] ?? "";
    }
  }

  /** @param {number} place */
  #choose(place) {
    this.#place = place;
    this.#saved = null;
    this.#status.textContent = "";
    this.#guard();
    this.#refresh();
    if (this.chosen) this.#calls.onChosen?.(this.chosen, place);
  }

  #refresh() {
    const own = this.chosen?.own;
    this.#json.textContent = own ? JSON.stringify(own.rule, null, 2) : "";
    this.#filter.textContent = own?.filter ?? "";
    this.#filter.hidden = !own?.filter;
    this.#save.hidden = this.#saved !== null;
    this.#undo.hidden = this.#saved === null;
    for (const [name, isThere] of /** @type {const} */ ([[".copy-filter", !!own?.filter],
      [".copy-json", !!own], [".download-rule", !!own]])) {
      const button = /** @type {HTMLButtonElement | null} */ (this.element.querySelector(name));
      if (button) button.disabled = !isThere;
    }
  }

  /** @param {() => Promise<string>} action returns what is said of it */
  async #act(action) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (const each of [this.#save, this.#undo, ...this.#inputs]) each.disabled = true;
    try {
      this.#status.textContent = await action();
    } catch (error) {
      this.#status.textContent = text("rule_failed", messageOf(error));
    }
    this.#isBusy = false;
    for (const each of [this.#undo, ...this.#inputs]) each.disabled = false;
    this.#save.disabled = !this.#maySave;
    const hadFocus = this.element.contains(document.activeElement) || document.activeElement === document.body;
    this.#refresh();
    if (hadFocus) (this.#saved ? this.#undo : this.#save).focus();
    const later = this.#later;
    this.#later = null;
    later?.();
  }

  async #write() {
    const own = this.chosen?.own;
    if (!own) return "";
    const written = await addOwnRule(own);
    if (written === null) return text("rule_known");
    this.#saved = { written, own };
    this.#calls.onSaved?.(true, own);
    return text("rule_saved");
  }

  async #takeBack() {
    const saved = this.#saved;
    if (!saved) return "";
    await takeBack(saved.written);
    this.#saved = null;
    this.#calls.onSaved?.(false, saved.own);
    return text("rule_taken_back");
  }

  /**
   * @param {string} className
   * @param {string} key
   * @param {(own: OwnRule) => string | null} made
   */
  #copy(className, key, made) {
    const button = make("button", { type: "button", className, textContent: text(key) });
    button.addEventListener("click", async () => {
      const copied = this.chosen && made(this.chosen.own);
      if (!copied) return;
      try {
        await navigator.clipboard.writeText(copied);
        this.#status.textContent = text("logger_copied");
      } catch (error) {
        this.#status.textContent = text("logger_not_copied", messageOf(error));
      }
    });
    return button;
  }

  #download() {
    const own = this.chosen?.own;
    if (!own) return;
    const file = new Blob([`${JSON.stringify([own.rule], null, 2)}\n`], { type: "application/json" });
    const link = make("a", { href: URL.createObjectURL(file), download: "rule.json" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href));
  }
}
