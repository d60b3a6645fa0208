// Words for times in the stream.

const days = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const minute = 60000;
const hour = 60 * minute;
const day = 24 * hour;

/** A time of the host, which may be any number, as one that can be written down. */
export function dateOf(seconds) {
  const limit = 8.64e15;
  const time = Number(seconds) * 1000;
  return new Date(Number.isFinite(time) ? Math.min(Math.max(time, -limit), limit) : 0);
}

/** The midnight that a time's day begins with, here. */
function midnight(date) { return new Date(date).setHours(0, 0, 0, 0); }

/** The days from one time's day to another's, as people count them. */
function daysBetween(from, to) { return Math.round((midnight(to) - midnight(from)) / day); }

/** The heading of a day: its name if it is near, else its date. */
export function dayWords(date, now) {
  const count = daysBetween(date, now);
  if (count >= -1 && count <= 1) return ["Tomorrow", "Today", "Yesterday"][count + 1];
  const isNear = count > 0 && count < 7;
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString("en-GB", {
    weekday: isNear ? "long" : undefined, day: "numeric", month: "long",
    year: isThisYear ? undefined : "numeric",
  });
}

/** How long ago, or how long until; beyond a week the date. */
export function relativeWords(date, now) {
  const passed = date - now;
  const length = Math.abs(passed);
  if (length < minute) return "now";
  // Short, since a sidebar is narrow.
  const words = (unit, name) => (passed < 0 ? `${Math.trunc(length / unit)} ${name} ago`
    : `in ${Math.trunc(length / unit)} ${name}`);
  if (length < hour) return words(minute, "min");
  const count = daysBetween(date, now);
  if (length < day && (count === 0 || length < 6 * hour)) return words(hour, "hr");
  if (Math.abs(count) < 7) return days.format(-count, "day");
  return date.toLocaleDateString("en-GB", {
    day: "numeric", month: "short",
    year: date.getFullYear() === now.getFullYear() ? undefined : "numeric",
  });
}

/** The exact time, as this browser's user writes times. */
export function exactWords(date) {
  return date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" });
}
