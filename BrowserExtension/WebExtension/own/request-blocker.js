// "Block this" at a request: rules from narrow to wide, how much of what was seen each would block, and saving.

import { ask } from "../shared/asking.js";
import { make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { counted, text } from "../shared/texts.js";
import { blocks, requestRules } from "./request-rules.js";
import { RuleChooser } from "./rule-chooser.js";

/** @typedef {{ url: string, page: string, resourceType: string }} BlockedRequest */

/** The one chooser of a page of the extension, which is put where it is asked for. */
export class RequestBlocker {
  #chooser = new RuleChooser();
  #onlyOn = make("input", { type: "checkbox" });
  #onlyOnWords = make("span", { className: "name" });
  #line = make("label", { className: "switch" }, this.#onlyOnWords, this.#onlyOn);
  #element = make("div", { className: "request-blocker" }, this.#line, this.#chooser.element);
  #seen;
  /** @type {(() => void) | null} */
  #refresh = null;

  /** @param {() => string[]} seen the addresses of the requests that were seen in the tab */
  constructor(seen) {
    this.#seen = seen;
    this.#onlyOn.setAttribute("role", "switch");
    this.#onlyOn.addEventListener("change", () => this.#refresh?.());
  }

  /**
   * A button that shows the rules for a request.
   *
   * @param {BlockedRequest} request
   * @param {HTMLElement} place where they are shown
   */
  button(request, place) {
    const button = make("button", { type: "button", className: "block-this", textContent: text("block_start") });
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", async () => {
      if (this.#element.parentNode === place) {
        this.#element.remove();
        button.setAttribute("aria-expanded", "false");
        return;
      }
      try {
        await this.#show(request, place);
        button.setAttribute("aria-expanded", "true");
      } catch (error) {
        place.replaceChildren(make("p", { className: "note", textContent: messageOf(error) }));
      }
    });
    return button;
  }

  /**
   * @param {BlockedRequest} request
   * @param {HTMLElement} place
   */
  async #show(request, place) {
    const [{ site }, { site: pageSite }] = await Promise.all([request.url, request.page].map((address) =>
      (/^(?:https?|wss?):/.test(address)
        ? ask({ type: "site", address: address.replace(/^ws/, "http") }) : { site: null })));
    this.#line.hidden = pageSite === null;
    this.#onlyOnWords.textContent = text("block_only_on", pageSite ?? "");
    const refresh = () => {
      const rules = requestRules(request, site, this.#onlyOn.checked && pageSite ? pageSite : null);
      if (rules.length === 0) throw new Error(text("block_page"));
      const urls = this.#seen();
      this.#chooser.show(rules.map(({ subject, own }) => ({
        subject, own,
        effect: counted("block_effect", urls.filter((url) => blocks(own, url)).length, urls.length),
      })));
    };
    refresh();
    this.#refresh = refresh;
    place.replaceChildren(this.#element);
  }
}
