// In documents with large pictures, films or sounds that were not loaded: a click, or Enter, loads one.
//
// Only a person's own click counts, and only on what the background says was stopped.

globalThis.tickbirdMedia ??= (() => {
  const api = globalThis.browser ?? globalThis.chrome;
  const mark = "data-tickbird-media";
  /** As many addresses as the background keeps of a tab. */
  const limit = 500;
  /**
   * The addresses of what was stopped; the last of them.
   *
   * @type {Set<string>}
   */
  const stopped = new Set();
  /**
   * What waits: elements, and what stands in the place of those that the browser does not show. A page can set
   * the attribute, but not this. Elements that the page drops are dropped here.
   *
   * @type {WeakMap<Element, {
   *   url: string, element: HTMLImageElement | HTMLMediaElement, place: Element | null,
   * }>}
   */
  const waiting = new WeakMap();

  const words = (/** @type {string} */ url) => {
    const name = url.replace(/[?#].*/, "").split("/").pop() ?? "";
    return api.i18n.getMessage("media_load", [tickbirdDirection.isolated(decoded(name).slice(0, 60))]);
  };

  /** A name as a person reads it; as it is where it is no text, which a page may choose. */
  const decoded = (/** @type {string} */ name) => {
    try {
      return decodeURI(name);
    } catch {
      return name;
    }
  };

  /** @param {HTMLImageElement | HTMLMediaElement} element */
  const stoppedAddress = (element) => {
    const isEmpty = element instanceof HTMLImageElement
      ? element.complete && element.naturalWidth === 0 : element.readyState === 0;
    if (!isEmpty) return undefined;
    const sources = [...element.querySelectorAll("source")].map(({ src }) => src);
    return [element.currentSrc, element.src, ...sources].map((url) => url.replace(/#.*/, ""))
      .find((url) => stopped.has(url));
  };

  /**
   * Lets something be seen in the place of a picture that Chromium has taken out of the page, as it does with
   * what its own rules stop.
   *
   * @param {HTMLImageElement | HTMLMediaElement} element
   */
  const standIn = (element) => {
    if (!(element instanceof HTMLImageElement) || getComputedStyle(element).display !== "none") return null;
    // What a page or a list hides has nothing in its place: the same without an address is hidden as well.
    const same = /** @type {HTMLImageElement} */ (element.cloneNode());
    for (const name of ["src", "srcset"]) same.removeAttribute(name);
    element.after(same);
    const isHidden = getComputedStyle(same).display === "none";
    same.remove();
    if (isHidden) return null;
    const place = Document.prototype.createElementNS.call(document, "http://www.w3.org/1999/xhtml", "span");
    element.after(place);
    return place;
  };

  const find = () => {
    // A page gives its document properties by the names of its elements.
    for (const element of Document.prototype.querySelectorAll.call(document, "img,video,audio")) {
      if (!(element instanceof HTMLImageElement || element instanceof HTMLMediaElement)) continue;
      if (waiting.has(element)) continue;
      const url = stoppedAddress(element);
      if (url === undefined) continue;
      const place = standIn(element);
      const waits = { url, element, place };
      waiting.set(element, waits);
      if (place) {
        waiting.set(place, waits);
        place.textContent = words(url);
      }
      const shown = place ?? element;
      shown.setAttribute(mark, "");
      if (!shown.hasAttribute("tabindex")) shown.setAttribute("tabindex", "0");
      if (!(shown instanceof HTMLMediaElement)) shown.setAttribute("role", "button");
      shown.setAttribute("aria-label", words(url));
      shown.setAttribute("title", words(url));
    }
  };

  /** @param {Element} chosen */
  const load = async (chosen) => {
    const found = waiting.get(chosen);
    if (!found) return;
    const { url, element, place } = found;
    /** @type {Messages.Fault | {}} */
    const answer = await api.runtime.sendMessage({ type: "load-media", url });
    if (answer && "error" in answer) return;
    waiting.delete(element);
    if (place) {
      waiting.delete(place);
      place.remove();
    }
    for (const name of [mark, "tabindex", "role", "aria-label", "title"]) element.removeAttribute(name);
    if (element instanceof HTMLImageElement) {
      const { src, srcset } = element;
      if (srcset) element.srcset = srcset;
      element.src = src;
    } else if (element instanceof HTMLMediaElement) {
      element.load();
    }
  };

  /** @param {Event} event */
  const choose = (event) => {
    const [target] = event.composedPath();
    if (!event.isTrusted || !(target instanceof Element) || !waiting.has(target)) return;
    if (event instanceof KeyboardEvent && event.key !== "Enter") return;
    // A link around it is not followed.
    event.preventDefault();
    event.stopImmediatePropagation();
    load(target).catch(() => {});
  };
  addEventListener("click", choose, true);
  addEventListener("keydown", choose, true);
  // An element's failure may be told after the request's.
  addEventListener("error", () => setTimeout(find), true);

  return {
    /** @param {string[]} urls */
    wait(urls) {
      for (const url of urls) {
        stopped.delete(url);
        stopped.add(url);
      }
      for (const first of stopped) {
        if (stopped.size <= limit) break;
        stopped.delete(first);
      }
      find();
    },
  };
})();
