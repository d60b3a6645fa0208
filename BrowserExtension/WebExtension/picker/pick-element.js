// In documents: a person chooses an element by mouse or keyboard, and the background is told its selectors.
//
// Nothing is saved here. What is drawn is in a closed shadow root, and only what a person does counts; a page
// can disturb it all the same, so the choice is made in a window of the extension's own, which shows what was
// chosen. Elements in shadow roots stand for their hosts, which is as far as rules reach.

if (!globalThis.tickbirdPicking) {
  const { behind, before, forElement, nameOf, parentOf, attribute, rootElement, select } = globalThis.tickbirdSelectors;
  const api = globalThis.browser ?? globalThis.chrome;
  const isFirefox = api.runtime.getURL("").startsWith("moz-extension:");
  const text = (/** @type {string} */ key, /** @type {string[]} */ ...values) => api.i18n.getMessage(key, values);
  const isTop = window === window.top;
  /** Elements whose own documents are chosen from. */
  const framed = new Set(["iframe", "frame", "object", "embed"]);
  /** How long another frame is waited for, in milliseconds. */
  const handOver = 400;

  const style = `
    :host {
      all: initial !important; position: fixed !important; inset: 0 !important; display: block !important;
      width: 100% !important; height: 100% !important; max-width: none !important; max-height: none !important;
      margin: 0 !important; padding: 0 !important; border: 0 !important; background: transparent !important;
      overflow: hidden !important; visibility: visible !important; opacity: 1 !important;
      z-index: 2147483647 !important; cursor: crosshair !important;
    }
    :host(.through) { pointer-events: none !important; }
    .shield { position: absolute; inset: 0; outline: none; }
    .shield:focus-visible { outline: 3px solid #1d4f9c; outline-offset: -3px; }
    .box {
      position: absolute; box-sizing: border-box; pointer-events: none;
      background: rgb(59 91 140 / 25%); border: 2px solid #1d4f9c; outline: 2px solid #fff;
    }
    .bar {
      position: absolute; inset-inline: 0; bottom: 12px; margin-inline: auto; box-sizing: border-box;
      width: max-content; max-width: calc(100% - 24px); padding: 9px 14px; pointer-events: none;
      font: 400 14px/1.45 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
      color: #1d2129; background: #fff; border: 1px solid #5a6372; border-radius: 10px;
      box-shadow: 0 3px 14px rgb(0 0 0 / 30%); overflow-wrap: anywhere;
    }
    .bar strong { display: block; font-weight: 600; }
    .bar code { font: 13px/1.4 ui-monospace, monospace; }
    .bar.above { top: 12px; bottom: auto; }
    [hidden] { display: none !important; }
    @media (prefers-color-scheme: dark) {
      .bar { color: #e8ebf0; background: #1e2127; border-color: #a3acba; }
    }
    @media (forced-colors: active) { .box { border-color: Highlight; background: transparent; } }
  `;

  const make = (/** @type {string} */ name, /** @type {string} */ className = "") => {
    const element = Document.prototype.createElementNS.call(document, "http://www.w3.org/1999/xhtml", name);
    element.setAttribute("class", className);
    return /** @type {HTMLElement} */ (element);
  };

  const host = make("div");
  const root = host.attachShadow({ mode: "closed" });
  if (isFirefox) {
    // Firefox keeps constructed sheets of extensions out of documents.
    const sheet = make("style");
    sheet.textContent = style;
    root.append(sheet);
  } else {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
  }
  const shield = make("div", "shield");
  shield.tabIndex = 0;
  shield.setAttribute("role", "application");
  shield.setAttribute("aria-label", text("pick_label"));
  const box = make("div", "box");
  const bar = make("div", "bar");
  const title = make("strong");
  const named = make("code");
  const live = make("span");
  named.dir = "ltr";
  live.setAttribute("role", "status");
  title.textContent = text("pick_how");
  live.append(named);
  bar.append(title, live);
  root.append(shield, box, bar);
  host.lang = text("language");
  host.dir = text("@@bidi_dir");

  /** What would be chosen now. */
  let current = /** @type {Element | null} */ (null);
  /** What was chosen. */
  let chosen = /** @type {Element | null} */ (null);
  /** The elements that were left by going to their parents, so that the way back leads to the same. */
  let left = /** @type {Element[]} */ ([]);
  let isPicking = false;
  /** Frames that another one may hand over to this one, by what they say. */
  const expected = new Map();
  /** @type {(() => void) | null} */
  let handedOver = null;
  let frame = 0;
  const port = api.runtime.connect({ name: "pick" });

  // MARK: What is shown

  const place = () => {
    // A page may have taken it away.
    const top = rootElement();
    if (!top) return;
    if (host.parentNode !== top) Element.prototype.append.call(top, host);
    if (typeof host.showPopover !== "function") return;
    host.popover = "manual";
    try {
      host.showPopover();
    } catch {
      // It is shown already.
    }
  };

  const describe = (/** @type {Element} */ element) => {
    const id = attribute(element, "id").slice(0, 40);
    const classes = attribute(element, "class").trim().split(/\s+/).filter(Boolean).slice(0, 2).join(".").slice(0, 60);
    return nameOf(element) + (id ? `#${id}` : "") + (classes ? `.${classes}` : "");
  };

  const draw = () => {
    if (!isPicking) return;
    const isShown = current !== null && current.isConnected;
    box.hidden = !isShown;
    bar.hidden = !isTop && !isShown;
    if (!isShown || !current) return;
    const { x, y, width, height } = Element.prototype.getBoundingClientRect.call(current);
    Object.assign(box.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    bar.classList.toggle("above", y + height / 2 > innerHeight / 2 && y > 90);
    const words = describe(current);
    if (named.textContent !== words) named.textContent = words;
  };

  const later = () => {
    if (frame === 0) frame = requestAnimationFrame(() => { frame = 0; draw(); });
  };

  const isPage = (/** @type {Element | null} */ element) =>
    !element || element === rootElement() || nameOf(element) === "body" || nameOf(element) === "head";

  /**
   * Makes an element the one that would be chosen.
   *
   * @param {Element | null} element
   * @param {boolean} isByKey
   */
  const point = (element, isByKey = false) => {
    current = element;
    if (element && isByKey) {
      const { y, height } = Element.prototype.getBoundingClientRect.call(element);
      if (y < 0 || y + height > innerHeight) {
        const instantly = /** @type {ScrollIntoViewOptions} */ ({ block: "nearest", behavior: /** @type {any} */ ("instant") });
        Element.prototype.scrollIntoView.call(element, instantly);
      }
    }
    if (!isByKey) left = [];
    later();
  };

  // MARK: By mouse

  /** The element at a place of the window; parts of drawings stand for the drawing. */
  const under = (/** @type {number} */ x, /** @type {number} */ y) => {
    const found = Document.prototype.elementsFromPoint.call(document, x, y).find((each) => each !== host) ?? null;
    return found instanceof SVGElement ? found.ownerSVGElement ?? found : found;
  };

  const swallow = (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  /** Where the mouse was last; each movement is told by several events. */
  let last = "";

  const moved = (/** @type {MouseEvent} */ event) => {
    if (!isPicking || !event.isTrusted) return;
    swallow(event);
    const where = `${event.clientX} ${event.clientY} ${scrollX} ${scrollY}`;
    if (where === last) return;
    last = where;
    if (host.parentNode !== rootElement()) place();
    const element = under(event.clientX, event.clientY);
    // The document in a frame takes it over while the mouse is above it.
    const isFrame = element !== null && framed.has(nameOf(element));
    host.classList.toggle("through", isFrame);
    point(isPage(element) ? null : element);
  };

  const pressed = (/** @type {MouseEvent} */ event) => {
    if (!isPicking || !event.isTrusted) return;
    swallow(event);
    if (event.type !== "click" || event.button !== 0) return;
    const element = under(event.clientX, event.clientY);
    if (!isPage(element)) choose(element);
  };

  // MARK: By keyboard

  /** The first or next element that is seen, from one on. */
  const seen = (/** @type {Element | null} */ element, /** @type {(from: Element) => Element | null} */ step) => {
    for (let each = element; each; each = step(each)) {
      if (each === host) continue;
      const { width, height } = Element.prototype.getBoundingClientRect.call(each);
      if (width > 0 && height > 0) return each;
    }
    return null;
  };

  const firstChild = (/** @type {Element} */ element) => seen(/** @type {Element | null} */ (
    Object.getOwnPropertyDescriptor(Element.prototype, "firstElementChild")?.get?.call(element)), behind);
  const body = () => /** @type {Element | null} */ (
    Object.getOwnPropertyDescriptor(Document.prototype, "body")?.get?.call(document) ?? null);

  /** Makes the parent the current element; the frame around the document where it has none. */
  const wider = (/** @type {Element} */ from) => {
    const parent = parentOf(from);
    if (isPage(parent)) return isTop ? null : giveUp();
    left.push(from);
    return parent;
  };

  const narrower = (/** @type {Element} */ from) => {
    const last = left.pop();
    if (last && parentOf(last) === from) return last;
    left = [];
    if (framed.has(nameOf(from))) return giveDown(from);
    return firstChild(from);
  };

  const keyed = (/** @type {KeyboardEvent} */ event) => {
    if (!isPicking || !event.isTrusted) return;
    if (event.type !== "keydown") return swallow(event);
    if (event.key === "Tab" || event.ctrlKey || event.metaKey || event.altKey) return;
    swallow(event);
    if (event.key === "Escape") port.postMessage({ type: "end" });
    else if (event.key === "Enter") { if (current && !isPage(current)) choose(current); }
    else step(event.key);
  };

  /** Goes from the current element to another one by a key. */
  const step = (/** @type {string} */ key) => {
    const first = body();
    /** @type {Record<string, (from: Element) => Element | null>} */
    const steps = {
      ArrowUp: wider,
      ArrowDown: narrower,
      ArrowLeft: (from) => seen(before(from), before),
      ArrowRight: (from) => seen(behind(from), behind),
    };
    if (!Object.hasOwn(steps, key)) return;
    if (!current?.isConnected) {
      point(first && firstChild(first), true);
      return;
    }
    const to = steps[key](current);
    if (key === "ArrowLeft" || key === "ArrowRight") left = [];
    if (to) point(to, true);
  };

  // MARK: From frame to frame
  //
  // Documents of different sites know each other by their windows alone, so the one says to the other's
  // window what the background has told that to expect. A page that hears it is too late to use it.

  const token = () => [...crypto.getRandomValues(new Uint32Array(4))].join("-");

  /** Lets another frame go on, after the background has told all of them what they will hear. */
  const give = (/** @type {Window | null} */ to, /** @type {"up" | "down"} */ way) => {
    const said = token();
    handedOver = () => { to?.postMessage(said, "*"); };
    port.postMessage({ type: "hand-over", said, way });
    return null;
  };
  const giveUp = () => give(window.parent, "up");
  const giveDown = (/** @type {Element} */ element) => give(windowOf(element), "down");

  const windowOf = (/** @type {Element} */ element) => {
    for (const kind of [HTMLIFrameElement, HTMLFrameElement, HTMLObjectElement]) {
      if (element instanceof kind) {
        return /** @type {Window | null} */ (Object.getOwnPropertyDescriptor(kind.prototype, "contentWindow")?.get?.call(element));
      }
    }
    return null;
  };

  addEventListener("message", (event) => {
    const way = typeof event.data === "string" ? expected.get(event.data) : undefined;
    if (way === undefined || !event.isTrusted) return;
    expected.clear();
    event.stopImmediatePropagation();
    const source = way === "up"
      ? [...select("iframe,frame,object")].find((each) => windowOf(each) === event.source) : null;
    if (way === "up" && !source || way === "down" && event.source !== window.parent) return;
    port.postMessage({ type: "took-over" });
    take();
    const first = body();
    point(source ?? (first && firstChild(first)), true);
    // What is chosen already was made wider or narrower.
    if (!isPicking) choose(current);
  }, true);

  /** Takes the keyboard. */
  const take = () => {
    if (!isPicking) return;
    window.focus();
    shield.focus({ preventScroll: true });
  };

  // MARK: Beginning and end

  const events = /** @type {const} */ ([
    [moved, ["pointermove", "mousemove", "pointerover", "mouseover"]],
    [pressed, ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu",
      "touchstart", "touchend"]],
    [keyed, ["keydown", "keypress", "keyup"]],
    [later, ["scroll", "resize"]],
  ]);

  /** @param {boolean} isWanted */
  const setPicking = (isWanted) => {
    if (isWanted === isPicking) return;
    isPicking = isWanted;
    for (const [listener, names] of events) {
      for (const name of names) {
        const change = isWanted ? "addEventListener" : "removeEventListener";
        window[change](name, /** @type {EventListener} */ (listener), { capture: true, passive: false });
      }
    }
    if (!isWanted) {
      host.remove();
      return;
    }
    last = "";
    place();
    draw();
  };

  /**
   * The element over which the menu was opened, as far as rules reach it; null if it is none that can be
   * chosen.
   *
   * @param {{ elementId?: number }} menu
   */
  const menuTarget = ({ elementId }) => {
    let element = elementId === undefined ? globalThis.tickbirdMenuTarget?.deref()
      : globalThis.browser?.menus?.getTargetElement(elementId);
    globalThis.tickbirdMenuTarget = undefined;
    for (;;) {
      const root = element && Node.prototype.getRootNode.call(element);
      if (!(root instanceof ShadowRoot)) break;
      element = root.host;
    }
    if (element instanceof SVGElement) element = element.ownerSVGElement ?? element;
    return !element?.isConnected || isPage(element) ? null : element;
  };

  const gone = () => point(null);
  EventTarget.prototype.addEventListener.call(document, "mouseleave", gone);

  const choose = (/** @type {Element | null} */ element) => {
    if (!element) return;
    const candidates = forElement(element);
    chosen = element;
    port.postMessage({ type: "chosen", candidates, name: describe(element) });
  };

  /** @type {Record<string, (message: any) => void>} */
  const told = {
    pick: ({ hasKeyboard, menu }) => {
      const target = menu && menuTarget(menu);
      setPicking(true);
      if (target) {
        point(target);
        choose(target);
      } else if (hasKeyboard) {
        take();
        if (chosen?.isConnected) point(chosen, true);
      }
    },
    rest: () => setPicking(false),
    expect: ({ said, way }) => {
      expected.set(said, way);
      setTimeout(() => expected.delete(said), handOver);
    },
    go: () => {
      handedOver?.();
      handedOver = null;
      point(null);
    },
    move: ({ way }) => {
      if (!chosen?.isConnected) return;
      const to = way === "wider" ? wider(chosen) : narrower(chosen);
      if (to) choose(to);
    },
    count: ({ number, selectors }) => port.postMessage({
      type: "counted", number,
      counts: /** @type {string[]} */ (selectors).map((selector) => {
        try {
          return select(selector).length;
        } catch {
          return 0;
        }
      }),
    }),
  };
  port.onMessage.addListener((message) => {
    const { type } = /** @type {{ type: string }} */ (message);
    told[type]?.(message);
  });
  port.onDisconnect.addListener(() => {
    setPicking(false);
    EventTarget.prototype.removeEventListener.call(document, "mouseleave", gone);
    globalThis.tickbirdPicking = false;
  });
  globalThis.tickbirdPicking = true;
}
