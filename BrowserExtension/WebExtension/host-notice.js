// Says plainly what is wrong with the native host, and what to do.

import { make } from "./elements.js";

/** A notice. */
export function notice(title, text, actions = []) {
  return make("div", { className: "notice", role: "alert" },
    make("strong", { textContent: title }), ...text, ...actions);
}

/** A notice about a host that is not there; null if all is well. `kept` says what goes on meanwhile. */
export function hostNotice({ state, message }, kept, tryAgain) {
  const code = (text) => make("code", { textContent: text });
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
