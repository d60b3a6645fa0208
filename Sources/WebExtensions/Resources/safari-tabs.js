// Windows, tabs and pages as the browser has them now.

/** Windows from front to back, and which page each tab shows. */
class SafariTabs {
  /** @type {number[]} */
  #order = [];
  /** @type {Map<number, string>} */
  #pages = new Map();
  /** @type {Set<(tab: number, page: string) => void>} */
  #listeners = new Set();
  #api;

  /** @param {any} api */
  constructor(api) {
    this.#api = api;
    api.windows.onFocusChanged.addListener((/** @type {number} */ id) => this.#front(id));
    api.windows.onRemoved.addListener((/** @type {number} */ id) => {
      this.#order = this.#order.filter((one) => one !== id);
    });
    api.tabs.onRemoved.addListener((/** @type {number} */ id) => this.#pages.delete(id));
    api.webNavigation.onCommitted.addListener((/** @type {any} */ details) => {
      if (details.frameId !== 0 || (details.documentLifecycle ?? "active") !== "active") return;
      this.#pages.set(details.tabId, details.documentId ?? crypto.randomUUID());
      for (const listener of this.#listeners) listener(details.tabId, this.page(details.tabId));
    });
  }

  /** @param {(tab: number, page: string) => void} listener */
  onNewPage(listener) {
    this.#listeners.add(listener);
  }

  /** @param {number} id */
  #front(id) {
    if (id < 0) return;
    this.#order = [id, ...this.#order.filter((one) => one !== id)];
  }

  /** All ordinary windows with their tabs, front to back. */
  async windows() {
    const windows = await this.#api.windows.getAll({ populate: true, windowTypes: ["normal"] });
    const place = (/** @type {any} */ one) => {
      if (one.focused) return -1;
      const index = this.#order.indexOf(one.id);
      return index < 0 ? this.#order.length : index;
    };
    return [...windows].sort((one, other) => place(one) - place(other));
  }

  /** The ordinary window in front; nil if there is none. */
  async activeWindow() {
    return (await this.windows())[0] ?? null;
  }

  /**
   * The tab that a window shows.
   *
   * @param {number} windowId
   */
  async activeTab(windowId) {
    return (await this.#api.tabs.query({ active: true, windowId }))[0] ?? null;
  }

  /**
   * The page that a tab shows, as "TAB:TOKEN".
   *
   * @param {number} tab
   */
  page(tab) {
    let token = this.#pages.get(tab);
    if (!token) {
      token = crypto.randomUUID();
      this.#pages.set(tab, token);
    }
    return `${tab}:${token}`;
  }

  /**
   * The page that a script's message comes from.
   *
   * @param {any} sender
   */
  pageOf(sender) {
    if (sender.frameId === 0 && sender.documentId) {
      const known = this.#pages.get(sender.tab.id);
      // Before the first navigation that was seen, and for one that is not told yet.
      if (known !== sender.documentId) this.#pages.set(sender.tab.id, sender.documentId);
    }
    return this.page(sender.tab.id);
  }

  /**
   * The tab whose page this is now; nil if the page is gone.
   *
   * @param {unknown} page
   */
  async tabOf(page) {
    const id = parseInt(String(page), 10);
    if (!Number.isInteger(id)) return null;
    const tab = await this.#api.tabs.get(id).catch(() => null);
    return tab && this.page(id) === page ? tab : null;
  }
}
