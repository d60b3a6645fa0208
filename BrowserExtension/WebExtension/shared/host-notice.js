// Says plainly what is wrong with the native host, and what to do.

import { make } from "./elements.js";

/**
 * A notice.
 *
 * @param {string} title
 * @param {Array<Node | string>} text
 * @param {Node[]} actions
 */
export function notice(title, text, actions = []) {
  return make("div", { className: "notice", role: "alert" },
    make("strong", { textContent: title }), ...text, ...actions);
}

/**
 * A notice about a host that is not connected; null if all is well.
 *
 * @param {Messages.HostState} host
 * @param {string} kept a sentence that says what goes on meanwhile
 * @param {() => void} tryAgain
 */
export function hostNotice({ state, message }, kept, tryAgain) {
  const code = (/** @type {string} */ text) => make("code", { textContent: text });
  const again = make("button", { type: "button", textContent: "Try again" });
  again.addEventListener("click", tryAgain);
  switch (state) {
    case "missing":
      return notice("Tickbird's service is not installed for this browser", [
        "Run ", code("tickbird browser install"), ` in a terminal, then try again.${kept}`,
      ], [make("div", {}, again)]);
    case "forbidden":
      return notice("Tickbird's service does not know this extension", [
        "Run ", code("tickbird browser install"), ` once more, then try again.${kept}`,
      ], [make("div", {}, again)]);
    case "stopped":
      return notice("Tickbird's service has stopped", [
        `${message || "It gave no reason."} It is tried again by itself.${kept}`,
      ], [make("div", {}, again)]);
    default: return null;
  }
}
