// What the user has chosen in this browser: sites that are left alone, lists that are off.

import { api } from "./browser.js";

/** The user's choices; active at once, kept in the background. */
export class Settings {
  #allowedSites = new Set();
  #listsOff = new Set();

  /** Reads what was kept. */
  async load() {
    const kept = await api.storage.local.get(["allowedSites", "listsOff"]);
    this.#allowedSites = new Set(kept.allowedSites ?? []);
    this.#listsOff = new Set(kept.listsOff ?? []);
  }

  /** All sites on whose pages nothing is done, sorted. */
  get allowedSites() { return [...this.#allowedSites].sort(); }

  /** All lists that the user has switched off in this browser, sorted. */
  get listsOff() { return [...this.#listsOff].sort(); }

  /** Whether nothing is done on pages of a site. */
  isAllowed(site) { return this.#allowedSites.has(site); }

  /** Whether the user has switched a list off in this browser. */
  isListOff(identifier) { return this.#listsOff.has(identifier); }

  async setAllowed(site, isAllowed) {
    if (isAllowed) this.#allowedSites.add(site);
    else this.#allowedSites.delete(site);
    await api.storage.local.set({ allowedSites: [...this.#allowedSites] });
  }

  async setListOn(identifier, isOn) {
    if (isOn) this.#listsOff.delete(identifier);
    else this.#listsOff.add(identifier);
    await api.storage.local.set({ listsOff: [...this.#listsOff] });
  }
}
