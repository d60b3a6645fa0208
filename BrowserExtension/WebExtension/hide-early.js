// Keeps a new document from being painted until what lists hide in it is hidden.
//
// In Chromium style sheets of the user's origin come a moment after the document. In Firefox that
// is so for documents that are not fetched; all others are kept back, see hold.js.

{
  const isFirefox = globalThis.browser?.runtime.getURL("").startsWith("moz-extension:") ?? false;
  const api = globalThis.browser ?? globalThis.chrome;
  const patience = 500;

  /** Makes the document invisible, and returns the function that ends it. */
  const veil = () => {
    if (!isFirefox) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(":root{visibility:hidden!important}");
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      return () => {
        document.adoptedStyleSheets =
          document.adoptedStyleSheets.filter((each) => each !== sheet);
      };
    }
    // Firefox keeps such sheets of extensions out of documents.
    const { style } = document.documentElement;
    style.setProperty("visibility", "hidden", "important");
    return () => {
      style.removeProperty("visibility");
      if (style.length === 0) document.documentElement.removeAttribute("style");
    };
  };

  if (!isFirefox || location.protocol === "about:" && document.documentElement) {
    const lift = veil();
    // A background that does not answer must not keep a page from being seen.
    const timer = setTimeout(lift, patience);
    const end = () => {
      clearTimeout(timer);
      lift();
    };
    api.runtime.sendMessage({ type: "document" }).then(end, end);
  }
}
