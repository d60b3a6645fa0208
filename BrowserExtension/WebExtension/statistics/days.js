// Days of the calendar, as statistics name them.

/**
 * The name of the day of a time, as `2026-11-24`, in the time zone of the machine.
 *
 * @param {Date} time
 */
export function dayName(time) {
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/**
 * Noon of a day, which every day has, also where the clock is changed at midnight.
 *
 * @param {string} name
 */
export function noonOf(name) {
  const [year, month, day] = name.split("-").map(Number);
  return new Date(year, month - 1, day, 12);
}

/**
 * The names of the last days, the last of which is that of a time.
 *
 * @param {number} count
 * @param {Date} last
 */
export function lastDays(count, last) {
  return Array.from({ length: count }, (_, place) =>
    dayName(new Date(last.getFullYear(), last.getMonth(), last.getDate() - (count - 1 - place), 12)));
}
