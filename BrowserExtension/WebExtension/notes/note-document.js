// In Firefox: a note as the document that comes in place of the site's answer.
//
// Nothing of the site's answer reaches a parser, so none of its scripts run and nothing of it is
// painted. The document is in a sandbox of its own, in which no other window of the site can look.

import "../shared/direction.js";
import "./note-look.js";
import { api } from "../shared/browser.js";

const escaped = (/** @type {string} */ text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * HTML of an element; every text in it is escaped.
 *
 * @param {NoteElement} element
 * @returns {string}
 */
function html([name, attributes, ...children]) {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const inner = children.map((child) => (typeof child === "string" ? escaped(child) : html(child)));
  return `<${name}${pairs.join("")}>${inner.join("")}</${name}>`;
}

/** Fields of an answer that describe the site's document, which is replaced. */
const ofDocument = new Set([
  "content-disposition", "content-security-policy", "content-security-policy-report-only",
  "content-type", "link", "refresh", "cache-control", "expires", "etag", "last-modified", "pragma",
]);

/**
 * Writes a note in place of an answer, and returns the fields that the answer has to have.
 *
 * @param {WebExt.ReceivedDetails} details
 * @param {Messages.ShownNote} note
 * @returns {WebExt.HTTPHeader[]}
 */
export function replaceAnswer({ requestId, responseHeaders }, note) {
  const { text } = tickbirdNote;
  const nonce = crypto.randomUUID();
  const page = `<!doctype html><html lang="${escaped(text("language"))}" dir="${tickbirdNote.direction()}">`
    + `<head><meta charset=utf-8><title>${escaped(text("note_title"))}</title>`
    + '<meta name=viewport content="width=device-width, initial-scale=1">'
    + '<meta name=color-scheme content="light dark">'
    + `<style nonce="${nonce}">${tickbirdNote.css}</style></head>`
    + `<body>${html(tickbirdNote.parts(note))}</body></html>`;
  const filter = api.webRequest.filterResponseData(requestId);
  filter.onstart = () => {
    filter.write(new TextEncoder().encode(page));
    filter.close();
  };
  return [
    ...responseHeaders.filter(({ name }) => !ofDocument.has(name.toLowerCase())),
    { name: "Content-Type", value: "text/html; charset=utf-8" },
    // Cached neither for the next visit nor for going back.
    { name: "Cache-Control", value: "no-store" },
    {
      name: "Content-Security-Policy",
      value: `sandbox; default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'`,
    },
  ];
}
