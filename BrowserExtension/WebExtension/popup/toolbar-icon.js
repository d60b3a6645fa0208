// The picture and the title of the toolbar button, which say whether Tickbird acts on a tab's page.

import { api, button } from "../shared/browser.js";
import { text } from "../shared/texts.js";

/**
 * Whether lists act on a page, also strictly or relaxedly; what keeps them from it otherwise: its site is
 * exempted, its tab is off, no list is on, or there is no service that would have any.
 *
 * @typedef {"on" | "strict" | "relaxed" | "exempt" | "tab-off" | "off" | "absent"} IconState
 */

const sizes = [16, 32];

/**
 * The keys of the button's titles.
 *
 * @type {Record<IconState, string>}
 */
const titles = {
  "on": "extensionName", "strict": "icon_strict", "relaxed": "icon_relaxed", "exempt": "icon_exempt",
  "tab-off": "icon_tab_off", "off": "icon_off", "absent": "icon_absent",
};

/**
 * Makes the icon's pixels pale or grey, so that the states differ without colours too.
 *
 * @param {Uint8ClampedArray} pixels
 * @param {IconState} state
 */
export function tint(pixels, state) {
  for (let place = 0; place < pixels.length; place += 4) {
    if (state === "exempt" || state === "tab-off") pixels[place + 3] *= 0.45;
    if (state !== "off" && state !== "absent") continue;
    const grey = 0.3 * pixels[place] + 0.59 * pixels[place + 1] + 0.11 * pixels[place + 2];
    pixels.fill(grey, place, place + 3);
  }
}

/**
 * Puts a mark into the picture's lower corner: a full disc where the site is strict, a ring where it is
 * relaxed, so that they differ without colours too.
 *
 * @param {Uint8ClampedArray} pixels
 * @param {number} size the picture's width and height
 * @param {IconState} state
 */
export function mark(pixels, size, state) {
  if (state !== "strict" && state !== "relaxed") return;
  const radius = size * 0.28;
  const centre = size - radius;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const distance = Math.hypot(x + 0.5 - centre, y + 0.5 - centre);
      if (distance > radius) continue;
      const isInner = distance < radius * 0.55;
      const isWhite = state === "relaxed" ? isInner : distance > radius * 0.8;
      pixels.set(isWhite ? [255, 255, 255, 255] : [178, 34, 52, 255], 4 * (y * size + x));
    }
  }
}

/** The toolbar button's pictures; they are made once for each state, unless that fails. */
export class ToolbarIcon {
  /** @type {Map<IconState, Promise<Record<string, ImageData>>>} */
  #pictures = new Map();
  /**
   * What each tab's button shows.
   *
   * @type {Map<number, IconState>}
   */
  #shown = new Map();

  /**
   * Shows a state on a tab's button.
   *
   * @param {number} tabId
   * @param {IconState} state
   */
  async show(tabId, state) {
    if ((this.#shown.get(tabId) ?? "on") === state) return;
    this.#shown.set(tabId, state);
    try {
      await Promise.all([this.showTitle(tabId, state), this.#showPictures(tabId, state)]);
    } catch {
      // The tab is closed, or the pictures cannot be made now.
      this.#shown.delete(tabId);
    }
  }

  /**
   * @param {number} tabId
   * @param {IconState} state
   */
  async #showPictures(tabId, state) {
    let pictures = this.#pictures.get(state);
    if (!pictures) {
      pictures = picturesOf(state);
      this.#pictures.set(state, pictures);
      pictures.catch(() => this.#pictures.delete(state));
    }
    await button.setIcon({ tabId, imageData: await pictures });
  }

  /**
   * Gives a tab's button the title of a state, after another one.
   *
   * @param {number} tabId
   * @param {IconState} state
   */
  async showTitle(tabId, state) { await button.setTitle({ tabId, title: text(titles[state]) }); }

  /**
   * Browsers forget what a tab's button shows when another document comes.
   *
   * @param {number} tabId
   */
  forget(tabId) { this.#shown.delete(tabId); }
}

/**
 * @param {IconState} state
 * @returns {Promise<Record<string, ImageData>>}
 */
async function picturesOf(state) {
  const pictures = sizes.map(async (size) => {
    const answer = await fetch(api.runtime.getURL(`icons/icon-${size}.png`));
    const bitmap = await createImageBitmap(await answer.blob());
    const context = new OffscreenCanvas(size, size).getContext("2d");
    if (!context) throw new Error("the browser draws no icons");
    context.drawImage(bitmap, 0, 0);
    const image = context.getImageData(0, 0, size, size);
    tint(image.data, state);
    mark(image.data, size, state);
    return [String(size), image];
  });
  return Object.fromEntries(await Promise.all(pictures));
}
