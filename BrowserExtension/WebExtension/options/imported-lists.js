// The lists of a file: shown with all addresses that would be asked. Those on the person's own machine or network
// are asked only where the person says so of the very address; the host keeps to it.

import { make } from "../shared/elements.js";
import { text } from "../shared/texts.js";
import { shown } from "./imported-words.js";
import { visible } from "./imported-rules.js";

/** @typedef {import("./backup-file.js").ListOfFile} ListOfFile */

/**
 * An address as it is asked: the name of its host in the form that cannot look like another.
 *
 * @param {string} address
 */
const asked = (address) => visible(new URL(address).href);

/**
 * A list with its addresses.
 *
 * @param {ListOfFile} list
 * @returns {string[]}
 */
export function describeList({ name, source, mirrors }) {
  return [name ? text("named_address", shown(name), asked(source)) : asked(source),
    ...mirrors.map((mirror) => text("backup_mirror", asked(mirror)))];
}

/**
 * Whether an address names the own machine or network, as far as its text says so. It only decides what is asked
 * about: the host looks at where a name leads to.
 *
 * @param {string} address
 */
export function isLocal(address) {
  const host = new URL(address).hostname.replace(/\.$/, "");
  // Of the numbers of the sixth version, those that begin with 2 or 3 are public.
  if (host.startsWith("[")) return !/^\[[23][0-9a-f]{3}:/.test(host);
  if (/^[0-9.]+$/.test(host)) {
    const [first, second] = host.split(".").map(Number);
    return [0, 10, 127].includes(first) || first === 100 && second >= 64 && second < 128
      || first === 169 && second === 254 || first === 172 && second >= 16 && second < 32
      || first === 192 && second === 168 || first >= 224;
  }
  return !host.includes(".") || /\.(?:localhost|local|internal|home\.arpa)$/.test(host);
}

/**
 * The question which addresses on the own machine or network are asked; none at first.
 *
 * @param {ListOfFile[]} lists
 */
export function askAboutAddresses(lists) {
  const addresses = [...new Set(lists.flatMap(({ source, mirrors }) => [source, ...mirrors]).filter(isLocal))];
  const answers = addresses.map((address) => {
    const input = make("input", { type: "checkbox", name: "imported-address" });
    return { address, input, label: make("label", { className: "imported-address" }, input,
      make("span", { textContent: asked(address), dir: "ltr" })) };
  });
  return {
    element: answers.length === 0 ? null : make("fieldset", { className: "rules-question" },
      make("legend", { textContent: text("backup_local") }),
      make("p", { className: "note", textContent: text("backup_local_about") }),
      ...answers.map(({ label }) => label)),
    /**
     * Those of a list's addresses that may be there.
     *
     * @param {ListOfFile} list
     */
    allowed: ({ source, mirrors }) => [source, ...mirrors].filter((each) =>
      answers.some(({ address, input }) => address === each && input.checked)),
  };
}
