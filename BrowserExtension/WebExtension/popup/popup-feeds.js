// The pop-up's part of Shared Links: the page's feeds, and the way to the stream.

import { api, isFirefox, tabWith } from "../shared/browser.js";
import { byID, make, makeConfirmed } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { webURL } from "../links/link-requests.js";
import { askHost as ask } from "../shared/host-requests.js";
import { counted, text } from "../shared/texts.js";
import { feedsOf } from "../links/page-feeds.js";

/** @typedef {import("../links/page-feeds.js").PageFeed} PageFeed */

/**
 * Shows the feeds that a tab's page offers, and how many links are unread.
 *
 * @param {number} tabId
 */
export async function showFeeds(tabId) {
  const tab = await tabWith(tabId);
  const page = webURL(tab?.url)?.href ?? null;
  const feeds = page ? await feedsOf(tabId) : [];
  await show(feeds, page);
  showButton(tab?.windowId);
}

/**
 * Shows the button of the stream, which opens at once on a click: later a browser would not take it for
 * the user's wish.
 *
 * @param {number | undefined} windowId
 */
function showButton(windowId) {
  const button = byID("open-stream");
  button.addEventListener("click", async () => {
    const opened = isFirefox ? api.sidebarAction.open() : api.sidePanel.open({ windowId });
    try {
      await opened;
      window.close();
    } catch (error) {
      byID("feeds-fault").textContent = text("stream_not_opened", messageOf(error));
    }
  });
  button.hidden = !isFirefox && windowId === undefined;
}

/**
 * @param {PageFeed[]} feeds
 * @param {string | null} page
 */
async function show(feeds, page) {
  const section = byID("feeds");
  /** @type {NativeHost.LinkSourcesAnswer} */
  let known;
  try {
    known = await ask({ type: "linkSources", addresses: feeds.map(({ address }) => address) });
  } catch {
    // A notice above says what is wrong with the host.
    section.hidden = true;
    return;
  }
  const unread = known.sources.reduce((sum, source) => sum + source.unread, 0);
  byID("open-stream-count").textContent = unread ? counted("links_unread", unread) : "";
  section.hidden = feeds.length === 0;
  byID("feeds-title").textContent = feeds.length > 1
    ? counted("feeds_title_several", feeds.length) : text("feeds_title");
  byID("feed-rows").replaceChildren(...feeds.map((feed) => row(feed, page, known, feeds)));
}

/**
 * @param {PageFeed} feed
 * @param {string | null} page
 * @param {NativeHost.LinkSourcesAnswer} known
 * @param {PageFeed[]} feeds
 */
function row(feed, page, { sources, subscribed }, feeds) {
  const source = sources.find(({ id }) => id === subscribed[feed.address]);
  const url = new URL(feed.address);
  /**
   * @param {HTMLButtonElement} button
   * @param {string} words what it says meanwhile
   * @param {NativeHost.LinkQuestion} question
   * @param {string} failed the key of what has not been done if it fails
   */
  const act = async (button, words, question, failed) => {
    byID("feeds-fault").textContent = "";
    Object.assign(button, { disabled: true, textContent: words });
    try {
      await ask(question);
    } catch (error) {
      byID("feeds-fault").textContent = text(failed, messageOf(error));
    }
    await show(feeds, page);
  };
  /** @type {HTMLButtonElement} */
  let button;
  if (source) {
    button = makeConfirmed(text("unsubscribe"), counted("unsubscribe_question", source.links), (pressed) =>
      act(pressed, text("unsubscribing"), { type: "unsubscribe", source: source.id }, "not_removed"));
  } else {
    const subscribe =
      make("button", { type: "button", className: "primary", textContent: text("subscribe") });
    subscribe.addEventListener("click", () => act(subscribe, text("subscribing"),
      { type: "subscribe", address: feed.address, page }, "not_subscribed"));
    button = subscribe;
  }
  const name = source?.title || feed.title || url.host;
  const state = source ? counted("feed_subscribed", source.links) : `${url.host}${url.pathname}`;
  button.setAttribute("aria-description", name);
  return make("li", {},
    make("span", { className: "what" },
      make("span", { className: "name", textContent: name, title: feed.address, dir: "auto" }),
      make("span", { className: "note", textContent: state, dir: source ? "auto" : "ltr" })),
    button);
}
