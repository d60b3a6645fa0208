// An extension's settings: those that the user changes, with the values of Settings.plist before that.

/**
 * @param {Record<string, any>} stored @param {Record<string, any>} defaults
 * @param {(values: Record<string, any>) => void} save
 * @returns {any}
 */
function makeSafariSettings(stored, defaults, save) {
  const target = new SafariTarget();
  /** @type {Map<string, any>} */
  const values = new Map(Object.entries(stored).map(([key, value]) => [key, unpackValue(value)]));
  const packed = () => Object.fromEntries([...values].map(([key, value]) => [key, packValue(value)]));

  /** @param {string} key */
  function get(key) {
    if (values.has(key)) return values.get(key);
    return Object.hasOwn(defaults, key) ? defaults[key] : undefined;
  }

  /** @param {string} key @param {unknown} value */
  function change(key, value) {
    const oldValue = get(key);
    if (value === undefined) values.delete(key);
    // What is set is a copy, as it would be after a start.
    else values.set(key, unpackValue(packValue(value)));
    const newValue = get(key);
    if (JSON.stringify(packValue(oldValue)) === JSON.stringify(packValue(newValue))) return;
    save(packed());
    dispatchSafariEvent([target], new SafariEvent("change", { key, oldValue, newValue }));
  }

  /** @type {Record<string, any>} */
  const methods = {
    getItem: (/** @type {string} */ key) => get(String(key)) ?? null,
    setItem: (/** @type {string} */ key, /** @type {unknown} */ value) => change(String(key), value),
    removeItem: (/** @type {string} */ key) => change(String(key), undefined),
    clear: () => [...values.keys()].forEach((key) => change(key, undefined)),
    hasOwnProperty: (/** @type {string} */ key) => values.has(key) || Object.hasOwn(defaults, key),
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  };
  const keys = () => [...new Set([...Object.keys(defaults), ...values.keys()])];
  return new Proxy(/** @type {any} */ ({}), {
    get: (_, key) => (typeof key === "symbol" ? undefined : (methods[key] ?? get(key))),
    set: (_, key, value) => {
      if (typeof key !== "symbol" && !Object.hasOwn(methods, key)) change(key, value);
      return true;
    },
    deleteProperty: (_, key) => {
      if (typeof key !== "symbol") change(key, undefined);
      return true;
    },
    has: (_, key) => typeof key !== "symbol" && (Object.hasOwn(methods, key) || keys().includes(key)),
    ownKeys: keys,
    getOwnPropertyDescriptor: (_, key) =>
      typeof key === "symbol" || !keys().includes(key)
        ? undefined
        : { value: get(key), writable: true, enumerable: true, configurable: true },
  });
}
