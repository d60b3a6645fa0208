// What the two browsers call differently.

/** The extension interfaces, under either name. */
export const api = globalThis.browser ?? globalThis.chrome;

/** Whether this is Firefox, where answers to requests may be promises. */
export const isFirefox = api.runtime.getURL("").startsWith("moz-extension:");

/** The toolbar button. */
export const button = api.action ?? api.browserAction;
