// Plans and notes that come out of a file or the browser's storage, checked as the host checks them:
// `NotePlan.swift`, `NoteText.swift`.

import { text as words } from "../shared/texts.js";

/** @typedef {NativeHost.NotePlan} NotePlan */
/**
 * A note as files have it.
 *
 * @typedef {NativeHost.NoteTarget
 *   & { text: string, emoji: string, snoozeMinutes: number, plan: NotePlan }} NoteOfFile
 */

/** The longest text of a note and its longest address, in characters. */
const longest = { text: 65_536, address: 8192, emoji: 64 };
const kinds = ["page", "path", "host", "site"];

/**
 * Throws what is wrong, unless something holds.
 *
 * @param {unknown} holds
 * @param {string} fault a text's key; its first value is the place
 * @param {Array<string | number>} values
 * @returns {asserts holds}
 */
export function check(holds, fault, ...values) { if (!holds) throw new Error(words(fault, ...values)); }

/**
 * Throws if something is no whole number in a range.
 *
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 * @param {string} at
 */
function checkNumber(value, least, most, at) {
  const isIn = Number.isInteger(value) && least <= Number(value) && Number(value) <= most;
  check(isIn, "backup_no_number", at, least, most);
}

/**
 * Throws if something is no text of so many characters.
 *
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 * @param {string} at
 */
export function checkText(value, least, most, at) {
  const isIn = typeof value === "string" && least <= value.length && value.length <= most;
  check(isIn, "backup_no_text_of", at, least, most);
}

/**
 * Throws if something is no object, or has other keys than these.
 *
 * @param {any} value
 * @param {string[]} keys
 * @param {string} at the object's place; empty for the file
 */
export function checkKeys(value, keys, at) {
  check(value !== null && typeof value === "object" && !Array.isArray(value), "backup_no_object", at);
  const other = Object.keys(value).find((key) => !keys.includes(key));
  check(other === undefined, "backup_unknown", `${at ? `${at}.` : ""}${other?.slice(0, 40)}`);
}

/**
 * A plan.
 *
 * @param {any} value
 * @param {string} at the place that a fault names
 * @returns {NotePlan}
 * @throws {Error} that names the place of what is wrong
 */
export function checkedPlan(value, at) {
  checkKeys(value, ["times", "limit", "delay"], at);
  const { times, limit, delay } = value;
  if (times !== undefined) {
    check(Array.isArray(times) && times.length <= 28, "backup_no_array", `${at}.times`, 28);
    times.forEach((/** @type {any} */ each, /** @type {number} */ place) => {
      const there = `${at}.times[${place}]`;
      checkKeys(each, ["days", "from", "to"], there);
      check(Array.isArray(each.days) && each.days.length > 0 && each.days.length <= 7,
        "backup_no_array", `${there}.days`, 7);
      for (const day of each.days) checkNumber(day, 1, 7, `${there}.days`);
      checkNumber(each.from, 0, 1439, `${there}.from`);
      checkNumber(each.to, 1, 1440, `${there}.to`);
      check(each.from !== each.to, "backup_no_time", there);
    });
  }
  if (limit !== undefined) {
    checkKeys(limit, ["minutes", "visits"], `${at}.limit`);
    check((limit.minutes === undefined) !== (limit.visits === undefined), "backup_no_limit", `${at}.limit`);
    checkNumber(limit.minutes ?? limit.visits, 1, 1440, `${at}.limit`);
  }
  if (delay !== undefined) {
    checkKeys(delay, ["seconds", "growth"], `${at}.delay`);
    checkNumber(delay.seconds, 0, 600, `${at}.delay.seconds`);
    checkNumber(delay.growth ?? 0, 0, 600, `${at}.delay.growth`);
  }
  return value;
}

/**
 * What new notes begin with.
 *
 * @typedef {{ emoji: string, snoozeMinutes: number, plan: NotePlan }} NoteDefaults
 */

/**
 * What new notes begin with.
 *
 * @param {any} value
 * @param {string} at
 * @returns {NoteDefaults}
 * @throws {Error} that names the place of what is wrong
 */
export function checkedDefaults(value, at) {
  checkKeys(value, ["emoji", "snoozeMinutes", "plan"], at);
  const { emoji, snoozeMinutes, plan = {} } = value;
  checkText(emoji, 0, longest.emoji, `${at}.emoji`);
  checkNumber(snoozeMinutes, 1, 525_600, `${at}.snoozeMinutes`);
  return { emoji, snoozeMinutes, plan: checkedPlan(plan, `${at}.plan`) };
}

/**
 * A note.
 *
 * @param {any} value
 * @param {string} at
 * @returns {NoteOfFile}
 * @throws {Error} that names the place of what is wrong
 */
export function checkedNote(value, at) {
  checkKeys(value, ["kind", "address", "text", "emoji", "snoozeMinutes", "plan"], at);
  const { kind, address, text, emoji, snoozeMinutes, plan } = value;
  check(kinds.includes(kind), "backup_no_choice", `${at}.kind`, kinds.join(", "));
  checkText(address, 1, longest.address, `${at}.address`);
  checkText(text, 1, longest.text, `${at}.text`);
  return { kind, address, text, ...checkedDefaults({ emoji, snoozeMinutes, plan }, at) };
}
