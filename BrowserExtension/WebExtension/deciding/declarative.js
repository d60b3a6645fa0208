// The browser's own rules, for a Chromium that lets the extension stop nothing itself, and for the
// start of one that does: the browser has them before the extension's script has run. From then on one
// rule of the session lets everything through to the matcher, so that they change none of its answers.
//
// The host translates the lists; which of them are on, and which sites are exempted, is decided here,
// so that a switch acts at once and without the host.

import { api } from "../shared/browser.js";
import { digestOf } from "../shared/digest.js";
import { messageOf } from "../shared/errors.js";
import { Retry } from "../shared/retry.js";
import { text } from "../shared/texts.js";
import { attempts, milliseconds } from "../shared/timings.js";
import { BrowserRules } from "./browser-rules.js";
import { nameOf, withMissing } from "./missing-lists.js";
import { fitting, listsRoom, listsSessionRoom } from "./rule-limits.js";
import { sayableSites } from "./site-rules.js";
import { TranslationStore } from "./translation-store.js";

/** @typedef {import("../shared/host.js").HostConnection} HostConnection */
/** @typedef {import("./translation-store.js").Translation} Translation */
/** @typedef {WebExt.DeclarativeRule} Rule */

/** The rule of exempted sites; the user's own rules have numbers and priorities beyond the lists'. */
const exemptionID = 1;
const exemptPriority = 9_000_000;
const openingID = 2;
const openingPriority = 9_500_000;
const everyType = [
  "main_frame", "sub_frame", "stylesheet", "script", "image", "font", "object", "xmlhttprequest",
  "ping", "csp_report", "media", "websocket", "webtransport", "webbundle", "other",
];

/** Lets everything through to the matcher, until the browser ends. */
const opening = {
  id: openingID,
  priority: openingPriority,
  action: { type: "allow" },
  condition: { resourceTypes: everyType },
};

/**
 * The lists as the browser's rules.
 *
 * The browser keeps its rules, and `TranslationStore` the translation that they come from with the
 * choices that they follow: when the script starts again, rules are changed only if one of them differs.
 */
