// In Chromium: hides the elements of a new document whose class or id a list hides everywhere, until the
// document has the list's style sheet.
//
// To parse that sheet of ten thousand selectors takes longer than much else of a page, and a page has a
// handful of their names. So the sheet comes when the page has loaded. Until then this script looks up each
// class and id before it is painted, hides what it finds by a style sheet of its own, and has the background
// hide it as the user's sheets do, which the page cannot undo.

if (!globalThis.tickbirdNames) {
  /** How long after its start a document that has not loaded gets the style sheet anyway. */
  const loadMilliseconds = 5000;
  /** How long it is waited for a moment in which the page does nothing. */
  const idleMilliseconds = 1000;
  /** What may be written into a style sheet as it is. */
  const plain = /^[.#]-?[A-Za-z_][\w-]*$/;

  // At the document's start, when it has no elements whose names hide the document's properties.
  /** Whether upper and lower case of names are the same, which the tables do not know. */
  const isQuirky = document.compatMode === "BackCompat";
  const loaded = new Promise((resolve) => {
    window.addEventListener("load", resolve, { once: true });
    setTimeout(resolve, loadMilliseconds);
  });

  const { getAttribute, querySelectorAll } = Element.prototype;
  const { hasChildNodes } = Node.prototype;
  const allOf = Document.prototype.querySelectorAll;
  /**
   * A getter of nodes, whatever a form names its fields.
   *
   * @param {"nodeType" | "parentNode"} name
   */
  const getter = (name) => {
    const get = /** @type {() => any} */ (Object.getOwnPropertyDescriptor(Node.prototype, name)?.get);
    return (/** @type {Node} */ node) => get.call(node);
  };
  const typeOf = getter("nodeType");
  const parentOf = getter("parentNode");

  /** @type {string[]} */
  let tables = [];
  /** The values of `class`, and the selectors, that have been looked up. */
  const knownValues = new Set();
  const known = new Set();
  /**
   * What is found and not hidden yet.
   *
   * @type {string[]}
   */
  let found = [];
  /**
   * The style sheet that hides at once.
   *
   * @type {CSSStyleSheet | null}
   */
  let sheet = null;

  /**
   * Changes the document's constructed style sheets.
   *
   * @param {(sheets: CSSStyleSheet[]) => void} change
   */
  const changeSheets = (change) => {
    change(Object.getOwnPropertyDescriptor(Document.prototype, "adoptedStyleSheets")?.get?.call(document));
  };

  /** @param {string} selector */
  const look = (selector) => {
    if (known.has(selector)) return;
    known.add(selector);
    if (tables.some((table) => tickbirdNameTable.has(table, selector)) && plain.test(selector)) found.push(selector);
  };

  /** @param {Element} element */
  const lookAt = (element) => {
    const classes = getAttribute.call(element, "class");
    if (classes && !knownValues.has(classes)) {
      knownValues.add(classes);
      for (const name of classes.split(/[\t\n\f\r ]+/)) look(`.${name}`);
    }
    const id = getAttribute.call(element, "id");
    if (id) look(`#${id}`);
  };

  /** @param {Iterable<Element>} elements */
  const lookAtAll = (elements) => {
    for (const element of elements) lookAt(element);
  };

  /** Hides what was found: at once, and for good. */
  const hide = () => {
    if (found.length === 0) return;
    const names = found;
    found = [];
    if (!sheet) {
      const made = new CSSStyleSheet();
      changeSheets((sheets) => sheets.push(made));
      sheet = made;
    }
    sheet.insertRule(`${names.join(",")}{display:none!important}`, sheet.cssRules.length);
    say({ type: "hide-names", names }).catch(() => {});
  };

  /** @param {Messages.FromDocuments} message */
  const say = async (message) => chrome.runtime.sendMessage(message);

  const observer = new MutationObserver((records) => {
    /** @type {Set<Node>} */
    const added = new Set();
    for (const { type, target, addedNodes } of records) {
      if (type === "attributes") lookAt(/** @type {Element} */ (target));
      else for (const node of addedNodes) if (typeOf(node) === Node.ELEMENT_NODE) added.add(node);
    }
    for (const node of added) {
      // What is below another one is looked at with that.
      if (added.has(parentOf(node))) continue;
      lookAt(/** @type {Element} */ (node));
      if (hasChildNodes.call(node)) lookAtAll(querySelectorAll.call(node, "[class],[id]"));
    }
    hide();
  });

  /** Gets the document all that it is to have, and ends. */
  const finish = () => say({ type: "hide-rest" }).then(() => {
    observer.disconnect();
    tables = [];
    known.clear();
    knownValues.clear();
    changeSheets((sheets) => {
      const place = sheet ? sheets.indexOf(sheet) : -1;
      if (place >= 0) sheets.splice(place, 1);
    });
  }).catch(() => {
    // The extension is gone, or was updated: what is hidden stays so.
  });

  globalThis.tickbirdNames = {
    start(given) {
      tables = given;
      if (isQuirky) return finish();
      observer.observe(document, {
        childList: true, subtree: true, attributes: true, attributeFilter: ["class", "id"],
      });
      lookAtAll(allOf.call(document, "[class],[id]"));
      hide();
      loaded.then(() => requestIdleCallback(finish, { timeout: idleMilliseconds }));
      return null;
    },
  };
}
