// In the background: every request of a tab, as long as a logger is open for it.
//
// Without a logger there is no listener, and nothing is kept. What happens in private windows is told to
// the open logger alone.

import { BoundedMap } from "../shared/bounded-map.js";
import { api } from "../shared/browser.js";
import { everything } from "../deciding/requests.js";
import { charactersOf, logged, rowLimits } from "./logged-address.js";
import { milliseconds } from "../shared/timings.js";

/** @typedef {import("../deciding/matcher.js").Matcher} Matcher */
/** @typedef {import("../deciding/observer.js").Decided} Decided */
/** @typedef {Messages.LoggedRequest} LoggedRequest */

/** What a port of a logger is called, before the tab's number. */
const portName = "log:";
/** How many rules of a request are told. */
const ruleLimit = 20;
/** How many requests that have not ended are remembered. */
const openLimits = { count: 5000, characters: 8_000_000 };
/** How many characters of addresses a message has: Chromium refuses one of 64 MiB. */
const messageLimit = 2_000_000;
/** What browsers say of a request that an extension or a rule has stopped. */
const stoppedErrors = new Set(["net::ERR_BLOCKED_BY_CLIENT", "NS_ERROR_ABORT"]);

/** Tells open loggers what happens to requests. */
export class RequestLog {
  /**
   * By the tab's number.
   *
   * @type {Map<number, Set<WebExt.Port>>}
   */
  #ports = new Map();
  /**
   * Requests that have not ended, by their numbers, with their whole addresses.
   *
   * @type {BoundedMap<string, { url: string, row: LoggedRequest }>}
   */
  #open = new BoundedMap(openLimits, ({ url }) => url.length);
  /**
   * What has changed since loggers were told, by the tab's number.
   *
   * @type {Map<number, BoundedMap<number, LoggedRequest>>}
   */
  #changed = new Map();
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  #matcher;
  #requests;
  #onListening;
  /** The number of the last row; a log that begins later has higher ones, since loggers outlive it. */
  #count = Date.now() * 1000;

