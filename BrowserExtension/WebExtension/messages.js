// What the pop-up and the script in documents ask the background.

import { api, isFirefox } from "./browser.js";
import { splitSelectors } from "./selectors.js";

/** Answers a message; throws for one that its sender may not send. */
export async function answer(message, sender, state) {
  if (message?.type === "document") return documentIsHidden(sender, state);
  // Scripts in documents may say nothing else.
  if (!sender.url?.startsWith(api.runtime.getURL(""))) throw new Error("not allowed");
  switch (message?.type) {
    case "page": return page(message, state);
    case "hidden": return hidden(message, state);
    case "rule": return rule(message, state);
    case "allow":
      await state.settings.setAllowed(message.site, message.isAllowed);
      await state.declarative?.settingsChanged();
      return {};
    case "switch":
      await state.lists.setOn(message.identifier, message.isOn);
      await state.declarative?.settingsChanged();
      return {};
    case "connect":
      state.host?.connect();
      return {};
    default: throw new Error(`nobody answers ${message?.type}`);
  }
}

async function documentIsHidden(sender, { tabs }) {
  const tabId = sender.tab?.id;
  if (tabId === undefined) return {};
  // The script may be quicker than the news of its document.
  for (let attempt = 0; attempt < 20; attempt++) {
    const document = tabs.frame(tabId, sender.frameId);
    if (document && (!sender.documentId || document.id === sender.documentId)) {
      await document.pending;
      return {};
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {};
}

/** What the pop-up shows of a page. */
function page({ tabId }, state) {
  const { engine, fault, host, lists, settings, tabs, canBlock } = state;
  const url = tabs.frame(tabId, 0)?.url ?? "";
  const isWeb = /^https?:/.test(url);
  const site = isWeb && engine ? engine.site(url) : null;
  const { journal } = tabs.tab(tabId);
  const names = new Map((lists?.all ?? []).map((list) => [list.identifier, list.name]));
  return {
    fault,
    site,
    isAllowed: site !== null && settings.isAllowed(site),
    canBlock,
    declarative: state.declarative?.summary ?? null,
    host: { state: host?.state ?? "stopped", message: host?.message ?? "" },
    listsFault: lists?.fault ?? null,
    lists: (lists?.all ?? []).map(({ identifier, name, isOn, fault: listFault }) =>
      ({ identifier, name, isOn, fault: listFault })),
    loads: journal.loads,
    counts: journal.counts,
    rows: journal.rows.map((row) => ({ ...row, name: names.get(row.identifier) ?? row.identifier })),
    isCut: journal.isCut,
  };
}

/** The text of a rule, as it stands in its list. */
function rule({ identifier, number }, { engine, lists }) {
  const list = lists.all.find((each) => each.identifier === identifier);
  if (!list?.handle) return { text: null };
  const rules = JSON.parse(engine.source(list.handle));
  return { text: number in rules ? JSON.stringify(rules[number], null, 2) : null };
}

/**
 * The rules that hide something in the documents of a tab, with the number of elements.
 *
 * Most selectors of a list select nothing on a page, so the documents are asked. A rule's number is
 * null if it cannot be told which one a selector of the global sheet comes from.
 */
async function hidden({ tabId }, { engine, lists, tabs }) {
  const documents = [...tabs.tab(tabId).documents.values()];
  const candidates = [];
  for (const list of lists.all) {
    if (!list.handle) continue;
    const isGlobal = documents.some((document) => document.sheets.has(list.handle));
    const sheet = isGlobal ? engine.globalSheet(list.handle) : "";
    const numbers = new Set(documents.flatMap((document) =>
      [...document.hidingRules.get(list.identifier) ?? []]));
    if (sheet === "" && numbers.size === 0) continue;
    const rules = JSON.parse(engine.source(list.handle));
    const { identifier, name } = list;
    const add = (number, selector) => candidates.push({
      identifier, name, number, selector, selectors: splitSelectors(selector),
    });
    const rest = new Set(splitSelectors(sheet));
    for (const [number, rule] of rules.entries()) {
      if (rest.size > 0 && /^ignore-/.test(rule.action?.type)) break;
      if (rest.size === 0 || !isForEveryPage(rule)) continue;
      const selectors = splitSelectors(rule.action.selector);
      if (!selectors.every((selector) => rest.has(selector))) continue;
      for (const selector of selectors) rest.delete(selector);
      add(number, rule.action.selector);
    }
    for (const selector of rest) add(null, selector);
    for (const number of [...numbers].sort((a, b) => a - b)) {
      const selector = rules[number]?.action?.selector;
      if (typeof selector === "string") add(number, selector);
    }
  }
  if (candidates.length === 0) return { rules: [] };
  const counts = await countElements(tabId, candidates.map((candidate) => candidate.selectors));
  const rules = candidates.flatMap(({ identifier, name, number, selector }, place) =>
    (counts[place] ? [{ identifier, name, number, selector, count: counts[place] }] : []));
  return { rules };
}

/** Whether a rule plainly hides on every page. */
function isForEveryPage({ trigger, action }) {
  return action?.type === "css-display-none" && typeof action.selector === "string"
    && /^\^?(?:\.\*)+\$?$/.test(trigger?.["url-filter"])
    && Object.keys(trigger).every((key) => key.startsWith("url-filter"));
}

/** For each list of selectors, how many elements they select in all documents of a tab. */
async function countElements(tabId, selectorLists) {
  const results = isFirefox
    ? await api.tabs.executeScript(tabId, {
      allFrames: true,
      matchAboutBlank: true,
      code: `(${countInDocument})(${JSON.stringify(selectorLists)})`,
    }).catch(() => [])
    : (await api.scripting.executeScript({
      target: { tabId, allFrames: true },
      func: countInDocument,
      args: [selectorLists],
    }).catch(() => [])).map(({ result }) => result);
  return selectorLists.map((_, place) =>
    results.reduce((sum, counts) => sum + (counts?.[place] ?? 0), 0));
}

/** Runs in a document. */
function countInDocument(selectorLists) {
  return selectorLists.map((selectors) => {
    const elements = new Set();
    for (const selector of selectors) {
      try {
        for (const element of document.querySelectorAll(selector)) elements.add(element);
      } catch {
        // This browser does not know the selector.
      }
    }
    return elements.size;
  });
}
