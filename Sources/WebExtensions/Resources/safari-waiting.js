// Waits for the global page, and then goes on to the page that needs it.

function waitForHome() {
  const api = globalThis.browser ?? globalThis.chrome;
  const path = location.search.slice(1);
  // Only a page of the extension.
  if (!/^\/[^/\\]/.test(path)) return;
  let tries = 0;
  const timer = setInterval(() => {
    tries += 1;
    const isReady = api.extension.getViews().some((/** @type {any} */ view) => {
      try {
        return Boolean(view.tickbirdHome?.global?.safari);
      } catch {
        return false;
      }
    });
    if (isReady) {
      clearInterval(timer);
      location.replace(path === "/tickbird-options.html" ? path : `${path}?tickbird=popover`);
    } else if (tries % 20 === 1) {
      // Starts the worker, which starts the global page.
      api.runtime.sendMessage({ safari: "wake" })?.catch?.(() => {});
    }
    if (tries === 100) document.body.textContent = "The extension has not started. Close this and try again.";
  }, 50);
}
