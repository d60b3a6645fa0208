// Everything that a person has chosen here, as one file, and what of a file is new.

import { check, checkedDefaults, checkedNote, checkKeys, checkText } from "../notes/checked-notes.js";
import { areChoices, siteLimit } from "../shared/site-choices.js";
import { text as words } from "../shared/texts.js";
import { pageURL, webURL } from "./imported-words.js";

/** @typedef {import("../notes/checked-notes.js").NoteDefaults} NoteDefaults */
/** @typedef {import("../notes/checked-notes.js").NoteOfFile} NoteOfFile */
/**
 * A list, by its address. `isOn` is the service's switch, `isOnHere` that of this browser.
 *
 * @typedef {{ source: string, mirrors: string[], name: string, isOn: boolean, isOnHere: boolean }} ListOfFile
 */

/**
 * What the file has.
 *
 * @typedef {object} Backup
 * @property {string[]} sites
 * @property {Messages.SiteEntry[]} choices what is chosen for single sites; since version 2
 * @property {string} ownRules
 * @property {ListOfFile[]} lists
 * @property {NoteOfFile[]} notes
 * @property {NoteDefaults | null} noteDefaults null where nothing is chosen
 * @property {boolean} countsStatistics
 * @property {boolean} showsBadge whether the toolbar's button has a number
 */

/** The longest file that is read, in bytes. */
export const longestBackup = 64 << 20;

const format = "tickbird-settings";
/** Version 1 had lists, own rules and sites. */
const version = 2;
/** The most sites, lists, mirrors of a list and notes of a file, and the longest own rules, in characters. */
const limits = { sites: 100_000, choices: siteLimit, lists: 100, mirrors: 20, notes: 100_000, ownRules: 262_144 };

/**
 * A backup as text.
 *
 * @param {Backup} backup
 */
export function backupText({ sites, choices, lists, ownRules, notes, noteDefaults, countsStatistics, showsBadge }) {
  const file = {
    format, version, sites, choices, lists, ownRules, notes, noteDefaults, countsStatistics, showsBadge,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
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
  check(file !== null && typeof file === "object" && file.format === format, "backup_format", "format", format);
  check(file.version === 1 || file.version === version,
    "backup_version", "version", JSON.stringify(file.version)?.slice(0, 40) ?? "", `1, ${version}`);
  checkKeys(file, ["format", "version", "sites", "lists", "ownRules",
    ...(file.version === 1 ? [] : ["choices", "notes", "noteDefaults", "countsStatistics", "showsBadge"])], "");
  const {
    sites = [], choices = [], lists = [], ownRules = "", notes = [], noteDefaults = null, countsStatistics = true,
    showsBadge = true,
  } = file;
  checkText(ownRules, 0, limits.ownRules, "ownRules");
  for (const [name, value] of Object.entries({ sites, choices, lists, notes })) {
    const most = limits[/** @type {"sites" | "choices" | "lists" | "notes"} */ (name)];
    check(Array.isArray(value) && value.length <= most, "backup_no_array", name, most);
  }
  check(typeof countsStatistics === "boolean", "backup_no_switch", "countsStatistics");
  check(typeof showsBadge === "boolean", "backup_no_switch", "showsBadge");
  // No site's name has an @, and the user before one could look like a site.
  const isSite = (/** @type {unknown} */ value) =>
    typeof value === "string" && value !== "" && value.length <= 4096 && !value.includes("@");
  sites.forEach((/** @type {unknown} */ site, /** @type {number} */ place) =>
    check(isSite(site), "backup_no_site", `sites[${place}]`));
  const isAddress = (/** @type {unknown} */ value) => typeof value === "string" && /^https?:\/\//.test(value)
    && value.length <= 4096 && webURL(value) !== null;
  return {
    sites,
    choices: choices.map((/** @type {any} */ entry, /** @type {number} */ place) => {
      const at = `choices[${place}]`;
      checkKeys(entry, ["site", "choices"], at);
      check(isSite(entry.site), "backup_no_site", `${at}.site`);
      check(areChoices(entry.choices), "backup_no_choices", `${at}.choices`);
      return { site: entry.site, choices: entry.choices };
    }),
    ownRules,
    lists: lists.map((/** @type {any} */ list, /** @type {number} */ place) => {
      const at = `lists[${place}]`;
      checkKeys(list, ["source", "mirrors", "name", "isOn", "isOnHere"], at);
      check(isAddress(list.source), "backup_no_address", `${at}.source`);
      const { mirrors = [], name = "", isOn = true, isOnHere = true } = list;
      check(Array.isArray(mirrors) && mirrors.length <= limits.mirrors && mirrors.every(isAddress),
        "backup_no_addresses", `${at}.mirrors`);
      checkText(name, 0, 200, `${at}.name`);
      check(typeof isOn === "boolean", "backup_no_switch", `${at}.isOn`);
      check(typeof isOnHere === "boolean", "backup_no_switch", `${at}.isOnHere`);
      return { source: list.source, mirrors, name, isOn, isOnHere };
    }),
    notes: notes.map((/** @type {unknown} */ value, /** @type {number} */ place) => {
      const note = checkedNote(value, `notes[${place}]`);
      check(pageURL(note.address) !== null, "backup_no_page", `notes[${place}].address`);
      return note;
    }),
    noteDefaults: noteDefaults === null ? null : checkedDefaults(noteDefaults, "noteDefaults"),
    countsStatistics,
    showsBadge,
  };
}

/**
 * What makes two notes the same.
 *
 * @param {Pick<NoteOfFile, "kind" | "address" | "text">} note
 */
const noteKey = ({ kind, address, text }) => JSON.stringify([kind, address, text]);

/**
 * What of a file is new here. Nothing that is there is changed: own rules and defaults of notes are taken
 * where there are none.
 *
 * @param {Backup} backup its settings for the sites that the engine makes of what is written
 * @param {Backup} present what is there; its lists with those that are files of this machine
 */
export function additions(backup, present) {
  const sites = new Set(present.sites);
  const choices = new Set(present.choices.map(({ site }) => site));
  const lists = new Set(present.lists.map(({ source }) => source));
  const notes = new Set(present.notes.map(noteKey));
  const isOther = (/** @type {unknown} */ value, /** @type {unknown} */ other) =>
    JSON.stringify(value) !== JSON.stringify(other);
  const hasRules = backup.ownRules.trim() !== "" && backup.ownRules !== present.ownRules;
  const hasDefaults = backup.noteDefaults !== null && isOther(backup.noteDefaults, present.noteDefaults);
  /** Only the first of those that are the same. */
  const isNew = (/** @type {Set<string>} */ known, /** @type {string} */ key) =>
    !known.has(key) && !!known.add(key);
  return {
    sites: backup.sites.filter((site) => isNew(sites, site)),
    // Sites that have settings keep theirs.
    choices: backup.choices.filter(({ site }) => isNew(choices, site)),
    lists: backup.lists.filter(({ source }) => isNew(lists, source)),
    notes: backup.notes.filter((note) => isNew(notes, noteKey(note))),
    takesOwnRules: hasRules && present.ownRules.trim() === "",
    keepsOwnRules: hasRules && present.ownRules.trim() !== "",
    takesDefaults: hasDefaults && present.noteDefaults === null,
    keepsDefaults: hasDefaults && present.noteDefaults !== null,
    endsStatistics: !backup.countsStatistics && present.countsStatistics,
    // As of statistics, what was switched off is, and nothing is switched on.
    hidesBadge: !backup.showsBadge && present.showsBadge,
  };
}
