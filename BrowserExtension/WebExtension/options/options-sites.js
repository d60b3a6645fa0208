// The options page's sites on which nothing is done.

import { ask } from "../shared/asking.js";
import { byID, inputByID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { text } from "../shared/texts.js";

/** Shows the sites. */
export async function showSites() {
  const { sites } = await ask({ type: "sites" });
  byID("no-sites").hidden = sites.length > 0;
  byID("site-rows").replaceChildren(...sites.map((site) => {
    const remove = make("button", { type: "button", textContent: text("sites_remove"),
      ariaLabel: text("sites_remove_named", site) });
    remove.addEventListener("click", async () => {
      byID("site-fault").textContent = "";
      try {
        await ask({ type: "allow", site, isAllowed: false });
        await showSites();
        byID("site-address").focus();
      } catch (error) {
        byID("site-fault").textContent = messageOf(error);
      }
    });
    return make("li", { className: "offer" },
      make("span", { className: "what", textContent: site, dir: "ltr" }), remove);
  }));
}

byID("add-site").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = inputByID("site-address");
  const fault = byID("site-fault");
  fault.textContent = "";
  try {
    const { site, isSuffix } = await ask({ type: "site", address: field.value });
    if (!site || isSuffix) {
      fault.textContent = site ? text("sites_suffix", site) : text("sites_wrong", field.value);
      return;
    }
    await ask({ type: "allow", site, isAllowed: true });
    field.value = "";
    await showSites();
  } catch (error) {
    fault.textContent = messageOf(error);
  }
});
