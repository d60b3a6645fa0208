// In documents: puts a note in place of the page, and tells the background what was chosen.
//
// The elements are in a closed shadow root, so that no script of the site can read them.

if (!tickbirdNote.show) {
  /** How many times a page may change the document that has its note before it loses its scripts. */
  const toleratedDisturbances = 3;
  /** How long the document may be wrong before it is put right. */
  const tidyMilliseconds = 20;
  /** How often it is looked at whether styles have changed, which no observer reports. */
  const watchMilliseconds = 250;

  const { page } = tickbirdNote;
  const api = globalThis.browser ?? globalThis.chrome;
  const isFirefox = api.runtime.getURL("").startsWith("moz-extension:");

  /** Sends the background a message; one that is not taken is lost. */
  const send = (/** @type {Messages.FromDocuments} */ message) =>
    api.runtime.sendMessage(message).catch(() => {});

  /**
   * Makes an HTML element, also in documents that are not HTML, as pictures may be.
   *
   * @param {string} name
   * @returns {HTMLElement}
   */
  const create = (name) => /** @type {HTMLElement} */ (
    page("createElementNS")("http://www.w3.org/1999/xhtml", name));

  /**
   * Puts these elements in place of everything in the document.
   *
   * @param {HTMLElement[]} contents
   */
  const emptyDocument = (...contents) => {
    const root = create("html");
    const body = create("body");
    body.append(...contents);
    root.append(create("head"), body);
    // Not replaceChildren(): a document may not have two roots even then.
    for (let last = page("lastChild"); last; last = page("lastChild")) last.remove();
    page("append")(root);
  };

  /** Ends the page that is being loaded; its URL stays. Each browser has a way of its own that works. */
  const replaceDocument = () => {
    if (isFirefox) {
      // document.open() throws there.
      window.stop();
      emptyDocument();
    } else if (document instanceof XMLDocument) {
      emptyDocument();
    } else {
      // After window.stop() half of the pages would not be painted.
      page("open")();
      page("close")();
    }
  };

  /**
   * Makes elements; text stays text.
   *
   * @param {NoteElement} element
   * @returns {HTMLElement}
   */
  const make = ([name, attributes, ...children]) => {
    const element = create(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children.map((child) => (typeof child === "string" ? child : make(child))));
    return element;
  };

  /**
   * Lets the buttons of a note act; only what a person does counts. False if there is no note.
   *
   * @param {ParentNode} root
   * @param {boolean} isInPlace whether the note is in place of the page, and not above it
   */
  const listen = (root = document, isInPlace = true) => {
    /** @type {HTMLButtonElement | null} */
    const leave = root.querySelector(".tickbird-note button.leave");
    /** @type {HTMLButtonElement | null} */
    const view = root.querySelector("button.view");
    if (!leave || !view) return false;
    const buttons = [leave, view];
    for (const button of buttons) {
      button.addEventListener("click", (event) => {
        // What is painted over the note could have led the click here.
        if (!event.isTrusted || tickbirdNote.isFront?.() === false) return;
        for (const each of buttons) each.disabled = true;
        const choice = button === leave ? "leave" : "view";
        const again = () => {
          for (const each of buttons) each.disabled = each.dataset.wait !== undefined;
        };
        send({ type: "note", choice }).then(again, again);
      });
    }
    tickbirdNote.countDown(view);
    // What is under a note that comes back from the browser's memory may have changed.
    window.addEventListener("pageshow", (event) => {
      if (event.isTrusted && event.persisted) location.reload();
    });
    if (isInPlace) {
      tickbirdNote.isShown = true;
      leave.focus({ preventScroll: true });
    }
    return true;
  };

  /**
   * The shadow root of an element, closed ones too; null if it has none.
   *
   * @param {Element} element
   * @returns {ShadowRoot | null}
   */
  const shadowRootOf = (element) => (isFirefox ? element.openOrClosedShadowRoot
    : element instanceof HTMLElement ? api.dom.openOrClosedShadowRoot(element) : null);

  const knowsTransitions = CSS.supports("selector(:active-view-transition)");
  /** Whether the page is painted as it was before, above all elements. */
  const isInTransition = () =>
    knowsTransitions && page("documentElement").matches(":active-view-transition");

  /**
   * Gives a shadow root a style.
   *
   * @param {ShadowRoot} root
   * @param {string} text
   */
  const addStyle = (root, text) => {
    if (isFirefox) {
      // Firefox keeps constructed sheets of extensions out of documents.
      const style = create("style");
      style.textContent = text;
      root.append(style);
    } else {
      root.adoptedStyleSheets = [sheet(text)];
    }
  };

  const sheet = (/** @type {string} */ text) => {
    const made = new CSSStyleSheet();
    made.replaceSync(text);
    return made;
  };

  const hostStyle = `:host {
    all: initial !important; position: fixed !important; inset: 0 !important;
    display: block !important; width: 100% !important; height: 100% !important;
    visibility: visible !important; opacity: 1 !important;
  }`;

  /**
   * Makes a note's element, with a function that says whether its buttons still act.
   *
   * @param {Messages.ShownNote} note
   */
  const makeHost = (note) => {
    const host = create("div");
    host.popover = "manual";
    const root = host.attachShadow({ mode: "closed", delegatesFocus: true });
    addStyle(root, tickbirdNote.css + hostStyle);
    root.append(make(tickbirdNote.parts(note, true)));
    let hears = false;
    root.addEventListener("tickbird-hear", () => { hears = true; });
    const acts = () => {
      hears = false;
      root.dispatchEvent(new Event("tickbird-hear"));
      return hears;
    };
    return { host, root, acts };
  };

  /**
   * Puts a note in place of the page, once, and keeps it there.
   *
   * @param {Messages.ShownNote} note
   */
  const show = (note) => {
    if (tickbirdNote.isShown) return;
    tickbirdNote.isShown = true;
    replaceDocument();
    const scheme = isFirefox ? null : sheet(":root { color-scheme: light dark !important }");
    const adoptScheme = () => {
      if (scheme) document.adoptedStyleSheets = [scheme];
    };
    adoptScheme();
    page("documentElement").lang = tickbirdNote.text("language");
    page("documentElement").dir = tickbirdNote.direction();
    document.title = tickbirdNote.text("note_title");
    const viewport = create("meta");
    viewport.setAttribute("name", "viewport");
    viewport.setAttribute("content", "width=device-width, initial-scale=1");
    page("head").append(viewport);
    let shown = makeHost(note);
    const place = () => {
      shown.host.showPopover();
      listen(shown.root);
    };
    page("body").append(shown.host);
    place();
    // Scripts of the page that ran before may still change the document; the note stays.
    let size = page("getElementsByTagName")("*").length;
    // In shadow roots of the page's, which no observer reports, there could be a page again.
    const hasOtherRoots = () => [...page("getElementsByTagName")("*")]
      .some((each) => each !== shown.host && shadowRootOf(each));
    const isRight = () => {
      const { host, acts } = shown;
      return host.parentElement !== null && host.parentElement === page("body")
        && page("getElementsByTagName")("*").length === size && host.matches(":popover-open")
        && host.checkVisibility() && page("adoptedStyleSheets").length < 2 && !hasOtherRoots()
        && !isInTransition() && acts();
    };
    let disturbances = 0;
    const tidy = () => {
      if (isRight()) return;
      disturbances += 1;
      // A page that goes on would fight the note for ever, so it is loaded again without its scripts.
      if (disturbances % toleratedDisturbances === 0) {
        send({ type: "note-disturbed" });
      }
      // document.open() removes all listeners.
      const isWhole = shown.acts();
      if (!isWhole) shown = makeHost(note);
      adoptScheme();
      emptyDocument(shown.host);
      size = page("getElementsByTagName")("*").length;
      if (isWhole) shown.host.showPopover();
      else place();
    };
    let isTidying = false;
    new MutationObserver(() => {
      // Not at once: with a page that observes as well this would never end.
      if (isTidying || isRight()) return;
      isTidying = true;
      setTimeout(() => {
        isTidying = false;
        tidy();
      }, tidyMilliseconds);
    }).observe(document, { childList: true, subtree: true });
    // Styles can change without the tree.
    setInterval(tidy, watchMilliseconds);
  };

  Object.assign(tickbirdNote, { addStyle, isInTransition, shadowRootOf, listen, make, send, show });
}

// Firefox returns a script's last value to the background, and cannot return functions.
undefined;
