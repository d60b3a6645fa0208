// In Chromium: keeps a new document from being painted until what lists hide in it is hidden.
//
// Style sheets of the user's origin come a moment after the document there.

{
  const patience = 500;
  const veil = new CSSStyleSheet();
  veil.replaceSync(":root{visibility:hidden!important}");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, veil];
  const lift = () => {
    clearTimeout(timer);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== veil);
  };
  // A background that does not answer must not keep a page from being seen.
  const timer = setTimeout(lift, patience);
  chrome.runtime.sendMessage({ type: "document" }).then(lift, lift);
}
