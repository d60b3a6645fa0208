// The background: creates what decides, hides and shows notes, and passes the browser's events on.
//
// All listeners are registered at once when the script starts, so that the browser finds them when
// it wakes the background for an event.

import { BlockedPages } from "./blocked/blocked-pages.js";
import { Badge } from "./popup/badge.js";
import { api, isFirefox } from "./shared/browser.js";
import { Demonstration } from "./first-run/demonstration.js";
import { Declarative } from "./deciding/declarative.js";
import { Documents } from "./hiding/documents.js";
import { EarlyRequests } from "./deciding/early-requests.js";
import { messageOf } from "./shared/errors.js";
import { Host } from "./shared/host.js";
import { openAtInstall } from "./first-run/opening.js";
import { tellOfLinks } from "./links/links.js";
import { RequestLog } from "./logger/request-log.js";
import { Matcher } from "./deciding/matcher.js";
import { choose, listenToMenus } from "./shared/menus.js";
import { answer } from "./messages.js";
import { targetKeys } from "./notes/note-addresses.js";
import { NoteTabs } from "./notes/note-tabs.js";
import { NoteUse } from "./notes/note-use.js";
import { Notes } from "./notes/notes.js";
import { Passes } from "./deciding/passes.js";
import { Picker } from "./picker/picker.js";
import { everything, Requests } from "./deciding/requests.js";
import { frameTypes, holdsAddress } from "./deciding/loads.js";
import { Retry } from "./shared/retry.js";
import { RuleWatch } from "./deciding/rule-watch.js";
import { LargeMedia } from "./media/large-media.js";
import { SiteEffects } from "./deciding/site-effects.js";
import { SiteRules } from "./deciding/site-rules.js";
import { Settings } from "./shared/settings.js";
import { Statistics } from "./statistics/statistics.js";
import { StatisticsStore } from "./statistics/statistics-store.js";
import { Tabs } from "./deciding/tabs.js";
import { text } from "./shared/texts.js";
import { milliseconds } from "./shared/timings.js";

/**
 * The parts of the background, and how they are connected.
 *
 * A browser may end this script and start it again at any time. The user's choices, the lists and the
 * translation for Chromium's own rules are kept on the disk; all else is found out anew, as each part
 * says of itself.
 */
