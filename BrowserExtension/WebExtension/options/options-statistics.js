// The options page's statistics: a chart of what was blocked, the sites and lists behind it, and what
// deletes them.

import { ask } from "../shared/asking.js";
import { byID, inputByID, make, makeConfirmed, setChildren } from "../shared/elements.js";
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
  rank("statistics-sites", report.sites.map(({ site, blocked }) => ({ key: site, name: site, blocked })),
    report.otherSites);
  rank("statistics-lists", report.lists.map(({ identifier, name, blocked }) => ({ key: identifier, name, blocked })), 0);
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

/** @typedef {{ element: HTMLElement, show(name: string, blocked: number, most: number): void }} Row */

/**
 * The rows of each table by what they are about. Those that are there stay when they are shown anew, and with
 * them the focus and a question that was asked: numbers change while a person is about to answer.
 *
 * @type {Map<string, Map<string, Row>>}
 */
const kept = new Map();

/**
 * Shows rows in a table, each with its number.
 *
 * @param {string} id the table's body
 * @param {Array<{ key: string, name: string, blocked: number }>} rows
 * @param {number} most
 * @param {(key: string) => Row} makeRow
 */
function showRows(id, rows, most, makeRow) {
  const before = kept.get(id);
  const now = new Map(rows.map(({ key }) => [key, before?.get(key) ?? makeRow(key)]));
  for (const { key, name, blocked } of rows) now.get(key)?.show(name, blocked, most);
  setChildren(byID(id), [...now.values()].map(({ element }) => element));
  kept.set(id, now);
}

/**
 * @param {HTMLElement} name
 * @param {HTMLElement[]} bar what shows the number as a length
 * @param {HTMLElement[]} actions
 * @returns {Row}
 */
function row(name, bar, actions) {
  const head = make("th", {}, name, ...bar);
  head.setAttribute("scope", "row");
  const amount = make("td", { className: "amount" });
  return {
    element: make("tr", {}, head, amount, ...actions),
    show(words, blocked, most) {
      name.textContent = words;
      amount.textContent = number(blocked);
      for (const each of bar) each.style.inlineSize = `${(blocked / most) * 100}%`;
    },
  };
}

/**
 * The days on which something was blocked, the last one first.
 *
 * @param {Report} report
 */
function showDays({ days }) {
  const rows = [...days].reverse().filter(({ blocked }) => blocked > 0)
    .map(({ day, blocked }) => ({ key: day, name: date(day, whole), blocked }));
  showRows("statistics-table", rows, 1, (day) => {
    const remove = makeConfirmed(text("statistics_delete"), text("statistics_delete_day"), () => forget({ day }));
    remove.title = text("statistics_delete_named", date(day, whole));
    return row(make("span"), [], [make("td", {}, remove)]);
  });
}

/** What stands for all that is not named; no site and no list is called so. */
const others = "";

/**
 * Shows who has most, with bars.
 *
 * @param {string} id the table's body
 * @param {Array<{ key: string, name: string, blocked: number }>} named
 * @param {number} rest
 */
function rank(id, named, rest) {
  const isOfSites = id === "statistics-sites";
  const rows = rest > 0 ? [...named, { key: others, name: text("statistics_others"), blocked: rest }] : named;
  showRows(id, rows, Math.max(1, ...rows.map(({ blocked }) => blocked)), (key) => {
    // A site's name is written from left to right, and is never part of the words around it.
    const name = make("bdi", { dir: isOfSites && key !== others ? "ltr" : "auto" });
    const bar = make("span", { className: "share", ariaHidden: "true" });
    if (!isOfSites) return row(name, [bar], []);
    const action = make("td");
    if (key !== others) {
      const remove = makeConfirmed(text("statistics_delete"), text("statistics_delete_site"),
        () => forget({ site: key }));
      remove.title = text("statistics_delete_named", key);
      action.append(remove);
    }
    return row(name, [bar], [action]);
  });
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
