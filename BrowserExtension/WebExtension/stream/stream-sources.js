// What the stream's links come from: subscribing, unsubscribing, and how fetching went.

import { byID, inputByID, make, makeConfirmed } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { fillIcons, makeIcon } from "../links/link-icons.js";
import { webURL } from "../links/link-requests.js";
import { askHost as ask } from "../shared/host-requests.js";
import { counted, listed, sentences, text } from "../shared/texts.js";
import { dateOf, exactWords, relativeWords } from "./stream-times.js";

/** @typedef {NativeHost.LinkSource} LinkSource */

/** The view of subscriptions. */
export class StreamSources {
  /** @type {LinkSource[]} */
  all = [];
  #onChanged;

  /** @param {() => Promise<void>} onChanged called after each change */
  constructor(onChanged) {
    this.#onChanged = onChanged;
    byID("subscribe").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#subscribe(inputByID("address").value);
    });
    byID("show-sources").addEventListener("click", () => this.toggle());
    byID("sources").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.toggle(false);
      byID("show-sources").focus();
    });
  }

  /** How many sources could not be fetched the last time. */
  get faults() { return this.all.filter(({ fault }) => fault).length; }

  /** Shows or hides the view in place of the links. */
  toggle(isShown = byID("sources").hidden) {
    byID("sources").hidden = !isShown;
    byID("stream").hidden = isShown;
    byID("show-sources").setAttribute("aria-expanded", String(isShown));
    if (!isShown) return;
    this.#draw();
    byID("address").focus();
  }

  /**
   * Shows these sources.
   *
   * @param {LinkSource[]} sources
   */
  show(sources) {
    this.all = sources;
    // Not while a button of a row asks for confirmation.
    if (!byID("sources").hidden && !byID("source-rows").querySelector(".asking")) this.#draw();
  }

  #draw() {
    const rows = byID("source-rows");
    rows.replaceChildren(...this.all.map((source) => this.#row(source)));
    fillIcons().catch(() => {});
  }

  /** @param {LinkSource} source */
  #row(source) {
    const page = webURL(source.page ?? (source.kind === "feed" ? source.address : ""));
    const words = {
      className: "name", textContent: source.title, dir: "auto", title: source.address,
    };
    const name = page
      ? make("a", { ...words, href: page.href, target: "_blank", rel: "noreferrer noopener" })
      : make("span", words);
    const state = [counted("links_count", source.links)];
    if (source.unread) state.push(counted("links_unread", source.unread));
    if (source.kind === "extension") state.push(text("source_extension"));
    const what = make("span", { className: "what" }, name,
      make("span", { className: "note", textContent: listed(state, "unit") }));
    if (source.fault) what.append(this.#fault(source));
    const row = make("li", {}, makeIcon(source.icon, source.title), what);
    if (source.kind === "feed") {
      const question = counted("unsubscribe_question", source.links);
      const button = makeConfirmed(text("unsubscribe"), question, async (pressed) => {
        pressed.disabled = true;
        await this.#try("not_removed", { type: "unsubscribe", source: source.id });
        pressed.disabled = false;
      });
      button.setAttribute("aria-description", source.title);
      row.append(button);
    }
    return row;
  }

  /** @param {LinkSource} source */
  #fault(source) {
    const now = new Date();
    const last = source.succeeded
      ? text("source_fetched", relativeWords(dateOf(source.succeeded), now)) : "";
    const next = source.isGone ? text("source_gone")
      : source.retry && dateOf(source.retry) > now
        ? text("source_retry", relativeWords(dateOf(source.retry), now)) : "";
    return make("span", {
      className: "fault", textContent: sentences(text("source_fault", source.fault ?? ""), last, next),
      title: source.succeeded ? text("source_fetched", exactWords(dateOf(source.succeeded))) : "",
    });
  }

  /** @param {string} address */
  async #subscribe(address) {
    const button = byID("subscribe").querySelector("button");
    byID("choices").replaceChildren();
    if (!address.trim()) return byID("address").focus();
    Object.assign(button ?? {}, { disabled: true, textContent: text("subscribing") });
    const answer = await this.#try("not_subscribed", { type: "subscribe", address });
    Object.assign(button ?? {}, { disabled: false, textContent: text("subscribe") });
    if (answer?.type === "subscribed") inputByID("address").value = "";
    if (answer?.type === "feeds") this.#choose(answer.feeds);
  }

  /**
   * Lets one of several feeds be chosen.
   *
   * @param {Array<{ address: string, title: string }>} feeds
   */
  #choose(feeds) {
    byID("choices").replaceChildren(...feeds.map(({ address, title }) => {
      const button = make("button", {
        type: "button", className: "primary", textContent: text("subscribe"),
      });
      button.addEventListener("click", () => this.#subscribe(address));
      button.setAttribute("aria-description", title || address);
      return make("li", {},
        make("span", { className: "what" },
          make("span", { className: "name", textContent: title || address, dir: "auto" }),
          make("span", { className: "note", textContent: address, dir: "ltr" })),
        button);
    }));
    byID("choices").querySelector("button")?.focus();
  }

  /**
   * Asks; shows an error, and returns undefined then.
   *
   * @template {NativeHost.LinkQuestion} Q
   * @param {string} failed the key of what has not been done if it fails
   * @param {Q} question
   */
  async #try(failed, question) {
    const fault = byID("subscribe-fault");
    fault.textContent = "";
    try {
      const answer = await ask(question);
      await this.#onChanged();
      return answer;
    } catch (error) {
      fault.textContent = text(failed, messageOf(error));
      return undefined;
    }
  }
}
