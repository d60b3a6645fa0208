// What the pop-up and the script in documents ask the background.

import { api, isFirefox } from "./browser.js";
import { answerAboutLinks, isAboutLinks } from "./links.js";
import { changeNote, keepDraft, notesOfPage } from "./note-messages.js";
import { splitSelectors } from "./selectors.js";

/** Answers a message; throws for one that its sender may not send. */
export async function answer(message, sender, state) {
  if (message?.type === "document") return documentIsHidden(message, sender, state);
  if (message?.type === "note" && sender.tab) return state.noteTabs.choose(sender, message.choice);
  if (message?.type === "note-disturbed" && sender.tab) return state.noteTabs.disturbed(sender);
  // Scripts in documents may say nothing else.
  if (!sender.url?.startsWith(api.runtime.getURL(""))) throw new Error("not allowed");
  if (isAboutLinks(message)) return answerAboutLinks(message, state);
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
    case "notes": return notesOfPage(message, state);
    case "change-note": return changeNote(message, state);
    case "draft": return keepDraft(message, state);
    case "connect":
      state.host?.connect();
      return {};
    default: throw new Error(`nobody answers ${message?.type}`);
  }
}

/** Also says which note is to be put in the document's place. */
async function documentIsHidden({ isBack }, sender, { noteTabs, tabs }) {
  const instead = await noteTabs.document(sender, isBack);
  if (isBack || instead.note || instead.reload) return instead;
  const tabId = sender.tab?.id;
  if (tabId === undefined) return {};
  // The script may be quicker than the news of its document.
  for (let attempt = 0; attempt < 20; attempt++) {
    const { frameId, documentId } = sender;
    const document = tabs.frame({ tabId, frameId, documentId });
    if (document && (!sender.documentId || document.id === sender.documentId)) {
      await document.pending;
      return {};
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {};
}

/** How many rules of a row are sent with their lines. */
const shownRules = 3;

/** What the pop-up shows of a page. */
function page({ tabId }, state) {
  const { engine, fault, host, lists, settings, tabs, texts, canBlock } = state;
  const { top, journal } = tabs.shown(tabId);
  const url = top?.url ?? "";
  const isWeb = /^https?:/.test(url);
  const site = isWeb && engine ? engine.site(url) : null;
  const known = new Map((lists?.all ?? []).map((list) => [list.identifier, list]));
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
    rows: journal.rows.map((row) => {
      const list = known.get(row.identifier);
      const lines = row.rules.slice(0, shownRules).map((number) => texts?.line(list, number) ?? null);
      return { ...row, name: list?.name ?? row.identifier, lines };
    }),
    isCut: journal.isCut,
  };
}

/** The text of a rule of a list. */
function rule({ identifier, number }, { lists, texts }) {
  const list = lists.all.find((each) => each.identifier === identifier);
  const [value] = texts.rules(list, [number]);
  return { text: value === null ? null : JSON.stringify(value, null, 2) };
}

/**
 * The rules that hide something in the documents of a tab, with the number of elements.
 *
 * Most selectors of a list select nothing on a page, so the documents are asked. A rule's number is
 * null if it is unknown which one a selector of the global sheet comes from.
 */
async function hidden({ tabId }, { engine, lists, tabs, texts }) {
  const documents = [...tabs.shown(tabId).documents.values()];
  const candidates = [];
  for (const list of lists.all) {
    if (!list.handle) continue;
    const isGlobal = documents.some((document) => document.sheets.has(list.handle));
    const sheet = isGlobal ? engine.globalSheet(list.handle) : "";
    const numbers = new Set(documents.flatMap((document) =>
      [...document.hidingRules.get(list.identifier) ?? []]));
    if (sheet === "" && numbers.size === 0) continue;
    const { identifier, name } = list;
    const add = (number, selector, selectors = splitSelectors(selector)) => candidates.push({
      identifier, name, number, line: texts.line(list, number), selector, selectors,
    });
    const rest = new Set(splitSelectors(sheet));
    const everywhere = rest.size > 0 ? texts.hidingEverywhere(list) : [];
    for (const { number, selector, selectors } of everywhere) {
      if (!selectors.every((each) => rest.has(each))) continue;
      for (const each of selectors) rest.delete(each);
      add(number, selector, selectors);
    }
    for (const selector of rest) add(null, selector);
    const sorted = [...numbers].sort((a, b) => a - b);
    for (const [place, rule] of texts.rules(list, sorted).entries()) {
      const selector = rule?.action?.selector;
      if (typeof selector === "string") add(sorted[place], selector);
    }
  }
  if (candidates.length === 0) return { rules: [] };
  const counts = await countElements(tabId, candidates.map((candidate) => candidate.selectors));
  const rules = candidates.flatMap(({ identifier, name, number, line, selector }, place) =>
    (counts[place] ? [{ identifier, name, number, line, selector, count: counts[place] }] : []));
  return { rules };
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
