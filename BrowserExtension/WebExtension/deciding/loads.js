// A browser's request as the engine's load: which type, which page, which frame.

import { isSample, sampleLoad } from "../first-run/samples.js";

/** The rule language's types, by the browsers'. */
const types = new Map(Object.entries({
  main_frame: "top-document",
  sub_frame: "child-document",
  // Documents in a frame of their own; what turns out to be an image was asked for as one.
  object: "child-document",
  object_subrequest: "other",
  image: "image",
  imageset: "image",
  stylesheet: "style-sheet",
  xslt: "style-sheet",
  script: "script",
  json: "script",
  font: "font",
  media: "media",
  ping: "ping",
  // Firefox's name for sendBeacon.
  beacon: "other",
  xmlhttprequest: "fetch",
  websocket: "websocket",
  csp_report: "csp-report",
  web_manifest: "other",
  webtransport: "other",
  webbundle: "other",
  xml_dtd: "other",
  speculative: "other",
  other: "other",
}));

/**
 * The resource type of a request, by the rule language's word.
 *
 * @param {Pick<WebExt.RequestDetails, "type">} details
 */
export function resourceType(details) {
  return types.get(details.type) ?? "other";
}

/** The browsers' types of requests for the documents of frames. */
export const frameTypes = ["main_frame", "sub_frame"];

/**
 * Whether the request is for the document of a frame.
 *
 * @param {Pick<WebExt.RequestDetails, "type">} details
 */
export function isDocument(details) {
  return frameTypes.includes(details.type);
}

/**
 * Whether what a request brings may be shown as a document.
 *
 * @param {Pick<WebExt.RequestDetails, "type">} details
 */
export function mayBeDocument(details) { return isDocument(details) || details.type === "object"; }

/**
 * Whether an answer leaves the document that was there.
 *
 * @param {{ statusCode: number }} details
 */
export function isWithoutContent({ statusCode }) { return statusCode === 204 || statusCode === 205; }

/**
 * A URL without its fragment.
 *
 * @param {string} url
 */
export function withoutFragment(url) {
  const hash = url.indexOf("#");
  return hash < 0 ? url : url.slice(0, hash);
}

/**
 * Whether an address holds another one, as in its query: conditions on domains are met by that, too.
 *
 * @param {string} url
 */
export function holdsAddress(url) {
  const scheme = url.indexOf("://");
  return scheme >= 0 && url.indexOf("://", scheme + 3) >= 0;
}

/** Whether an address belongs to the browser or an extension, whose loads are not looked at. */
export const isOwn = (/** @type {string} */ url) => /^(?:about|chrome|chrome-extension|moz-extension|resource|devtools):/
  .test(url) && !/^about:(?:blank|srcdoc)/.test(url);

/**
 * The engine's load for a request; null for one that is not looked at.
 *
 * What Firefox says of a request's document is preferred; Chromium names only its origin.
 *
 * @param {WebExt.RequestDetails} details
 * @param {import("./tabs.js").Tabs} tabs knows the documents of all frames
 * @returns {Load | null}
 */
export function loadOf(details, tabs) {
  const type = resourceType(details);
  const { url, frameId } = details;
  if (details.type === "main_frame") {
    const old = tabs.shown(details.tabId).top;
    return {
      url, topURL: withoutFragment(url), frameURL: old?.url ?? url, type,
      isTopFrame: true, method: details.method,
    };
  }
  const starter = details.documentUrl ?? details.initiator ?? details.originUrl;
  if (starter && isOwn(starter)) return isSample(details, starter) ? sampleLoad(url) : null;
  if (details.tabId < 0) {
    // Workers that outlive their pages; the browser's own requests name nobody.
    const origin = starter && starter !== "null" ? new URL(starter).href : null;
    if (!origin) return null;
    return { url, topURL: origin, frameURL: origin, type, isTopFrame: false, method: "GET" };
  }
  const top = tabs.top(details);
  if (!top) return null;
  if (isOwn(top.url)) return null;
  if (details.type === "sub_frame") {
    const old = tabs.frame(details);
    return {
      url, topURL: top.url, frameURL: old?.url ?? "about:blank", type,
      isTopFrame: false, method: details.method,
    };
  }
  const frame = tabs.document(details) ?? unknownFrame(details, top);
  return {
    url, topURL: top.url, frameURL: frame.url, type, isTopFrame: tabs.page(details).isTop(frameId),
    method: frame.method,
  };
}

/**
 * What stands for the document of a frame that is not known: its origin, which Chromium names, if that is another than
 * the page's.
 *
 * @param {WebExt.RequestDetails} details
 * @param {{ url: string, method?: string }} top the page's document
 */
function unknownFrame({ initiator }, top) {
  if (!initiator || initiator === "null" || withoutFragment(top.url).startsWith(`${initiator}/`)) return top;
  return { url: new URL(initiator).href };
}
