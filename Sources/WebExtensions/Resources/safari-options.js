// The page of an extension's settings, as its Settings.plist describes them.

/** @param {{title: string, settings: Array<any>}} page */
function showSafariOptions(page) {
  const { settings, secureSettings } = /** @type {any} */ (globalThis).safari?.extension ?? {};
  // The page goes on to the one that waits.
  if (!settings) return;
  document.title = page.title;
  const form = document.createElement("main");

  /** @param {string} name @param {Record<string, any>} [members] @param {Array<Node | string>} [children] */
  function element(name, members = {}, children = []) {
    const made = Object.assign(document.createElement(name), members);
    made.append(...children);
    return /** @type {any} */ (made);
  }

  /** Controls by their kind: how to make one, to show a value, and to read it. */
  const kinds = /** @type {Record<string, (one: any, change: (value: any) => void) => any>} */ ({
    TextField: (one, change) => {
      const input = element("input", { type: one.isPassword ? "password" : "text" });
      input.onchange = () => change(input.value);
      return { node: input, show: (/** @type {any} */ value) => (input.value = value ?? "") };
    },
    CheckBox: (one, change) => {
      const input = element("input", { type: "checkbox" });
      input.onchange = () => change(input.checked ? one.trueValue : one.falseValue);
      return { node: input, show: (/** @type {any} */ value) => (input.checked = value === one.trueValue) };
    },
    Slider: (one, change) => {
      const input = element("input", {
        type: "range", min: String(one.minimum), max: String(one.maximum), step: String(one.step),
      });
      input.onchange = () => change(Number(input.value));
      return { node: input, show: (/** @type {any} */ value) => (input.value = String(value ?? one.minimum)) };
    },
    PopUpButton: (one, change) => {
      const options = one.titles.map((/** @type {string} */ title, /** @type {number} */ index) =>
        element("option", { value: String(index) }, [title]));
      const select = element("select", one.isList ? { size: Math.min(Math.max(options.length, 2), 8) } : {}, options);
      select.onchange = () => change(one.values[Number(select.value)]);
      const show = (/** @type {any} */ value) =>
        (select.selectedIndex = one.values.findIndex((/** @type {any} */ other) => other === value));
      return { node: select, show };
    },
    RadioButtons: (one, change) => {
      const inputs = one.titles.map((/** @type {string} */ title, /** @type {number} */ index) => {
        const input = element("input", { type: "radio", name: one.key });
        input.onchange = () => change(one.values[index]);
        return input;
      });
      const labels = inputs.map((/** @type {any} */ input, /** @type {number} */ index) =>
        element("label", {}, [input, " ", one.titles[index]]));
      const show = (/** @type {any} */ value) =>
        inputs.forEach((/** @type {any} */ input, /** @type {number} */ index) => {
          input.checked = one.values[index] === value;
        });
      return { node: element("div", { className: "choices", role: "radiogroup" }, labels), show };
    },
  });

  /** @type {Map<string, (value: any) => void>} */
  const shown = new Map();
  for (const one of page.settings) {
    if (one.type === "Group") form.append(element("h2", {}, [one.title]));
    else if (one.type === "Separator") form.append(element("hr"));
    const make = Object.hasOwn(kinds, one.type) ? kinds[one.type] : undefined;
    if (!make) continue;
    const store = one.isSecure ? secureSettings : settings;
    const { node, show } = make(one, (/** @type {any} */ value) => store.setItem(one.key, value));
    node.id ||= `setting-${one.key}`;
    node.ariaLabel = one.title;
    show(store.getItem(one.key));
    shown.set(one.key, show);
    const label = element("label", { htmlFor: node.id }, [one.title]);
    form.append(element("div", { className: `row ${one.type}` }, [label, node]));
  }
  for (const store of [settings, secureSettings]) {
    const listener = (/** @type {any} */ event) => shown.get(event.key)?.(event.newValue);
    store.addEventListener("change", listener);
    // The settings outlive this page.
    addEventListener("pagehide", () => store.removeEventListener("change", listener));
  }
  if (shown.size === 0) form.append(element("p", {}, ["This extension has no settings."]));
  document.body.append(element("h1", {}, [page.title]), form);
}
