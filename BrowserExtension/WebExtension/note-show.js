// In documents: puts a note in place of the page, and tells the background what was chosen.
//
// The elements are in a closed shadow root, so that no script of the site can read them.

{
  const api = globalThis.browser ?? globalThis.chrome;
  const isFirefox = api.runtime.getURL("").startsWith("moz-extension:");

  /** Ends the page that is being loaded; its URL stays. Each browser has a way that works. */
  const replaceDocument = () => {
    if (isFirefox) {
      // Throws there: document.open().
      window.stop();
      const root = document.createElement("html");
      root.append(document.createElement("head"), document.createElement("body"));
      document.replaceChildren(root);
    } else {
      // After window.stop() half of the pages would not be painted.
      document.open();
      document.close();
    }
  };

  /** Makes elements; text stays text. */
  const make = ([name, attributes, ...children]) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children.map((child) => (typeof child === "string" ? child : make(child))));
    return element;
  };

  /** Lets the buttons of a note act; only what a person does counts. */
  const listen = (root) => {
    const leave = root.querySelector("button.leave");
    const buttons = [leave, root.querySelector("button.view")];
    for (const button of buttons) {
      button.addEventListener("click", (event) => {
        if (!event.isTrusted) return;
        for (const each of buttons) each.disabled = true;
        const choice = button === leave ? "leave" : "view";
        const again = () => {
          for (const each of buttons) each.disabled = false;
        };
        api.runtime.sendMessage({ type: "note", choice }).then(again, again);
      });
    }
    // What is under a note that comes back from the browser's memory may have changed.
    window.addEventListener("pageshow", (event) => {
      if (event.isTrusted && event.persisted) location.reload();
    });
    leave.focus({ preventScroll: true });
  };

  /** Keeps the note the only thing in the document, whatever scripts of the page still do. */
  const guard = (host) => {
    let isTidying = false;
    const isAlone = () => host.isConnected && document.documentElement === host.parentElement?.parentElement
      && document.body?.childElementCount === 1 && host.matches(":popover-open");
    const tidy = () => {
      isTidying = false;
      if (isAlone()) return;
      const root = document.createElement("html");
      const body = document.createElement("body");
      body.append(host);
      root.append(document.createElement("head"), body);
      document.replaceChildren(root);
      host.showPopover();
    };
    new MutationObserver(() => {
      // Not at once: a page that watches as well would never come to an end.
      if (isTidying || isAlone()) return;
      isTidying = true;
      setTimeout(tidy, 20);
    }).observe(document, { childList: true, subtree: true, attributes: true });
    host.addEventListener("toggle", (event) => { if (event.newState === "closed") tidy(); });
  };

  const show = (note) => {
    if (tickbirdNote.isShown) return;
    tickbirdNote.isShown = true;
    replaceDocument();
    const sheet = (text) => {
      const made = new CSSStyleSheet();
      made.replaceSync(text);
      return made;
    };
    document.documentElement.lang = "en";
    document.title = "Note";
    const viewport = document.createElement("meta");
    viewport.name = "viewport";
    viewport.content = "width=device-width, initial-scale=1";
    document.head.append(viewport);
    const host = document.createElement("div");
    host.popover = "manual";
    const root = host.attachShadow({ mode: "closed", delegatesFocus: true });
    const hostStyle = `:host {
      all: initial !important; position: fixed !important; inset: 0 !important;
      display: block !important; width: 100% !important; height: 100% !important;
      visibility: visible !important; opacity: 1 !important;
    }`;
    if (isFirefox) {
      // Firefox keeps constructed sheets of extensions out of documents.
      const style = document.createElement("style");
      style.textContent = tickbirdNote.css + hostStyle;
      root.append(style);
    } else {
      root.adoptedStyleSheets = [sheet(tickbirdNote.css + hostStyle)];
      document.adoptedStyleSheets = [sheet(":root { color-scheme: light dark !important }")];
    }
    root.append(make(tickbirdNote.parts(note)));
    document.body.append(host);
    host.showPopover();
    listen(root);
    guard(host);
  };

  Object.assign(tickbirdNote, { listen, show });
}

// Firefox hands a script's last value on, and cannot with functions.
undefined;
