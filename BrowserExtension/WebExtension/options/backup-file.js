// Everything that a person has chosen here, as one file, and back.

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
    throw new Error("the file is not JSON");
  }
  const check = (/** @type {unknown} */ holds, /** @type {string} */ words) => {
    if (!holds) throw new Error(words);
  };
  check(file !== null && typeof file === "object" && file.format === format, `format: is not “${format}”`);
  check(file.version === version, `version: ${JSON.stringify(file.version)} is not known, only ${version}`);
  const { sites = [], lists = [], ownRules = "" } = file;
  check(typeof ownRules === "string", "ownRules: is not a text");
  check(Array.isArray(sites) && sites.length <= limits.sites, `sites: is not an array of at most ${limits.sites}`);
  check(Array.isArray(lists) && lists.length <= limits.lists, `lists: is not an array of at most ${limits.lists}`);
  sites.forEach((/** @type {unknown} */ site, /** @type {number} */ place) =>
    check(typeof site === "string" && site !== "" && site.length <= 4096, `sites[${place}]: is not a site`));
  return {
    sites,
    ownRules,
    lists: lists.map((/** @type {any} */ list, /** @type {number} */ place) => {
      const at = `lists[${place}]`;
      check(list !== null && typeof list === "object", `${at}: is not an object`);
      check(typeof list.source === "string" && /^https?:\/\//.test(list.source),
        `${at}.source: is not an address of http or https`);
      const { mirrors = [], name = "", isOn = true } = list;
      check(Array.isArray(mirrors) && mirrors.every((each) => typeof each === "string"),
        `${at}.mirrors: is not an array of addresses`);
      check(typeof name === "string" && typeof isOn === "boolean", `${at}: name or isOn is wrong`);
      return { source: list.source, mirrors, name, isOn };
    }),
  };
}
