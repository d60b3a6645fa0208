// The browser's side of a global page: tells it what happens, and does what it asks for.

/**
 * @typedef {object} SafariFolderSettings
 * @property {string} browser
 * @property {string} host
 * @property {string} kind
 * @property {SafariAccess} access
 * @property {SafariPages[]} guards
 * @property {Array<SafariPages & {path: string}>} sheets
 * @property {Array<{identifier: string, label: string, toolTip: string, command: string | null, image: string | null, popover: string | null}>} toolbarItems
 * @property {Array<{identifier: string, command: string, title: string}>} contextItems
 * @property {Array<{identifier: string, path: string, width: number, height: number}>} popovers
 * @property {Array<any>} settings
 * @property {string} globalPage
 * @property {string | null} icon
 * @property {string} displayVersion
 * @property {string} bundleVersion
 * @property {boolean} usesBeforeNavigate
 */

/** Between the browser's interface and the page that has the global page in it. */
class SafariBrowserSide {
  #api;
  #settings;
  #tabs;
  #toolbar;
  /** @type {((message: any) => void) | null} */
  #post = null;
  /** @type {any[]} */
  #waiting = [];
  #isChanged = false;
  /** @type {Map<string, Promise<number | null>>} */
  #opened = new Map();
  /** @type {any} */
  #pointer = null;
  /** @type {Set<string>} */
  #menus = new Set();
  /** @type {Array<SafariPages & {id: string, css: string}>} */
  #addedSheets = [];
  /** @type {((event: any) => boolean) | null} */
  askBeforeNavigation = null;

  /** @param {any} api @param {SafariFolderSettings} settings */
  constructor(api, settings) {
    this.#api = api;
    this.#settings = settings;
    this.#tabs = new SafariTabs(api);
    const [item] = settings.toolbarItems;
    const declared = { label: item?.label ?? "", icon: settings.icon };
    this.#toolbar = item ? new SafariToolbar(api, this.#tabs, declared) : null;
    this.#listen();
    keepStyleSheets(api, settings.access, settings.sheets);
    this.#makeMenus();
  }

