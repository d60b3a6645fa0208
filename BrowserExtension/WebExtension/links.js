// Shared Links in the background: what the extension's pages ask is passed on to the native host.

import { api } from "./browser.js";

/** What may be asked, with the longest time for the answer in milliseconds. */
const times = new Map([
  ["links", 30000], ["linkIcons", 30000], ["linkSources", 30000], ["markLinks", 60000],
  ["unsubscribe", 60000],
  // A page and a feed, and many feeds; each may take half a minute.
  ["subscribe", 120000], ["refreshLinks", 900000],
]);

/** Whether a message of a page is about links. */
export function isAboutLinks(message) { return times.has(message?.type); }

/** The host's answer; `{error, host?}` if it has none or says no, `host` with its state. */
export async function answerAboutLinks(message, { host, fault }) {
  if (!host) return { error: fault ?? "Tickbird is still starting" };
  try {
    return await host.ask(message, times.get(message.type));
  } catch (error) {
    return { error: error.message, host: { state: host.state, message: host.message } };
  }
}

/** Tells the extension's open pages that there may be other links. */
export function tellOfLinks() {
  // Nobody may listen.
  Promise.resolve(api.runtime.sendMessage({ type: "linksChanged" })).catch(() => {});
}
