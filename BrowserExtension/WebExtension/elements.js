// Elements of the extension's own pages; text stays text.

export const byID = (id) => document.getElementById(id);

/** Makes an element. */
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
 */
export function setChildren(parent, children) {
  const wanted = new Set(children);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  let place = parent.firstChild;
  for (const child of children) {
    if (child === place) place = place.nextSibling;
    else parent.insertBefore(child, place);
  }
}

/** A button that does something only when it is pressed a second time, since it cannot be undone. */
export function makeConfirmed(words, question, action) {
  const button = make("button", { type: "button", textContent: words });
  let isAsking = false;
  const ask = (value) => {
    isAsking = value;
    button.textContent = value ? question : words;
    button.classList.toggle("asking", value);
  };
  button.addEventListener("click", () => {
    if (!isAsking) return ask(true);
    ask(false);
    return action(button);
  });
  button.addEventListener("blur", () => ask(false));
  return button;
}
