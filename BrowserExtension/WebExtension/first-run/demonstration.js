// In the background: which sample the lists block, and what became of the first page's request for it.

import { api } from "../shared/browser.js";
import { isSample, sampleLoad, samples } from "./samples.js";

/** The browsers' words for a request that an extension, or its rules, have stopped. */
const stopped = /ERR_BLOCKED_BY_CLIENT|NS_ERROR_ABORT/;

/**
 * Whether Chromium's own rules block the first page's request for a sample.
 *
 * Chromium says so to extensions that were loaded by hand, and no other is without leave to block.
 *
 * @param {string} url
 */
async function isBlockedByRules(url) {
  const { declarativeNetRequest: rules } = api;
  if (!rules.testMatchOutcome) return false;
  const { matchedRules } = await rules.testMatchOutcome({
    url, type: "image", initiator: api.runtime.getURL(""),
  });
  for (const { ruleId, rulesetId } of matchedRules) {
    const wanted = { ruleIds: [ruleId] };
    const [rule] = await (rulesetId === "_session" ? rules.getSessionRules(wanted) : rules.getDynamicRules(wanted));
    if (rule?.action.type === "block") return true;
  }
  return false;
}

/**
 * The demonstration of the first page.
 *
 * It is in memory alone: a background that starts again knows of no request, and the page tries again.
 */
export class Demonstration {
  /**
   * What has become of requests, by their addresses.
   *
   * @type {Map<string, "blocked" | "passed">}
   */
  #fates = new Map();
  #isListening = false;

  /**
   * The first sample that the lists block, with the rule that does it; null if none is blocked yet.
   *
   * @param {Pick<import("../background.js").Background, "matcher" | "canBlock">} background
   * @returns {Promise<Messages.BlockedSample | null>}
   */
  async sample({ matcher, canBlock }) {
    if (!matcher) return null;
    for (const url of samples) {
      const decision = matcher.decide(sampleLoad(url), -1);
      if (!decision?.isBlocked) continue;
      // Where the browser's own rules block, theirs may come later.
      if (!canBlock && !await isBlockedByRules(url)) continue;
      for (const { kind, list: handle, rules } of decision.actions) {
        const list = matcher.lists.withHandle(handle);
        if (kind !== "block" || !list || rules.length === 0) continue;
        await matcher.texts.know();
        this.#listen();
        this.#fates.delete(url);
        const { identifier, name } = list;
        return { url, identifier, name, number: rules[0], line: matcher.texts.line(list, rules[0]) };
      }
    }
    return null;
  }

  /**
   * What became of the request for a sample; null as long as it is on its way.
   *
   * @param {string} url
   */
  fate(url) { return this.#fates.get(url) ?? null; }

  #listen() {
    if (this.#isListening) return;
    this.#isListening = true;
    const filter = { urls: [...samples] };
    // Other pages may ask for the same addresses.
    const end = (/** @type {WebExt.RequestDetails} */ details, /** @type {"blocked" | "passed"} */ fate) => {
      const starter = details.documentUrl ?? details.initiator ?? details.originUrl ?? "";
      if (isSample(details, starter)) this.#fates.set(details.url, fate);
    };
    api.webRequest.onErrorOccurred.addListener((details) =>
      end(details, stopped.test(details.error) ? "blocked" : "passed"), filter);
    api.webRequest.onCompleted.addListener((details) => end(details, "passed"), filter);
  }
}
