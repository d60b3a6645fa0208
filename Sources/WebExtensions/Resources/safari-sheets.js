// Style sheets above the page's own, as Safari has them. Chromium's manifest has none.

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
