// What the background tells the pop-up of a page: what was done there, and by which rules.

import { splitSelectors } from "../hiding/selectors.js";
import { askDocuments } from "./document-answers.js";

/** @typedef {import("../deciding/matcher.js").Matcher} Matcher */
/** @typedef {Omit<Messages.HiddenRule, "count" | "selector"> & { selectors: string[] }} Candidate */
/**
 * How many elements a list of selectors selects, and the places of those selectors that select any.
 *
 * @typedef {{ count: number, places: number[] }} Selected
 */

/** How many rules of a row are sent with their lines. */
const shownRules = 3;
/** How many of a rule's selectors are named. */
const shownSelectors = 3;

/**
 * What the pop-up shows of a page.
 *
 * @param {number} tabId
 * @param {string} shownURL what the tab's address field says
 * @param {Pick<import("../background.js").Background, "matcher" | "fault" | "host" | "settings" | "tabs"
 *   | "declarative" | "siteRules" | "passes" | "canBlock" | "blockedPages">} background
 * @returns {Messages.PageReport}
 */
export function pageReport(tabId, shownURL, {
  matcher, fault, host, settings, tabs, declarative, siteRules, passes, canBlock, blockedPages,
}) {
  const rules = declarative?.summary ?? null;
  const { top, journal: shownJournal } = tabs.shown(tabId);
  const blocked = matcher && blockedPages.report(tabId, undefined, matcher);
  const journal = blockedPages.in(tabId)?.journal ?? shownJournal;
  const url = blocked?.url ?? top?.url ?? "";
  const isSource = /^view-source:/i.test(shownURL);
  const site = matcher && !isSource && /^https?:/.test(url) ? matcher.engine.site(url) : null;
  const lists = matcher?.lists.all ?? [];
  const known = new Map(lists.map((list) => [list.identifier, list]));
  return {
    fault,
    site,
    isSource,
    isAllowed: site !== null && settings.isAllowed(site),
    isAllowanceRefused: canBlock === false && site !== null && settings.isAllowed(site)
      && declarative?.isExempt(site) === false,
    isTabOff: settings.tabsOff.has(tabId, site),
    choices: [...settings.choices.of(site)],
    allowedUntil: site === null ? null : settings.allowedUntil(site),
    blocked,
    canBlock,
    declarative: rules && { ...rules, fault: rules.fault ?? siteRules?.fault ?? passes?.fault ?? null },
    host: { state: host.state, message: host.message },
    listsFault: matcher?.lists.fault ?? null,
    lists: lists.map(({ identifier, name, isOn, fault: listFault }) =>
      ({ identifier, name, isOn, fault: listFault })),
    loads: journal.loads,
    counts: journal.counts,
    rows: journal.rows.map((row) => ({
      ...row,
      by: row.by.map(({ identifier, rules }) => {
        const list = known.get(identifier);
        const lines = rules.slice(0, shownRules)
          .map((number) => (list ? matcher?.texts.line(list, number) : null) ?? null);
        return { identifier, name: list?.name ?? identifier, rules, lines };
      }),
    })),
    isCut: journal.isCut,
    page: url,
    seen: journal.seen,
  };
}

/**
 * The text of a rule of a list; null if the list has it no more.
 *
 * @param {string} identifier
 * @param {number} number
 * @param {Matcher} matcher
 */
export async function ruleText(identifier, number, { lists, texts }) {
  const list = lists.all.find((each) => each.identifier === identifier);
  const [value] = list ? await texts.rules(list, [number]) : [null];
  return value === null ? null : JSON.stringify(value, null, 2);
}

/**
 * The rules that hide something in the documents of a tab, with the number of elements.
 *
 * Most selectors of a list select nothing on a page, so the documents are asked. A rule's number is
 * null if it is unknown which one a selector of the global sheet comes from.
 *
 * @param {number} tabId
 * @param {import("../deciding/tabs.js").Tabs} tabs
 * @param {Matcher} matcher
 * @returns {Promise<Messages.HiddenReport>}
 */
export async function hiddenRules(tabId, tabs, matcher) {
  const documents = [...tabs.shown(tabId).documents.values()];
  await matcher.texts.know();
  const lists = matcher.lists.all.filter((list) => list.handle);
  const candidates = (await Promise.all(lists.map((list) => candidatesOf(list, documents, matcher)))).flat();
  if (candidates.length === 0) return { rules: [], isAnswered: true };
  const counts = await countElements(tabId, candidates.map(({ selectors }) => selectors));
  if (!counts) return { rules: [], isAnswered: false };
  const rules = candidates.flatMap(({ selectors, ...rule }, place) => {
    const { count, places } = counts[place];
    const selector = places.slice(0, shownSelectors).map((each) => selectors[each]).join(", ");
    return count > 0 ? [{ ...rule, selector, count }] : [];
  }).sort((one, other) => other.count - one.count);
  return { rules, isAnswered: true };
}

/**
 * The rules of a list that may hide something in some documents.
 *
 * @param {OpenedList} list
 * @param {import("../deciding/page.js").FrameDocument[]} documents
 * @param {Matcher} matcher
 */
async function candidatesOf(list, documents, { engine, texts }) {
  const isGlobal = documents.some((document) => document.sheets.has(list.handle));
  const sheet = isGlobal ? engine.globalSheet(list.handle) : "";
  const numbers = new Set(documents.flatMap((document) =>
    [...document.hidingRules.get(list.identifier) ?? []]));
  /** @type {Candidate[]} */
  const candidates = [];
  if (sheet === "" && numbers.size === 0) return candidates;
  const { identifier, name } = list;
  /**
   * @param {number | null} number
   * @param {string[]} selectors
   */
  const add = (number, selectors) => candidates.push({
    identifier, name, number, line: texts.line(list, number), selectors,
  });
  const rest = new Set(splitSelectors(sheet));
  const everywhere = rest.size > 0 ? await texts.hidingEverywhere(list) : [];
  for (const { number, selectors } of everywhere) {
    if (!selectors.every((each) => rest.has(each))) continue;
    for (const each of selectors) rest.delete(each);
    add(number, selectors);
  }
  for (const selector of rest) add(null, [selector]);
  const sorted = [...numbers].sort((a, b) => a - b);
  for (const [place, rule] of (await texts.rules(list, sorted)).entries()) {
    const selector = rule?.action?.selector;
    if (typeof selector === "string") add(sorted[place], splitSelectors(selector));
  }
  return candidates;
}

/**
 * For each list of selectors, how many elements they select in all documents of a tab; null if one does not answer.
 *
 * @param {number} tabId
 * @param {string[][]} selectorLists
 * @returns {Promise<Selected[] | null>}
 */
async function countElements(tabId, selectorLists) {
  const answers = await askDocuments(tabId, countInDocument, [selectorLists]);
  return answers && selectorLists.map((_, place) => {
    const found = answers.flatMap((selected) => selected?.[place] ?? []);
    return {
      count: found.reduce((sum, { count }) => sum + count, 0),
      places: [...new Set(found.flatMap(({ places }) => places))].sort((a, b) => a - b),
    };
  });
}

/**
 * Runs in a document.
 *
 * @param {string[][]} selectorLists
 */
function countInDocument(selectorLists) {
  return selectorLists.map((selectors) => {
    const elements = new Set();
    /** @type {number[]} */
    const places = [];
    for (const [place, selector] of selectors.entries()) {
      try {
        const found = document.querySelectorAll(selector);
        if (found.length > 0) places.push(place);
        for (const element of found) elements.add(element);
      } catch {
        // This browser does not know the selector.
      }
    }
    return { count: elements.size, places };
  });
}
