// The exception that would let a blocked request through: made and tried by the host, on all that was seen.

import { make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { askHost } from "../shared/host-requests.js";
import { counted, number, text } from "../shared/texts.js";
import { isCut } from "./logged-address.js";

/** @typedef {Messages.LoggedRequest} LoggedRequest */

/** As many loads as the host takes; addresses that it does not take are cut already. */
const loadLimit = 2000;

/**
 * The question for an exception: the request itself, and of the others the newest.
 *
 * @param {LoggedRequest} row
 * @param {Iterable<LoggedRequest>} all
 * @returns {{ question: NativeHost.AdviceQuestion, asked: LoggedRequest[] }}
 */
export function exceptionQuestion(row, all) {
  const asked = [...all].filter((each) => each.id !== row.id && each.page !== "" && each.resourceType !== ""
    && [each.url, each.page, each.frame].every((address) => !isCut(address)))
    .slice(1 - loadLimit);
  asked.push(row);
  return {
    asked,
    question: {
      type: "exception", load: asked.length - 1,
      loads: asked.map(({ url, resourceType, page, frame }) =>
        ({ url, type: resourceType, page, ...(frame ? { frame } : {}) })),
    },
  };
}

/**
 * A button that shows the exception for a request.
 *
 * @param {LoggedRequest} row
 * @param {() => LoggedRequest[]} kept
 * @param {HTMLElement} place where it is shown
 */
export function exceptionButton(row, kept, place) {
  const button = make("button", { type: "button", className: "exception", textContent: text("exception_ask") });
  button.addEventListener("click", async () => {
    button.disabled = true;
    place.replaceChildren(make("p", { className: "note", role: "status", textContent: text("exception_wait") }));
    try {
      const { question, asked } = exceptionQuestion(row, kept());
      place.replaceChildren(...parts(await askHost(question), asked));
    } catch (error) {
      place.replaceChildren(make("p", { className: "note", role: "alert", textContent: text("exception_none", messageOf(error)) }));
    }
    button.disabled = false;
  });
  return button;
}

/**
 * @param {NativeHost.AnswersByType["exception"]} advice
 * @param {LoggedRequest[]} asked
 */
function parts({ rule, lists, tried, isHarmless, reason, changes }, asked) {
  const status = make("span", { className: "note", role: "status" });
  const copy = make("button", { type: "button", className: "copy-exception", textContent: text("exception_copy") });
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(rule);
      status.textContent = text("logger_copied");
    } catch (error) {
      status.textContent = text("logger_not_copied", messageOf(error));
    }
  });
  const verdict = isHarmless ? counted("exception_harmless", tried) : text("exception_harms", reason ?? "", number(tried));
  return [
    make("p", { className: isHarmless ? "note" : "fate-failed", role: "status", textContent: verdict }),
    make("p", { className: "note", textContent: text("exception_where", lists.join(", ")) }),
    make("pre", { textContent: rule, tabIndex: 0, dir: "ltr" }),
    ...(changes.length > 0 ? [make("ul", {}, ...changes.map((each) =>
      make("li", { textContent: asked[each]?.url ?? "", dir: "ltr" })))] : []),
    make("div", { className: "actions" }, copy, status),
  ];
}
