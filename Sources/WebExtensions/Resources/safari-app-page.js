// `safari` for the pages of an app extension.

/** @param {SafariContentSettings} settings */
function makeAppPageSafari(settings) {
  makeContentSafari(settings);
  addAttributeHandlers(globalThis);
  const api = globalThis.browser ?? globalThis.chrome;
  if (!api?.runtime?.id || new URLSearchParams(location.search).get("tickbird") !== "popover") return;
  // The background sees the pop-over open and close by this port.
  const port = api.runtime.connect({ name: "tickbird.popover" });
  port.onMessage.addListener((/** @type {any} */ message) => {
    if (message?.safari === "dismiss") window.close();
  });
}
