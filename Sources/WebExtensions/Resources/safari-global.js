// `safari` for the global page, which pop-overs and other pages of the extension share.

/**
 * @param {any} home The page around, which talks to the browser's side.
 * @param {SafariFolderSettings} settings
 * @param {any} window The global page's own window.
 */
function makeGlobalSafari(home, settings, window) {
  let lastID = 0;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  const asked = new Map();
  const post = (/** @type {any} */ message) => home.post(message);

  /** @param {any} message */
  function ask(message) {
    const id = ++lastID;
    return new Promise((resolve, reject) => {
      asked.set(id, { resolve, reject });
      post({ ...message, id });
    });
  }

  const application = new SafariApplication(post, { ask });
  const baseURI = new URL("/", location.href).href;

  // MARK: Toolbar items and pop-overs

  const popovers = settings.popovers.map((popover) =>
    Object.assign(new SafariTarget(), {
      ...popover,
      /** @type {any} */ contentWindow: null,
      visible: false,
      hide() {
        this.contentWindow?.close();
      },
    }),
  );

  class ToolbarItem extends SafariTarget {
    /** @type {any} */ #state;
    /** @type {null} */
    menu = null;

    /** @param {any} declared @param {SafariBrowserWindow} browserWindow */
    constructor(declared, browserWindow) {
      super();
      this.browserWindow = browserWindow;
      this.identifier = declared.identifier;
      this.command = declared.command;
      this.paletteLabel = declared.label;
      this.popover = popovers.find((popover) => popover.identifier === declared.popover) ?? null;
      this.#state = { badge: 0, label: declared.label, toolTip: declared.toolTip, disabled: false, image: declared.image };
    }

    /** @param {any} change */
    #show(change) {
      const { key } = this.browserWindow;
      if (typeof key === "number") post({ call: "toolbarItem", identifier: this.identifier, window: key, change });
    }

    get badge() {
      return this.#state.badge;
    }

    set badge(value) {
      this.#state.badge = value;
      const number = Math.trunc(Number(value));
      this.#show({ badge: number ? String(number) : "" });
    }

    get image() {
      return this.#state.image ?? null;
    }

    set image(value) {
      this.#state.image = value;
      this.#show({ image: value ? new URL(value, baseURI).href : null });
    }

    get label() {
      return this.#state.label;
    }

    set label(value) {
      this.#state.label = value;
      if (!this.#state.toolTip) this.#show({ label: String(value) });
    }

    get toolTip() {
      return this.#state.toolTip;
    }

    set toolTip(value) {
      this.#state.toolTip = value;
      this.#show({ label: String(value || this.#state.label) });
    }

    get disabled() {
      return this.#state.disabled;
    }

    set disabled(value) {
      this.#state.disabled = Boolean(value);
      this.#show({ enabled: !value });
    }

    validate() {
      dispatchSafariEvent([application, this], new SafariEvent("validate", { command: this.command, bubbles: true }));
    }

    showPopover() {
      post({ call: "showPopover", window: this.browserWindow.key });
    }

    showMenu() {}
  }

  /** @type {Map<SafariBrowserWindow, ToolbarItem[]>} */
  const items = new Map();
  function toolbarItems() {
    const windows = application.browserWindows;
    for (const known of items.keys()) if (!windows.includes(known)) items.delete(known);
    return windows.flatMap((one) => {
      const made = items.get(one) ?? settings.toolbarItems.map((item) => new ToolbarItem(item, one));
      items.set(one, made);
      return made;
    });
  }

  // MARK: The extension

  const defaults = Object.fromEntries(
    settings.settings.filter((one) => one.key && !one.isSecure).map((one) => [one.key, one.value]),
  );
  const secureDefaults = Object.fromEntries(
    settings.settings.filter((one) => one.key && one.isSecure).map((one) => [one.key, one.value]),
  );
  const state = home.state;
  const save = (/** @type {string} */ key) => (/** @type {any} */ values) =>
    post({ call: "setSettings", key, values });

  const added = makeAddedContent(settings, post, baseURI);
  const extension = Object.assign(new SafariTarget(), {
    baseURI,
    displayVersion: settings.displayVersion,
    bundleVersion: settings.bundleVersion,
    globalPage: { contentWindow: window },
    bars: [],
    menus: [],
    popovers,
    settings: makeSafariSettings(state.settings, defaults, save("settings")),
    secureSettings: makeSafariSettings(state.secureSettings, secureDefaults, save("secureSettings")),
    ...added,
    createMenu: () => ({ identifier: "", menuItems: [], appendMenuItem() {}, appendSeparator() {} }),
    removeMenu() {},
    /** @param {string} identifier @param {string} url @param {number} [width] @param {number} [height] */
    createPopover(identifier, url, width = 400, height = 300) {
      const path = new URL(url, baseURI).pathname;
      const popover = Object.assign(new SafariTarget(), {
        identifier, path, width, height,
        /** @type {any} */ contentWindow: null,
        visible: false,
        hide() {
          this.contentWindow?.close();
        },
      });
      popovers.push(popover);
      return popover;
    },
    /** @param {string} identifier */
    removePopover(identifier) {
      const index = popovers.findIndex((popover) => popover.identifier === identifier);
      if (index >= 0) popovers.splice(index, 1);
    },
    /** @param {unknown} rules @param {(error: Error | null) => void} [callback] */
    setContentBlocker(rules, callback) {
      const list = rules === undefined ? null : rules;
      const isList = list === null || typeof list === "string" || Array.isArray(list);
      const setting = isList
        ? ask({ call: "setContentBlocker", rules: list === null ? null : plainRules(list) })
        : Promise.reject(new TypeError("a content blocker is an array of rules, JSON text or null"));
      setting.then(
        () => callback?.(null),
        (error) => {
          if (callback) callback(error);
          else console.error(`setContentBlocker: ${error.message}`);
        },
      );
    },
  });
  Object.defineProperty(extension, "toolbarItems", { enumerable: true, get: toolbarItems });

  /** @param {unknown} list */
  function plainRules(list) {
    return typeof list === "string" ? list : JSON.parse(JSON.stringify(list));
  }

  // MARK: What happens

  /** @param {any} described */
  function tabOf(described) {
    const known = application.tab(described.id);
    if (known) return known;
    // It spoke before the browser told of it.
    const owner = application.window(described.windowId) ?? application.activeBrowserWindow;
    const tab = new SafariBrowserTab(owner ?? new SafariBrowserWindow(application, described.windowId), described.id);
    tab.take(described, tab.browserWindow);
    return tab;
  }

  const menu = makeContextMenus(settings, application, ask);

  /** @param {number | undefined} id @param {string} identifier */
  function command(id, identifier) {
    const item = toolbarItems().find(
      (one) => one.identifier === identifier && (id === undefined || one.browserWindow.key === id),
    );
    if (!item) return;
    const members = { command: item.command, identifier, bubbles: true };
    dispatchSafariEvent([application, item], new SafariEvent("command", members));
  }

  function validateItems() {
    if (!application.hasListeners("validate")) return;
    for (const item of toolbarItems()) item.validate();
  }

  /** @param {any} message */
  function receive(message) {
    switch (message.type) {
      case "answer": {
        const waiting = asked.get(message.id);
        asked.delete(message.id);
        if (message.error !== undefined) return waiting?.reject(new Error(message.error));
        return waiting?.resolve(message.result);
      }
      case "init":
      case "windows":
        application.update(message.windows);
        return validateItems();
      case "opened":
        return application.opened(message.token, message.id);
      case "openedWindow":
        return application.opened(message.token, message.id);
      case "message": {
        const members = { name: message.name, message: unpackValue(message.message), bubbles: true };
        return void application.send(tabOf(message.tab), new SafariEvent("message", members));
      }
      case "navigate": {
        const tab = application.tab(message.tab);
        if (tab) application.send(tab, new SafariEvent("navigate"));
        return validateItems();
      }
      case "beforeNavigate":
        return void beforeNavigate(message);
      case "toolbar":
        return command(message.window, message.identifier);
      case "contextMenu":
        return void menu.open(tabOf(message.tab), message.userInfo);
      case "menuCommand":
        return menu.choose(tabOf(message.tab), message.identifier, message.userInfo);
    }
  }

  /** @param {any} message @returns {boolean} Whether the tab may go there. */
  function beforeNavigate(message) {
    const tab = application.tab(message.tab);
    if (!tab) return true;
    const url = canAccess(settings.access, message.url) ? message.url : null;
    return application.send(tab, new SafariEvent("beforeNavigate", { url, bubbles: true }));
  }

  application.update(state.windows, true);
  home.listen(receive);
  home.setNavigationListener?.(beforeNavigate);
  return { application, extension, popovers };
}