  /**
   * Begins to talk to a page, with all that there is now.
   *
   * @param {(message: any) => void} post
   */
  async connect(post) {
    const [windows, stored] = await Promise.all([
      this.#snapshot(),
      this.#api.storage.local.get(["settings", "secureSettings"]),
    ]);
    post({
      type: "init",
      windows,
      settings: stored.settings ?? {},
      secureSettings: stored.secureSettings ?? {},
    });
    this.#post = post;
    for (const message of this.#waiting.splice(0)) post(message);
  }

  /** Keeps what happens from now on for the next page. */
  disconnect() {
    this.#post = null;
  }

  /** @param {any} message */
  #tell(message) {
    if (this.#post) this.#post(message);
    else if (this.#waiting.length < 1000) this.#waiting.push(message);
  }

  // MARK: Windows and tabs

  async #snapshot() {
    const windows = await this.#tabs.windows();
    return windows.map((/** @type {any} */ window) => ({
      id: window.id,
      isPrivate: Boolean(window.incognito),
      isVisible: window.state !== "minimized",
      tabs: window.tabs.map((/** @type {any} */ tab) => this.#describe(tab)),
    }));
  }

  /** @param {any} tab */
  #describe(tab) {
    const isOwn = String(tab.url).startsWith(this.#api.runtime.getURL(""));
    const isSeen = isOwn || canAccess(this.#settings.access, tab.url);
    return {
      id: tab.id,
      windowId: tab.windowId,
      isActive: Boolean(tab.active),
      isPrivate: Boolean(tab.incognito),
      ...(isSeen ? { url: tab.url, title: tab.title ?? "" } : {}),
    };
  }

  /** Tells of windows and tabs once for all changes of a moment. */
  #change() {
    if (this.#isChanged) return;
    this.#isChanged = true;
    queueMicrotask(async () => {
      this.#isChanged = false;
      this.#tell({ type: "windows", windows: await this.#snapshot() });
    });
  }

  #listen() {
    const { tabs, windows, webNavigation, runtime } = this.#api;
    const changed = () => this.#change();
    for (const event of [
      tabs.onCreated, tabs.onRemoved, tabs.onActivated, tabs.onMoved, tabs.onAttached, tabs.onDetached,
      tabs.onReplaced, windows.onCreated, windows.onRemoved, windows.onFocusChanged,
    ]) {
      event?.addListener(changed);
    }
    tabs.onUpdated.addListener((/** @type {number} */ id, /** @type {any} */ change) => {
      if (change.url || change.title !== undefined || change.status) changed();
    });
    webNavigation.onCompleted.addListener(async (/** @type {any} */ details) => {
      if (details.frameId !== 0) return;
      this.#tell({ type: "windows", windows: await this.#snapshot() });
      this.#tell({ type: "navigate", tab: details.tabId });
    });
    this.#listenToNavigation();
    runtime.onMessage.addListener((/** @type {any} */ sent, /** @type {any} */ sender) => {
      if (sender.id !== runtime.id || !sender.tab) return;
      const tab = this.#describe(sender.tab);
      if (sent?.safari === "message") {
        this.#tell({ type: "message", tab, name: sent.name, message: sent.message });
      } else if (sent?.safari === "contextMenu") {
        this.#pointer = { tab, userInfo: sent.userInfo };
        this.#tell({ type: "contextMenu", tab, userInfo: sent.userInfo });
      }
    });
    const action = this.#api.action ?? this.#api.browserAction;
    action?.onClicked.addListener((/** @type {any} */ tab) => {
      const identifier = this.#settings.toolbarItems[0]?.identifier;
      this.#tell({ type: "toolbar", identifier, window: tab.windowId });
    });
    this.#api.contextMenus?.onClicked.addListener((/** @type {any} */ info, /** @type {any} */ tab) => {
      const [kind, identifier] = this.#menuName(String(info.menuItemId));
      if (kind === "toolbar") {
        this.#tell({ type: "toolbar", identifier, window: tab?.windowId });
      } else if (tab) {
        const userInfo = this.#pointer?.tab.id === tab.id ? this.#pointer.userInfo : null;
        this.#tell({ type: "menuCommand", identifier, tab: this.#describe(tab), userInfo });
      }
    });
    webNavigation.onCommitted.addListener((/** @type {any} */ details) => this.#addSheets(details));
  }

  #listenToNavigation() {
    if (!this.#settings.usesBeforeNavigate) return;
    const { webRequest, webNavigation } = this.#api;
    if (this.#settings.browser === "firefox" && webRequest) {
      webRequest.onBeforeRequest.addListener(
        (/** @type {any} */ details) => {
          const isAllowed = this.askBeforeNavigation?.({ tab: details.tabId, url: details.url }) ?? true;
          return isAllowed ? {} : { cancel: true };
        },
        { urls: ["<all_urls>"], types: ["main_frame"] },
        ["blocking"],
      );
      return;
    }
    webNavigation.onBeforeNavigate.addListener((/** @type {any} */ details) => {
      if (details.frameId !== 0 || (details.documentLifecycle ?? "active") !== "active") return;
      this.#tell({ type: "beforeNavigate", tab: details.tabId, url: details.url });
    });
  }

  // MARK: What the page asks for

  /**
   * Does what the page asks for, and answers where it wants one.
   *
   * @param {any} message
   */
  async receive(message) {
    let outcome;
    try {
      const call = Object.hasOwn(this.#calls, message.call) ? this.#calls[message.call] : undefined;
      if (!call) throw new Error(`there is no call ${message.call}`);
      outcome = { result: (await call(message)) ?? null };
    } catch (error) {
      outcome = { error: String(/** @type {any} */ (error)?.message ?? error) };
    }
    if (message.id !== undefined) this.#tell({ type: "answer", id: message.id, ...outcome });
    else if (outcome.error) console.warn(`${message.call}: ${outcome.error}`);
  }

  /**
   * The number of a tab, which may be one that is still being opened.
   *
   * @param {number | string} tab
   */
  async #tab(tab) {
    const id = typeof tab === "string" ? await this.#opened.get(tab) : tab;
    if (typeof id !== "number") throw new Error("the tab is gone");
    return id;
  }

  /** @type {Record<string, (message: any) => any>} */
  #calls = {
    openTab: async ({ token, window, isForeground, index }) => {
      const wanted = { active: isForeground, ...(window === null ? {} : { windowId: window }) };
      const opening = this.#api.tabs
        .create({ ...wanted, url: "about:blank", ...(index >= 0 ? { index } : {}) })
        .then((/** @type {any} */ tab) => tab.id, () => null);
      this.#opened.set(token, opening);
      const id = await opening;
      this.#tell({ type: "opened", token, id });
      this.#change();
    },
    openWindow: async ({ token, tab }) => {
      const opening = this.#api.windows.create({ url: "about:blank" });
      this.#opened.set(tab, opening.then((/** @type {any} */ window) => window.tabs?.[0]?.id ?? null));
      const window = await opening;
      this.#tell({ type: "openedWindow", token, id: window.id });
      this.#tell({ type: "opened", token: tab, id: await this.#opened.get(tab) });
      this.#change();
    },
    navigate: async ({ tab, url }) => {
      // Relative addresses are those of the extension's own files, as in Safari.
      const address = new URL(url, this.#api.runtime.getURL("")).href;
      if (/^javascript:/i.test(address)) throw new Error("scripts as addresses are refused by browsers");
      await this.#api.tabs.update(await this.#tab(tab), { url: address });
    },
    activateTab: async ({ tab }) => {
      const shown = await this.#api.tabs.update(await this.#tab(tab), { active: true });
      await this.#api.windows.update(shown.windowId, { focused: true });
    },
    closeTab: async ({ tab }) => this.#api.tabs.remove(await this.#tab(tab)),
    moveTab: async ({ tab, window, index }) =>
      this.#api.tabs.move(await this.#tab(tab), { windowId: window, index }),
    activateWindow: ({ window }) => this.#api.windows.update(window, { focused: true }),
    closeWindow: ({ window }) => this.#api.windows.remove(window),
    dispatchMessage: async ({ tab, name, message }) => {
      const sent = { safari: "toPage", name, message };
      await this.#api.tabs.sendMessage(await this.#tab(tab), sent).catch(() => {});
    },
    captureTab: async ({ tab }) => {
      const id = await this.#tab(tab);
      if (this.#api.tabs.captureTab) return this.#api.tabs.captureTab(id, { format: "png" });
      const { windowId, active, url } = await this.#api.tabs.get(id);
      if (!active || !canAccess(this.#settings.access, url)) return null;
      return this.#api.tabs.captureVisibleTab(windowId, { format: "png" });
    },
    toolbarItem: async ({ identifier, window, change }) => {
      if (identifier === this.#settings.toolbarItems[0]?.identifier) {
        await this.#toolbar?.set(window, change);
      }
    },
    showPopover: ({ window }) => this.#toolbar?.openPopup(window),
    setSettings: ({ key, values }) => this.#api.storage.local.set({ [key]: values }),
    setContentBlocker: async ({ rules }) => {
      const answer = await this.#api.runtime.sendNativeMessage(this.#settings.host, {
        type: "setContentBlocker",
        rules,
      });
      if (answer?.type !== "setContentBlocker") {
        throw new Error(answer?.message ?? "the native host gave no answer");
      }
    },
    contextMenu: async ({ items }) => {
      await this.#showMenu(items);
      await this.#api.contextMenus.refresh?.();
    },
    addScript: ({ id, path, matches, excluded, isAtEnd, shim }) =>
      this.#api.scripting.registerContentScripts([
        {
          id,
          matches,
          ...(excluded.length > 0 ? { excludeMatches: excluded } : {}),
          js: [shim, path],
          allFrames: true,
          matchOriginAsFallback: true,
          runAt: isAtEnd ? "document_end" : "document_start",
          persistAcrossSessions: false,
        },
      ]),
    removeScript: ({ id }) => this.#api.scripting.unregisterContentScripts({ ids: [id] }),
    addSheet: ({ id, css, pages }) => {
      this.#addedSheets.push({ id, css, ...pages });
    },
    removeSheet: ({ id }) => {
      this.#addedSheets = this.#addedSheets.filter((sheet) => sheet.id !== id);
    },
  };