export class Background {
  settings = new Settings();
  tabs = new Tabs();
  /**
   * What decides; null until it has started.
   *
   * @type {Matcher | null}
   */
  matcher = null;
  /**
   * Why it could not start, until it has; null if it could.
   *
   * @type {string | null}
   */
  fault = null;
  /**
   * Whether the browser lets requests be stopped; null as long as it was not asked.
   *
   * @type {boolean | null}
   */
  canBlock = null;
  statistics = new Statistics(new StatisticsStore());
  /** The browser's own rules: all that blocks where extensions may not; null in Firefox. */
  declarative = isFirefox ? null : new Declarative(this.settings);
  /** @type {Notes} */
  notes = new Notes(() => this.host, () => this.noteTabs.refreshed());
  noteTabs = new NoteTabs(this.notes, this.tabs);
  #noteUse = new NoteUse(this.notes);
  host = new Host({
    // Notes first: they are few, and pages may wait for them.
    onConnected: () => {
      tellOfLinks();
      return Promise.all([this.notes.connected(), this.#update()]);
    },
    onState: () => this.badge.showAll(),
    onNotice: (notice) => {
      if (notice.type === "changed") this.#update();
      if (notice.type === "linksChanged") tellOfLinks();
      if (notice.type === "notesChanged") this.notes.refresh();
    },
  });
  badge = new Badge(this.tabs, this.settings, (tabId) => this.#iconState(tabId));
  /** @type {LargeMedia} */
  media = new LargeMedia(this.tabs, this.badge, () => this.matcher, () => this.siteRules?.apply());
  #siteEffects = new SiteEffects(this.tabs, this.media);
  /**
   * The choices for sites as the browser's own rules; null in Firefox.
   *
   * @type {SiteRules | null}
   */
  siteRules = isFirefox ? null : new SiteRules(this.settings, this.media);
  #documents = new Documents(this.tabs, this.badge, (tabId, isPage, decisions) =>
    this.#watch?.documentDecided(tabId, isPage, decisions));
  #early = new EarlyRequests(this.tabs);
  passes = new Passes((site) => this.settings.hasSitesBelow(site), () => this.canBlock === false);
  blockedPages = new BlockedPages(this.passes);
  #requests = new Requests(this.tabs, this.badge, this.passes, {
    onStopped: (id) => this.#watch?.stoppedByMatcher(id),
    onPageBlocked: (details, navigation, isStoppedHere) =>
      this.blockedPages.blocked(details, navigation, isStoppedHere),
  });
  demonstration = new Demonstration();
  requestLog = new RequestLog(this.#requests, () => this.matcher, () => this.#listenAsNeeded());
  picker = new Picker((url) => this.matcher?.engine.site(url) ?? null);
  #startRetry = new Retry(milliseconds.startRetry, milliseconds.startLongestRetry);
  /** Fulfilled when it is known what can be decided, and by whom. */
  ready = Promise.all([this.#learn(), this.#start()]).then(() => {
    this.#startRules();
    if (!this.matcher) this.#startRetry.schedule(() => this.#startAgain());
  });
  /** Fulfilled when the pages are known that were open before. */
  #found = this.ready.then(() => this.#findOpenPages());
  /**
   * What watches the browser's own rules; null in Firefox.
   *
   * @type {RuleWatch | null}
   */
  #watch = null;

  constructor() {
    this.settings.onEnded = () => this.exemptionsChanged();
    this.host.connect();
    this.#listenToRequests();
    if (!isFirefox) this.#watch = new RuleWatch(this.#requests, this.#early, this.#found);
    this.#listenToDocuments();
    this.#listenToMessages();
    listenToMenus(this);
    if (!isFirefox) {
      // A worker that was ended would have no lists at hand when a request wakes it.
      setInterval(() => api.runtime.getPlatformInfo(), milliseconds.keepAwake);
    }
  }

  /** The engine; null until it has started. For tests. */
  get engine() { return this.matcher?.engine ?? null; }

  /** The lists; null until they are open. For tests. */
  get lists() { return this.matcher?.lists ?? null; }

  /**
   * Other sites are left alone than before, or have other choices: buttons, listeners and the browser's
   * own rules follow.
   */
  async exemptionsChanged() {
    this.badge.showAll();
    this.#othersDecide();
    await Promise.all([this.declarative?.settingsChanged(), this.siteRules?.apply()]);
  }

  /**
   * Whether a site is to be left alone, and the browser, whose rules decide, has not taken the rule for it.
   *
   * @param {string} site
   */
  isAllowanceRefused(site) {
    return this.canBlock === false && this.settings.isAllowed(site) && this.declarative?.isExempt(site) === false;
  }

  /**
   * Listens to those events that lists and choices need.
   *
   * @param {import("./lists/lists.js").Lists} [lists]
   */
  #listenAsNeeded(lists = this.matcher?.lists) {
    const { choices } = this.settings;
    if (lists) {
      this.#requests.listenAsNeeded(lists, choices, this.canBlock !== false);
      this.#watch?.listenAsNeeded(lists, choices);
    }
    if (this.canBlock === false) this.media.listenAsNeeded(choices.has("media"));
    else this.#siteEffects.listenAsNeeded(choices);
  }

  /**
   * Other lists or settings decide than those by which open pages were decided.
   *
   * @param {import("./lists/lists.js").Lists} [lists]
   */
  #othersDecide(lists) {
    this.#listenAsNeeded(lists);
    for (const tabId of this.tabs.numbers) this.#watch?.pageIsStale(tabId);
  }

