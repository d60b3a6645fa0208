// What a person's choices for a site do to the loads of its pages, where the extension decides itself;
// for an ordinary Chromium, `site-rules.js` says the same by the browser's rules.

import { api, isFirefox } from "../shared/browser.js";
import { loadOf } from "./loads.js";

/** @typedef {import("../shared/site-choices.js").Choice} Choice */
/** @typedef {import("./engine.js").Decision} Decision */

/** What stands before a choice where a list's identifier is expected; no list has such a one. */
export const choiceList = "choice:";

/** The policy of documents whose scripts do not run. It comes in addition to the site's own. */
export const noScripts = "script-src 'none'";

/** From how many bytes on a picture, film or sound is large: what uBlock Origin takes for large. */
export const largeSize = 50_000;

/** The browsers' types of documents, which a policy is for. */
export const documentTypes = ["main_frame", "sub_frame", "object"];
/** Those of what may be large. */
export const mediaTypes = ["image", "media"];

/**
 * Changes what lists do to a load to what the choices for its page's site say.
 *
 * @param {ReadonlySet<Choice>} choices
 * @param {Load} load
 * @param {Decision} decision
 * @returns {boolean} whether the load is looked at; what comes from a relaxed site itself is not, unless it
 *   is of a kind that is not to be loaded
 */
export function applyChoices(choices, load, decision) {
  if (choices.size === 0) return true;
  const { isFirstParty } = decision;
  const isScript = load.type === "script";
  /** What was chosen not to load, whoever sends it. */
  const isUnwanted = load.type === "font" && choices.has("fonts") || isScript && choices.has("scripts");
  if (isFirstParty && choices.has("relaxed")) {
    if (!isUnwanted) return false;
    // The lists have no say.
    Object.assign(decision, { isBlocked: false, blocksCookies: false, makesHTTPS: false, actions: [] });
  }
  if (choices.has("shown") || choices.has("relaxed")) {
    decision.sheets = [];
    decision.hidings = [];
    decision.actions = decision.actions.filter(({ kind }) => kind !== "css-display-none");
  }
  /** @type {Choice | null} */
  const choice = isUnwanted ? isScript ? "scripts" : "fonts"
    : (isScript || load.type === "child-document") && !isFirstParty && choices.has("strict") ? "strict"
    : null;
  // A list that blocks it as well is what is named.
  if (choice && !decision.isBlocked) decision.choice = choice;
  if (choice) decision.isBlocked = true;
  if (!isFirstParty && choices.has("cookies")) decision.blocksCookies = true;
  return true;
}

/**
 * Whether an answer is large: by its length, or that of the whole of which it is a part. Films and sounds
 * that do not say their length count as large.
 *
 * @param {Pick<WebExt.ReceivedDetails, "type" | "responseHeaders">} details
 */
export function isLarge({ type, responseHeaders }) {
  const field = (/** @type {string} */ name) =>
    responseHeaders.find((header) => header.name.toLowerCase() === name)?.value ?? "";
  const whole = /\/\s*(\d+)\s*$/.exec(field("content-range"))?.[1];
  const length = /^\s*(\d+)\s*$/.exec(field("content-length"))?.[1];
  const sizes = [whole, length].flatMap((size) => (size === undefined ? [] : Number(size)));
  return sizes.length === 0 ? type === "media" : Math.max(...sizes) >= largeSize;
}

/** Changes and stops answers, as the choices for sites say; listens only while one needs it. */
export class SiteEffects {
  /**
   * What decides; null until it has started.
   *
   * @type {import("./matcher.js").Matcher | null}
   */
  matcher = null;
  #tabs;
  #media;

  /**
   * @param {import("./tabs.js").Tabs} tabs
   * @param {import("../media/large-media.js").LargeMedia} media
   */
  constructor(tabs, media) {
    this.#tabs = tabs;
    this.#media = media;
  }

  /** @param {WebExt.RequestDetails} details */
  #choices(details) {
    const load = loadOf(details, this.#tabs);
    return load && this.matcher?.choices(load.topURL, details.tabId);
  }

  /** @type {WebExt.BlockingListener<WebExt.ReceivedDetails>} */
  #policy = (details) => {
    if (!this.#choices(details)?.has("scripts")) return {};
    return {
      responseHeaders: [
        ...details.responseHeaders, { name: "Content-Security-Policy", value: noScripts },
      ],
    };
  };

  /** @type {WebExt.BlockingListener<WebExt.ReceivedDetails>} */
  #limit = (details) => {
    if (this.#media.isLoaded(details) || !isLarge(details) || !this.#choices(details)?.has("media")) return {};
    this.#media.stopped(details);
    return { cancel: true };
  };

  /**
   * Listens to those events that the choices need: each listener costs a way to this process and back.
   *
   * @param {import("../shared/site-choices.js").SiteChoices} choices
   */
  listenAsNeeded(choices) {
    const { onHeadersReceived } = api.webRequest;
    /**
     * @param {WebExt.BlockingListener<WebExt.ReceivedDetails>} listener
     * @param {Choice} choice
     * @param {string[]} types
     */
    const listen = (listener, choice, types) => {
      if (choices.has(choice) === onHeadersReceived.hasListener(listener)) return;
      if (onHeadersReceived.hasListener(listener)) onHeadersReceived.removeListener(listener);
      else {
        onHeadersReceived.addListener(listener, { urls: ["<all_urls>"], types },
          ["blocking", "responseHeaders"]);
      }
    };
    listen(this.#policy, "scripts", documentTypes);
    // Firefox's name for pictures of which a page offers several.
    listen(this.#limit, "media", [...mediaTypes, ...(isFirefox ? ["imageset"] : [])]);
  }
}
