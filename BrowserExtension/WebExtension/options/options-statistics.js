// The options page's statistics: a chart of what was blocked, the sites and lists behind it, and what
// deletes them.

import { ask } from "../shared/asking.js";
import { byID, inputByID, make, makeConfirmed } from "../shared/elements.js";
import { messageOf } from "../shared/errors.js";
import { counted, number, text, wordLocale } from "../shared/texts.js";
import { columns } from "../statistics/columns.js";
import { noonOf } from "../statistics/days.js";

/** @typedef {Messages.StatisticsReport} Report */
/** @typedef {import("../statistics/columns.js").Column} Column */

/**
 * A day's date as the person writes it.
 *
 * @param {string} day
 * @param {Intl.DateTimeFormatOptions} options
 */
const date = (day, options) => noonOf(day).toLocaleDateString(wordLocale(), options);

const dayAndMonth = /** @type {const} */ ({ day: "numeric", month: "short" });
const whole = /** @type {const} */ ({ weekday: "short", day: "numeric", month: "long", year: "numeric" });

/** The number of days that are chosen. */
function range() {
  const chosen = document.querySelector("#statistics-range input:checked");
  return chosen instanceof HTMLInputElement ? Number(chosen.value) : 7;
}

/** Shows the statistics of the chosen range. */
export async function showStatistics() {
  try {
    const [report, { canBlock }] = await Promise.all([
      ask({ type: "statistics", days: range() }), ask({ type: "page", tabId: -1 }),
    ]);
    byID("statistics-fault").textContent = "";
    byID("statistics-limit").hidden = canBlock !== false;
    show(report);
  } catch (error) {
    byID("statistics-fault").textContent = text("statistics_unknown", messageOf(error));
  }
}

/** @param {Report} report */
function show(report) {
  const { days, isOn } = report;
  inputByID("statistics-on").checked = isOn;
  const sum = days.reduce((total, { blocked }) => total + blocked, 0);
  byID("statistics-shown").hidden = sum === 0;
  byID("statistics-none").hidden = sum > 0;
  byID("statistics-none").textContent = text(isOn ? "statistics_none" : "statistics_none_off");
  byID("statistics-sum").textContent = sum === 0 ? ""
    : counted("statistics_sum", sum, days.length, Math.round(sum / days.length));
  showChart(report);
  showDays(report);
  rank("statistics-sites", report.sites.map(({ site, blocked }) => ({ name: site, blocked, site })),
    report.otherSites);
  rank("statistics-lists", report.lists.map(({ name, blocked }) => ({ name, blocked })), 0);
}

/**
 * A column's time in words.
 *
 * @param {Column} column
 */
const time = ({ first, last }) => (first === last ? date(first, whole)
  : `${date(first, dayAndMonth)} – ${date(last, dayAndMonth)}`);

/**
 * What is written below a column, so that the columns can be found and the words do not touch.
 *
 * @param {Column[]} all
 * @param {number} place
 */
function label(all, place) {
  const { first, last } = all[place];
  if (first !== last || all.length > 31) {
    const before = all[place - 1];
    const isNewMonth = before && noonOf(before.first).getMonth() !== noonOf(first).getMonth();
    return isNewMonth ? date(first, { month: "short" }) : "";
  }
  if (all.length <= 7) return date(first, { weekday: "short" });
  return (all.length - 1 - place) % 7 === 0 ? date(first, dayAndMonth) : "";
}