  /** @param {any} details */
  #addSheets(details) {
    for (const sheet of this.#addedSheets) {
      if (!canAccess(this.#settings.access, details.url) || !isPage(sheet, details.url)) continue;
      const target = { tabId: details.tabId, frameIds: [details.frameId] };
      this.#api.scripting.insertCSS({ target, css: sheet.css, origin: "USER" }).catch(() => {});
    }
  }

  // MARK: Menus

  /** @param {string} id @returns {[string, string]} */
  #menuName(id) {
    const place = id.indexOf(":");
    return [id.slice(0, place), id.slice(place + 1)];
  }

  #makeMenus() {
    const { contextMenus } = this.#api;
    if (!contextMenus) return;
    const contexts = this.#settings.browser === "firefox" ? ["browser_action"] : ["action"];
    void contextMenus.removeAll().then(() => {
      for (const { identifier, title } of this.#settings.contextItems) this.#addItem(identifier, title);
      // There is room for one item; the others stand in its menu.
      for (const item of this.#settings.toolbarItems.slice(1)) {
        const id = `toolbar:${item.identifier}`;
        contextMenus.create({ id, title: item.label, contexts }, () => void this.#api.runtime.lastError);
      }
    });
  }

  /** @param {string} identifier @param {string} title */
  #addItem(identifier, title) {
    this.#menus.add(identifier);
    const contexts = ["page", "frame", "selection", "link", "editable", "image", "video", "audio"];
    this.#api.contextMenus.create(
      { id: `page:${identifier}`, title: title || identifier, contexts },
      () => void this.#api.runtime.lastError,
    );
  }

  /** @param {Array<{identifier: string, title: string, isHidden: boolean}>} items */
  async #showMenu(items) {
    for (const identifier of [...this.#menus]) {
      if (items.some((item) => item.identifier === identifier)) continue;
      this.#menus.delete(identifier);
      await this.#api.contextMenus.remove(`page:${identifier}`);
    }
    for (const { identifier, title, isHidden } of items) {
      if (!this.#menus.has(identifier)) this.#addItem(identifier, title);
      await this.#api.contextMenus.update(`page:${identifier}`, { title, visible: !isHidden });
    }
  }
}

