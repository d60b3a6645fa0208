// In the background: choosing an element of a page, from the start in its documents to the window that
// shows what was chosen.
//
// What documents say is taken from those alone in which choosing was begun, and checked; it saves nothing.

import { hidingSheet } from "../hiding/selectors.js";
import { isOneSelector } from "../own/own-rules.js";
import { api, isFirefox, tabWith } from "../shared/browser.js";
import { messageOf } from "../shared/errors.js";
import { milliseconds } from "../shared/timings.js";

/** What the ports of documents and of windows are called; a window's also has its tab's number. */
const documentPort = "pick";
const windowPort = "picker:";
const files = ["/picker/element-selectors.js", "/picker/pick-element.js"];
/** How many selectors are offered. */
const offered = 5;
/** Blue within white, so that it is seen on any ground. */
const outline = "{outline-style:solid!important;outline-width:3px!important;outline-color:#1d4f9c!important;"
  + "outline-offset:-3px!important;box-shadow:inset 0 0 0 6px #fff!important}";

/** @typedef {{ selector: string, count: number }} Candidate */
/**
 * Choosing in a tab.
 *
 * @typedef {object} Picking
 * @property {Map<number, WebExt.Port>} frames ports of the documents, by their frames' numbers
 * @property {{ candidates: Candidate[], name: string, frameId: number } | null} chosen
 * @property {WebExt.Port | null} window
 * @property {number | null} windowId
 * @property {string} css what is inserted into the documents to show what is chosen
 * @property {boolean} isPicking whether a person is choosing, and no document has said what
 * @property {number} moves how often the choice was to become wider or narrower, and has not yet
 * @property {number} keyboard the frame that has the keyboard
 * @property {MenuTarget | null} menu the element of that frame that is chosen at once; null if none is
 */
/**
 * The element over which a menu was opened: Firefox has a number for it.
 *
 * @typedef {{ elementId?: number }} MenuTarget
 */

export class Picker {
  /**
   * By the tab's number.
   *
   * @type {Map<number, Picking>}
   */
  #pickings = new Map();
  /** @type {Map<number, { counts: Map<number, number[]>, done: () => void, wanted: number }>} */
  #counts = new Map();
  #lastCount = 0;
  #site;

  /** @param {(url: string) => string | null} site the site of a page */
  constructor(site) {
    this.#site = site;
    api.runtime.onConnect.addListener((port) => this.#connected(port));
    api.webNavigation.onCommitted.addListener((details) => this.#committed(details));
    api.tabs.onRemoved.addListener((tabId) => this.end(tabId));
  }

  /**
   * Lets a person choose an element of the page in a tab.
   *
   * @param {number} tabId
   * @param {number} frameId the frame that the keyboard goes to
   * @param {boolean} isFromMenu whether the element is chosen over which the menu was opened
   * @param {number} [elementId] Firefox's number of it
   * @returns {Promise<void>}
   * @throws {Error} where extensions may do nothing
   */
  async start(tabId, frameId = 0, isFromMenu = false, elementId = undefined) {
    const tab = await tabWith(tabId);
    if (!/^https?:/.test(tab?.url ?? "")) throw new Error(api.i18n.getMessage("pick_not_here"));
    const menu = isFromMenu ? { elementId } : null;
    const known = this.#pickings.get(tabId);
    if (known) {
      known.keyboard = frameId;
      known.menu = menu;
      return this.again(tabId);
    }
    this.#pickings.set(tabId, {
      frames: new Map(), chosen: null, window: null, windowId: null, css: "", isPicking: true, moves: 0,
      keyboard: frameId, menu,
    });
    try {
      await this.#bringToFront(tabId);
      await inject(tabId, null);
    } catch (error) {
      this.end(tabId);
      throw error;
    }
  }

  /**
   * Lets another element be chosen.
   *
   * @param {number} tabId
   * @returns {Promise<void>}
   */
  async again(tabId) {
    const picking = this.#pickings.get(tabId);
    if (!picking) return this.start(tabId);
    await this.#show(tabId, picking, "");
    picking.isPicking = true;
    picking.moves = 0;
    await this.#bringToFront(tabId);
    for (const frameId of picking.frames.keys()) beginIn(picking, frameId);
  }

