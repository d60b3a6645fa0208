// How the extension's pages ask about Shared Links.

import { api } from "./browser.js";

/** Why there is no answer; `host` is the native host's `{state, message}`, if it was asked. */
export class LinkRequestError extends Error {
  constructor(message, host) {
    super(message);
    this.name = "LinkRequestError";
    this.host = host;
  }}

/** Asks the native host by way of the background. */
export async function ask(message) {
  const answer = await api.runtime.sendMessage(message);
  if (answer?.error) throw new LinkRequestError(answer.error, answer.host);
  return answer;
}

/** Calls a function whenever there may be other links. */
export function onLinksChanged(call) {
  api.runtime.onMessage.addListener((message) => {
    if (message?.type === "linksChanged") call();
    // Nothing is answered.
    return undefined;
  });
}

/** Connects to the host again now. */
export function connect() { return api.runtime.sendMessage({ type: "connect" }); }

/** A URL that a link may have; null for all but http and https. */
export function webURL(text) {
  try {
    const url = new URL(text);
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  } catch {
    return null;
  }
}
