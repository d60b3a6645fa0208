// What the first page asks for to show a block: addresses of advertising that common lists block.
//
// A request of the first page for one of them is decided as an image on a page of this name would be; all
// else that the extension's pages load is left alone. It is made only when the lists block it, so that
// nobody is told that a person has installed Tickbird.

import { api } from "../shared/browser.js";

/** The page on which the samples are decided; nobody can have it (RFC 2606). */
export const samplePage = "https://first-page.example/";

/** The addresses, whose hosts the manifests' security policies allow for images. */
export const samples = Object.freeze([
  "https://ad.doubleclick.net/ddm/ad",
  "https://www.google-analytics.com/collect",
]);

/**
 * The engine's load for a sample.
 *
 * @param {string} url
 * @returns {Load}
 */
export const sampleLoad = (url) => ({
  url, topURL: samplePage, frameURL: samplePage, type: "image", isTopFrame: true, method: "GET",
});

/**
 * Whether a request is the first page's for a sample.
 *
 * @param {Pick<WebExt.RequestDetails, "url" | "type">} details
 * @param {string} starter the document that it comes from, or its origin
 */
export const isSample = ({ url, type }, starter) =>
  type === "image" && samples.includes(url) && `${starter}/`.startsWith(api.runtime.getURL(""));
