// In documents with large pictures, films or sounds that were not loaded: a click, or Enter, loads one.
//
// Only a person's own click counts, and only on what the background says was stopped.

globalThis.tickbirdMedia ??= (() => {
  const api = globalThis.browser ?? globalThis.chrome;
  const mark = "data-tickbird-media";
  /**
   * The addresses of what was stopped.
   *
   * @type {Set<string>}
   */
  const stopped = new Set();
  /**
   * The elements that wait; a page can set the attribute, but not this.
   *
   * @type {Map<Element, string>}
   */
  const waiting = new Map();

  const words = (/** @type {string} */ url) => {
    const name = url.replace(/[?#].*/, "").split("/").pop() ?? "";
    return api.i18n.getMessage("media_load", [decoded(name).slice(0, 60)]);
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

  const find = () => {
    // A page gives its document properties by the names of its elements.
    for (const element of Document.prototype.querySelectorAll.call(document, "img,video,audio")) {
      if (!(element instanceof HTMLImageElement || element instanceof HTMLMediaElement)) continue;
      if (waiting.has(element)) continue;
      const url = stoppedAddress(element);
      if (url === undefined) continue;
      waiting.set(element, url);
      element.setAttribute(mark, "");
      if (!element.hasAttribute("tabindex")) element.setAttribute("tabindex", "0");
      if (element instanceof HTMLImageElement) element.setAttribute("role", "button");
      element.setAttribute("aria-label", words(url));
      element.title = words(url);
    }
  };

  /** @param {Element} element */
  const load = async (element) => {
    const url = waiting.get(element);
    if (url === undefined) return;
    /** @type {Messages.Fault | {}} */
    const answer = await api.runtime.sendMessage({ type: "load-media", url });
    if (answer && "error" in answer) return;
    waiting.delete(element);
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
      for (const url of urls) stopped.add(url);
      find();
    },
  };
})();
