// In Firefox: keeps a document's text back until what lists hide in it is hidden.
//
// The document is there by then, empty, so that nothing is painted and no script of the page runs
// before the style sheets are active.

import { api } from "./browser.js";

const patience = 1000;
const documentTypes = /^\s*(?:text\/html|application\/xhtml\+xml|image\/svg\+xml|(?:text|application)\/xml)/i;

/** Whether an answer is a document, or anything at all, which a frame will show at once. */
export function isShown({ statusCode, responseHeaders }, isOfAnyType = false) {
  if (statusCode >= 300 && statusCode < 400 || statusCode === 204 || statusCode === 205) {
    return false;
  }
  const field = (name) => responseHeaders.find((header) => header.name.toLowerCase() === name)?.value;
  return (isOfAnyType || documentTypes.test(field("content-type") ?? ""))
    && !/^\s*attachment/i.test(field("content-disposition") ?? "");
}

/**
 * Keeps the text of an answer back, and returns the function that lets it through.
 *
 * It comes through by itself when nobody has called the function in time.
 */
export function hold(requestId) {
  const filter = api.webRequest.filterResponseData(requestId);
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
  const timer = setTimeout(() => quietly(open), patience);
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

/** A stream that is gone already takes nothing more. */
function quietly(action) {
  try {
    action();
  } catch {
    // There is nobody to tell.
  }
}
