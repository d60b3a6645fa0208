// What Chromium does in pages for the scripts there: style sheets above the page's own, and scripts in
// the page's own world.

/**
 * @param {any} api @param {SafariAccess} access
 * @param {Array<SafariPages & {path: string}>} sheets
 */
function keepStyleSheets(api, access, sheets) {
  if (sheets.length === 0 || !api.scripting?.insertCSS) return;
  api.webNavigation.onCommitted.addListener((/** @type {any} */ details) => {
    if (!/^https?:/.test(details.url) || !canAccess(access, details.url)) return;
    const files = sheets.filter((sheet) => isPage(sheet, details.url)).map((sheet) => sheet.path);
    if (files.length === 0) return;
    const target = details.documentId
      ? { tabId: details.tabId, documentIds: [details.documentId] }
      : { tabId: details.tabId, frameIds: [details.frameId] };
    // The document may be gone before this arrives.
    api.scripting.insertCSS({ target, files, origin: "USER" }).catch(() => {});
  });
}

/**
 * Runs what scripts of the extension put into documents; the page's own policy decides whether it may.
 *
 * @param {any} api
 */
function runPageScripts(api) {
  if (!api.scripting?.executeScript) return;
  api.runtime.onMessage.addListener((/** @type {any} */ sent, /** @type {any} */ sender) => {
    if (sent?.safari !== "runInPage" || sender.id !== api.runtime.id || !sender.tab) return;
    const target = sender.documentId
      ? { tabId: sender.tab.id, documentIds: [sender.documentId] }
      : { tabId: sender.tab.id, frameIds: [sender.frameId] };
    const func = (/** @type {string} */ code) => {
      const script = document.createElement("script");
      script.textContent = code;
      document.documentElement.append(script);
      script.remove();
    };
    const args = [String(sent.code)];
    api.scripting.executeScript({ target, func, args, world: "MAIN", injectImmediately: true }).catch(() => {});
  });
}
