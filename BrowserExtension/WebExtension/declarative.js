// The browser's own rules, for a Chromium that lets the extension stop nothing itself, and for the
// start of one that does: the browser has them before the extension's script has run. From then on one
// rule of the session lets everything through to the matcher, so that they change none of its answers.
//
// The host translates the lists; which of them are on, and which sites are exempted, is decided here,
// so that a switch acts at once and without the host.

import { api } from "./browser.js";
import { disarmingID } from "./note-disarm.js";

const databaseName = "tickbird-declarative";
/** When rules that did not come are asked for again, in milliseconds. */
const firstDelay = 1000;
const longestDelay = 600000;
/** Rules of the user's own come before those of the lists. */
const exemptionID = 1;
const firstID = 100;
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

function finished(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function openStore(mode) {
  const request = indexedDB.open(databaseName, 1);
  request.onupgradeneeded = () => request.result.createObjectStore("translation");
  const database = await finished(request);
  return { database, store: database.transaction("translation", mode).objectStore("translation") };
}

async function stored(key) {
  const { database, store } = await openStore("readonly");
  try {
    return await finished(store.get(key)) ?? null;
  } finally {
    database.close();
  }
}

async function keep(key, value) {
  const { database, store } = await openStore("readwrite");
  try {
    await finished(store.put(value, key));
  } finally {
    database.close();
  }
}

/** A rule as text that is the same for the same rule, whatever the order of its keys. */
function textOf(value) {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().filter((key) => key !== "id" && value[key] !== false)
    .map((key) => `${key}:${textOf(value[key])}`).join()}}`;
}

/** Active rules, of those that stay or of those of a session. */
class RulesInForce {
  #get;
  #update;
  /** Numbers by the text of their rules; null as long as the browser was not asked. */
  #ids = null;

  constructor(get, update) {
    this.#get = get;
    this.#update = update;
  }

  /** Brings what is active to what is wanted; only differences are handed over. */
  async become(wanted) {
    if (!this.#ids) {
      const rules = (await this.#get()).filter(({ id }) => id !== disarmingID);
      this.#ids = new Map(rules.map((rule) => [textOf(rule), rule.id]));
    }
    const next = new Map();
    const added = [];
    const used = new Set(this.#ids.values());
    let id = firstID;
    for (const rule of wanted) {
      const text = textOf(rule);
      if (next.has(text)) continue;
      let number = this.#ids.get(text);
      if (number === undefined) {
        while (used.has(id)) id += 1;
        number = rule.id ?? id;
        used.add(number);
        added.push({ ...rule, id: number });
      }
      next.set(text, number);
    }
    const removed = [...this.#ids].filter(([text]) => !next.has(text)).map(([, number]) => number);
    if (added.length === 0 && removed.length === 0) return;
    // What the browser has after a failure is asked for again.
    this.#ids = null;
    await this.#update({ removeRuleIds: removed, addRules: added });
    this.#ids = next;
  }
}

/** The lists as the browser's rules. */
export class Declarative {
  /** Whether the browser's rules are what blocks. */
  isActive = false;
  /** Whether they wait for the browser's next start. */
  #isAside = false;
  /** What was wrong when the rules were last activated; null if nothing. */
  fault = null;
  /** The digest of the translation whose rules are active; null if there is none. */
  digestInForce = null;
  #settings;
  #translation = null;
  #work = Promise.resolve();
  #fetching = null;
  #isStale = false;
  #delay = firstDelay;
  #timer = null;
  #refused = new Set();
  #dynamic = new RulesInForce(
    () => api.declarativeNetRequest.getDynamicRules(),
    (change) => api.declarativeNetRequest.updateDynamicRules(change),
  );
  #session = new RulesInForce(
    () => api.declarativeNetRequest.getSessionRules(),
    (change) => api.declarativeNetRequest.updateSessionRules(change),
  );

  constructor(settings) { this.#settings = settings; }

  /** How much of the lists that are on the browser's rules say; null if they are not in use. */
  get summary() {
    if (!this.isActive) return null;
    const sum = { exact: 0, approximated: 0, notExpressible: this.#refused.size };
    for (const list of this.#translation?.lists ?? []) {
      if (this.#settings.isListOff(list.identifier)) continue;
      for (const kind of Object.keys(sum)) sum[kind] += list[kind];
    }
    return { ...sum, isReady: this.#translation !== null, fault: this.fault };
  }

  /** Activates the rules, first those from last time; later calls bring them up to date. */
  start(host) {
    this.isActive = true;
    return this.#begin(host);
  }

  /**
   * The extension decides itself; the rules are kept for the next start, and brought up to date.
   * `onOpen` is called when they let everything through.
   */
  stepBack(host, onOpen) {
    this.#isAside = true;
    this.#next(() => this.#session.become([opening])).then(onOpen);
    return this.#begin(host);
  }

  #begin(host) {
    return this.#next(async () => {
      const last = await stored("inForce").catch(() => null);
      // To read thousands of rules would hold up the first pages, which the matcher decides.
      if (this.#isAside && last?.choices === this.#choices) this.digestInForce = last.digest;
      else await this.#apply();
    }).then(() => this.update(host));
  }

  /** What beside the translation says which rules are active, as text. */
  get #choices() {
    const { allowedSites, listsOff } = this.#settings;
    return JSON.stringify([this.#isAside, allowedSites, listsOff]);
  }

  /** Follows a change of the lists that the host has. */
  update(host) {
    if (!this.isActive && !this.#isAside) return Promise.resolve();
    if (this.#fetching) {
      this.#isStale = true;
      return this.#fetching;
    }
    clearTimeout(this.#timer);
    // The host may take a while, in which switches have to act.
    this.#fetching = (async () => {
      let hasFailed;
      do {
        this.#isStale = false;
        hasFailed = false;
        try {
          const translation = await this.#fetched(host);
          if (translation) await this.#next(() => this.#take(translation));
          else if (this.digestInForce === this.#digest) this.fault = null;
          this.#delay = firstDelay;
        } catch (error) {
          // Also where the lists have changed while their rules were on the way.
          this.fault = error.message;
          hasFailed = true;
        }
      } while (this.#isStale);
      this.#fetching = null;
      if (!hasFailed) return;
      this.#timer = setTimeout(() => this.update(host), this.#delay);
      this.#delay = Math.min(2 * this.#delay, longestDelay);
    })();
    return this.#fetching;
  }

  /** Follows a switch or an exempted site. */
  settingsChanged() {
    const isUsed = this.isActive || this.#isAside;
    return isUsed ? this.#next(() => this.#apply()) : Promise.resolve();
  }

  /** Does one thing after the other. */
  #next(body) {
    this.#work = this.#work.then(body).then(
      () => { this.fault = null; },
      (error) => { this.fault = error.message; },
    );
    return this.#work;
  }

  /** The digest of the translation that is here. */
  get #digest() { return this.#translation?.digest ?? this.digestInForce; }

  /** The host's translation; null if it is the one that is here. */
  async #fetched(host) {
    let offer;
    // The host translates ahead, which takes a while for large lists.
    for (let attempt = 0; attempt < 600; attempt++) {
      offer = await host.ask({ type: "declarative" });
      if (offer.digest) break;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    if (!offer.digest) throw new Error("the native host has not translated the lists in time");
    if (offer.digest === this.#digest) return null;
    const bytes = await host.fetch(offer);
    const { lists, rules } = JSON.parse(new TextDecoder().decode(bytes));
    return { digest: offer.digest, lists, rules };
  }

  async #take(translation) {
    this.#translation = translation;
    this.#refused.clear();
    await keep("last", translation);
    await this.#apply();
  }

  async #apply() {
    this.#translation ??= await stored("last").catch(() => null);
    // Without a translation the rules from last time stay until there is one.
    if (!this.#translation) return;
    const { lists, rules, digest } = this.#translation;
    const choices = this.#choices;
    const isOn = lists.map(({ identifier }) => !this.#settings.isListOff(identifier));
    // At a start nothing is to be stopped that the matcher would let through.
    const isSure = (rule, isExact) => !this.#isAside || isExact || rule.action.type === "allow";
    const wanted = (isForSession) => rules
      .filter(([list, session, rule, isExact]) => isOn[list] && Boolean(session) === isForSession
        && !this.#refused.has(rule.condition.regexFilter) && isSure(rule, isExact))
      .map(([, , rule]) => rule);
    const sites = this.#settings.allowedSites;
    const exemption = sites.length === 0 ? [] : [{
      id: exemptionID,
      priority: exemptPriority,
      action: { type: "allow" },
      condition: { topDomains: sites, resourceTypes: everyType },
    }];
    const put = async () => {
      await this.#session.become(this.#isAside ? [opening] : wanted(true));
      await this.#dynamic.become([...exemption, ...wanted(false)]);
    };
    try {
      await put();
    } catch (error) {
      if (!await this.#findRefused(rules)) throw error;
      await put();
    }
    this.digestInForce = digest;
    await keep("inForce", { digest, choices });
    // Thousands of rules that nobody asks for until something changes.
    if (this.#isAside) this.#translation = null;
  }

  /** Finds regular expressions that this browser does not take; false if there are none new. */
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
