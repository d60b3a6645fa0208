// What decides: the engine with the lists that are open in it, and the sites that are left alone.

import { api } from "../shared/browser.js";
import { applyChoices, choiceList } from "./site-effects.js";
import { Engine } from "./engine.js";
import { Hiding } from "../hiding/hiding.js";
import { ListTexts } from "../lists/list-texts.js";
import { messageOf } from "../shared/errors.js";
import { Lists } from "../lists/lists.js";
import { Store } from "../lists/store.js";

/** @typedef {import("./engine.js").Decision} Decision */
/** @typedef {import("./observer.js").Decided} Decided */
/** @typedef {import("./page.js").Navigation} Navigation */
/** @typedef {import("../shared/settings.js").Settings} Settings */

/**
 * The engine with all that depends on it; it is there as soon as the first request can be decided.
 *
 * When the background script starts again, `start` opens the lists that the store has.
 */
export class Matcher {
  /**
   * Called for each load that was blocked, once for each address of a page, with the lists that block it.
   *
   * @type {(decided: Decided, lists: OpenedList[]) => void}
   */
  onBlocked = () => {};
  #settings;

  /**
   * @param {Engine} engine
   * @param {Lists} lists
   * @param {Settings} settings
   */
  constructor(engine, lists, settings) {
    this.engine = engine;
    this.lists = lists;
    this.hiding = new Hiding(engine, lists);
    this.texts = new ListTexts(lists);
    this.#settings = settings;
  }

  /**
   * Starts the engine, and opens the lists that are kept.
   *
   * @param {Settings} settings those that the user has chosen; they are read here
   * @param {(lists: Lists) => void} onListsChanged called then, and whenever lists come or go
   */
  static async start(settings, onListsChanged) {
    const store = new Store();
    // A browser's first requests wait for all of this, or pass; so nothing waits for the rest.
    const [engine, kept] = await Promise.all([
      fetch(api.runtime.getURL("matcher.wasm")).then((response) => response.arrayBuffer())
        .then((module) => Engine.start(module)),
      // Without what is kept, the host's lists decide.
      store.lists().then((records) => ({ records, storeFault: null }),
        (error) => ({ records: [], storeFault: messageOf(error) })),
      settings.load(),
    ]);
    const lists = new Lists(engine, store, settings);
    /** @type {Matcher | null} */
    let matcher = null;
    lists.load(kept.records, () => {
      matcher?.hiding.listsChanged();
      onListsChanged(lists);
    }, kept.storeFault);
    matcher = new Matcher(engine, lists, settings);
    return matcher;
  }

  /**
   * Whether nothing is done on a page.
   *
   * @param {string} topURL
   * @param {number} tabId the tab that it is in; -1 if it is in none
   */
  isAllowed(topURL, tabId) {
    const site = this.engine.site(topURL);
    return site !== null && this.#settings.isAllowed(site, tabId);
  }

  /**
   * What was chosen for the site of a page; nothing where the page is left alone.
   *
   * @param {string} topURL
   * @param {number} tabId
   */
  choices(topURL, tabId) {
    const { choices } = this.#settings;
    return choices.of(choices.isEmpty || this.isAllowed(topURL, tabId) ? null : this.engine.site(topURL));
  }

  /**
   * The decisions of a navigation that hide something in its document.
   *
   * Whether anything is to be hidden on a page is asked of the address that it has in the end, and not of those
   * that have led there by redirects.
   *
   * @param {Navigation["decisions"]} decisions
   * @param {string} url that of the document
   * @param {boolean} isTop whether the document is a page
   * @param {number} tabId
   */
  hidingDecisions(decisions, url, isTop, tabId) {
    return decisions.filter(({ load }) => {
      const topURL = isTop ? url : load.topURL;
      const choices = this.choices(topURL, tabId);
      return !this.isAllowed(topURL, tabId) && !choices.has("shown") && !choices.has("relaxed");
    });
  }

  /**
   * What all lists, and the choices for the page's site, do to a load; null for one that is not looked at.
   *
   * @param {Load} load
   * @param {number} tabId the tab that it is in; -1 if it is in none
   */
  decide(load, tabId) {
    if (this.isAllowed(load.topURL, tabId)) return null;
    const decision = this.engine.decide(load);
    if (!decision.isChecked) return null;
    return applyChoices(this.choices(load.topURL, tabId), load, decision) ? decision : null;
  }

  /**
   * Writes what has happened to a load into its page's journal, as an action of a kind had it.
   *
   * @param {Messages.JournalKind} kind that of the action
   * @param {Pick<Decided, "decision" | "load" | "journal"> & Partial<Decided>} decided
   * @param {Messages.JournalKind} what what has happened
   */
  record(kind, decided, what = kind) {
    const { decision, load, journal } = decided;
    const asking = decision.actions.filter((action) => action.kind === kind)
      .map(({ list, rules }) => ({ list: this.lists.withHandle(list), rules }));
    const by = asking.map(({ list, rules }) => ({ identifier: list?.identifier ?? "", rules }));
    const choice = kind === "block" ? decision.choice : null;
    if (choice) by.push({ identifier: choiceList + choice, rules: [] });
    const isNew = journal.add(what, by, load);
    if (isNew && what === "block") {
      this.onBlocked({ tabId: -1, ...decided }, [...new Set(asking.flatMap(({ list }) => list ?? []))]);
    }
  }
}
