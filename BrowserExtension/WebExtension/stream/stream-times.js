// Words for times in the stream.

import { locale, wordLocale } from "../shared/texts.js";

const minute = 60000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A time of the host as a date that can be written; the host's may be any number.
 *
 * @param {unknown} seconds since 1970
 */
export function dateOf(seconds) {
  const limit = 8.64e15;
  const time = Number(seconds) * 1000;
  return new Date(Number.isFinite(time) ? Math.min(Math.max(time, -limit), limit) : 0);
}

/**
 * @param {"long" | "short"} style
 */
const relative = (style = "long") => new Intl.RelativeTimeFormat(wordLocale(), { numeric: "auto", style });

/**
 * Words as a heading has them.
 *
 * @param {string} words
 */
const capitalized = (words) => words.charAt(0).toLocaleUpperCase(wordLocale()) + words.slice(1);

/**
 * The midnight that a time's day begins with, in the browser's time zone.
 *
 * @param {Date} date
 */
function midnight(date) { return new Date(date).setHours(0, 0, 0, 0); }

/**
 * The days from one time's day to another's, as people count them.
 *
 * @param {Date} from
 * @param {Date} to
 */
function daysBetween(from, to) { return Math.round((midnight(to) - midnight(from)) / day); }

/**
 * The heading of a day: its name if it is near, else its date.
 *
 * @param {Date} date
 * @param {Date} now
 */
export function dayWords(date, now) {
  const count = daysBetween(date, now);
  if (count >= -1 && count <= 1) return capitalized(relative().format(-count, "day"));
  const isNear = count > 0 && count < 7;
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(wordLocale(), {
    weekday: isNear ? "long" : undefined, day: "numeric", month: "long",
    year: isThisYear ? undefined : "numeric",
  });
}

/**
 * How long ago a time was, or how long it is until then; the date beyond a week.
 *
 * @param {Date} date
 * @param {Date} now
 */
export function relativeWords(date, now) {
  const ahead = date.getTime() - now.getTime();
  const length = Math.abs(ahead);
  if (length < minute) return relative().format(0, "second");
  // Short, since a sidebar is narrow.
  const words = (/** @type {number} */ unit, /** @type {"minute" | "hour"} */ name) =>
    relative("short").format(Math.trunc(ahead / unit), name);
  if (length < hour) return words(minute, "minute");
  const count = daysBetween(date, now);
  if (length < day && (count === 0 || length < 6 * hour)) return words(hour, "hour");
  if (Math.abs(count) < 7) return relative().format(-count, "day");
  return date.toLocaleDateString(locale(), {
    day: "numeric", month: "short",
    year: date.getFullYear() === now.getFullYear() ? undefined : "numeric",
  });
}

/**
 * The exact time, as this browser's user writes times.
 *
 * @param {Date} date
 */
export function exactWords(date) {
  return date.toLocaleString(locale(), { dateStyle: "full", timeStyle: "short" });
}
