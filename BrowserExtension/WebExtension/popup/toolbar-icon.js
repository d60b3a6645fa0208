// The picture and the title of the toolbar button, which say whether Tickbird acts on a tab's page.

import { api, button } from "../shared/browser.js";
import { text } from "../shared/texts.js";

/**
 * Whether lists act on a page; what keeps them from it otherwise: its site is exempted, no list is on,
 * or there is no service that would have any.
 *
 * @typedef {"on" | "exempt" | "off" | "absent"} IconState
 */

const sizes = [16, 32];

/**
 * The keys of the titles.
 *
 * @type {Record<IconState, string>}
 */
const titles = { on: "extensionName", exempt: "icon_exempt", off: "icon_off", absent: "icon_absent" };

/**
 * Makes the icon's pixels pale or grey, so that the states differ without colours too.
 *
 * @param {Uint8ClampedArray} pixels
 * @param {IconState} state
 */
export function tint(pixels, state) {
  for (let place = 0; place < pixels.length; place += 4) {
    if (state === "exempt") pixels[place + 3] *= 0.45;
    if (state !== "off" && state !== "absent") continue;
    const grey = 0.3 * pixels[place] + 0.59 * pixels[place + 1] + 0.11 * pixels[place + 2];
    pixels.fill(grey, place, place + 3);
  }
}

/** The toolbar button's pictures; they are made once for each state. */
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
    let pictures = this.#pictures.get(state);
    if (!pictures) this.#pictures.set(state, pictures = picturesOf(state));
    try {
      await Promise.all([
        button.setIcon({ tabId, imageData: await pictures }),
        button.setTitle({ tabId, title: text(titles[state]) }),
      ]);
    } catch {
      // The tab is closed.
      this.#shown.delete(tabId);
    }
  }

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
    return [String(size), image];
  });
  return Object.fromEntries(await Promise.all(pictures));
}
