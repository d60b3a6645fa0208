// The background of an app extension: leads what happens in the browser to its native handler, and
// does in the browser what the handler calls.

/**
 * @typedef {object} SafariHandlerSettings
 * @property {string} browser
 * @property {string} host
 * @property {SafariAccess} access
 * @property {{action: string, popup: string | null, label: string, icon: Record<string, string> | string | null} | null} toolbar
 * @property {Array<{command: string, text: string}>} menus
 * @property {string[]} blockers
 * @property {string[]} headerDomains
 * @property {Array<SafariPages & {path: string}>} sheets
 */

/** How long an answer to a question of the browser's is waited for, in milliseconds. */
const validationPatience = 5000;

/** The port to the handler, which is opened again when it ends. */
class SafariHandlerPort {
  /** @type {any} */ #port = null;
  #api;
  #host;
  #receive;
  #delay = 0;
  /**
   * What arrived behind a long message that is still being fetched.
   *
   * @type {any[] | null}
   */
  #held = null;
  #questions = 0;
  /** @type {Map<number, (part: any) => void>} */
  #parts = new Map();

  /** @param {any} api @param {string} host @param {(message: any) => void} receive */
  constructor(api, host, receive) {
    this.#api = api;
    this.#host = host;
    this.#receive = receive;
    this.#open();
  }

