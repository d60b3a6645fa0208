// The stream of Shared Links, in Firefox's sidebar and Chromium's side panel.

import { api } from "../shared/browser.js";
import { byID, inputByID, isTyped, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { hostNotice, notice } from "../shared/host-notice.js";
import { fillIcons } from "../links/link-icons.js";
import { connect, onLinksChanged, webURL } from "../links/link-requests.js";
import { askHost as ask, HostRequestError } from "../shared/host-requests.js";
import { counted, localize, nodes, sentences, text } from "../shared/texts.js";
import { StreamList } from "./stream-list.js";
import { StreamSources } from "./stream-sources.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {NativeHost.Link} Link */

const pageSize = 60;
const mostAtOnce = 400;

/**
 * A link's place in the stream.
 *
 * @param {Link | undefined} item
 * @returns {NativeHost.LinkPlace | undefined}
 */
function place(item) { return item && { date: item.date, id: item.id }; }

/** The line of text above the links: counts, or for a while a message in their place. */
class StatusLine {
  #element = byID("status");
  #counts = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #hasMessage = false;

  /**
   * Shows counts, as soon as no message is in their place.
   *
   * @param {string} counts
   */
  show(counts) {
    this.#counts = counts;
    if (!this.#hasMessage) this.#element.textContent = counts;
  }

  /**
   * Shows a message in place of the counts, until `showCounts`.
   *
   * @param {string} words
   */
  hold(words) {
    clearTimeout(this.#timer);
    this.#hasMessage = true;
    this.#element.textContent = words;
  }

  /**
   * Shows a message in place of the counts for a while.
   *
   * @param {string} words
   */
  say(words) {
    this.hold(words);
    this.#timer = setTimeout(() => this.showCounts(), milliseconds.streamMessage);
  }

  /** Ends a message. */
  showCounts() {
    clearTimeout(this.#timer);
    this.#hasMessage = false;
    this.#element.textContent = this.#counts;
  }
}

/** The page: which links it shows, and how further ones are loaded. */
class Stream {
  /** The words that are searched for. */
  #words = "";
  #hasMore = false;
  /**
   * The answer that is shown.
   *
   * @type {NativeHost.LinksAnswer | null}
   */
  #latest = null;
  /** Tells the answers of the latest load from those of earlier ones. */
  #lastLoad = 0;
  #isLoading = false;
  /** Whether a load was asked for during another one. */
  #loadsAgain = false;
  #status = new StatusLine();
  #list = new StreamList(byID("days"), {
    open: (item, opening) => this.#open(item, opening),
    mark: (item, isRead) => this.#mark(item, isRead),
  });
  #sources = new StreamSources(() => this.load());
  /** Reports when the end of the list comes into reach. */
  #end = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) this.#loadMore();
  }, { root: byID("stream"), rootMargin: "400px" });

  constructor() {
    byID("more").addEventListener("click", () => this.#loadMore());
    byID("mark-all").addEventListener("click", () => this.#markAll());
    byID("refresh").addEventListener("click", () => this.#refresh(byID("refresh")));
    this.#listenToSearch();
  }

  // MARK: Loading

  /** Shows the links again, as many as are shown. */
  async load() {
    if (this.#isLoading) {
      this.#loadsAgain = true;
      return;
    }
    this.#isLoading = true;
    const number = ++this.#lastLoad;
    let hasCome = false;
    try {
      const known = ask({ type: "linkSources" });
      known.catch(() => {});
      const wanted = Math.max(this.#list.items.length, pageSize);
      /** @type {Link[]} */
      const items = [];
      /** @type {NativeHost.LinksAnswer} */
      let answer;
      do {
        answer = await ask({
          type: "links", words: this.#words, after: place(items.at(-1)),
          limit: Math.min(wanted - items.length, mostAtOnce),
        });
        items.push(...answer.items);
      } while (answer.hasMore && items.length < wanted && answer.items.length > 0);
      this.#sources.show((await known).sources);
      if (number === this.#lastLoad) this.#show(items, answer);
      byID("notices").replaceChildren(...this.#faultNotices());
      hasCome = true;
    } catch (error) {
      this.#showFault(error);
    }
    document.documentElement.dataset.shown = "true";
    await this.#finish(hasCome);
  }

  /** Shows the links behind those that are shown. */
  async #loadMore() {
    if (this.#isLoading || !this.#hasMore) return;
    const number = this.#lastLoad;
    const button = /** @type {HTMLButtonElement} */ (byID("more"));
    let hasCome = false;
    this.#isLoading = true;
    button.disabled = true;
    try {
      const answer = await ask({
        type: "links", words: this.#words, after: place(this.#list.items.at(-1)), limit: pageSize,
      });
      const shown = new Set(this.#list.items.map(({ id }) => id));
      const items = answer.items.filter(({ id }) => !shown.has(id));
      if (number === this.#lastLoad) this.#show([...this.#list.items, ...items], answer);
      hasCome = items.length > 0;
    } catch (error) {
      this.#showFault(error);
    }
    button.disabled = false;
    await this.#finish(hasCome);
  }

  /**
   * Ends a load, and starts the one that was asked for meanwhile.
   *
   * @param {boolean} hasCome whether links have come
   */
  async #finish(hasCome) {
    this.#isLoading = false;
    if (this.#loadsAgain) {
      this.#loadsAgain = false;
      await this.load();
    } else if (hasCome) {
      this.#awaitEnd();
    }
  }

  /**
   * Asks again whether the end of the list is in reach.
   *
   * The browser reports only changes: an end that came into reach while links were on their way, or
   * is still there with them, would never be reported again.
   */
  #awaitEnd() {
    this.#end.unobserve(byID("more"));
    this.#end.observe(byID("more"));
  }

  /**
   * @param {Link[]} items
   * @param {NativeHost.LinksAnswer} answer
   */
  #show(items, answer) {
    this.#latest = answer;
    this.#hasMore = answer.hasMore;
    this.#list.show(items);
    byID("more").hidden = !this.#hasMore;
    this.#showCounts();
    this.#showEmpty();
    fillIcons().catch(() => {});
  }

  // MARK: Words

  #showCounts() {
    if (!this.#latest) return;
    const { count, unread } = this.#latest;
    const hasUnread = this.#words ? this.#list.items.some(({ isRead }) => !isRead) : unread > 0;
    byID("mark-all").hidden = !hasUnread;
    byID("mark-all").textContent = text(this.#words ? "stream_mark_found" : "stream_mark_all");
    if (this.#words) this.#status.show(count ? counted("links_found", count) : "");
    else if (count === 0) this.#status.show("");
    else this.#status.show(unread ? counted("links_unread", unread) : text("stream_all_read"));
  }

  #showEmpty() {
    const empty = byID("empty");
    empty.hidden = this.#list.items.length > 0;
    if (!empty.hidden) empty.replaceChildren(...this.#emptyWords());
  }

  #emptyWords() {
    const words = (/** @type {Array<Node | string>} */ ...parts) => make("p", {}, ...parts);
    const code = (/** @type {string} */ line) => make("code", { textContent: line, dir: "ltr" });
    const heading = (/** @type {string} */ line) => make("h2", { textContent: line });
    if (this.#words) return [heading(text("stream_not_found")), words(text("stream_not_found_about"))];
    if (this.#sources.all.length === 0) {
      const button = make("button", {
        type: "button", className: "primary", textContent: text("stream_subscribe"),
      });
      button.addEventListener("click", () => this.#sources.toggle(true));
      return [
        heading(text("stream_no_sources")),
        words(text("stream_no_sources_about")),
        button,
        words(...nodes("stream_no_sources_ways", code("tickbird links add example.org"))),
      ];
    }
    return [heading(text("stream_no_links")), words(text("stream_no_links_about"))];
  }

  // MARK: Faults

  #faultNotices() {
    const { faults } = this.#sources;
    if (!faults) return [];
    const button = make("button", { type: "button", textContent: text("stream_show_faults") });
    button.addEventListener("click", () => this.#sources.toggle(true));
    const line = make("div", { className: "notice line" },
      make("span", {
        textContent: counted("stream_faults", faults),
      }), button);
    return [line];
  }

  /** @param {unknown} error */
  #showFault(error) {
    const kept = this.#list.items.length ? text("stream_older") : "";
    const tryAgain = async () => {
      await connect();
      setTimeout(() => this.load(), milliseconds.hostReconnected);
    };
    const host = error instanceof HostRequestError ? error.host : undefined;
    // A host that is connected has said itself what is wrong.
    const about = host && hostNotice(host, kept, tryAgain);
    byID("notices").replaceChildren(
      about ?? notice(text("stream_not_shown"), [messageOf(error)]));
  }

  // MARK: What the user does

  /**
   * @param {Link} item
   * @param {import("./stream-list.js").Opening} opening
   */
  async #open(item, { inTab, inBackground }) {
    const url = webURL(item.url)?.href;
    if (!url) return;
    if (!item.isRead) this.#mark(item, true);
    const [tab] = inTab ? [] : await api.tabs.query({ active: true, currentWindow: true });
    if (tab?.id !== undefined) await api.tabs.update(tab.id, { url });
    else await api.tabs.create({ url, active: !inBackground });
  }

  /**
   * @param {Link} item
   * @param {boolean} isRead
   */
  async #mark(item, isRead) {
    const set = (/** @type {boolean} */ value) => {
      if (item.isRead === value) return;
      item.isRead = value;
      if (this.#latest) this.#latest.unread += value ? -1 : 1;
      this.#list.update(item);
      this.#showCounts();
    };
    set(isRead);
    try {
      await ask({ type: "markLinks", ids: [item.id], isRead });
    } catch (error) {
      set(!isRead);
      this.#status.say(text("stream_not_marked", messageOf(error)));
    }
  }

  async #markAll() {
    const which = this.#words
      ? { ids: this.#list.items.map(({ id }) => id) } : { through: this.#latest?.time };
    try {
      await ask({ type: "markLinks", isRead: true, ...which });
      await this.load();
    } catch (error) {
      this.#status.say(text("stream_not_marked", messageOf(error)));
    }
  }

  /** @param {HTMLElement} button */
  async #refresh(button) {
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    this.#status.hold(text("stream_fetching"));
    try {
      const { new: count, failed } = await ask({ type: "refreshLinks" });
      await this.load();
      const found = count ? counted("stream_new", count) : text("stream_nothing_new");
      this.#status.say(sentences(found, failed.length ? counted("stream_not_fetched", failed.length) : ""));
    } catch (error) {
      this.#status.say(text("not_fetched", messageOf(error)));
    }
    button.setAttribute("aria-busy", "false");
  }

  // MARK: Search

  #listenToSearch() {
    const field = inputByID("search");
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let typing;
    field.addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(() => this.#search(), milliseconds.streamTyping);
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") {
        event.preventDefault();
        this.#list.focusFirst();
      } else if (event.key === "Enter") {
        clearTimeout(typing);
        this.#search();
      } else if (event.key === "Escape" && field.value) {
        event.preventDefault();
        field.value = "";
        this.#search();
      }
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || isTyped(event)) return;
      event.preventDefault();
      this.#sources.toggle(false);
      field.focus();
    });
  }

  async #search() {
    const typed = inputByID("search").value.trim();
    if (typed === this.#words) return;
    this.#words = typed;
    this.#sources.toggle(false);
    // Answers that are on their way belong to an older question.
    this.#lastLoad += 1;
    this.#list.items = [];
    this.#status.showCounts();
    await this.load();
    byID("stream").scrollTop = 0;
  }
}

localize();
const stream = new Stream();
onLinksChanged(() => stream.load());
await stream.load();
// What is due is fetched now that somebody looks; new links show by themselves.
ask({ type: "refreshLinks", isDue: true }).catch(() => {});