export class Declarative {
  /** Whether the browser's rules are what blocks. */
  isActive = false;
  /** Whether they wait for the browser's next start. */
  #isAside = false;
  /**
   * What was wrong when the rules were last activated; null if nothing.
   *
   * @type {string | null}
   */
  #ruleFault = null;
  /**
   * What was wrong when the host was last asked, as a list that it cannot read; null if nothing.
   *
   * @type {string | null}
   */
  #hostFault = null;
  /**
   * The digest of the translation whose rules are active; null if there is none.
   *
   * @type {string | null}
   */
  digestInForce = null;
  /**
   * The choices that the active rules follow, as text; null as long as it is not known.
   *
   * @type {string | null}
   */
  #choicesInForce = null;
  #settings;
  #store;
  /**
   * The translation that is in memory.
   *
   * @type {Translation | null}
   */
  #translation = null;
  /**
   * The work on the rules, one thing after the other.
   *
   * @type {Promise<void>}
   */
  #work = Promise.resolve();
  /**
   * The update that is running.
   *
   * @type {Promise<void> | null}
   */
  #fetching = null;
  /** Whether an update was asked for while one was running. */
  #isStale = false;
  /** Whether the translation in memory is still to be kept. */
  #isUnkept = false;
  /** How many rules were left out, since the browser takes no more. */
  #leftOut = 0;
  /** @type {HostConnection | null} */
  #host = null;
  #retry = new Retry(milliseconds.translationRetry, milliseconds.translationLongestRetry);
  /**
   * Regular expressions that this browser does not take.
   *
   * @type {Set<string>}
   */
  #refused = new Set();
  #dynamic = new BrowserRules(
    () => api.declarativeNetRequest.getDynamicRules(),
    (change) => api.declarativeNetRequest.updateDynamicRules(change),
  );
  #session = new BrowserRules(
    () => api.declarativeNetRequest.getSessionRules(),
    (change) => api.declarativeNetRequest.updateSessionRules(change),
  );

  /**
   * @param {Pick<import("../shared/settings.js").Settings, "isListOff" | "listsOff" | "exemptSites" | "hasSitesBelow">
   *   } settings
   * @param {Pick<TranslationStore, "translation" | "keepTranslation" | "inForce" | "keepInForce">} store
   */
  constructor(settings, store = new TranslationStore()) {
    this.#settings = settings;
    this.#store = store;
  }

  /** What is wrong; null if nothing. */
  get fault() { return this.#ruleFault ?? this.#hostFault; }

  /**
   * How much of the lists that are on the browser's rules say; null if they are not in use.
   *
   * Where they wait for the browser's next start, only whether it has taken them: what the host cannot give is
   * said of the lists.
   *
   * @returns {Messages.DeclarativeSummary | null}
   */
  get summary() {
    if (this.#isAside) {
      return {
        exact: 0, approximated: 0, notExpressible: 0, isReady: this.#ruleFault === null && this.digestInForce !== null,
        fault: this.#ruleFault,
      };
    }
    if (!this.isActive) return null;
    const sum = { exact: 0, approximated: 0, notExpressible: this.#refused.size + this.#leftOut };
    for (const list of this.#translation?.lists ?? []) {
      if (this.#settings.isListOff(list.identifier)) continue;
      sum.exact += list.exact;
      sum.approximated += list.approximated;
      sum.notExpressible += list.notExpressible;
    }
    // Not when they are there, but when the browser has taken them.
    const isReady = this.#translation !== null && this.digestInForce === this.#translation.digest
      && this.#choicesInForce === this.#choices;
    return { ...sum, isReady, fault: this.fault };
  }

  /**
   * Whether the browser's rules let everything through on the pages of a site; true also where they do not decide,
   * or where it is not known yet.
   *
   * @param {string} site
   */
  isExempt(site) {
    const kinds = [this.#session.own, this.#dynamic.own];
    return !this.isActive || kinds.every((own) => own === null)
      || kinds.some((own) => own?.some(({ condition }) => condition.topDomains?.includes(site)));
  }

  /**
   * Activates the rules, first those from last time; later calls bring them up to date.
   *
   * @param {HostConnection} host
   */
  start(host) {
    this.isActive = true;
    return this.#begin(host);
  }

  /**
   * The extension decides itself; the rules are kept for the next start, and brought up to date.
   *
   * @param {HostConnection} host
   * @param {() => void} onOpen called when they let everything through
   */
  stepBack(host, onOpen) {
    this.#isAside = true;
    this.#next(() => this.#session.become([opening])).then(onOpen);
    return this.#begin(host);
  }

  /** Nothing decides but the rules: they block again, also where an earlier start had let everything through. */
  resume() { return this.#next(() => this.#session.become([])); }

  /** @param {HostConnection} host */
  #begin(host) {
    this.#host = host;
    return this.#next(async () => {
      const last = await this.#store.inForce().catch(() => null);
      // Reading thousands of rules would delay the first pages, which the matcher decides.
      const isSame = this.#isAside && last?.choices === this.#choices;
      if (isSame) this.digestInForce = last.digest;
      if (!isSame || this.#ruleFault !== null) await this.#apply();
    }).then(() => this.update(host));
  }

  /** What beside the translation says which rules are active, as text. */
  get #choices() {
    const { exemptSites, listsOff } = this.#settings;
    return JSON.stringify([this.#isAside, exemptSites, listsOff]);
  }

  /**
   * Follows a change of the lists that the host has.
   *
   * @param {HostConnection} host
   */
  update(host) {
    if (!this.isActive && !this.#isAside) return Promise.resolve();
    if (this.#fetching) {
      this.#isStale = true;
      return this.#fetching;
    }
    this.#retry.cancel();
    // Not by `#next`: the host may take a while, in which switches have to act.
    this.#fetching = (async () => {
      do {
        this.#isStale = false;
        /** @type {Translation | null} */
        let translation = null;
        try {
          ({ translation, fault: this.#hostFault } = await this.#fetched(host));
        } catch (error) {
          // Also where the lists have changed while their rules were on the way.
          this.#hostFault = messageOf(error);
        }
        const taken = translation;
        if (taken) await this.#next(() => this.#take(taken));
        // What the browser has refused once is tried again, whether or not the host has anything new.
        else if (this.#ruleFault !== null) await this.#next(() => this.#apply());
      } while (this.#isStale);
      this.#fetching = null;
      if (this.fault === null) this.#retry.succeed();
      else this.#retry.schedule(() => this.update(host));
    })();
    return this.#fetching;
  }

  /**
   * Follows a switch or an exempted site; fulfilled when the browser does.
   *
   * Where the matcher decides, it does so already, and the rules for the next start come later.
   */
  settingsChanged() {
    if (!this.isActive && !this.#isAside) return Promise.resolve();
    const done = this.#next(() => this.#apply()).then(() => {
      const host = this.#host;
      // An update that is running tries again by itself.
      if (this.#ruleFault !== null && host && !this.#fetching) this.#retry.schedule(() => this.update(host));
    });
    return this.isActive ? done : Promise.resolve();
  }

  /**
   * Does one thing after the other.
   *
   * @param {() => Promise<void>} body
   */
  #next(body) {
    this.#work = this.#work.then(body).then(
      () => { this.#ruleFault = null; },
      (error) => { this.#ruleFault = messageOf(error); },
    );
    return this.#work;
  }

  /** The digest of the translation that is here. */
  get #digest() { return this.#translation?.digest ?? this.digestInForce; }

  /**
   * The host's translation, with what is here of lists that it lacks; null if that is the one that is here.
   *
   * @param {HostConnection} host
   * @returns {Promise<{ translation: Translation | null, fault: string | null }>} with what the host says of lists
   *   that it lacks
   */
  async #fetched(host) {
    /** @type {NativeHost.AnswersByType["declarative"]} */
    let offer = { type: "declarative" };
    // It comes when the lists are translated, which takes a while for large ones.
    for (let attempt = 0; attempt < attempts.translation; attempt++) {
      offer = await host.ask({ type: "declarative" }, milliseconds.translated);
      if (offer.digest) break;
      await new Promise((resolve) => setTimeout(resolve, milliseconds.translationPoll));
    }
    if (!offer.digest) throw new Error(text("translation_late"));
    const fault = offer.fault ?? null;
    const missing = offer.missing ?? [];
    if (!Array.isArray(missing)) throw new Error(text("host_odd", "declarative"));
    const name = nameOf(offer.digest, missing);
    if (name === this.#digest) return { translation: null, fault };
    const last = missing.length ? this.#translation ?? await this.#store.translation().catch(() => null) : null;
    if (missing.length && !last && (this.#digest || (await this.#store.inForce().catch(() => null))?.digest)) {
      // Which of the browser's rules are theirs is not known: all of them stay.
      throw new Error(fault ?? missing.join());
    }
    const bytes = await host.fetch({ digest: offer.digest, size: offer.size ?? 0 });
    if (await digestOf(bytes) !== offer.digest) throw new Error(text("list_wrong_bytes"));
    /** @type {NativeHost.Translation} */
    const { lists, rules } = JSON.parse(new TextDecoder().decode(bytes)) ?? {};
    if (!Array.isArray(lists) || !Array.isArray(rules)) throw new Error(text("host_odd", "declarative"));
    return { translation: { digest: name, ...withMissing({ lists, rules }, last, missing) }, fault };
  }

  /** @param {Translation} translation */
  async #take(translation) {
    this.#translation = translation;
    this.#isUnkept = true;
    this.#refused.clear();
    await this.#apply();
  }

  async #apply() {
    try {
      this.#translation ??= await this.#store.translation();
    } catch (error) {
      // The next update fetches it again.
      const wasKnown = this.digestInForce !== null;
      this.digestInForce = null;
      if (wasKnown) throw error;
    }
    // Without a translation the rules from last time stay until there is one.
    if (!this.#translation) {
      this.digestInForce = null;
      return;
    }
    const { lists, rules, digest } = this.#translation;
    const choices = this.#choices;
    const isOn = lists.map(({ identifier }) => !this.#settings.isListOff(identifier));
    // At a start nothing is to be stopped that the matcher would let through.
    const isSure = (/** @type {Rule} */ rule, /** @type {boolean} */ isExact) =>
      !this.#isAside || isExact || rule.action.type === "allow";
    const wanted = (/** @type {boolean} */ isForSession) => {
      const all = rules
        .filter(([list, session, rule, isExact]) => isOn[list] && Boolean(session) === isForSession
          && !this.#refused.has(rule.condition.regexFilter ?? "") && isSure(rule, isExact))
        .map(([, , rule]) => rule);
      const kept = fitting(all, isForSession ? listsSessionRoom : listsRoom);
      return { kept, leftOut: all.length - kept.length };
    };
    const sites = sayableSites(this.#settings.exemptSites, this.#settings);
    const exemption = sites.length === 0 ? [] : [{
      id: exemptionID,
      priority: exemptPriority,
      action: { type: "allow" },
      condition: { topDomains: sites, resourceTypes: everyType },
    }];
    const wantedOfAll = () => {
      const [session, dynamic] = [wanted(true), wanted(false)];
      this.#leftOut = session.leftOut + dynamic.leftOut;
      return {
        session: this.#isAside ? [opening] : [...exemption, ...session.kept], dynamic: [...exemption, ...dynamic.kept],
      };
    };
    // Rules of one kind that the browser refuses keep none of the other from acting.
    const put = async (/** @type {boolean} */ replaces) => {
      const { session, dynamic } = wantedOfAll();
      /** @type {unknown[]} */
      const faults = [];
      const attempt = (/** @type {Promise<void>} */ work) => work.catch((error) => { faults.push(error); });
      // Those of the session are few: there an exemption acts while the browser still takes in all others.
      await attempt(replaces ? this.#session.replace(session) : this.#session.become(session));
      await attempt(replaces ? this.#dynamic.replace(dynamic) : this.#dynamic.become(dynamic, this.#isAside));
      return faults;
    };
    // Whoever ends the browser between two parts leaves rules that follow no choices.
    if (this.#isAside) await this.#store.keepInForce({ digest: "", choices: "" });
    let faults = await put(false);
    if (faults.length > 0 && await this.#findRefused(rules)) faults = await put(false);
    if (faults.length > 0) faults = await put(true);
    if (faults.length > 0) throw faults[0];
    this.digestInForce = digest;
    this.#choicesInForce = choices;
    // After the browser has the rules: it takes as long as to hand them over.
    if (this.#isUnkept) await this.#store.keepTranslation(this.#translation);
    this.#isUnkept = false;
    await this.#store.keepInForce({ digest, choices });
    // Thousands of rules that nobody asks for until something changes.
    if (this.#isAside) this.#translation = null;
  }

  /**
   * Finds regular expressions that this browser does not take; false if there are no new ones.
   *
   * @param {Translation["rules"]} rules
   */
  async #findRefused(rules) {
    const known = this.#refused.size;
    for (const [, , { condition }] of rules) {
      if (!condition.regexFilter) continue;
      const { isSupported } = await api.declarativeNetRequest.isRegexSupported({
        regex: condition.regexFilter,
        isCaseSensitive: condition.isUrlFilterCaseSensitive ?? false,
      });
      if (!isSupported) this.#refused.add(condition.regexFilter);
    }
    return this.#refused.size > known;
  }
}
