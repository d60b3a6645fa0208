// Windows and tabs as a global page knows them: objects that live as long as what they stand for, kept
// true by what the browser's side tells.

/** Safari's application: the windows, and what happens in them. */
class SafariApplication extends SafariTarget {
  /** @type {SafariBrowserWindow[]} */
  #windows = [];
  /** @type {Map<number, SafariBrowserTab>} */
  #tabs = new Map();
  /** @type {Map<number | string, any>} */
  #opening = new Map();
  #lastToken = 0;

  /** @param {(message: any) => void} post @param {any} root The global object. */
  constructor(post, root) {
    super();
    this.post = post;
    this.root = root;
    this.privateBrowsing = Object.defineProperty({}, "enabled", {
      enumerable: true,
      get: () => Boolean(this.activeBrowserWindow?.isPrivate),
    });
  }

  get browserWindows() {
    return [...this.#windows];
  }

  get activeBrowserWindow() {
    return this.#windows[0];
  }

  openBrowserWindow() {
    const window = new SafariBrowserWindow(this, this.token());
    const tab = new SafariBrowserTab(window, this.token());
    window.list = [tab];
    this.#windows.unshift(window);
    this.#opening.set(window.key, window);
    this.#opening.set(tab.key, tab);
    this.post({ call: "openWindow", token: window.key, tab: tab.key });
    return window;
  }

  /** A name for what has no number yet. */
  token() {
    return `new-${++this.#lastToken}`;
  }

  /** @param {SafariBrowserTab} tab */
  await(tab) {
    this.#opening.set(tab.key, tab);
  }

  /** @param {number} id */
  tab(id) {
    return this.#tabs.get(id);
  }

  /** @param {number} id */
  window(id) {
    return this.#windows.find((window) => window.key === id);
  }

  /**
   * Gives an object that was made before its tab the tab's number; null if none was opened.
   *
   * @param {string} token @param {number | null} id
   */
  opened(token, id) {
    const thing = this.#opening.get(token);
    this.#opening.delete(token);
    if (!thing) return;
    if (id === null) return this.#forget(thing);
    thing.key = id;
    if (thing instanceof SafariBrowserTab) {
      const twin = this.#tabs.get(id);
      // A snapshot was faster.
      if (twin && twin !== thing) this.#forget(twin);
      this.#tabs.set(id, thing);
    } else {
      this.#windows = this.#windows.filter((window) => window === thing || window.key !== id);
    }
  }

  /** @param {any} thing */
  #forget(thing) {
    if (thing.browserWindow) {
      const window = thing.browserWindow;
      window.list = window.list.filter((/** @type {any} */ tab) => tab !== thing);
    } else {
      this.#windows = this.#windows.filter((window) => window !== thing);
    }
  }

