// Everything that a person has chosen here, as one file, and back.

import { text as words } from "../shared/texts.js";

/**
 * What the file has; lists go by their addresses, notes are exported by themselves.
 *
 * @typedef {object} Backup
 * @property {string[]} sites
 * @property {string} ownRules
 * @property {Array<{ source: string, mirrors: string[], name: string, isOn: boolean }>} lists
 */

/** The longest file that is read, in bytes. */
export const longestBackup = 16 << 20;

const format = "tickbird-settings";
const version = 1;
/** The most sites and lists of a file. */
const limits = { sites: 100_000, lists: 100 };

/**
 * A backup as text.
 *
 * @param {Backup} backup
 */
export function backupText({ sites, lists, ownRules }) {
  return `${JSON.stringify({ format, version, sites, lists, ownRules }, null, 2)}\n`;
}

/**
 * Reads a backup; nothing of a file with a fault is taken.
 *
 * @param {string} text
 * @returns {Backup}
 * @throws {Error} that names the place of what is wrong
 */
export function readBackup(text) {
  /** @type {any} */
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error(words("backup_not_json"));
  }
  const check = (/** @type {unknown} */ holds, /** @type {string} */ fault) => {
    if (!holds) throw new Error(fault);
  };
  check(file !== null && typeof file === "object" && file.format === format, words("backup_format", "format", format));
  check(file.version === version, words("backup_version", "version", JSON.stringify(file.version) ?? "", version));
  const { sites = [], lists = [], ownRules = "" } = file;
  check(typeof ownRules === "string", words("backup_no_text", "ownRules"));
  check(Array.isArray(sites) && sites.length <= limits.sites, words("backup_no_array", "sites", limits.sites));
  check(Array.isArray(lists) && lists.length <= limits.lists, words("backup_no_array", "lists", limits.lists));
  sites.forEach((/** @type {unknown} */ site, /** @type {number} */ place) =>
    check(typeof site === "string" && site !== "" && site.length <= 4096, words("backup_no_site", `sites[${place}]`)));
  return {
    sites,
    ownRules,
    lists: lists.map((/** @type {any} */ list, /** @type {number} */ place) => {
      const at = `lists[${place}]`;
      check(list !== null && typeof list === "object", words("backup_no_object", at));
      check(typeof list.source === "string" && /^https?:\/\//.test(list.source),
        words("backup_no_address", `${at}.source`));
      const { mirrors = [], name = "", isOn = true } = list;
      check(Array.isArray(mirrors) && mirrors.every((each) => typeof each === "string"),
        words("backup_no_addresses", `${at}.mirrors`));
      check(typeof name === "string" && typeof isOn === "boolean", words("backup_wrong_fields", at));
      return { source: list.source, mirrors, name, isOn };
    }),
  };
}
