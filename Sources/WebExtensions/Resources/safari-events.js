// Events as the scripts of Safari's older extensions know them.

/**
 * Keeps listeners by the names of events, and calls them in Safari's order: from the outermost target
 * to the innermost, and back.
 */
class SafariEvents {
  /** @type {Map<string, Array<{listener: any, isCapture: boolean}>>} */
  #listeners = new Map();

  /** @param {string} name @param {any} listener @param {any} [options] */
  add(name, listener, options) {
    if (typeof listener !== "function" && typeof listener?.handleEvent !== "function") return;
    const isCapture = Boolean(typeof options === "object" ? options?.capture : options);
    const listeners = this.#listeners.get(String(name)) ?? [];
    const isThere = listeners.some((one) => one.listener === listener && one.isCapture === isCapture);
    if (!isThere) this.#listeners.set(String(name), [...listeners, { listener, isCapture }]);
  }

  /** @param {string} name @param {any} listener @param {any} [options] */
  remove(name, listener, options) {
    const isCapture = Boolean(typeof options === "object" ? options?.capture : options);
    const listeners = this.#listeners.get(String(name)) ?? [];
    this.#listeners.set(
      String(name),
      listeners.filter((one) => one.listener !== listener || one.isCapture !== isCapture),
    );
  }

  /** @param {string} name */
  has(name) {
    return (this.#listeners.get(name) ?? []).length > 0;
  }

  /** @param {any} owner @param {SafariEvent} event @param {boolean | undefined} isCapture */
  call(owner, event, isCapture) {
    event.currentTarget = owner;
    for (const one of this.#listeners.get(event.type) ?? []) {
      if (isCapture !== undefined && one.isCapture !== isCapture) continue;
      if (event.isStoppedAtOnce) return;
      try {
        if (typeof one.listener === "function") one.listener.call(owner, event);
        else one.listener.handleEvent(event);
      } catch (error) {
        // One listener's fault is not the next one's.
        console.error(error);
      }
    }
  }
}

/** An event of Safari's. */
class SafariEvent {
  /** @type {any} */ target = null;
  /** @type {any} */ currentTarget = null;
  bubbles = false;
  cancelable = true;
  defaultPrevented = false;
  isStopped = false;
  isStoppedAtOnce = false;
  timeStamp = Date.now();

  /** @param {string} type @param {Record<string, unknown>} [members] */
  constructor(type, members = {}) {
    this.type = type;
    Object.assign(this, members);
  }

  preventDefault() {
    this.defaultPrevented = true;
  }

  stopPropagation() {
    this.isStopped = true;
  }

  stopImmediatePropagation() {
    this.isStopped = true;
    this.isStoppedAtOnce = true;
  }
}

/** Something that scripts listen to. */
class SafariTarget {
  #events = new SafariEvents();

  /** @param {string} name @param {any} listener @param {any} [options] */
  addEventListener(name, listener, options) {
    this.#events.add(name, listener, options);
  }

  /** @param {string} name @param {any} listener @param {any} [options] */
  removeEventListener(name, listener, options) {
    this.#events.remove(name, listener, options);
  }

  /** @param {string} name */
  hasListeners(name) {
    return this.#events.has(name);
  }

  /** @param {SafariEvent} event @param {boolean} [isCapture] */
  callListeners(event, isCapture) {
    this.#events.call(this, event, isCapture);
  }
}

/**
 * Sends an event to a target through what is around it.
 *
 * @param {SafariTarget[]} path From the outermost to the target itself.
 * @param {SafariEvent} event
 * @returns {boolean} Whether nobody prevented what would follow.
 */
function dispatchSafariEvent(path, event) {
  const target = path[path.length - 1];
  if (!target) return true;
  event.target ??= target;
  for (const owner of path.slice(0, -1)) {
    if (!event.isStopped) owner.callListeners(event, true);
  }
  if (!event.isStopped) target.callListeners(event);
  if (event.bubbles) {
    for (const owner of path.slice(0, -1).reverse()) {
      if (!event.isStopped) owner.callListeners(event, false);
    }
  }
  return !event.defaultPrevented;
}
