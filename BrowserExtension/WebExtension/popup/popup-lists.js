// The pop-up's part of subscriptions: lists to begin with, and lists whose updates fail.

import { offer, offered } from "../lists/list-offers.js";
import { api } from "../shared/browser.js";
import { byID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { askHost } from "../shared/host-requests.js";
import { listed, text } from "../shared/texts.js";

/** How many lists are offered to begin with; the options page has all. */
const offerCount = 3;

byID("open-options").addEventListener("click", async () => {
  await api.runtime.openOptionsPage();
  window.close();
});

/**
 * Offers lists where there is none.
 *
 * @param {() => unknown} onAdded called when a list acts
 */
export async function showOffers(onAdded) {
  const rows = byID("no-list-offers");
  // What is being fetched stays as it is.
  if (rows.childElementCount > 0) return;
  try {
    const [{ entries }, { lists }] = await Promise.all([
      askHost({ type: "catalogue" }), askHost({ type: "subscriptions" }),
    ]);
    const found = offered(entries, lists, navigator.languages).slice(0, offerCount);
    rows.replaceChildren(...found.map((entry) => offer(entry, onAdded)));
  } catch (error) {
    rows.replaceChildren(make("li", { className: "fault",
      textContent: text("offers_failed", messageOf(error)) }));
  }
}

/** Says which lists' last updates failed; what acts is an older version of theirs. */
export async function showFailedUpdates() {
  const line = byID("failed-updates");
  try {
    const { lists } = await askHost({ type: "subscriptions" });
    const failed = lists.filter(({ isOn, fault }) => isOn && fault);
    line.hidden = failed.length === 0;
    line.textContent = failed.length === 0 ? ""
      : text("updates_failed", listed(failed.map(({ name }) => name)));
  } catch {
    // A notice above says what is wrong with the host.
    line.hidden = true;
  }
}
