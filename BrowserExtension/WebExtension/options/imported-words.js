// What a file's sites, settings and notes would do, in words. A stranger may have made it: nobody agrees to
// a number alone, or to a text of which the half that acts is not shown.

import { ask } from "../shared/asking.js";
import { make } from "../shared/elements.js";
import { counted, listed, text } from "../shared/texts.js";
import { visible } from "./imported-rules.js";

/** @typedef {import("../notes/checked-notes.js").NoteOfFile} NoteOfFile */

/** How many sites, settings and notes of a file are named. */
const named = 30;
/** How many characters of a text are shown. */
const longest = 100;

/**
 * A stranger's text on one line, as far as it is shown.
 *
 * @param {string} value
 */
export function shown(value) {
  const characters = [...visible(value.replace(/\s+/gu, " ").trim())];
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : characters.join("");
}

/**
 * An address of the web. One that names a user is none: the user could look like the site.
 *
 * @param {string} address
 * @returns {URL | null}
 */
export function webURL(address) {
  try {
    const url = new URL(address);
    const isOfWeb = url.protocol === "http:" || url.protocol === "https:";
    return isOfWeb && url.hostname !== "" && url.username === "" && url.password === "" ? url : null;
  } catch {
    return null;
  }
}

/**
 * Reads an address of a page as the host does, with a scheme or without.
 *
 * @param {string} address
 */
export function pageURL(address) {
  const hasScheme = address.includes("://") || /^\s*[^.[/?#:]*:(?!\d)/.test(address);
  return webURL(hasScheme ? address : `https://${address.trimStart()}`);
}

/**
 * What of some things is named, and how many others there are.
 *
 * @param {string[]} words those that are named
 * @param {number} count how many there are
 */
const some = (words, count) => [...words, ...(count > words.length ? [counted("and_more", count - words.length)] : [])];

/**
 * The sites that the engine makes of addresses; the address itself where it makes none.
 *
 * @param {string[]} addresses
 */
function engineSites(addresses) {
  return Promise.all(addresses.map(async (address) => (await ask({ type: "site", address })).site || address));
}

/**
 * Settings of a file, each for the site that the engine makes of what is written: what is there is known by it.
 *
 * @param {Messages.SiteEntry[]} entries
 * @returns {Promise<Messages.SiteEntry[]>}
 */
export async function choicesOfSites(entries) {
  const sites = await engineSites(entries.map(({ site }) => site));
  return entries.map((entry, place) => ({ ...entry, site: sites[place] }));
}

/**
 * The sites of a file.
 *
 * @param {string[]} addresses
 * @returns {Promise<{ words: string[], sites: string[] }>} with the sites themselves, the named ones as they are shown
 */
export async function describeSites(addresses) {
  const sites = await engineSites(addresses.slice(0, named));
  const words = some(sites.map(whole), addresses.length);
  return { words: words.length > 0 ? [listed(words, "unit")] : [], sites: [...sites, ...addresses.slice(named)] };
}

/**
 * The settings of single sites of a file.
 *
 * @param {Messages.SiteEntry[]} entries
 */
export function describeChoices(entries) {
  const choice = (/** @type {Messages.SiteChoice} */ each) =>
    text(each === "strict" || each === "relaxed" ? `mode_${each}` : `choice_${each}`);
  return some(entries.slice(0, named).map(({ site, choices }) =>
    text("backup_choices_of", whole(site), listed(choices.map(choice), "unit"))), entries.length);
}

/**
 * A host's name is shown whole, and what the engine knows no site in is cut.
 *
 * @param {string} site
 */
const whole = (site) => (site.length <= 255 ? visible(site) : shown(site));

/**
 * The notes of a file: which pages they cover, and how they begin.
 *
 * @param {NoteOfFile[]} notes
 */
export function describeNotes(notes) {
  return some(notes.slice(0, named).map(({ kind, address, text: words }) => {
    const url = pageURL(address);
    const isOfHost = kind === "site" || kind === "host";
    const rest = url && !isOfHost ? shown(url.pathname + url.search + url.hash) : "";
    const pages = url ? (isOfHost ? url.hostname : url.host) + rest : shown(address);
    return text("backup_note", pages, text(`notes_kind_${kind}`), shown(words));
  }), notes.length);
}

/**
 * A statement of what a file would do, with what it is about.
 *
 * @param {string} words
 * @param {string[]} details
 */
export function statement(words, details = []) {
  const items = details.map((textContent) => make("li", { textContent, dir: "auto" }));
  return make("li", { dir: "auto" }, make("span", { textContent: words }),
    ...(items.length > 0 ? [make("ul", {}, ...items)] : []));
}
