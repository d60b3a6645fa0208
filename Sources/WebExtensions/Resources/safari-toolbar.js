// The toolbar's item, which Safari has once in each window.

/**
 * @typedef {object} SafariItemState
 * @property {boolean} [enabled]
 * @property {string | null} [badge]
 * @property {string | null} [label]
 * @property {string | null} [image] An address, also of data; null for the declared one.
 */

/** Shows each window's state on the tab that the window shows: Chromium has no state by window. */
class SafariToolbar {
  /** @type {Map<number, SafariItemState>} */
  #windows = new Map();
  #action;
  #declared;
  #tabs;

  /**
   * @param {any} api @param {SafariTabs} tabs
   * @param {{label: string, icon: Record<string, string> | string | null}} declared
   */
  constructor(api, tabs, declared) {
    this.#action = api.action ?? api.browserAction;
    this.#tabs = tabs;
    this.#declared = declared;
    api.tabs.onActivated.addListener((/** @type {any} */ active) => this.#show(active.windowId));
    api.tabs.onUpdated.addListener((/** @type {number} */ id, /** @type {any} */ change, /** @type {any} */ tab) => {
      // A navigation takes what was set for the tab.
      if (tab.active && change.status) void this.#show(tab.windowId);
    });
    api.windows.onRemoved.addListener((/** @type {number} */ id) => this.#windows.delete(id));
    this.#action.setBadgeBackgroundColor?.({ color: "#0a60ff" });
    this.#action.setBadgeTextColor?.({ color: "#ffffff" });
  }

  /** @param {number} windowId */
  state(windowId) {
    return this.#windows.get(windowId) ?? {};
  }

  /**
   * Changes a window's item; members that are absent stay.
   *
   * @param {number} windowId
   * @param {SafariItemState} change
   */
  async set(windowId, change) {
    const state = { ...this.state(windowId) };
    if (change.enabled !== undefined) state.enabled = Boolean(change.enabled);
    for (const key of /** @type {const} */ (["badge", "label", "image"])) {
      if (change[key] !== undefined) state[key] = change[key];
    }
    this.#windows.set(windowId, state);
    await this.#show(windowId);
  }

  /** @param {number} windowId */
  async #show(windowId) {
    const state = this.#windows.get(windowId);
    if (!state) return;
    try {
      const tab = await this.#tabs.activeTab(windowId);
      if (!tab) return;
      const tabId = tab.id;
      const action = this.#action;
      await action.setBadgeText({ tabId, text: state.badge ?? "" });
      await action.setTitle({ tabId, title: state.label ?? this.#declared.label });
      if (state.enabled !== undefined) await (state.enabled ? action.enable(tabId) : action.disable(tabId));
      if (state.image !== undefined) await this.#showImage(tabId, state.image);
    } catch (error) {
      // The tab or the window is gone.
      console.debug(String(error));
    }
  }

  /** @param {number} tabId @param {string | null} image */
  async #showImage(tabId, image) {
    if (image === null) {
      if (this.#declared.icon) await this.#action.setIcon({ tabId, path: this.#declared.icon });
      return;
    }
    try {
      // Chromium's worker has no images but these.
      const picture = await createImageBitmap(await (await fetch(image)).blob());
      const size = Math.min(Math.max(picture.width, picture.height), 128) || 16;
      const canvas = new /** @type {any} */ (globalThis).OffscreenCanvas(size, size);
      const context = canvas.getContext("2d");
      if (!context) return;
      const scale = size / Math.max(picture.width, picture.height);
      const [width, height] = [picture.width * scale, picture.height * scale];
      context.drawImage(picture, (size - width) / 2, (size - height) / 2, width, height);
      await this.#action.setIcon({ tabId, imageData: context.getImageData(0, 0, size, size) });
    } catch (error) {
      console.warn(`the toolbar's image is not shown: ${error}`);
    }
  }

  /**
   * Opens the pop-up, if the browser lets it be opened.
   *
   * @param {number} windowId
   */
  async openPopup(windowId) {
    await this.#action.openPopup?.({ windowId }).catch((/** @type {unknown} */ error) => {
      console.warn(`the pop-over is not shown: ${error}`);
    });
  }
}
