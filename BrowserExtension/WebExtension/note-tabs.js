// Notes in tabs: puts them in place of pages, and takes them away.
//
// In Firefox the answer itself is replaced; what is not fetched is replaced by the script in the
// document, as everything is in Chromium.

import { api, isFirefox } from "./browser.js";
import { targetKeys } from "./note-addresses.js";
import { Disarmed } from "./note-disarm.js";
import { replaceAnswer } from "./note-document.js";
import { isShown } from "./hold.js";
import { withoutFragment } from "./loads.js";

/** How long "Leave" waits for the page before to come, in milliseconds. */
const backPatience = 600;
/** For how long after "Leave" another note is not shown but left as well. */
const leavingTime = 4000;

const isPage = (url) => /^https?:/.test(url ?? "");
/** The script that shows a note in place of a document. */
const showing = (note) => `tickbirdNote.show(${JSON.stringify(note)})`;
const samePage = (one, other) => targetKeys(one)[0] === targetKeys(other)[0];

export class NoteTabs {
  #notes;
  #tabs;
  /** By the tab's number: what is shown there, as `{id, displayText, emoji, url, documentId}`. */
  #showing = new Map();
  /** By the tab's number: the note whose document is on its way, `{note, url}`. */
  #coming = new Map();
  /** By the tab's number: when "Leave" was chosen. */
  #leaving = new Map();
  /** By the tab's number: what was loaded again because it was not fetched. */
  #reloaded = new Map();
  /** By the tab's number: the URLs of documents that came without the right to run scripts. */
  #inert = new Map();
  #disarmed = new Disarmed();

  constructor(notes, tabs) {
    this.#notes = notes;
    this.#tabs = tabs;
  }

  /** The id of the note that a tab shows; undefined if it shows none. For tests. */
  shown(tabId) { return this.#showing.get(tabId)?.id; }

  /** Whether an answer is to be replaced: those to forms come, for they would be sent twice. */
  #isReplaceable(details) {
    return details.type === "main_frame" && details.method === "GET" && details.tabId >= 0
      && this.#notes.due(details.url) !== null;
  }

  /** In Firefox: replaces the answer to a page's request. Null if the page comes as it is. */
  replace(details) {
    const isWanted = this.#isReplaceable(details) && isShown(details, true);
    return isWanted ? this.#replace(details) : null;
  }