/**
 * Chromium's worker: keeps the page that has the global page in it, and is its browser's side.
 *
 * @param {SafariFolderSettings} settings
 */
function runSafariWorker(settings) {
  const api = globalThis.browser ?? globalThis.chrome;
  const side = new SafariBrowserSide(api, settings);
  runPageScripts(api);

  async function ensureHome() {
    try {
      if (await api.offscreen.hasDocument()) return;
      await api.offscreen.createDocument({
        url: "tickbird-home.html",
        reasons: ["LOCAL_STORAGE", "DOM_PARSER"],
        justification: "The extension's own global page, which was made for a browser that keeps one.",
      });
    } catch (error) {
      // Two events began at once.
      console.debug(String(error));
    }
  }

  api.runtime.onConnect.addListener((/** @type {any} */ port) => {
    if (port.name !== "tickbird.home" || port.sender?.tab) return;
    port.onMessage.addListener((/** @type {any} */ message) => {
      // What keeps the worker alive says nothing else.
      if (message.call) void side.receive(message);
    });
    port.onDisconnect.addListener(() => {
      side.disconnect();
      void ensureHome();
    });
    void side.connect((message) => port.postMessage(message));
  });
  api.runtime.onMessage.addListener((/** @type {any} */ message, /** @type {any} */ sender) => {
    if (message?.safari === "wake" && sender.id === api.runtime.id) void ensureHome();
  });
  // Each start of the browser starts the worker.
  api.runtime.onStartup.addListener(ensureHome);
  api.runtime.onInstalled.addListener(ensureHome);
  void ensureHome();
}
