// The requests of a page as its documents know them, for a browser that is not asked for all of them.

import { seenLength, seenLimit } from "../deciding/journal.js";
import { withoutFragment } from "../deciding/loads.js";
import { askDocuments } from "./document-answers.js";

/** The rule language's types, by what Resource Timing says has made a request. */
const types = new Map(Object.entries({
  img: "image", image: "image", input: "image", script: "script", fetch: "fetch", xmlhttprequest: "fetch",
  beacon: "ping", video: "media", audio: "media", track: "media", iframe: "child-document", frame: "child-document",
  embed: "child-document", object: "child-document",
}));
/** Of what a style sheet or a link has asked for: by the end of its path. */
const endings = /** @type {Array<[RegExp, string]>} */ ([
  [/\.css$/i, "style-sheet"], [/\.(?:woff2?|ttf|otf|eot)$/i, "font"], [/\.m?js$/i, "script"],
  [/\.(?:png|jpe?g|gif|webp|avif|svg|ico)$/i, "image"],
]);

/**
 * The type of a request; empty where that cannot be told.
 *
 * @param {string} url
 * @param {string} initiator
 */
export function likelyType(url, initiator) {
  const known = types.get(initiator);
  if (known) return known;
  const path = url.replace(/[?#].*$/, "");
  return endings.find(([ending]) => ending.test(path))?.[1] ?? "";
}

/**
 * Adds to the requests of a page those that its documents know of.
 *
 * Documents know of their first 250 or so, of redirects the first address, and nothing of workers and WebSockets; a
 * page can make them forget.
 *
 * @param {number} tabId
 * @param {Messages.SeenRequest[]} seen those that are known
 * @returns {Promise<Messages.SeenRequest[]>}
 */
export async function withDocumentRequests(tabId, seen) {
  const known = new Set(seen.map(({ url }) => url));
  const all = [...seen];
  const answers = await askDocuments(tabId, requestsOfDocument, [seenLimit, seenLength]);
  for (const { url: address, initiator } of (answers ?? []).flatMap((found) => found ?? [])) {
    const url = withoutFragment(address);
    if (all.length >= seenLimit) break;
    if (known.has(url) || !/^(?:https?|wss?):/.test(url)) continue;
    known.add(url);
    all.push({ url, type: likelyType(url, initiator) });
  }
  return all;
}

/**
 * Runs in a document.
 *
 * @param {number} limit
 * @param {number} length the longest address
 */
function requestsOfDocument(limit, length) {
  return performance.getEntriesByType("resource").filter(({ name }) => name.length <= length).slice(0, limit)
    .map((entry) => ({
      url: entry.name, initiator: /** @type {PerformanceResourceTiming} */ (entry).initiatorType,
    }));
}