/** @param {Report} report */
function showChart({ days }) {
  const { columns: all, top, isByWeek } = columns(days);
  const most = all.reduce((best, each) => (each.blocked > best.blocked ? each : best), all[0]);
  const bars = all.map((column) => {
    const bar = make("span", { className: "stick" });
    bar.style.blockSize = `${(column.blocked / top) * 100}%`;
    // What is there can be seen, however little it is.
    bar.classList.toggle("some", column.blocked > 0);
    const amount = make("span", { className: "amount", textContent: number(column.blocked) });
    return make("span", {
      className: "column", title: text("statistics_column", time(column), column.blocked),
    }, ...(all.length <= 7 && column.blocked > 0 ? [amount] : []), bar);
  });
  const chart = byID("statistics-chart");
  chart.style.setProperty("--columns", String(all.length));
  const plot = make("div", { className: "plot" },
    make("span", { className: "scale-top", textContent: number(top) }),
    make("span", { className: "scale", textContent: top % 2 === 0 ? number(top / 2) : "" }),
    make("div", { className: "bars" }, ...bars));
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", text("statistics_chart", most.blocked, time(most)));
  const labels = make("div", { className: "labels", ariaHidden: "true" },
    ...all.map((_, place) => make("span", { textContent: label(all, place) })));
  chart.replaceChildren(
    make("figcaption", { className: "note", textContent: text(isByWeek ? "statistics_weeks" : "statistics_days") }),
    plot, labels);
}

/**
 * The days on which something was blocked, the last one first.
 *
 * @param {Report} report
 */
function showDays({ days }) {
  byID("statistics-table").replaceChildren(...[...days].reverse().filter(({ blocked }) => blocked > 0)
    .map(({ day, blocked }) => {
      const name = date(day, whole);
      const remove = makeConfirmed(text("statistics_delete"), text("statistics_delete_day"),
        () => forget({ day }));
      remove.title = text("statistics_delete_named", name);
      const head = make("th", { textContent: name });
      head.setAttribute("scope", "row");
      return make("tr", {}, head, make("td", { className: "amount", textContent: number(blocked) }),
        make("td", {}, remove));
    }));
}

/**
 * Shows who has most, with bars.
 *
 * @param {string} id the table's body
 * @param {Array<{ name: string, blocked: number, site?: string }>} rows
 * @param {number} others
 */
function rank(id, rows, others) {
  const most = Math.max(1, others, ...rows.map(({ blocked }) => blocked));
  const row = (/** @type {{ name: string, blocked: number, site?: string }} */ { name, blocked, site }) => {
    const bar = make("span", { className: "share", ariaHidden: "true" });
    bar.style.inlineSize = `${(blocked / most) * 100}%`;
    // A site's name is written from left to right, and is never part of the words around it.
    const head = make("th", {}, make("bdi", { textContent: name, dir: site === undefined ? "auto" : "ltr" }), bar);
    head.setAttribute("scope", "row");
    const cells = [head, make("td", { className: "amount", textContent: number(blocked) })];
    if (id === "statistics-sites") {
      const action = make("td");
      if (site !== undefined) {
        const remove = makeConfirmed(text("statistics_delete"), text("statistics_delete_site"),
          () => forget({ site }));
        remove.title = text("statistics_delete_named", site);
        action.append(remove);
      }
      cells.push(action);
    }
    return make("tr", {}, ...cells);
  };
  byID(id).replaceChildren(...rows.map(row),
    ...(others > 0 ? [row({ name: text("statistics_others"), blocked: others })] : []));
}

/** @param {{ day?: string, site?: string }} what */
async function forget(what) {
  try {
    await ask({ type: "forget-statistics", ...what });
  } catch (error) {
    byID("statistics-fault").textContent = messageOf(error);
    return;
  }
  await showStatistics();
  byID("statistics-title").focus();
}

for (const each of document.querySelectorAll("#statistics-range input")) {
  each.addEventListener("change", showStatistics);
}
byID("statistics-on").addEventListener("change", async () => {
  let fault = "";
  try {
    await ask({ type: "count-statistics", isOn: inputByID("statistics-on").checked });
  } catch (error) {
    fault = messageOf(error);
  }
  await showStatistics();
  if (fault) byID("statistics-fault").textContent = fault;
});
byID("statistics-delete").append(
  makeConfirmed(text("statistics_delete_all"), text("statistics_delete_all_question"), () => forget({})));
