// Whether a note's plan has it shown now. The host decides by the same rules: `NotePlan.swift`.

/** @typedef {NativeHost.NotePlan} NotePlan */

const minutesOfDay = 1440;

/**
 * Whether a time is in the parts of the week in which a note is shown.
 *
 * @param {NotePlan | null | undefined} plan
 * @param {Date} time
 */
export function covers(plan, time) {
  const times = plan?.times ?? [];
  if (times.length === 0) return true;
  // JavaScript's weeks begin with Sunday as 0.
  const day = (time.getDay() + 6) % 7 + 1;
  const before = day === 1 ? 7 : day - 1;
  const minute = time.getHours() * 60 + time.getMinutes();
  return times.some(({ days, from, to }) => (from < to
    ? days.includes(day) && from <= minute && minute < to
    : days.includes(day) && minute >= from || days.includes(before) && minute < to));
}

/**
 * Whether what is free on a day is used up; also true where nothing is free.
 *
 * @param {NotePlan | null | undefined} plan
 * @param {Pick<NativeHost.NoteDay, "visits" | "seconds"> | null | undefined} today
 */
export function isUsedUp(plan, today) {
  const { minutes, visits } = plan?.limit ?? {};
  if (minutes !== undefined) return (today?.seconds ?? 0) >= minutes * 60;
  if (visits !== undefined) return (today?.visits ?? 0) >= visits;
  return true;
}

/**
 * For how many seconds "View Website" waits.
 *
 * @param {NotePlan | null | undefined} plan
 * @param {Pick<NativeHost.NoteDay, "viewed"> | null | undefined} today
 */
export function waitOf(plan, today) {
  const longest = 600;
  const { seconds = 0, growth = 0 } = plan?.delay ?? {};
  return Math.min(seconds + growth * (today?.viewed ?? 0), longest);
}

/**
 * The next time at which plans may decide otherwise: when one of their times begins or ends, or a day.
 *
 * @param {Array<NotePlan | null | undefined>} plans
 * @param {Date} now
 * @returns {number | null} milliseconds since 1970; null if none of them ever does
 */
export function nextChange(plans, now) {
  /** @type {Set<number>} */
  const minutes = new Set();
  for (const plan of plans) {
    for (const { from, to } of plan?.times ?? []) minutes.add(from).add(to);
    if (plan?.limit || plan?.delay) minutes.add(minutesOfDay);
  }
  const ahead = [...minutes].map((minute) => {
    const time = new Date(now);
    time.setHours(0, minute, 0, 0);
    if (time <= now) {
      time.setDate(time.getDate() + 1);
      time.setHours(0, minute % minutesOfDay, 0, 0);
    }
    return time.getTime();
  });
  return ahead.length === 0 ? null : Math.min(...ahead);
}
