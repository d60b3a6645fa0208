// What the background answers to the extension's pages and to the scripts in documents.

import { api, tabWith } from "./shared/browser.js";
import { addNotes, changeNote, keepDraft, notesOfPage } from "./notes/note-messages.js";
import { answerByHost, isForHost } from "./shared/host-questions.js";
import { withDocumentRequests } from "./popup/document-requests.js";
import { hiddenRules, pageReport, ruleText } from "./popup/page-report.js";
import { answerOfChoices, isAboutChoices } from "./shared/choice-messages.js";
import { text } from "./shared/texts.js";
import { attempts, milliseconds } from "./shared/timings.js";

/** @typedef {import("./background.js").Background} Background */
/** @typedef {import("./deciding/matcher.js").Matcher} Matcher */

/**
 * Answers a message.
 *
 * @param {unknown} received what somebody has sent
 * @param {WebExt.MessageSender} sender
 * @param {Background} background
 * @returns {Promise<object | null>} the answer to the message, as `Messages.AnswerTo` has it
 * @throws {Error} for a message that its sender may not send, or that nobody understands
 */
export async function answer(received, sender, background) {
  const message = /** @type {Messages.Message} */ (received ?? {});
  const { noteTabs } = background;
  if (message.type === "document") return documentAnswer(message.isBack, sender, background);
  if (message.type === "note" && sender.tab) return noteTabs.choose(sender, message.choice);
  if (message.type === "note-disturbed" && sender.tab) return noteTabs.disturbed(sender);
  if (message.type === "load-media" && sender.tab) {
    await background.media.load(sender, String(message.url));
    return {};
  }
  // Scripts in documents may say nothing else.
  if (!sender.url?.startsWith(api.runtime.getURL(""))) throw new Error("not allowed");
  return answerToPage(message, background);
}

/**
 * Answers a message of the extension's own pages.
 *
 * @param {Messages.Message} message
 * @param {Background} background
 */
async function answerToPage(message, background) {
  const { notes, noteTabs, tabs, declarative, host, blockedPages } = background;
  if (isForHost(message)) return answerByHost(message, host);
  if (isAboutChoices(message)) {
    return answerOfChoices(message, background, (address) => started(background).engine.site(addressOf(address)));
  }
  switch (message.type) {
    case "page":
      await background.matcher?.texts.know();
      return pageReport(message.tabId, (await tabWith(message.tabId))?.url ?? "", background);
    case "seen": return { seen: await withDocumentRequests(message.tabId, tabs.shown(message.tabId).journal.seen) };
    case "hidden": return hiddenRules(message.tabId, tabs, started(background));
    case "rule":
      return { text: await ruleText(message.identifier, message.number, started(background)) };
    case "blocked-today": return { blocked: await background.statistics.today() };
    case "statistics": return background.statistics.report(message.days, background.matcher);
    case "count-statistics":
      await background.statistics.setOn(message.isOn);
      return {};
    case "forget-statistics":
      await background.statistics.forget(message);
      return {};
    case "sites":
      background.settings.mustBeKnown();
      return { sites: background.settings.allowedSites };
    case "site": {
      const site = started(background).engine.site(addressOf(message.address));
      return { site, isSuffix: site !== null && background.settings.hasSitesBelow(site) };
    }
    case "allow-for-a-while":
      await background.settings.allowForAWhile(message.site);
      await background.exemptionsChanged();
      if (background.isAllowanceRefused(message.site)) throw new Error(text("allow_refused"));
      return {};
    case "allow-sites": return allowSites(message.addresses, background);
    case "allow":
      await setAllowed(message.site, message.isAllowed, background);
      return {};
    case "blocked":
      await background.matcher?.texts.know();
      return blockedPages.report(message.tabId, message.url, started(background));
    case "open-blocked":
      await blockedPages.open(message.tabId, message.url, message.choice, started(background),
        (site) => setAllowed(site, true, background));
      return {};
    case "switch":
      await started(background).lists.setOn(message.identifier, message.isOn);
      await declarative?.settingsChanged();
      return {};
    case "notes": return notesOfPage(message.tabId, notes);
    case "change-note": return changeNote(message.tabId, message.request, notes, noteTabs);
    case "add-notes": return addNotes(message.notes, host, notes, noteTabs);
    case "draft": return keepDraft(message.tabId, message.draft, notes, background.tabs);
    case "demonstrate": return { sample: await background.demonstration.sample(background) };
    case "demonstrated": return { fate: background.demonstration.fate(message.url) };
    case "pick":
      await background.picker.start(message.tabId);
      return {};
    case "picked": return background.picker.report(message.tabId);
    case "pick-move":
      background.picker.move(message.tabId, message.way);
      return {};
    case "pick-show":
      await background.picker.show(message.tabId, message.selector, message.isHidden);
      return {};
    case "connect":
      host.connect();
      return {};
    default: throw new Error(`nobody answers ${message.type}`);
  }
}

/**
 * Leaves the sites of addresses alone, all at once.
 *
 * @param {string[]} addresses
 * @param {Background} background
 */
async function allowSites(addresses, background) {
  const { engine } = started(background);
  const sites = addresses.map((address) => ({ address, site: engine.site(addressOf(address)) }));
  const isOne = (/** @type {string | null} */ site) => !!site && !background.settings.hasSitesBelow(site);
  await background.settings.allowAll(sites.flatMap(({ site }) => (isOne(site) ? site ?? [] : [])));
  await background.exemptionsChanged();
  return { wrong: sites.filter(({ site }) => !isOne(site)).map(({ address }) => address) };
}

/**
 * What a person typed, as the address of a page.
 *
 * @param {string} text
 */
function addressOf(text) {
  const typed = text.trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[^/]*:\d/.test(typed) ? typed : `https://${typed}`;
}

/**
 * Leaves a site alone, or no longer.
 *
 * @param {string} site
 * @param {boolean} isAllowed
 * @param {Background} background
 */
async function setAllowed(site, isAllowed, background) {
  await background.settings.setAllowed(site, isAllowed);
  await background.exemptionsChanged();
  if (background.isAllowanceRefused(site)) throw new Error(text("allow_refused"));
}

/**
 * The matcher; throws if it could not start.
 *
 * @param {Background} background
 * @returns {Matcher}
 */
function started({ matcher, fault }) {
  if (!matcher) throw new Error(fault ?? text("still_starting"));
  return matcher;
}

/**
 * Answers when what is to be hidden in a document is hidden; also says which note is to be put in the
 * document's place.
 *
 * @param {boolean} isBack
 * @param {WebExt.MessageSender} sender
 * @param {Background} background
 * @returns {Promise<Messages.DocumentAnswer>}
 */
async function documentAnswer(isBack, sender, { noteTabs, notes, tabs }) {
  const instead = await noteTabs.document(sender, isBack);
  if (isBack || instead.note || instead.reload) return instead;
  const tabId = sender.tab?.id;
  if (tabId === undefined) return {};
  const answer = sender.frameId === 0 && notes.find(sender.url ?? "") ? { isNoted: true } : {};
  // The script's message may come before the event of its document.
  for (let attempt = 0; attempt < attempts.document; attempt++) {
    const { frameId = 0, documentId } = sender;
    const document = tabs.frame({ tabId, frameId, documentId });
    if (document && (!documentId || document.id === documentId)) {
      await document.pending;
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, milliseconds.documentPoll));
  }
  return answer;
}
