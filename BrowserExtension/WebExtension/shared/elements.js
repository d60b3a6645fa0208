// Elements of the extension's own pages; text stays text.

/**
 * The element with an id, which the page's HTML has.
 *
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export const byID = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * The input field with an id.
 *
 * @type {(id: string) => HTMLInputElement}
 */
export const inputByID = byID;

/**
 * Makes an element.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} [properties]
 * @param {Array<Node | string>} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  Object.assign(element, properties);
  element.append(...children);
  return element;
}

/**
 * Gives an element these children, in this order.
 *
 * Those that it has already are moved only if they must be, so that focus and scroll position stay.
 *
 * @param {Element} parent
 * @param {Element[]} children
 */
export function setChildren(parent, children) {
  /** @type {Set<Node>} */
  const wanted = new Set(children);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  let place = parent.firstChild;
  for (const child of children) {
    if (child === place) place = place.nextSibling;
    else parent.insertBefore(child, place);
  }
}

/**
 * A button that acts only when it is pressed a second time, since its action cannot be undone.
 *
 * @param {string} words
 * @param {string} question what it says after the first time
 * @param {(button: HTMLButtonElement) => unknown} action
 */
export function makeConfirmed(words, question, action) {
  const button = make("button", { type: "button", textContent: words });
  let isAsking = false;
  const ask = (/** @type {boolean} */ value) => {
    isAsking = value;
    button.textContent = value ? question : words;
    button.classList.toggle("asking", value);
  };
  button.addEventListener("click", () => {
    if (!isAsking) return ask(true);
    ask(false);
    action(button);
  });
  button.addEventListener("blur", () => ask(false));
  return button;
}

/**
 * Whether a key is typed into a field.
 *
 * @param {KeyboardEvent} event
 */
export function isTyped({ target }) { return target instanceof Element && target.matches("input"); }