  async #replace(details) {
    const { tabId, url } = details;
    if (this.#isLeaving(tabId)) {
      this.#goAway(tabId);
      return { cancel: true };
    }
    const note = await this.#note(url, await this.#disarmed.end(tabId));
    if (!note) return {};
    this.#coming.set(tabId, { note, url });
    return { responseHeaders: replaceAnswer(details, note) };
  }

  /** In Chromium: keeps the scripts of a page from running that a note takes the place of. */
  disarm(details) {
    // Documents that are loaded ahead come beside the one that is shown.
    const inert = this.#inert.get(details.tabId) ?? new Set();
    const url = withoutFragment(details.url);
    inert.delete(url);
    if (!this.#isReplaceable(details) || !isShown(details, true)) return {};
    this.#inert.set(details.tabId, inert.add(url));
    const policy = { name: "Content-Security-Policy", value: "sandbox; default-src 'none'" };
    // Those would have an effect without any script.
    const rest = details.responseHeaders.filter(({ name }) => !/^(?:link|refresh)$/i.test(name));
    return { responseHeaders: [...rest, policy] };
  }

  /** What the script at a document's start has to do: `{note}`, `{reload: true}` or nothing. */
  async document(sender, isBack) {
    const tabId = sender.tab?.id;
    const { url } = sender;
    if (isFirefox || sender.frameId !== 0 || tabId === undefined || !isPage(url)) return {};
    await this.#notes.known;
    const again = isBack ? undefined : await this.#disarmed.end(tabId);
    const inert = this.#inert.get(tabId);
    const wasInert = inert?.has(withoutFragment(url)) || again !== undefined;
    if (!isBack) inert?.delete(withoutFragment(url));
    const page = this.#tabs.page({ tabId, frameId: 0, documentId: sender.documentId });
    const method = (page.awaitedTop(url) ?? page.top)?.method;
    if (!this.#notes.due(url) || method !== undefined && method !== "GET") {
      return wasInert && !isBack ? { reload: true } : {};
    }
    if (this.#isLeaving(tabId)) {
      await this.#goAway(tabId);
      return {};
    }
    // A page that comes back from the browser's memory still runs.
    if (isBack) return { reload: true };
    const note = await this.#note(url, again);
    if (!note) {
      if (!wasInert) return {};
      await this.#notes.refresh();
      return { reload: true };
    }
    this.#showing.set(tabId, { ...note, url, documentId: sender.documentId });
    return { note };
  }

  /** The note that is to be shown now; `again` is the id of one that is counted already. */
  async #note(url, again) {
    const due = this.#notes.due(url);
    return due && due.id === again ? due : this.#notes.show(url);
  }

  /** Scripts of a page go on changing what stands in its place: the note comes again without them. */
  async disturbed(sender) {
    const tabId = sender.tab?.id;
    const shown = this.#showing.get(tabId);
    const isThere = shown && sender.frameId === 0
      && (isFirefox || shown.documentId === sender.documentId);
    if (!isThere) return {};
    await this.#disarmed.begin(tabId, shown.id);
    // Not from a service worker either, whose answers no rule changes.
    await api.tabs.reload(tabId, { bypassCache: true });
    return {};
  }

  /** A new document is in a tab. */
  async committed({ tabId, frameId, url, documentId }, navigation) {
    if (frameId !== 0) return;
    const coming = this.#coming.get(tabId);
    this.#coming.delete(tabId);
    const shown = this.#showing.get(tabId);
    if (shown?.documentId === undefined || shown.documentId !== documentId) {
      this.#showing.delete(tabId);
    }
    if (!isFirefox || !isPage(url)) return;
    if (coming && withoutFragment(coming.url) === withoutFragment(url)) {
      this.#showing.set(tabId, { ...coming.note, url });
      const isThere = await this.#run(tabId, "tickbirdNote.listen(document)", "document_end");
      // What a service worker answers may come as it is.
      if (isThere === false) await this.#run(tabId, showing(coming.note));
      return;
    }
    if (!this.#notes.due(url) || navigation && navigation.method !== "GET") return;
    if (this.#isLeaving(tabId)) return this.#goAway(tabId);
    if (!navigation && this.#reloaded.get(tabId) !== url) {
      this.#reloaded.set(tabId, url);
      await api.tabs.reload(tabId);
      return;
    }
    // Not fetched, as what a service worker answers.
    this.#reloaded.delete(tabId);
    const note = await this.#notes.show(url);
    if (!note) return;
    this.#showing.set(tabId, { ...note, url });
    await this.#run(tabId, showing(note));
  }

  /** Runs code in a tab's document, with the scripts that it needs, and returns its value. */
  async #run(tabId, code, runAt = "document_start") {
    try {
      for (const file of ["/note-look.js", "/note-show.js"]) {
        await api.tabs.executeScript(tabId, { file, runAt: "document_start" });
      }
      return (await api.tabs.executeScript(tabId, { code, runAt }))[0];
    } catch (error) {
      // The document is gone already.
      console.debug(error);
    }
  }

  /** A document has given itself another address. */
  renamed({ tabId, frameId, url }, oldURL) {
    if (frameId !== 0 || this.#showing.has(tabId) || samePage(url, oldURL)) return;
    if (this.#notes.due(url)) this.#reload(tabId);
  }

  removed(tabId) {
    for (const map of [this.#showing, this.#coming, this.#leaving, this.#reloaded, this.#inert]) {
      map.delete(tabId);
    }
    this.#disarmed.end(tabId);
  }

  /** What a person chose on a note. */
  async choose(sender, choice) {
    const tabId = sender.tab?.id;
    const known = this.#showing.get(tabId) ?? this.#notes.find(sender.url);
    if (sender.frameId !== 0 || !known) throw new Error("there is no note");
    const note = this.#notes.withID(known.id) ?? known;
    if (choice === "leave") {
      this.#leaving.set(tabId, Date.now());
      await Promise.all([this.#notes.leave(note), this.#goBack(tabId)]);
    } else {
      await this.#notes.view(note);
      this.refreshed();
      // One that this script has not put there, from before it was started again.
      if (!this.#showing.has(tabId)) this.#reload(tabId);
    }
    return {};
  }

  #isLeaving(tabId) { return Date.now() - (this.#leaving.get(tabId) ?? 0) < leavingTime; }

  /** Goes back, or away if there is nothing to go back to. */
  async #goBack(tabId) {
    let isGoing = false;
    const go = (details) => {
      if (details.tabId === tabId && details.frameId === 0) isGoing = true;
    };
    api.webNavigation.onBeforeNavigate.addListener(go);
    api.webNavigation.onCommitted.addListener(go);
    try {
      await api.tabs.goBack(tabId);
      await new Promise((resolve) => setTimeout(resolve, backPatience));
    } catch {
      // There was no page before.
    }
    api.webNavigation.onBeforeNavigate.removeListener(go);
    api.webNavigation.onCommitted.removeListener(go);
    if (!isGoing) await this.#goAway(tabId);
  }

  /** Closes a tab that another one has opened, and puts a new tab in the place of others. */
  async #goAway(tabId) {
    this.#leaving.delete(tabId);
    try {
      const tab = await api.tabs.get(tabId);
      if (tab.openerTabId === undefined) {
        const { index, active, windowId } = tab;
        await api.tabs.create({ index, active, windowId });
      }
      await api.tabs.remove(tabId);
    } catch {
      // It is closed already.
    }
  }

  /** The index is there again: tabs that show what no longer holds are loaded again. */
  refreshed() {
    for (const [tabId, shown] of this.#showing) {
      const due = this.#notes.due(shown.url);
      const holds = due?.id === shown.id && due.displayText === shown.displayText
        && due.emoji === shown.emoji && due.snoozeMinutes === shown.snoozeMinutes;
      if (!holds) this.#reload(tabId);
    }
  }

  /** Puts notes in the place of pages that are open already. */
  async cover() {
    for (const { id, url } of await api.tabs.query({})) {
      const method = this.#tabs.shown(id).top?.method ?? "GET";
      const isOpen = isPage(url) && !this.#showing.has(id) && method === "GET";
      if (isOpen && this.#notes.due(url)) this.#reload(id);
    }
  }

  #reload(tabId) {
    this.#showing.delete(tabId);
    // Closed meanwhile, perhaps.
    Promise.resolve(api.tabs.reload(tabId)).catch(() => {});
  }
}
