// The first page: lists that are turned on by one press, and a request that they then really block.

import { offered, purpose } from "../lists/list-offers.js";
import { ask } from "../shared/asking.js";
import { byID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { hostNotice } from "../shared/host-notice.js";
import { askHost } from "../shared/host-requests.js";
import { ruleDetails } from "../shared/rule-details.js";
import { counted, localize, text } from "../shared/texts.js";
import { attempts, milliseconds } from "../shared/timings.js";

/** @typedef {NativeHost.CatalogueEntry} CatalogueEntry */
/** @typedef {{ entry: CatalogueEntry, box: HTMLInputElement, status: HTMLElement, row: HTMLElement }} Choice */

/** @type {Choice[]} */
let choices = [];
const button = /** @type {HTMLButtonElement} */ (byID("turn-on"));

/**
 * A list that can be chosen.
 *
 * @param {CatalogueEntry} entry
 * @returns {Choice}
 */
function choice(entry) {
  const box = make("input", { type: "checkbox", checked: entry.isRecommended });
  box.addEventListener("change", allowTurningOn);
  const status = make("span", { className: "note", role: "status" });
  const row = make("li", {}, make("label", { className: "choice" }, box,
    make("span", { className: "what" },
      make("span", { className: "name", textContent: entry.name, dir: "auto" }),
      make("span", { textContent: purpose(entry), dir: "auto" }),
      make("span", { className: "note", dir: "auto",
        textContent: text("offer_source", new URL(entry.address).host, entry.licence) }),
      status)));
  return { entry, box, status, row };
}

const chosen = () => choices.filter(({ box }) => box.checked && !box.disabled);

function allowTurningOn() { button.disabled = chosen().length === 0; }

/** Shows what can be turned on, and what is on already. */
async function showChoices() {
  const { host } = await ask({ type: "page", tabId: -1 });
  const about = hostNotice(host, "", async () => {
    await ask({ type: "connect" });
    setTimeout(showChoices, milliseconds.hostReconnected);
  });
  byID("notices").replaceChildren(...(about ? [about] : []));
  try {
    const [{ entries }, { lists }] = await Promise.all([
      askHost({ type: "catalogue" }), askHost({ type: "subscriptions" }),
    ]);
    choices = offered(entries, lists, navigator.languages).map(choice);
    const isFirst = (/** @type {Choice} */ { entry }) => entry.isRecommended;
    byID("choices").replaceChildren(...choices.filter(isFirst).map(({ row }) => row));
    const others = choices.filter((each) => !isFirst(each));
    byID("more-choices").replaceChildren(...others.map(({ row }) => row));
    byID("more").hidden = others.length === 0;
    const there = lists.filter(({ isOn }) => isOn).length;
    byID("lists-there").hidden = there === 0;
    byID("lists-there").textContent = there === 0 ? "" : counted("first_there", there);
    if (there > 0) showEnd();
    byID("status").textContent = "";
    byID("status").className = "";
    allowTurningOn();
  } catch (error) {
    byID("status").className = "fault";
    byID("status").textContent = about ? "" : text("offers_failed", messageOf(error));
  }
  document.documentElement.dataset.shown = "true";
}

/** Offers the demonstration, and what comes after it. */
function showEnd() {
  byID("demonstration").hidden = false;
  byID("next").hidden = false;
  byID("again").hidden = false;
}

/**
 * Turns a list on; false if that failed, which its row says.
 *
 * @param {Choice} one
 */
async function turnOn({ entry, box, status }) {
  box.disabled = true;
  status.className = "note";
  status.textContent = text("offer_fetching");
  try {
    await askHost({ type: "addList", source: entry.id });
    status.textContent = text("offer_added");
    return true;
  } catch (error) {
    box.disabled = false;
    status.className = "fault";
    status.textContent = text("offer_failed", messageOf(error));
    return false;
  }
}

byID("lists-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const wanted = chosen();
  if (wanted.length === 0) return;
  button.disabled = true;
  byID("status").className = "";
  byID("status").textContent = text("first_fetching");
  let count = 0;
  for (const each of wanted) if (await turnOn(each)) count += 1;
  byID("status").textContent = count > 0 ? counted("first_on", count) : text("first_none_on");
  button.textContent = text(count < wanted.length ? "try_again" : "first_turn_on");
  allowTurningOn();
  if (count === 0) return;
  showEnd();
  byID("demonstration").scrollIntoView({ block: "nearest" });
  await demonstrate();
});

const later = () => new Promise((resolve) => setTimeout(resolve, milliseconds.demonstrationPoll));

/**
 * Asks until there is an answer; null when it takes too long.
 *
 * @template T
 * @param {() => Promise<T | null>} question
 */
async function answered(question) {
  for (let attempt = 0; attempt < attempts.demonstration; attempt++) {
    const answer = await question();
    if (answer !== null) return answer;
    await later();
  }
  return null;
}

/** Asks for an advertisement that the lists block, and shows what became of it, by which rule. */
async function demonstrate() {
  const again = /** @type {HTMLButtonElement} */ (byID("again"));
  const outcome = byID("outcome");
  again.disabled = true;
  byID("rule").replaceChildren();
  byID("place").replaceChildren(text("first_waiting"));
  outcome.textContent = "";
  const sample = await answered(async () => (await ask({ type: "demonstrate" })).sample);
  if (sample) await load(sample);
  else byID("place").replaceChildren(text("first_no_sample"));
  again.disabled = false;
  again.hidden = false;
}

/**
 * Makes the request, as any page would.
 *
 * @param {Messages.BlockedSample} sample
 */
async function load({ url, identifier, name, number, line }) {
  const image = make("img", { alt: "", referrerPolicy: "no-referrer" });
  const ended = new Promise((resolve) => {
    image.addEventListener("load", resolve);
    image.addEventListener("error", resolve);
  });
  image.src = url;
  byID("place").replaceChildren(image);
  await ended;
  const fate = await answered(async () => (await ask({ type: "demonstrated", url })).fate);
  const address = make("code", { textContent: url });
  if (fate !== "blocked") {
    // No answer is none: a background that was started anew knows of no request.
    const words = text(fate === null ? "first_unknown" : "first_passed");
    byID("place").replaceChildren(make("span", {}, make("strong", { textContent: words }), address));
    return;
  }
  byID("place").replaceChildren(
    make("span", {}, make("strong", { textContent: text("first_blocked") }), address));
  // People count from one, as everywhere else.
  byID("outcome").textContent = line === null
    ? text("first_by", number + 1, name) : text("first_by_line", number + 1, name, line);
  const details = ruleDetails(
    make("summary", { textContent: text("first_rule") }), identifier, number);
  byID("rule").replaceChildren(details);
  details.open = true;
  document.documentElement.dataset.demonstrated = "blocked";
}

byID("again").addEventListener("click", demonstrate);
localize();
await showChoices();
