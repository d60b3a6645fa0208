// The options page's lists: what each is, how its last update went, and new ones.

import { offer, offered } from "../lists/list-offers.js";
import { byID, inputByID, make, makeConfirmed } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { askHost } from "../shared/host-requests.js";
import { counted, dayAndClock, listed, text } from "../shared/texts.js";

/** @typedef {NativeHost.Subscription} Subscription */

/** Shows the lists and what else there is. */
export async function showLists() {
  try {
    const [{ lists }, { entries }] = await Promise.all([
      askHost({ type: "subscriptions" }), askHost({ type: "catalogue" }),
    ]);
    byID("list-rows").replaceChildren(...lists.map(card));
    byID("offers").replaceChildren(
      ...offered(entries, lists, navigator.languages).map((entry) => offer(entry, showLists)));
    byID("update-all").hidden = lists.length === 0;
    byID("lists-status").textContent = lists.length === 0 ? text("lists_none") : "";
  } catch (error) {
    // A list that was shown stays shown.
    byID("lists-status").textContent = text("lists_unknown", messageOf(error));
  }
}

/** @param {number | null | undefined} seconds since 1970 */
const time = (seconds) => (seconds ? dayAndClock(seconds * 1000) : null);

/**
 * What is known of a list, in lines.
 *
 * @param {Subscription} list
 */
function facts({ source, mirrors, licence, rules, lines, changed, succeeded, next, isOn }) {
  const [since, last, again] = [time(changed), time(succeeded), time(next)];
  return [
    [source, ...mirrors].join(" · "),
    licence ? text("list_licence", licence) : "",
    [rules === null || rules === undefined ? "" : counted("list_rules", rules),
      lines ? text("list_lines", lines.converted, lines.approximated, lines.impossible) : ""]
      .filter(Boolean).join(" · "),
    [since ? text("list_changed", since) : "", last ? text("list_succeeded", last) : "",
      isOn && again ? text("list_next", again) : ""].filter(Boolean).join(" · "),
  ].filter(Boolean);
}

/** @param {Subscription} list */
function card(list) {
  const fault = make("p", { className: "fault", role: "alert",
    textContent: list.fault ? text("list_fault", list.fault) : "" });
  const act = async (/** @type {HTMLButtonElement | HTMLInputElement} */ control,
    /** @type {() => Promise<string>} */ change) => {
    control.disabled = true;
    fault.textContent = "";
    try {
      const said = await change();
      await showLists();
      byID("lists-status").textContent = said;
    } catch (error) {
      control.disabled = false;
      fault.textContent = messageOf(error);
    }
  };
  const toggle = make("input", { type: "checkbox", checked: list.isOn, ariaLabel: text("list_on", list.name) });
  toggle.setAttribute("role", "switch");
  toggle.addEventListener("change", () => act(toggle, async () => {
    await askHost({ type: "switchList", list: list.id, isOn: toggle.checked });
    return "";
  }));
  const update = make("button", { type: "button", textContent: text("list_update"),
    ariaLabel: text("list_update_named", list.name) });
  update.addEventListener("click", () => act(update, async () => {
    byID("lists-status").textContent = text("lists_updating");
    const { updates } = await askHost({ type: "updateLists", lists: [list.id] });
    return words(updates);
  }));
  const remove = makeConfirmed(text("list_remove"), text("list_remove_question"), (button) =>
    act(button, async () => {
      await askHost({ type: "removeList", list: list.id });
      return text("list_removed", list.name);
    }));
  remove.setAttribute("aria-description", list.name);
  return make("li", {},
    make("div", { className: "card-head" },
      make("span", { className: "what" },
        make("span", { className: "name", textContent: list.name, dir: "auto" }),
        ...facts(list).map((line) => make("span", { className: "note", textContent: line, dir: "auto" }))),
      toggle),
    fault,
    make("div", { className: "card-actions" }, update, remove));
}

/**
 * How updates went.
 *
 * @param {NativeHost.ListUpdate[]} updates
 */
function words(updates) {
  const failed = updates.filter(({ outcome }) => outcome === "failed");
  if (failed.length > 0) {
    return text("lists_failed",
      listed(failed.map(({ id, message }) => text("named_fault", id, message ?? "")), "unit"));
  }
  return counted("lists_updated", updates.filter(({ outcome }) => outcome === "changed").length);
}

byID("update-all").addEventListener("click", async () => {
  const button = /** @type {HTMLButtonElement} */ (byID("update-all"));
  button.disabled = true;
  byID("lists-status").textContent = text("lists_updating");
  let said;
  try {
    said = words((await askHost({ type: "updateLists" })).updates);
  } catch (error) {
    said = text("lists_failed", messageOf(error));
  }
  button.disabled = false;
  await showLists();
  byID("lists-status").textContent = said;
});

byID("add-list").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
  const mirror = inputByID("list-mirror").value.trim();
  const name = inputByID("list-name").value.trim();
  byID("add-fault").textContent = "";
  byID("lists-status").textContent = text("offer_fetching");
  button.disabled = true;
  try {
    const { list } = await askHost({
      type: "addList", source: inputByID("list-address").value.trim(),
      ...(mirror ? { mirrors: [mirror] } : {}), ...(name ? { name } : {}),
    });
    form.reset();
    await showLists();
    byID("lists-status").textContent = text("list_added", list.name);
  } catch (error) {
    byID("lists-status").textContent = "";
    byID("add-fault").textContent = messageOf(error);
  }
  button.disabled = false;
});
