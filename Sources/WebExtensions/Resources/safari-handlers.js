// The code of attributes such as `onclick`, which browsers run in no extension's page.

/** @param {any} root */
function addAttributeHandlers(root) {
  root.tickbirdHandle = (/** @type {Record<string, (event: Event) => unknown>} */ handlers) => {
    /** @param {Element} element */
    function connect(element) {
      for (const { name, value } of element.attributes) {
        const handler = /^on[a-z]/i.test(name) && Object.hasOwn(handlers, value) ? handlers[value] : null;
        if (!handler) continue;
        const listener = (/** @type {Event} */ event) => {
          if (handler.call(element, event) === false) event.preventDefault();
        };
        // The window's events stand at the body.
        const isOfWindow = element === document.body && name.toLowerCase() === "onload";
        (isOfWindow ? window : element).addEventListener(name.slice(2).toLowerCase(), listener);
      }
    }
    const connectAll = () => document.querySelectorAll("*").forEach(connect);
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", connectAll, true);
    else connectAll();
  };
}