  /** @param {number} tabId */
  async #bringToFront(tabId) {
    const { windowId } = await tabWith(tabId) ?? {};
    await api.tabs.update(tabId, { active: true });
    if (windowId !== undefined) await api.windows.update(windowId, { focused: true });
  }

  /**
   * Chooses the element around the chosen one, or the first one in it.
   *
   * @param {number} tabId
   * @param {"wider" | "narrower"} way
   */
  move(tabId, way) {
    const picking = this.#pickings.get(tabId);
    const port = picking?.frames.get(picking.chosen?.frameId ?? 0);
    if (!picking || !port) return;
    picking.moves += 1;
    port.postMessage({ type: "move", way });
  }

  /**
   * What was chosen in a tab; null if nothing was.
   *
   * @param {number} tabId
   * @returns {Promise<Messages.Picked | null>}
   */
  async report(tabId) {
    const picking = this.#pickings.get(tabId);
    const site = this.#site((await tabWith(tabId))?.url ?? "");
    if (!picking?.chosen || site === null) return null;
    const { candidates, name, frameId } = picking.chosen;
    const counts = await this.#count(picking, candidates.map(({ selector }) => selector));
    return {
      site, name, isFramed: frameId !== 0,
      candidates: candidates.map(({ selector }, place) => ({
        selector, here: counts.get(frameId)?.[place] ?? 0,
        all: [...counts.values()].reduce((sum, each) => sum + (each[place] ?? 0), 0),
      })),
    };
  }

  /**
   * Shows in the page what a selector selects: with an outline, or by hiding it.
   *
   * @param {number} tabId
   * @param {string} selector
   * @param {boolean} isHidden
   */
  async show(tabId, selector, isHidden) {
    const picking = this.#pickings.get(tabId);
    if (!picking || !isOneSelector(selector)) return;
    await this.#show(tabId, picking, isHidden ? hidingSheet(selector) : selector + outline);
  }

  /**
   * Ends choosing in a tab; what is shown there is as it was, unless it stays hidden by a new rule.
   *
   * @param {number} tabId
   * @param {string | null} [hidden] the selector of what stays hidden
   */
  async end(tabId, hidden = null) {
    const picking = this.#pickings.get(tabId);
    if (!picking) return;
    this.#pickings.delete(tabId);
    for (const port of picking.frames.values()) port.disconnect();
    try {
      picking.window?.postMessage({ type: "ended" });
    } catch {
      // It is being closed.
    }
    await this.#show(tabId, picking, hidden !== null && isOneSelector(hidden) ? hidingSheet(hidden) : "");
  }

  /**
   * @param {number} tabId
   * @param {Picking} picking
   * @param {string} css
   */
  async #show(tabId, picking, css) {
    const old = picking.css;
    if (old === css) return;
    picking.css = css;
    try {
      if (css !== "") await change(tabId, css, true);
      if (old !== "") await change(tabId, old, false);
    } catch (error) {
      // The page is gone.
      console.debug(messageOf(error));
    }
  }

  /**
   * How many elements selectors select, by frame.
   *
   * @param {Picking} picking
   * @param {string[]} selectors
   * @returns {Promise<Map<number, number[]>>}
   */
  async #count(picking, selectors) {
    const number = ++this.#lastCount;
    /** @type {Map<number, number[]>} */
    const counts = new Map();
    await new Promise((resolve) => {
      const done = () => resolve(undefined);
      this.#counts.set(number, { counts, done, wanted: picking.frames.size });
      setTimeout(done, milliseconds.pageAnswer);
      for (const port of picking.frames.values()) port.postMessage({ type: "count", number, selectors });
      if (picking.frames.size === 0) done();
    });
    this.#counts.delete(number);
    return counts;
  }

  // MARK: Ports

  /** @param {WebExt.Port} port */
  #connected(port) {
    if (port.name === documentPort) this.#documentConnected(port);
    const tabId = Number(port.name.slice(windowPort.length));
    if (!port.name.startsWith(windowPort) || !port.sender?.url?.startsWith(api.runtime.getURL("/picker/"))) return;
    const picking = this.#pickings.get(tabId);
    if (!picking) {
      port.postMessage({ type: "ended" });
      return;
    }
    picking.window = port;
    port.onMessage.addListener((message) => {
      const { type, hidden } = /** @type {{ type: string, hidden: string | null }} */ (message);
      if (type === "end") this.end(tabId, hidden);
    });
    port.onDisconnect.addListener(() => {
      if (picking.window !== port) return;
      picking.window = null;
      // Without its window there is nothing to choose for, unless somebody chooses anew.
      if (!picking.isPicking) this.end(tabId, null);
    });
  }

  /** @param {WebExt.Port} port */
  #documentConnected(port) {
    const { tab, frameId = 0 } = port.sender ?? {};
    const tabId = tab?.id ?? -1;
    const picking = this.#pickings.get(tabId);
    if (!picking) {
      port.disconnect();
      return;
    }
    picking.frames.set(frameId, port);
    port.onMessage.addListener((message) => this.#said(tabId, frameId, message));
    port.onDisconnect.addListener(() => {
      if (picking.frames.get(frameId) === port) picking.frames.delete(frameId);
    });
    if (picking.isPicking) beginIn(picking, frameId);
  }

  /**
   * @param {number} tabId
   * @param {number} frameId
   * @param {unknown} message
   */
  #said(tabId, frameId, message) {
    const picking = this.#pickings.get(tabId);
    const said = /** @type {Record<string, unknown>} */ (message ?? {});
    if (!picking) return;
    switch (said.type) {
      case "end":
        if (picking.isPicking) this.#cancel(tabId, picking);
        break;
      case "took-over": picking.keyboard = frameId; break;
      case "hand-over": {
        const { way } = said;
        if (typeof said.said !== "string" || said.said.length > 100 || way !== "up" && way !== "down") return;
        for (const [each, port] of picking.frames) {
          if (each !== frameId) port.postMessage({ type: "expect", said: said.said, way });
        }
        // Messages of one port come in their order, those of several need not.
        setTimeout(() => picking.frames.get(frameId)?.postMessage({ type: "go" }), milliseconds.pickHandOver);
        break;
      }
      case "counted": this.#counted(frameId, said); break;
      case "chosen": {
        // A page whose process was taken over could open a window with each word.
        if (!picking.isPicking && picking.moves === 0) return;
        const candidates = candidatesOf(said.candidates);
        if (candidates.length === 0) return;
        picking.moves = picking.isPicking ? 0 : picking.moves - 1;
        picking.chosen = { candidates, frameId, name: String(said.name).slice(0, 200) };
        picking.keyboard = frameId;
        picking.isPicking = false;
        for (const port of picking.frames.values()) port.postMessage({ type: "rest" });
        this.#open(tabId, picking);
        break;
      }
      default:
    }
  }

  /**
   * A person chooses nothing; what was chosen before stays.
   *
   * @param {number} tabId
   * @param {Picking} picking
   */
  #cancel(tabId, picking) {
    if (!picking.window) {
      this.end(tabId);
      return;
    }
    picking.isPicking = false;
    for (const port of picking.frames.values()) port.postMessage({ type: "rest" });
    this.#open(tabId, picking);
  }

  /**
   * @param {number} frameId
   * @param {Record<string, unknown>} said
   */
  #counted(frameId, said) {
    const question = this.#counts.get(Number(said.number));
    if (!question || !Array.isArray(said.counts)) return;
    question.counts.set(frameId, said.counts.slice(0, offered)
      .map((count) => (Number.isSafeInteger(count) && count >= 0 ? count : 0)));
    if (question.counts.size >= question.wanted) question.done();
  }

  /**
   * Shows what was chosen, in the window that is there or a new one.
   *
   * @param {number} tabId
   * @param {Picking} picking
   */
  async #open(tabId, picking) {
    if (picking.window) {
      picking.window.postMessage({ type: "chosen" });
      if (picking.windowId !== null) {
        await api.windows.update(picking.windowId, { focused: true }).catch(() => {});
      }
      return;
    }
    const url = `${api.runtime.getURL("/picker/picker.html")}?tab=${tabId}`;
    try {
      const { id } = await api.windows.create({ url, type: "popup", width: 480, height: 720 });
      picking.windowId = id ?? null;
    } catch (error) {
      console.debug(messageOf(error));
      // Where there are no such windows, a tab does.
      await api.tabs.create({ url });
    }
  }

  /** @param {WebExt.NavigationDetails} details */
  #committed({ tabId, frameId, documentLifecycle = "active" }) {
    const picking = this.#pickings.get(tabId);
    if (!picking || documentLifecycle !== "active") return;
    if (frameId === 0) this.end(tabId);
    else inject(tabId, frameId).catch((error) => console.debug(messageOf(error)));
  }
}

