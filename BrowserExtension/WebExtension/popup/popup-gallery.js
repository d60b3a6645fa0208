// The pop-up's part of galleries: the extension that the page is about is installed after the same
// questions as `tickbird install` asks.

import { tabWith } from "../shared/browser.js";
import { byID, make } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { askHost as ask } from "../shared/host-requests.js";
import { text } from "../shared/texts.js";
import { galleryOf } from "../gallery/page-gallery.js";

/** @typedef {import("../gallery/page-gallery.js").PageGallery} PageGallery */

/**
 * Offers what the page in a tab is about, if it is a page of a gallery. The host is asked only after a click.
 *
 * @param {number} tabId
 */
export async function showGallery(tabId) {
  const tab = await tabWith(tabId);
  const gallery = tab?.url ? await galleryOf(tabId, tab.url) : null;
  const section = byID("gallery");
  section.hidden = !gallery;
  if (!gallery) return;
  byID("gallery-title").textContent = text("gallery_title");
  show(
    line(gallery.identifier
      ? text("gallery_page_of", gallery.identifier, new URL(gallery.address).host)
      : text("gallery_page", new URL(gallery.address).host)),
    button(text("gallery_look"), text("gallery_looking"), () => look(gallery)),
  );
}

/** @param {PageGallery} gallery */
async function look(gallery) {
  const found = await ask({ type: "gallery", address: gallery.address });
  if (found.isAdded) return offer(gallery);
  show(
    line(text("gallery_new", found.name)),
    facts([
      [text("gallery_address"), found.address], [text("gallery_signed_by"), found.key],
      ...(found.root ? [[text("gallery_root_key"), found.root]] : []),
    ]),
    line(text("gallery_compare")),
    button(text("gallery_add"), text("gallery_adding"), async () => {
      await ask({
        type: "addGallery", address: gallery.address, key: found.key,
        ...(found.root ? { root: found.root } : {}),
      });
      await offer(gallery);
    }),
  );
}

/** @param {PageGallery} gallery */
async function offer({ address, identifier }) {
  if (!identifier) return show(line(text("gallery_is_added")));
  const answer = await ask({ type: "offerOfGallery", address, identifier });
  if (answer.type === "installed") return show(line(text("gallery_installed_already", answer.name)));
  const trust = answer.trust === "new" ? text("gallery_key_new")
    : answer.trust === "known" ? text("gallery_key_known")
      : text("gallery_key_rotated", answer.formerSigner ?? "");
  show(
    line(text("gallery_offer", answer.name, answer.version)),
    facts([
      [text("gallery_identifier"), answer.identifier], [text("gallery_signed_by"), answer.signer],
    ]),
    line(trust),
    line(text("gallery_asks")),
    rows(answer.requests),
    ...(answer.additional.length ? [line(text("gallery_asks_more")), rows(answer.additional)] : []),
    ...(answer.replaces ? [line(text("gallery_replaces", answer.replaces))] : []),
    ...(answer.replacesUnsigned ? [line(text("gallery_unsigned"))] : []),
    button(text("gallery_install"), text("gallery_installing"), async () => {
      const done = await ask({ type: "installOffer", offer: answer.offer });
      show(line(text(done.isWaiting ? "gallery_installed_off" : "gallery_installed", done.name)));
    }),
  );
}

// MARK: Elements

/** @param {Array<Node>} contents */
function show(...contents) {
  byID("gallery-fault").textContent = "";
  const place = byID("gallery-contents");
  const isInside = place.contains(document.activeElement);
  place.replaceChildren(...contents);
  // The button that was pressed is gone; whoever uses the keyboard goes on from here.
  if (isInside) place.focus();
}

const line = (/** @type {string} */ textContent) => make("p", { textContent, dir: "auto" });

/** @param {string[][]} pairs */
function facts(pairs) {
  return make("dl", {}, ...pairs.flatMap(([name, value]) => [
    make("dt", { textContent: name }),
    make("dd", {}, make("code", { textContent: value, dir: "ltr" })),
  ]));
}

/** @param {string[]} requests */
function rows(requests) {
  return make("ul", { className: "asks" }, ...requests.map((textContent) => make("li", { textContent, dir: "auto" })));
}

/**
 * A button that is busy while its action lasts; a fault is shown below it.
 *
 * @param {string} words
 * @param {string} busy
 * @param {() => Promise<unknown>} action
 */
function button(words, busy, action) {
  const made = make("button", { type: "button", className: "primary", textContent: words });
  made.addEventListener("click", async (event) => {
    if (!event.isTrusted) return;
    byID("gallery-fault").textContent = "";
    Object.assign(made, { disabled: true, textContent: busy });
    try {
      await action();
    } catch (error) {
      byID("gallery-fault").textContent = messageOf(error);
    }
    Object.assign(made, { disabled: false, textContent: words });
  });
  return made;
}
