// What a logger makes of requests: which of them are searched for, and texts to take elsewhere.

import { addressLimit, isCut } from "./logged-address.js";

/** @typedef {Messages.LoggedRequest} LoggedRequest */

/**
 * What tells whether a request is searched for; the words are read once for all requests.
 *
 * @param {string} search as `matches` has it
 * @returns {(row: LoggedRequest) => boolean}
 */
export function searching(search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean).map((typed) => {
    const isWanted = !typed.startsWith("-");
    const word = isWanted ? typed : typed.slice(1);
    const [, field = "", value = word] = /^(type|fate|method|list):(.+)$/.exec(word) ?? [];
    return { isWanted, word, field, value };
  });
  return (row) => {
    /** @type {Record<string, string>} */
    const fields = {
      type: `${row.type} ${row.resourceType}`, fate: row.fate, method: row.method,
      list: row.rules.map(({ name }) => name).join(" "),
    };
    const all = `${row.url} ${row.initiator} ${Object.values(fields).join(" ")}`.toLowerCase();
    return words.every(({ isWanted, word, field, value }) =>
      word === "" || (field ? fields[field].toLowerCase() : all).includes(value) === isWanted);
  };
}

/**
 * Whether a request has all words; `type:script`, `fate:blocked` and `list:name` look in one field, and a
 * word after a minus must not be there.
 *
 * @param {LoggedRequest} row
 * @param {string} search
 */
export function matches(row, search) { return searching(search)(row); }

/**
 * A rule that blocks a request, as WebKit's JSON.
 *
 * @param {LoggedRequest} row
 */
export function blockingRule(row) {
  const known = isCut(row.url) ? row.url.slice(0, addressLimit) : row.url;
  const filter = `^${known.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}${isCut(row.url) ? "" : "$"}`;
  const type = row.resourceType && row.resourceType !== "other" ? { "resource-type": [row.resourceType] } : {};
  return JSON.stringify({ trigger: { "url-filter": filter, ...type }, action: { type: "block" } });
}

/**
 * A line of a test, as `tickbird test` reads it.
 *
 * @param {LoggedRequest} row
 */
export function testLine(row) {
  const expected = { blocked: "block", upgraded: "https", stripped: "cookies stripped" };
  const what = expected[/** @type {keyof typeof expected} */ (row.fate)] ?? "load";
  return `${row.url} ${row.resourceType || "other"} on ${row.page || row.url} => ${what}`;
}

/** Types of requests as network logs of browsers have them. */
const logTypes = new Map(Object.entries({
  main_frame: "document", sub_frame: "document", stylesheet: "stylesheet", image: "image",
  imageset: "image", script: "script", font: "font", media: "media", xmlhttprequest: "xhr",
  websocket: "websocket", ping: "ping", csp_report: "cspviolationreport",
}));

/**
 * Requests as an HTTP archive, which `tickbird explain --har` reads.
 *
 * @param {LoggedRequest[]} rows
 * @param {string} version of the extension
 */
export function archive(rows, version) {
  const time = (/** @type {LoggedRequest} */ row) => new Date(row.time).toISOString();
  /** @type {Array<{ id: string, startedDateTime: string, title: string, pageTimings: object }>} */
  const pages = [];
  const entries = rows.map((row) => {
    if (row.type === "main_frame" || pages.length === 0) {
      pages.push({
        id: `page_${pages.length + 1}`, startedDateTime: time(row),
        title: row.type === "main_frame" ? row.url : row.page, pageTimings: {},
      });
    }
    const initiator = row.initiator && row.type !== "main_frame"
      ? { _initiator: { type: "other", url: row.initiator } } : {};
    return {
      pageref: pages[pages.length - 1].id, startedDateTime: time(row), time: 0,
      request: {
        method: row.method, url: row.url, httpVersion: "", cookies: [], headers: [], queryString: [],
        headersSize: -1, bodySize: -1,
      },
      response: {
        status: row.status ?? 0, statusText: "", httpVersion: "", cookies: [], headers: [],
        content: { size: 0, mimeType: "" }, redirectURL: "", headersSize: -1, bodySize: -1,
        ...(row.error ? { _error: row.error } : {}),
      },
      cache: {}, timings: { send: 0, wait: 0, receive: 0 },
      _resourceType: logTypes.get(row.type) ?? "other", ...initiator,
    };
  });
  const log = { version: "1.2", creator: { name: "Tickbird", version }, pages, entries };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}
