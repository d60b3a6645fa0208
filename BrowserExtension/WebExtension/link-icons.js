// Icons of links and their sources, by their digests.

import { make } from "./elements.js";
import { ask } from "./link-requests.js";

// The host knows them by their bytes; none is a document.
const imageTypes = new Set([
  "image/png", "image/jpeg", "image/gif", "image/webp", "image/x-icon",
]);

/** The addresses of images; null for those that cannot be had. */
const addresses = new Map();

/** An element for an icon: the image, or the name's first letter as long as there is none. */
export function makeIcon(digest, name) {
  const address = digest ? addresses.get(digest) : null;
  if (!address) return makeLetter(digest, name);
  const image = make("img", { className: "icon", alt: "", src: address, width: 20, height: 20 });
  image.addEventListener("error", () => {
    addresses.set(digest, null);
    image.replaceWith(makeLetter(null, name));
  });
  return image;
}

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

/** Fetches the icons that elements in the page stand for, and puts them there. */
export async function fillIcons() {
  let missing = new Set([...document.querySelectorAll("[data-icon]")]
    .map((letter) => letter.dataset.icon).filter((digest) => !addresses.has(digest)));
  while (missing.size > 0) {
    const digests = [...missing].slice(0, 200);
    const { icons, hasMore } = await ask({ type: "linkIcons", digests });
    for (const { digest, mediaType, bytes } of icons) {
      addresses.set(digest, imageTypes.has(mediaType) ? addressOf(bytes, mediaType) : null);
    }
    for (const digest of digests) {
      // What did not come although there was room is not there.
      if (!addresses.has(digest) && (!hasMore || icons.length === 0)) addresses.set(digest, null);
    }
    missing = new Set([...missing].filter((digest) => !addresses.has(digest)));
  }
  for (const letter of document.querySelectorAll("[data-icon]")) {
    letter.replaceWith(makeIcon(letter.dataset.icon, letter.dataset.name));
  }
}

function addressOf(base64, type) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type }));
}
