// Keeps a new document from being painted until what lists hide in it is hidden, and until a note is
// in its place, if there is one.
//
// In Chromium style sheets of the user's origin are inserted a moment after the document. In Firefox
// that is so for documents that are not fetched; all others are held back, see hold.js.

{
  /** A background that does not answer must not keep a page invisible. */
  const answerMilliseconds = 500;
  /** Nor must a document that does not come: the person may stop it, or the server send none. */
  const reloadMilliseconds = 3000;

  const isFirefox = globalThis.browser?.runtime.getURL("").startsWith("moz-extension:") ?? false;
  const api = globalThis.browser ?? globalThis.chrome;
  const isTop = window === window.top;

  /**
   * Makes the document invisible, and returns the function that makes it visible again.
   *
   * @returns {() => void}
   */
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

  /** @type {(() => void) | null} */
  let unveil = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const lift = () => {
    clearTimeout(timer);
    unveil?.();
    unveil = null;
  };
  const liftAfter = (/** @type {number} */ limit) => {
    clearTimeout(timer);
    timer = setTimeout(lift, limit);
  };

  /**
   * Asks the background about the document, and does what it says; then the document becomes visible.
   *
   * @param {boolean} isBack whether the document comes out of the back-forward cache
   */
  const ask = (isBack) => {
    liftAfter(answerMilliseconds);
    const end = (/** @type {Messages.DocumentAnswer | null} */ answer) => {
      if (answer?.reload) {
        liftAfter(reloadMilliseconds);
        location.reload();
        return;
      }
      try {
        if (answer?.note) globalThis.tickbirdNote?.show(answer.note);
        if (answer?.isNoted) veilWhenLeft();
      } finally {
        lift();
      }
    };
    /** @type {Messages.FromDocuments} */
    const message = { type: "document", isBack };
    /** @type {Promise<Messages.DocumentAnswer>} */
    const answered = api.runtime.sendMessage(message);
    answered.then(end, () => end(null));
  };

  let isVeiledWhenLeft = false;

  /**
   * Makes the document invisible when it goes into the back-forward cache: its note may be due when it comes
   * back.
   *
   * Only where there is a note: a document that listens to its own end cost its process twice the time.
   */
  const veilWhenLeft = () => {
    if (isVeiledWhenLeft) return;
    isVeiledWhenLeft = true;
    window.addEventListener("pagehide", (event) => {
      // It may be invisible still.
      if (event.isTrusted && event.persisted) unveil ??= veil();
    });
  };

  if (!isFirefox || location.protocol === "about:" && document.documentElement) {
    unveil = veil();
    if (document.prerendering && isTop) {
      // Nobody sees it yet, and perhaps nobody will.
      document.addEventListener("prerenderingchange", () => ask(false), { once: true });
    } else {
      ask(false);
    }
    if (isTop && !isFirefox) {
      // A page that comes out of the back-forward cache may have a note by now.
      window.addEventListener("pageshow", (event) => {
        if (event.isTrusted && event.persisted) ask(true);
      });
    }
  }
}
