// What a chart of days shows: its columns, and the number at its top.

/** From so many days on, a column is a week. */
const daysInColumns = 62;

/**
 * A column of a chart.
 *
 * @typedef {{ first: string, last: string, blocked: number }} Column
 */

/**
 * The smallest number of 1, 2, 4, 6, 8 or 10 times a power of ten that is not smaller.
 *
 * @param {number} most
 */
function roundTop(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 2, 4, 6, 8, 10].map((factor) => factor * power).find((top) => top >= most) ?? most;
}

/**
 * The columns of some days: each day has one, in longer ranges each week, which ends with the last day.
 *
 * @param {Messages.StatisticsReport["days"]} days
 * @returns {{ columns: Column[], top: number, isByWeek: boolean }}
 */
export function columns(days) {
  const isByWeek = days.length > daysInColumns;
  const width = isByWeek ? 7 : 1;
  /** @type {Column[]} */
  const found = [];
  for (let end = days.length; end > 0; end -= width) {
    const part = days.slice(Math.max(0, end - width), end);
    found.unshift({
      first: part[0].day, last: part[part.length - 1].day,
      blocked: part.reduce((sum, { blocked }) => sum + blocked, 0),
    });
  }
  return { columns: found, top: roundTop(Math.max(0, ...found.map(({ blocked }) => blocked))), isByWeek };
}
