// `safari` for the pages of an app extension.

/** @param {SafariContentSettings} settings */
function makeAppPageSafari(settings) {
  const api = globalThis.browser ?? globalThis.chrome;
  makeContentSafari(settings);
  addAttributeHandlers(globalThis);
  hideBrowserInterfaces();
  if (!api?.runtime?.id || new URLSearchParams(location.search).get("tickbird") !== "popover") return;
  // The background sees the pop-over open and close by this port.
  const port = api.runtime.connect({ name: "tickbird.popover" });
  port.onMessage.addListener((/** @type {any} */ message) => {
    if (message?.safari === "dismiss") window.close();
  });
}
