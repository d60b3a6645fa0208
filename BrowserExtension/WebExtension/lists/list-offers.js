// Well-known lists that a person can turn on by one press, in the pop-up and on the options page.
//
// Nothing is fetched before a button is pressed; each says from where.

import { make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { askHost } from "../shared/host-requests.js";
import { text } from "../shared/texts.js";

/** @typedef {NativeHost.CatalogueEntry} CatalogueEntry */

/**
 * The entries that are not subscribed to, those for the person's languages first.
 *
 * @param {CatalogueEntry[]} entries
 * @param {NativeHost.Subscription[]} lists
 * @param {readonly string[]} languages as `navigator.languages` has them
 */
export function offered(entries, lists, languages) {
  const spoken = new Set(languages.map((tag) => tag.split("-")[0].toLowerCase()));
  const isOwn = (/** @type {CatalogueEntry} */ entry) =>
    entry.languages.some((language) => spoken.has(language));
  const rank = (/** @type {CatalogueEntry} */ entry) =>
    (entry.isRecommended ? 0 : isOwn(entry) ? 1 : entry.languages.length === 0 ? 2 : 3);
  const sources = new Set(lists.flatMap(({ source, mirrors }) => [source, ...mirrors]));
  return entries.filter(({ address }) => !sources.has(address))
    .map((entry, place) => ({ entry, place }))
    .sort((one, other) => rank(one.entry) - rank(other.entry) || one.place - other.place)
    .map(({ entry }) => entry);
}

/**
 * What a list is for, in the person's language if this extension knows the list.
 *
 * @param {CatalogueEntry} entry
 */
export function purpose({ id, purpose: original }) {
  const key = `catalogue_${id.replaceAll("-", "_")}`;
  const own = text(key);
  return own === key ? original : own;
}

/**
 * What is being fetched, by the entries' ids: a list that is shown anew says so still.
 *
 * @type {Map<string, Promise<unknown>>}
 */
const fetching = new Map();

/**
 * A list that can be turned on.
 *
 * @param {CatalogueEntry} entry
 * @param {() => unknown} onAdded called when the list acts
 */
export function offer(entry, onAdded) {
  const status = make("span", { className: "note", role: "status" });
  const button = make("button", {
    type: "button", className: "primary", textContent: text("offer_add"),
    ariaLabel: text("offer_add_named", entry.name),
  });
  const follow = async (/** @type {Promise<unknown>} */ answer) => {
    button.disabled = true;
    status.textContent = text("offer_fetching");
    status.classList.remove("fault");
    try {
      await answer;
      status.textContent = text("offer_added");
      await onAdded();
    } catch (error) {
      status.classList.add("fault");
      status.textContent = text("offer_failed", messageOf(error));
      button.disabled = false;
      button.textContent = text("try_again");
    }
  };
  button.addEventListener("click", () => {
    const answer = askHost({ type: "addList", source: entry.id })
      .finally(() => fetching.delete(entry.id));
    fetching.set(entry.id, answer);
    return follow(answer);
  });
  const known = fetching.get(entry.id);
  if (known) follow(known);
  return make("li", { className: "offer" },
    make("span", { className: "what" },
      make("span", { className: "name", textContent: entry.name, dir: "auto" }),
      make("span", { className: "note", textContent: purpose(entry), dir: "auto" }),
      make("span", { className: "note", textContent: text("offer_source", new URL(entry.address).host, entry.licence), dir: "auto" }),
      status),
    button);
}
