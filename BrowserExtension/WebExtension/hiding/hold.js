// In Firefox: holds a document's text back until the style sheets that hide parts of it are inserted.
//
// The document exists by then, but is empty: nothing is painted and no script of the page runs before
// the style sheets are active.

import { api } from "../shared/browser.js";
import { isWithoutContent } from "../deciding/loads.js";
import { milliseconds } from "../shared/timings.js";

const documentTypes = /^\s*(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|(?:text|application)\/xml)/i;

/**
 * Whether an answer sends a request on to another address.
 *
 * @param {{ statusCode: number }} details
 */
export function isRedirect({ statusCode }) { return statusCode >= 300 && statusCode < 400; }

/**
 * Whether a frame will show an answer, going by its fields.
 *
 * @param {Pick<WebExt.ReceivedDetails, "statusCode" | "responseHeaders">} details
 * @param {boolean} isOfAnyType whether other types count as well as documents
 */
export function isShown({ statusCode, responseHeaders }, isOfAnyType = false) {
  if (isRedirect({ statusCode }) || isWithoutContent({ statusCode })) return false;
  const field = (/** @type {string} */ name) =>
    responseHeaders.find((header) => header.name.toLowerCase() === name)?.value;
  return (isOfAnyType || documentTypes.test(field("content-type") ?? ""))
    && !/^\s*attachment/i.test(field("content-disposition") ?? "");
}

/**
 * Holds the text of an answer back, and returns the function that releases it.
 *
 * After `milliseconds.documentHold` it is released anyway.
 *
 * @param {string} requestId
 */
export function hold(requestId) {
  const filter = api.webRequest.filterResponseData(requestId);
  /** @type {ArrayBuffer[]} */
  const kept = [];
  let isOpen = false;
  let isEnded = false;
  const open = () => {
    if (isOpen) return;
    isOpen = true;
    clearTimeout(timer);
    for (const data of kept) filter.write(data);
    if (isEnded) filter.close();
    else filter.disconnect();
  };
  const timer = setTimeout(() => quietly(open), milliseconds.documentHold);
  filter.ondata = ({ data }) => {
    if (isOpen) filter.write(data);
    else kept.push(data);
  };
  filter.onstop = () => {
    isEnded = true;
    if (isOpen) filter.close();
  };
  filter.onerror = () => {
    isOpen = true;
    clearTimeout(timer);
  };
  return () => quietly(open);
}

/**
 * Does something to a stream that may have ended; then it fails, and nothing is left to do.
 *
 * @param {() => void} action
 */
function quietly(action) {
  try {
    action();
  } catch {
    // The request was aborted.
  }
}
