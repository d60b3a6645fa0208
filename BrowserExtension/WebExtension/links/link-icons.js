// Icons of links and their sources, by their digests.

import { make } from "../shared/elements.js";
import { askHost as ask } from "../shared/host-requests.js";

// The host knows them by their bytes; none is a document.
const imageTypes = new Set([
  "image/png", "image/jpeg", "image/gif", "image/webp", "image/x-icon",
]);

/**
 * The addresses of images, by their digests, as long as the page is open; null for those that the host
 * does not have.
 *
 * @type {Map<string, string | null>}
 */
const addresses = new Map();

/**
 * An element for an icon: the image, or the name's first letter as long as there is none.
 *
 * @param {string | null | undefined} digest
 * @param {string} name
 * @returns {HTMLElement}
 */
export function makeIcon(digest, name) {
  const address = digest ? addresses.get(digest) : null;
  if (!digest || !address) return makeLetter(digest, name);
  const image = make("img", { className: "icon", alt: "", src: address, width: 20, height: 20 });
  image.addEventListener("error", () => {
    addresses.set(digest, null);
    image.replaceWith(makeLetter(null, name));
  });
  return image;
}

/**
 * @param {string | null | undefined} digest
 * @param {string} name
 * @returns {HTMLElement}
 */
function makeLetter(digest, name) {
  const [first = ""] = name.trim();
  const letter = make("span", { className: "icon letter", textContent: first.toUpperCase() });
  letter.setAttribute("aria-hidden", "true");
  if (digest && !addresses.has(digest)) {
    letter.dataset.icon = digest;
    letter.dataset.name = name;
  }
  return letter;
}

/** The letters that stand for icons which are not there yet. */
function letters() {
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll("[data-icon]");
  return [...found];
}

/** Fetches the icons whose places letters take, and puts them there. */
export async function fillIcons() {
  let missing = new Set(letters().map((letter) => letter.dataset.icon ?? "")
    .filter((digest) => !addresses.has(digest)));
  while (missing.size > 0) {
    const digests = [...missing].slice(0, 200);
    const { icons, hasMore } = await ask({ type: "linkIcons", digests });
    for (const { digest, mediaType, bytes } of icons) {
      addresses.set(digest, imageTypes.has(mediaType) ? addressOf(bytes, mediaType) : null);
    }
    for (const digest of digests) {
      // The host does not have one that did not come although there was room.
      if (!addresses.has(digest) && (!hasMore || icons.length === 0)) addresses.set(digest, null);
    }
    missing = new Set([...missing].filter((digest) => !addresses.has(digest)));
  }
  for (const letter of letters()) {
    letter.replaceWith(makeIcon(letter.dataset.icon, letter.dataset.name ?? ""));
  }
}

/**
 * @param {string} base64
 * @param {string} type
 */
function addressOf(base64, type) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type }));
}