  #open() {
    if (this.#port) return;
    const port = this.#api.runtime.connectNative(this.#host);
    this.#port = port;
    port.onMessage.addListener((/** @type {any} */ message) => this.#take(message));
    port.onDisconnect.addListener(() => {
      // Reading it keeps Chromium from complaining.
      const error = port.error ?? this.#api.runtime.lastError;
      if (error) console.warn(`the handler's host has ended: ${error.message}`);
      if (this.#port === port) this.#port = null;
      for (const resolve of this.#parts.values()) resolve(null);
      this.#parts.clear();
      this.#held = null;
      this.#delay = Math.min(Math.max(1000, this.#delay * 2), 60_000);
      setTimeout(() => this.#open(), this.#delay);
    });
  }

  /** @param {object} message */
  send(message) {
    this.#open();
    try {
      this.#port.postMessage(message);
    } catch (error) {
      console.warn(`an event did not reach the handler: ${error}`);
    }
  }

  /** @param {any} message */
  #take(message) {
    this.#delay = 0;
    const part = this.#parts.get(message?.question);
    if (part) {
      this.#parts.delete(message.question);
      part(message);
    } else if (this.#held) {
      this.#held.push(message);
    } else if (message?.type === "long") {
      this.#held = [];
      void this.#fetch(message);
    } else {
      this.#receive(message);
    }
  }

  /** @param {{digest: string, size: number}} long */
  async #fetch({ digest, size }) {
    /** @type {Uint8Array[]} */
    const parts = [];
    let offset = 0;
    while (offset < size) {
      const question = ++this.#questions;
      const answer = new Promise((resolve) => this.#parts.set(question, resolve));
      this.send({ type: "part", digest, offset, question });
      const part = await answer;
      const text = part?.bytes ?? part?.data;
      if (typeof text !== "string" || text === "") break;
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      parts.push(bytes);
      offset += bytes.length;
    }
    const held = this.#held ?? [];
    this.#held = null;
    if (offset >= size) {
      try {
        held.unshift(JSON.parse(await new Blob(/** @type {any} */ (parts)).text()));
      } catch (error) {
        console.warn(`a long message of the handler cannot be read: ${error}`);
      }
    }
    for (const message of held) this.#take(message);
  }
}

/** @param {SafariHandlerSettings} settings */
function runSafariHandler(settings) {
  const api = globalThis.browser ?? globalThis.chrome;
  const isFirefox = settings.browser === "firefox";
  const tabs = new SafariTabs(api);
  const action = api.action ?? api.browserAction;
  const toolbar = settings.toolbar ? new SafariToolbar(api, tabs, settings.toolbar) : null;
  const port = new SafariHandlerPort(api, settings.host, receive);
  /** @type {Map<number, (answer: any) => void>} */
  const validations = new Map();
  let lastID = 0;

  /** @param {string} event @param {object} [members] */
  function tell(event, members) {
    port.send({ type: "event", event, ...members });
  }

  /**
   * Asks the handler; null if it does not answer in time.
   *
   * @param {string} event
   * @param {object} members
   * @returns {Promise<any>}
   */
  function ask(event, members) {
    const id = ++lastID;
    return new Promise((resolve) => {
      /** @type {ReturnType<typeof setTimeout>} */
      const timer = setTimeout(() => settle(null), validationPatience);
      /** @param {any} answer */
      function settle(answer) {
        clearTimeout(timer);
        validations.delete(id);
        resolve(answer);
      }
      validations.set(id, settle);
      tell(event, { id, ...members });
    });
  }

  /** @param {any} message */
  function receive(message) {
    switch (message?.type) {
      case "validated":
        return validations.get(message.id)?.(message);
      case "call":
        return void answer(message);
      case "error":
        return console.error(`the handler does not run: ${message.message}`);
    }
  }

  /** @param {any} message */
  async function answer(message) {
    let outcome;
    try {
      const call = Object.hasOwn(calls, message.call) ? calls[message.call] : undefined;
      if (!call) throw new Error(`there is no call ${message.call}`);
      outcome = { result: (await call(message)) ?? null };
    } catch (error) {
      outcome = { error: String(/** @type {any} */ (error)?.message ?? error) };
    }
    if (message.id !== undefined) tell("result", { id: message.id, ...outcome });
  }

  // MARK: Calls

  const number = (/** @type {unknown} */ text) => {
    const id = Number(text);
    if (text === null || !Number.isInteger(id)) throw new Error(`${text} is no window or tab`);
    return id;
  };
  const name = (/** @type {any} */ thing) => (thing ? String(thing.id) : null);

  /** @param {unknown} address */
  function web(address) {
    const url = new URL(String(address));
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      throw new Error(`${url.protocol} is not for browsers`);
    }
    return url.href;
  }

  /** @param {unknown} address */
  const isOwn = (address) => String(address).startsWith(api.runtime.getURL(""));

  /** @type {Record<string, (message: any) => any>} */
  const calls = {
    activeWindow: async () => name(await tabs.activeWindow()),
    allWindows: async () => (await tabs.windows()).map(name),
    openWindow: async ({ url }) => name(await api.windows.create({ url: web(url) })),
    activeTab: async ({ window }) => name(await tabs.activeTab(number(window))),
    allTabs: async ({ window }) => (await api.tabs.query({ windowId: number(window) })).map(name),
    openTab: async ({ window, url, active }) => {
      if (!isOwn(url) && !canAccess(settings.access, url)) return null;
      const windowId = number(window);
      const index = (await api.tabs.query({ windowId })).length;
      return name(await api.tabs.create({ windowId, url, index, active: active !== false }));
    },
    closeWindow: async ({ window }) => (await api.windows.remove(number(window)), true),
    closeTab: async ({ tab }) => (await api.tabs.remove(number(tab)), true),
    activateTab: async ({ tab }) => {
      const shown = await api.tabs.update(number(tab), { active: true });
      await api.windows.update(shown.windowId, { focused: true });
      return true;
    },
    navigateTab: async ({ tab, url }) => {
      await api.tabs.update(number(tab), { url: isOwn(url) ? url : web(url) });
    },
    containingWindow: async ({ tab }) => {
      const found = await api.tabs.get(number(tab));
      return found.pinned ? null : String(found.windowId);
    },
    activePage: ({ tab }) => tabs.page(number(tab)),
    pages: ({ tab }) => [tabs.page(number(tab))],
    containingTab: ({ page }) => String(number(String(page).split(":")[0])),
    dispatchMessage: async ({ page, name: messageName, userInfo }) => {
      const tab = await tabs.tabOf(page);
      if (!tab) return;
      const message = { safari: "toPage", name: messageName, message: userInfo ?? undefined };
      await api.tabs.sendMessage(tab.id, message).catch(() => {});
    },
    properties: async ({ page }) => {
      const tab = await tabs.tabOf(page);
      if (!tab) return null;
      const isSeen = isOwn(tab.url) || canAccess(settings.access, tab.url);
      return {
        url: isSeen ? tab.url : null,
        title: isSeen ? (tab.title ?? null) : null,
        private: Boolean(tab.incognito),
        active: true,
      };
    },
    reload: async ({ page }) => {
      const tab = await tabs.tabOf(page);
      if (tab) await api.tabs.reload(tab.id);
    },
    screenshot: async ({ page }) => {
      const tab = await tabs.tabOf(page);
      if (!tab || !canAccess(settings.access, tab.url)) return null;
      if (!api.tabs.captureTab && !tab.active) return null;
      const picture = api.tabs.captureTab
        ? await api.tabs.captureTab(tab.id, { format: "png" })
        : await api.tabs.captureVisibleTab(tab.windowId, { format: "png" });
      return picture.split(",")[1] ?? null;
    },
    toolbarItem: async ({ window, enabled, badge, label, image }) => {
      const picture = typeof image === "string" ? `data:image/png;base64,${image}` : image;
      await toolbar?.set(number(window), { enabled, badge, label, image: picture });
    },
    showPopover: async ({ window }) => toolbar?.openPopup(number(window)),
    dismissPopover: () => {
      for (const popover of popovers) popover.postMessage({ safari: "dismiss" });
    },
    toolbarItemsNeedUpdate: async () => {
      for (const window of await tabs.windows()) validate(window.id);
    },
    baseURI: () => api.runtime.getURL(""),
    openURL: async ({ url }) => {
      await api.tabs.create({ url: web(url), active: true });
    },
  };

  // MARK: The toolbar's item

  /** @type {Map<number, boolean>} */
  const validating = new Map();

  /**
   * Asks once at a time for each window, and again if something changed meanwhile.
   *
   * @param {number} window
   */
  async function validate(window) {
    if (!toolbar || window < 0) return;
    if (validating.has(window)) return void validating.set(window, true);
    validating.set(window, false);
    const answer = await ask("validateToolbarItem", { window: String(window) });
    if (answer) {
      await toolbar.set(window, { enabled: answer.enabled !== false, badge: answer.badge ?? "" });
    }
    const again = validating.get(window);
    validating.delete(window);
    if (again) void validate(window);
  }

  if (toolbar && settings.toolbar) {
    api.tabs.onActivated.addListener((/** @type {any} */ active) => validate(active.windowId));
    api.tabs.onUpdated.addListener((/** @type {number} */ id, /** @type {any} */ change, /** @type {any} */ tab) => {
      if (tab.active && (change.url || change.status === "complete")) void validate(tab.windowId);
    });
    api.windows.onFocusChanged.addListener((/** @type {number} */ id) => validate(id));
    action.onClicked.addListener((/** @type {any} */ tab) => {
      tell("toolbarItemClicked", { window: String(tab.windowId) });
    });
    void calls.toolbarItemsNeedUpdate?.({});
  }

  // MARK: Pop-overs

  /** @type {Set<any>} */
  const popovers = new Set();
  api.runtime.onConnect.addListener((/** @type {any} */ popover) => {
    if (popover.name !== "tickbird.popover") return;
    popovers.add(popover);
    const window = tabs.activeWindow().then((active) => ({ window: name(active) }));
    void window.then((members) => tell("popoverWillShow", members));
    popover.onDisconnect.addListener(() => {
      popovers.delete(popover);
      void window.then((members) => tell("popoverDidClose", members));
    });
  });

  // MARK: Messages and navigations

  api.runtime.onMessage.addListener((/** @type {any} */ sent, /** @type {any} */ sender) => {
    if (sender.id !== api.runtime.id) return;
    if (sent?.safari === "message") {
      const userInfo = sent.message ?? null;
      if (sender.tab) {
        tell("messageReceived", { page: tabs.pageOf(sender), name: sent.name, userInfo });
      } else {
        // A pop-over is about the page that the user sees.
        void tabs.activeWindow().then(async (window) => {
          const tab = window && (await tabs.activeTab(window.id));
          if (tab) tell("messageReceived", { page: tabs.page(tab.id), name: sent.name, userInfo });
        });
      }
    } else if (sent?.safari === "contextMenu" && sender.tab) {
      void openMenu(tabs.pageOf(sender), sender.tab.id, sent.userInfo ?? null);
    }
  });

  api.webNavigation.onBeforeNavigate.addListener((/** @type {any} */ details) => {
    if (details.frameId !== 0 || (details.documentLifecycle ?? "active") !== "active") return;
    const url = canAccess(settings.access, details.url) ? details.url : null;
    tell("willNavigate", { page: tabs.page(details.tabId), url });
  });

  keepStyleSheets(api, settings.access, settings.sheets);
  if (!isFirefox) runPageScripts(api);

  // MARK: Context menus

  /**
   * What the script in the page last said of the pointer's place.
   *
   * @type {{tab: number, userInfo: any} | null}
   */
  let pointer = null;

  /** @param {string} page @param {string} command @param {unknown} userInfo */
  async function validateMenu(page, command, userInfo) {
    const answer = await ask("validateContextMenuItem", { page, command, userInfo });
    const item = settings.menus.find((one) => one.command === command);
    const title = answer?.text ?? item?.text ?? command;
    await api.contextMenus.update(command, { visible: !answer?.hidden, title });
  }

  /** @param {string} page @param {number} tab @param {unknown} userInfo */
  async function openMenu(page, tab, userInfo) {
    pointer = { tab, userInfo };
    await Promise.all(settings.menus.map((menu) => validateMenu(page, menu.command, userInfo)));
    // Firefox renews a menu that is open.
    await api.contextMenus.refresh?.();
  }

  if (settings.menus.length > 0) {
    void api.contextMenus.removeAll().then(() => {
      for (const { command, text } of settings.menus) {
        const contexts = ["page", "frame", "selection", "link", "editable", "image", "video", "audio"];
        api.contextMenus.create(
          { id: command, title: text || command, contexts, documentUrlPatterns: ["*://*/*"] },
          () => void api.runtime.lastError,
        );
      }
    });
    api.contextMenus.onClicked.addListener((/** @type {any} */ info, /** @type {any} */ tab) => {
      if (!tab) return;
      const userInfo = pointer?.tab === tab.id ? pointer?.userInfo : null;
      const command = String(info.menuItemId);
      tell("contextMenuItemSelected", { page: tabs.page(tab.id), command, userInfo });
    });
  }

  // MARK: What blockers stop, and headers

  const [blocker] = settings.blockers;
  if (blocker && api.webRequest) {
    api.webRequest.onErrorOccurred.addListener(
      (/** @type {any} */ details) => {
        const isBlocked = ["net::ERR_BLOCKED_BY_CLIENT", "NS_ERROR_ABORT"].includes(details.error);
        if (!isBlocked || details.tabId < 0 || !canAccess(settings.access, details.url)) return;
        const page = tabs.page(details.tabId);
        tell("blockedResources", { page, contentBlocker: blocker, urls: [details.url] });
      },
      { urls: ["*://*/*"] },
    );
  }

  if (isFirefox && settings.headerDomains.length > 0 && api.webRequest) {
    const injected = { schemes: ["http", "https"], domains: settings.headerDomains };
    api.webRequest.onBeforeSendHeaders.addListener(
      async (/** @type {any} */ details) => {
        if (!canAccess(injected, details.url)) return {};
        const answer = await ask("additionalRequestHeaders", { url: details.url });
        const added = Object.entries(answer?.headers ?? {});
        const requestHeaders = details.requestHeaders.concat(
          added.map(([header, value]) => ({ name: header, value: String(value) })),
        );
        return { requestHeaders };
      },
      { urls: ["*://*/*"], types: ["main_frame"] },
      ["blocking", "requestHeaders"],
    );
  }
}