/**
 * Lets a frame's document choose; the menu's element is chosen once.
 *
 * @param {Picking} picking
 * @param {number} frameId
 */
function beginIn(picking, frameId) {
  const hasKeyboard = frameId === picking.keyboard;
  const { menu } = picking;
  picking.frames.get(frameId)?.postMessage({ type: "pick", hasKeyboard, ...(hasKeyboard && menu ? { menu } : {}) });
  if (hasKeyboard) picking.menu = null;
}

/**
 * What a document says about selectors, as far as it is any.
 *
 * @param {unknown} said
 * @returns {Candidate[]}
 */
export function candidatesOf(said) {
  return !Array.isArray(said) ? [] : said.slice(0, offered).flatMap((each) => {
    const { selector, count } = /** @type {Candidate} */ (each ?? {});
    return isOneSelector(selector) && Number.isSafeInteger(count) && count > 0 ? [{ selector, count }] : [];
  });
}

/**
 * Runs the scripts in the documents of a tab, or in that of one frame.
 *
 * @param {number} tabId
 * @param {number | null} frameId
 */
async function inject(tabId, frameId) {
  if (isFirefox) {
    const where = frameId === null ? { allFrames: true } : { frameId };
    for (const file of files) {
      await api.tabs.executeScript(tabId, { file, ...where, matchAboutBlank: true, runAt: "document_start" });
    }
    return;
  }
  const target = frameId === null ? { tabId, allFrames: true } : { tabId, frameIds: [frameId] };
  await api.scripting.executeScript({ target, files, injectImmediately: true });
}

/**
 * Inserts a style sheet into all documents of a tab, or takes it out.
 *
 * @param {number} tabId
 * @param {string} css
 * @param {boolean} isWanted
 */
async function change(tabId, css, isWanted) {
  if (isFirefox) {
    /** @type {WebExt.ScriptDetails & { cssOrigin: "user" }} */
    const details = { code: css, cssOrigin: "user", allFrames: true, matchAboutBlank: true };
    await (isWanted ? api.tabs.insertCSS(tabId, { ...details, runAt: "document_start" }) : api.tabs.removeCSS(tabId, details));
    return;
  }
  const target = { tabId, allFrames: true };
  await (isWanted ? api.scripting.insertCSS({ target, css, origin: "USER" })
    : api.scripting.removeCSS({ target, css, origin: "USER" }));
}
