// Says plainly what is wrong with the native host, and what to do.

import { make } from "./elements.js";
import { nodes, sentences, text } from "./texts.js";

/**
 * A notice.
 *
 * @param {string} title
 * @param {Array<Node | string>} contents
 * @param {Node[]} actions
 */
export function notice(title, contents, actions = []) {
  return make("div", { className: "notice", role: "alert" },
    make("strong", { textContent: title }), make("p", {}, ...contents), ...actions);
}

/**
 * A notice about a host that is not connected; null if all is well.
 *
 * @param {Messages.HostState} host
 * @param {string} kept a sentence that says what goes on meanwhile
 * @param {() => void} tryAgain
 */
export function hostNotice({ state, message }, kept, tryAgain) {
  const command = make("code", { textContent: "tickbird browser install", dir: "ltr" });
  const after = kept ? [" ", kept] : [];
  const again = make("button", { type: "button", textContent: text("try_again") });
  again.addEventListener("click", tryAgain);
  switch (state) {
    case "missing":
      return notice(text("host_missing"), [...nodes("host_missing_way", command), ...after],
        [make("div", {}, again)]);
    case "forbidden":
      return notice(text("host_forbidden"), [...nodes("host_forbidden_way", command), ...after],
        [make("div", {}, again)]);
    case "stopped":
      return notice(text("host_stopped"),
        [sentences(message || text("host_no_reason"), text("host_tried_again"), kept)],
        [make("div", {}, again)]);
    default: return null;
  }
}