  /**
   * A tab has another document, or is closed: it may have left the site for which it is off.
   *
   * @param {number} tabId
   * @param {string | null} site
   */
  async #left(tabId, site = null) {
    if (await this.settings.tabsOff.end(tabId, site)) await this.siteRules?.apply();
  }

  // MARK: Starting

  /** Asks whether the browser lets requests be stopped: it takes that permission from all others. */
  async #learn() {
    const wanted = { permissions: ["webRequestBlocking"] };
    // Where that cannot be said, the browser's own rules are to block.
    this.canBlock = isFirefox || await api.permissions.contains(wanted).catch(() => false);
  }

  async #start() {
    try {
      this.matcher = await Matcher.start(
        this.settings, (lists) => {
          this.#othersDecide(lists);
          this.badge.showAll();
        });
    } catch (error) {
      this.fault = text("not_started", messageOf(error));
      return;
    }
    const { engine } = this.matcher;
    this.settings.hasSitesBelow = (site) => engine.hasSitesBelow(site);
    this.matcher.onBlocked = (decided, lists) => this.statistics.blocked(decided, lists, engine);
    // From here on requests are decided.
    this.#requests.matcher = this.matcher;
    this.#documents.matcher = this.matcher;
    this.#siteEffects.matcher = this.matcher;
  }

  /**
   * Starts what decides after it could not: the browser may read again what it keeps, or has memory again.
   *
   * Pages that are open have what their next requests, or the next time that they are loaded, bring.
   */
  async #startAgain() {
    await this.#start();
    if (!this.matcher) {
      this.#startRetry.schedule(() => this.#startAgain());
      return;
    }
    this.fault = null;
    this.#startRules();
    this.badge.showAll();
    const update = this.host.state === "connected" ? this.#update() : null;
    await Promise.all([update, this.#findOpenPages()]).catch((error) => console.debug(error));
  }

  /** Lets the browser's own rules block, or keeps them for its next start. */
  #startRules() {
    if (this.#watch) this.#watch.isAlone = !this.canBlock;
    this.#listenAsNeeded();
    // By settings that are not known the browser's rules would lose those that they were made by.
    this.settings.known.then(() => {
      this.siteRules?.apply();
      if (!this.canBlock) this.declarative?.start(this.host);
    }, () => {});
    if (!this.declarative || !this.#watch || !this.canBlock) return;
    const watch = this.#watch;
    // Where the matcher or its lists are missing, the browser's rules go on in their place.
    if (!this.matcher) {
      watch.end();
      this.declarative.resume();
    } else this.matcher.lists.known.then(() => this.declarative?.stepBack(this.host, () => watch.end()));
  }

  /** Brings the lists, and the browser's rules, to what the host has. */
  async #update() {
    await this.ready;
    if (!this.matcher) return;
    this.matcher.texts.hostChanged();
    const lists = this.matcher.lists.update(this.host);
    // Where the browser's rules wait for its next start, what decides comes first.
    if (this.canBlock) await lists;
    await Promise.all([lists, this.declarative?.update(this.host)]);
  }

  async #findOpenPages() {
    if (this.matcher) {
      await this.#documents.findOpenPages();
      // Elsewhere the browser's own rules are all there is.
      if (this.canBlock) this.#early.catchUp(this.matcher);
      for (const [tabId] of this.settings.tabsOff.all) {
        await this.#left(tabId, this.matcher.engine.site(this.tabs.shown(tabId).top?.url ?? ""));
      }
    }
    this.#early.end();
  }

  /**
   * Whether lists act on the page that a tab shows.
   *
   * @param {number} tabId
   * @returns {import("./popup/toolbar-icon.js").IconState}
   */
  #iconState(tabId) {
    const { matcher, host, settings, tabs, blockedPages } = this;
    if (!matcher) return this.fault ? "off" : "on";
    const lists = matcher.lists.all;
    const isReached = host.state === "connected" || host.state === "connecting";
    if (lists.length === 0 && !isReached) return "absent";
    const url = blockedPages.in(tabId)?.url ?? tabs.shown(tabId).top?.url ?? "";
    const site = /^https?:/.test(url) ? matcher.engine.site(url) : null;
    const choices = settings.choices.of(site);
    // Strict is so without any list.
    const isActive = lists.some(({ isOn, handle }) => isOn && handle) || choices.has("strict");
    if (!isActive) return "off";
    if (site !== null && settings.isAllowed(site) && !this.isAllowanceRefused(site)) return "exempt";
    if (settings.tabsOff.has(tabId, site)) return "tab-off";
    return choices.has("strict") ? "strict" : choices.has("relaxed") ? "relaxed" : "on";
  }

  // MARK: Events

  #listenToRequests() {
    const { webRequest } = api;
    webRequest.onBeforeRequest.addListener((details) => {
      if (!this.matcher && !this.fault) {
        // Only Firefox waits for an answer.
        if (isFirefox) return this.ready.then(() => this.#requests.decide(details));
        this.#early.add(details);
      }
      // Then the browser's own rules block, and `RuleWatch` observes.
      return this.canBlock === false ? {} : this.#requests.decide(details);
    }, everything, ["blocking"]);
    this.#requests.listenToEnds();
    // For cookies there are listeners of their own.
    if (isFirefox) {
      const receive = (/** @type {WebExt.ReceivedDetails} */ details) => {
        this.#documents.answered(details);
        const replaced = this.noteTabs.replace(details);
        if (replaced) return replaced;
        this.#documents.hold(details);
        return undefined;
      };
      webRequest.onHeadersReceived.addListener((details) =>
        (this.notes.isKnown ? receive(details) : this.notes.known.then(() => receive(details))),
      { ...everything, types: frameTypes }, ["blocking", "responseHeaders"]);
    } else {
      webRequest.onHeadersReceived.addListener((details) => this.noteTabs.disarm(details),
        { urls: ["<all_urls>"], types: ["main_frame"] }, ["blocking", "responseHeaders"]);
    }
  }

  /**
   * Counts the visit to a page that is shown, if its note counts visits.
   *
   * @param {WebExt.NavigationDetails} details
   */
  #visited({ frameId, url, documentLifecycle = "active" }) {
    if (frameId !== 0 || documentLifecycle !== "active") return;
    this.#noteUse.visited(url).catch((error) => console.debug(error));
  }

  #listenToDocuments() {
    const commit = (/** @type {WebExt.CommittedDetails} */ details) => {
      // Late, as what waited for the start.
      if (this.tabs.isClosed(details.tabId)) return;
      const committed = this.tabs.commit(details);
      this.noteTabs.committed(details, committed.navigation);
      this.#visited(details);
      this.#documents.committed(details, committed);
      // Lists may be others than when it was left, and its frames ask for nothing anew.
      if (committed.isRestored) this.#watch?.pageIsStale(details.tabId);
      if (details.frameId === 0) {
        this.badge.committed(details.tabId);
        this.media.forget(details.tabId);
        this.#left(details.tabId, this.matcher?.engine.site(details.url)).catch((error) => console.debug(error));
      }
      this.blockedPages.committed(details, (url) => this.matcher?.engine.site(url) ?? null);
    };
    if (!isFirefox) {
      api.webNavigation.onBeforeNavigate.addListener((details) => this.blockedPages.begun(details));
    }
    api.webNavigation.onCommitted.addListener((details) => {
      if (this.matcher || this.fault) commit(details);
      else this.ready.then(() => commit(details));
    });
    const rename = (/** @type {WebExt.NavigationDetails} */ details) => {
      const oldURL = this.tabs.frame(details)?.url;
      this.tabs.rename(details);
      if (details.frameId === 0 && (holdsAddress(oldURL ?? "") || holdsAddress(details.url))) {
        this.#watch?.pageIsStale(details.tabId);
      }
      if (oldURL) this.noteTabs.renamed(details, oldURL);
      this.#visited(details);
    };
    api.webNavigation.onHistoryStateUpdated.addListener(rename);
    api.webNavigation.onReferenceFragmentUpdated.addListener(rename);
    api.tabs.onRemoved.addListener((tabId) => {
      this.tabs.remove(tabId);
      this.badge.removed(tabId);
      this.media.forget(tabId);
      this.#left(tabId).catch((error) => console.debug(error));
      this.noteTabs.removed(tabId);
      this.#watch?.tabClosed(tabId);
      this.blockedPages.removed(tabId);
    });
  }

  #listenToMessages() {
    api.runtime.onInstalled.addListener((details) => openAtInstall(details));
    api.runtime.onMessage.addListener((message, sender, respond) => {
      this.ready.then(() => answer(message, sender, this)).then(respond, (error) => {
        respond({ error: messageOf(error) });
      });
      return true;
    });
  }
}

const background = new Background();

// For the browsers' tests.
globalThis.tickbird = {
  ready: background.ready,
  state: background,
  targetKeys,
  choose: (/** @type {string} */ id, /** @type {WebExt.Tab} */ tab) => choose(id, tab, null, background),
  answer: (/** @type {object} */ message) =>
    answer(message, { url: api.runtime.getURL("") }, background),
  answerFromPage: (/** @type {object} */ message) =>
    answer(message, { url: "http://page.example/" }, background),
};
