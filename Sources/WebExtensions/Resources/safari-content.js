// `safari` for scripts in pages, and for an app extension's own pages.

/**
 * @typedef {object} SafariContentSettings
 * @property {"app" | "folder"} kind
 * @property {string} [browser]
 * @property {SafariAccess} access
 * @property {SafariPages[]} guards
 */

/** A message's data as it arrives: without functions and missing members, as JSON has it. */
/** @param {unknown} value @returns {any} */
function plainData(value) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/**
 * Takes away the browsers' own interfaces, which Safari's scripts never saw: those that were written for
 * several browsers would otherwise believe to be in another one.
 */
function hideBrowserInterfaces() {
  for (const name of ["chrome", "browser"]) {
    try {
      Object.defineProperty(globalThis, name, { value: undefined, writable: true, configurable: true });
    } catch {
      // It stays.
    }
  }
}

/**
 * Lets scripts that a script puts into the page's document run there, as in Safari: Chromium runs none
 * that an extension's script has written. They run a moment later.
 *
 * @param {(message: object) => void} send
 */
function runScriptsInPage(send) {
  const { prototype } = globalThis.Node ?? {};
  if (!prototype) return;
  const kinds = /^$|^(text|application)\/(x-)?(java|ecma)script$/i;
  /** @type {WeakSet<Node>} */
  const seen = new WeakSet();
  for (const name of /** @type {const} */ (["appendChild", "insertBefore"])) {
    const original = /** @type {any} */ (prototype[name]);
    /** @type {any} */ (prototype)[name] = function (/** @type {any} */ node, /** @type {any[]} */ ...rest) {
      const added = original.call(this, node, ...rest);
      if (node instanceof HTMLScriptElement && !seen.has(node) && node.isConnected) {
        const code = node.src ? "" : (node.textContent ?? "");
        if (code.trim() && kinds.test(node.type)) {
          seen.add(node);
          send({ safari: "runInPage", code });
        }
      }
      return added;
    };
  }
}

/** @param {SafariContentSettings} settings */
function makeContentSafari(settings) {
  const api = globalThis.browser ?? globalThis.chrome;
  const mark = Symbol.for("tickbird.safari");
  const root = /** @type {any} */ (globalThis);
  if (!api?.runtime?.id || root[mark]) return;
  root[mark] = true;

  /** @param {object} message */
  function send(message) {
    try {
      const sent = api.runtime.sendMessage(message);
      // Nobody there to hear it is no fault of the script's, as in Safari.
      sent?.catch?.(() => {});
    } catch (error) {
      // The extension was taken away or renewed; the page keeps the old script.
      console.warn(String(error));
    }
  }

  const self = /** @type {any} */ (new SafariTarget());
  const baseURI = api.runtime.getURL("");
  const extension = /** @type {any} */ ({ baseURI });

  // What the scripts said about the place of the pointer, for the menu that opens there.
  /** @type {any} */
  let userInfo = null;
  /** @type {Event | null} */
  let menuEvent = null;
  let isSent = true;
  function sendMenu() {
    if (isSent || !menuEvent) return;
    isSent = true;
    send({ safari: "contextMenu", userInfo: plainData(userInfo) ?? null });
  }
  addEventListener(
    "contextmenu",
    (event) => {
      if (!event.isTrusted) return;
      menuEvent = event;
      userInfo = null;
      isSent = false;
      // After the scripts' listeners; if one of them stops the event, by the task.
      setTimeout(sendMenu, 0);
    },
    true,
  );
  addEventListener("contextmenu", sendMenu, false);

  /** @param {Event} event @param {unknown} value */
  function setContextMenuEventUserInfo(event, value) {
    if (event !== menuEvent) return;
    userInfo = value;
    isSent = false;
  }

  if (settings.kind === "app") {
    extension.dispatchMessage = (/** @type {string} */ name, /** @type {unknown} */ info) => {
      if (info !== undefined && info !== null && typeof info !== "object") {
        throw new TypeError("the second argument of dispatchMessage must be an object");
      }
      send({ safari: "message", name: String(name), message: plainData(info) ?? null });
    };
    extension.setContextMenuEventUserInfo = setContextMenuEventUserInfo;
  } else {
    self.tab = {
      dispatchMessage: (/** @type {string} */ name, /** @type {unknown} */ message) => {
        send({ safari: "message", name: String(name), message: packValue(message) });
      },
      setContextMenuEventUserInfo,
      // Safari's own answer once a block list is set: the load goes on.
      canLoad: () => true,
    };
  }

  api.runtime.onMessage.addListener((/** @type {any} */ sent, /** @type {any} */ sender) => {
    if (sent?.safari !== "toPage" || sender?.id !== api.runtime.id || sender?.tab) return;
    const message = settings.kind === "app" ? sent.message : unpackValue(sent.message);
    dispatchSafariEvent([self], new SafariEvent("message", { name: sent.name, message }));
  });

  root.safari = { self, extension };
  if (settings.browser === "chromium") runScriptsInPage(send);
  Object.defineProperty(root, "tickbirdIsPage", {
    // Whether a script is for this page, by patterns that the browser's manifest cannot say.
    value: (/** @type {number} */ index) => {
      const pages = settings.guards[index];
      const isWeb = /^https?:$/.test(location.protocol);
      // A frame without an address of its own belongs to the page around it.
      const address = isWeb ? location.href : document.baseURI;
      return Boolean(pages && canAccess(settings.access, address) && isPage(pages, address));
    },
  });
}

/**
 * `safari` for scripts in pages, in place of all else.
 *
 * @param {SafariContentSettings} settings
 */
function makeScriptSafari(settings) {
  makeContentSafari(settings);
  hideBrowserInterfaces();
}