  /**
   * @param {import("../deciding/requests.js").Requests} requests tells what was decided
   * @param {() => Matcher | null} matcher
   * @param {() => void} onListening called when it has begun to listen, or ended
   */
  constructor(requests, matcher, onListening) {
    this.#requests = requests;
    this.#matcher = matcher;
    this.#onListening = onListening;
    api.runtime.onConnect.addListener((port) => this.#connected(port));
  }

  /** @param {WebExt.Port} port */
  #connected(port) {
    const tabId = Number(port.name.slice(portName.length));
    const isOwn = port.sender?.url?.startsWith(api.runtime.getURL(""));
    if (!port.name.startsWith(portName) || !isOwn || !Number.isInteger(tabId)) return;
    const ports = this.#ports.get(tabId) ?? new Set();
    this.#ports.set(tabId, ports.add(port));
    this.#listen(true);
    port.onDisconnect.addListener(() => {
      ports.delete(port);
      if (ports.size === 0) this.#ports.delete(tabId);
      if (this.#ports.size === 0) this.#listen(false);
    });
  }

  /** @param {boolean} isWanted */
  #listen(isWanted) {
    const { onBeforeRequest, onBeforeRedirect, onCompleted, onErrorOccurred } = api.webRequest;
    if (isWanted === onBeforeRequest.hasListener(this.#begun)) return;
    this.#requests.onDecided = isWanted ? this.#decided : null;
    if (isWanted) {
      onBeforeRequest.addListener(this.#begun, everything);
      onBeforeRedirect.addListener(this.#redirected, everything);
      onCompleted.addListener(this.#completed, everything);
      onErrorOccurred.addListener(this.#failed, everything);
    } else {
      onBeforeRequest.removeListener(this.#begun);
      onBeforeRedirect.removeListener(this.#redirected);
      onCompleted.removeListener(this.#completed);
      onErrorOccurred.removeListener(this.#failed);
      this.#open.clear();
      this.#changed.clear();
    }
    this.#onListening();
  }

  /**
   * The row of a request; null where nobody wants it.
   *
   * @param {WebExt.RequestDetails} details
   */
  #row(details) {
    if (!this.#ports.has(details.tabId)) return null;
    const known = this.#open.get(details.requestId);
    if (known && known.url === details.url) return known.row;
    const { url, type, method, frameId, tabId } = details;
    this.#count += 1;
    /** @type {LoggedRequest} */
    const row = {
      id: this.#count, time: Date.now(), url: logged(url), type, method, frameId, fate: "waiting",
      initiator: logged(details.documentUrl ?? details.initiator ?? details.originUrl ?? ""),
      page: "", frame: "", resourceType: "", rules: [], choice: null, status: null, error: "",
    };
    this.#open.set(details.requestId, { url, row });
    this.#tell(tabId, row);
    return row;
  }

  #begun = (/** @type {WebExt.RequestDetails} */ details) => {
    this.#row(details);
    return {};
  };

  /**
   * The engine has decided a request.
   *
   * @param {WebExt.RequestDetails} details
   * @param {Decided} decided
   */
  #decided = (details, { decision, load }) => {
    const row = this.#row(details);
    const matcher = this.#matcher();
    if (!row || !matcher) return;
    row.choice = decision.choice;
    row.page = logged(load.topURL);
    row.frame = logged(load.frameURL);
    row.resourceType = load.type;
    row.rules = decision.actions.flatMap(({ list, kind, rules }) => {
      const opened = matcher.lists.withHandle(list);
      return opened && kind !== "css-display-none" ? rules.map((number) => ({
        kind, identifier: opened.identifier, name: opened.name, number,
        line: null,
      })) : [];
    }).slice(0, ruleLimit);
    this.#tell(details.tabId, row);
  };

  #redirected = (/** @type {WebExt.RedirectDetails} */ details) => {
    this.#end(details, (row) => {
      const isUpgraded = row.rules.some(({ kind }) => kind === "make-https")
        && details.redirectUrl.startsWith("https:");
      row.fate = isUpgraded ? "upgraded" : "redirected";
    });
    return {};
  };

  #completed = (/** @type {WebExt.RequestDetails & { statusCode?: number }} */ details) => {
    this.#end(details, (row) => {
      row.fate = row.rules.some(({ kind }) => kind === "block-cookies") ? "stripped" : "loaded";
      row.status = details.statusCode ?? null;
    });
    return {};
  };

  #failed = (/** @type {WebExt.ErrorDetails} */ details) => {
    this.#end(details, (row) => {
      const hasBlock = row.choice !== null || row.rules.some(({ kind }) => kind === "block");
      const isStopped = details.error === "net::ERR_BLOCKED_BY_CLIENT"
        || hasBlock && stoppedErrors.has(details.error);
      row.fate = isStopped ? "blocked" : "failed";
      row.error = details.error;
    });
    return {};
  };

  /**
   * @param {WebExt.RequestDetails} details
   * @param {(row: LoggedRequest) => void} change
   */
  #end(details, change) {
    const row = this.#row(details);
    if (!row) return;
    change(row);
    this.#open.delete(details.requestId);
    this.#tell(details.tabId, row);
  }

  /** Says of the rules of all rows that loggers will be told of where they are. */
  #findLines() {
    const matcher = this.#matcher();
    const rows = [...this.#changed.values()].flatMap(({ values }) => values);
    for (const rule of rows.flatMap(({ rules }) => rules)) {
      const list = matcher?.lists.all.find(({ identifier }) => identifier === rule.identifier);
      if (list) rule.line ??= matcher?.texts.line(list, rule.number) ?? null;
    }
  }

  /**
   * Tells loggers of a row, together with others.
   *
   * @param {number} tabId
   * @param {LoggedRequest} row
   */
  #tell(tabId, row) {
    let changed = this.#changed.get(tabId);
    if (!changed) this.#changed.set(tabId, changed = new BoundedMap(rowLimits, charactersOf));
    changed.set(row.id, row);
    if (this.#timer !== null) return;
    this.#timer = setTimeout(async () => {
      await this.#matcher()?.texts.know().catch((error) => console.debug(error));
      this.#findLines();
      this.#timer = null;
      const changed = this.#changed;
      // Whatever a port refuses, no other one is told of it again.
      this.#changed = new Map();
      for (const [each, { values }] of changed) {
        for (const port of this.#ports.get(each) ?? []) send(port, values);
      }
    }, milliseconds.logged);
  }
}

/**
 * Tells a logger of rows, of a few at a time where their addresses are long.
 *
 * @param {WebExt.Port} port
 * @param {LoggedRequest[]} rows
 */
function send(port, rows) {
  /** @type {LoggedRequest[]} */
  let some = [];
  let length = 0;
  const post = () => {
    try {
      if (some.length > 0) port.postMessage({ rows: some });
    } catch (error) {
      console.debug(error);
    }
    [some, length] = [[], 0];
  };
  for (const row of rows) {
    some.push(row);
    length += charactersOf(row);
    if (length > messageLimit) post();
  }
  post();
}