  /**
   * Takes what there is now, and tells listeners what has changed.
   *
   * @param {Array<any>} snapshot @param {boolean} isFirst
   */
  update(snapshot, isFirst = false) {
    const before = this.activeBrowserWindow;
    /** @type {Array<[SafariTarget, string]>} */
    const events = [];
    const ids = new Set(snapshot.flatMap((window) => window.tabs.map((/** @type {any} */ tab) => tab.id)));
    for (const [id, tab] of this.#tabs) {
      if (ids.has(id)) continue;
      this.send(tab, new SafariEvent("close"));
      this.#tabs.delete(id);
    }
    const known = new Map(this.#windows.map((window) => [window.key, window]));
    for (const window of this.#windows) {
      const isThere = snapshot.some((one) => one.id === window.key) || this.#opening.has(window.key);
      if (!isThere) this.send(window, new SafariEvent("close"));
    }
    const opening = this.#windows.filter((window) => this.#opening.has(window.key));
    this.#windows = opening.concat(
      snapshot.map((one) => {
        const window = known.get(one.id) ?? new SafariBrowserWindow(this, one.id);
        if (!known.has(one.id)) events.push([window, "open"]);
        const active = window.activeTab;
        window.isPrivate = one.isPrivate;
        window.visible = one.isVisible;
        const unopened = window.list.filter((tab) => typeof tab.key === "string");
        window.list = one.tabs.map((/** @type {any} */ described) => {
          let tab = this.#tabs.get(described.id);
          if (!tab) {
            tab = new SafariBrowserTab(window, described.id);
            this.#tabs.set(described.id, tab);
            events.push([tab, "open"]);
          }
          tab.take(described, window);
          return tab;
        });
        window.list.push(...unopened);
        const now = window.list.find((tab) => tab.isActive);
        if (now && now !== active) {
          if (active && this.#tabs.get(Number(active.key)) === active) events.unshift([active, "deactivate"]);
          events.push([now, "activate"]);
        }
        return window;
      }),
    );
    const after = this.activeBrowserWindow;
    if (after && before !== after) {
      if (before && this.#windows.includes(before)) events.unshift([before, "deactivate"]);
      events.push([after, "activate"]);
    }
    if (isFirst) return;
    for (const [target, type] of events) this.send(target, new SafariEvent(type));
  }

  /**
   * Sends an event to a window or a tab through what is around it.
   *
   * @param {SafariTarget} target @param {SafariEvent} event
   */
  send(target, event) {
    /** @type {SafariTarget[]} */
    const path = [this];
    if (target instanceof SafariBrowserTab && target.browserWindow) path.push(target.browserWindow);
    if (target !== this) path.push(target);
    return dispatchSafariEvent(path, event);
  }
}

class SafariBrowserWindow extends SafariTarget {
  isPrivate = false;
  visible = true;
  /** @type {SafariBrowserTab[]} */
  list = [];

  /** @param {SafariApplication} application @param {number | string} key */
  constructor(application, key) {
    super();
    /** @type {SafariApplication} */
    this.application = application;
    this.key = key;
  }

  get tabs() {
    return [...this.list];
  }

  get activeTab() {
    return this.list.find((tab) => tab.isActive) ?? this.list[0];
  }

  activate() {
    this.application.post({ call: "activateWindow", window: this.key });
  }

  close() {
    this.application.post({ call: "closeWindow", window: this.key });
  }

  /** @param {string} [visibility] @param {number} [index] */
  openTab(visibility = "foreground", index = -1) {
    const { application } = this;
    const tab = new SafariBrowserTab(this, application.token());
    const isForeground = visibility !== "background";
    if (isForeground) for (const other of this.list) other.isActive = false;
    tab.isActive = isForeground;
    if (index >= 0) this.list.splice(index, 0, tab);
    else this.list.push(tab);
    application.await(tab);
    const window = typeof this.key === "number" ? this.key : null;
    application.post({ call: "openTab", token: tab.key, window, isForeground, index });
    return tab;
  }

  /** @param {SafariBrowserTab} tab @param {number} index */
  insertTab(tab, index) {
    this.application.post({ call: "moveTab", tab: tab.key, window: this.key, index });
    return tab;
  }
}

class SafariBrowserTab extends SafariTarget {
  isActive = false;
  #url = /** @type {string | undefined} */ ("");
  title = /** @type {string | undefined} */ ("");
  /** Chromium has no reader, and Firefox's opens another page. */
  reader = { available: false, visible: false, enter() {}, exit() {}, dispatchMessage() {} };

  /** @param {SafariBrowserWindow} window @param {number | string} key */
  constructor(window, key) {
    super();
    /** @type {SafariBrowserWindow} */
    this.browserWindow = window;
    this.key = key;
    this.page = {
      dispatchMessage: (/** @type {string} */ name, /** @type {unknown} */ message) => {
        this.#post({ call: "dispatchMessage", name: String(name), message: packValue(message) });
      },
    };
  }

  /** @param {any} message */
  #post(message) {
    this.browserWindow.application.post({ ...message, tab: this.key });
  }

  /** @param {any} described @param {SafariBrowserWindow} window */
  take(described, window) {
    this.browserWindow = window;
    this.isActive = described.isActive;
    this.#url = described.url;
    this.title = described.title;
  }

  get url() {
    return this.#url;
  }

  set url(address) {
    this.#url = String(address);
    this.#post({ call: "navigate", url: this.#url });
  }

  activate() {
    this.#post({ call: "activateTab" });
  }

  close() {
    this.#post({ call: "closeTab" });
  }

  /** @param {(address: string | null) => void} callback */
  visibleContentsAsDataURL(callback) {
    const { ask } = this.browserWindow.application.root;
    void ask({ call: "captureTab", tab: this.key }).then(callback, () => callback(null));
  }
}
