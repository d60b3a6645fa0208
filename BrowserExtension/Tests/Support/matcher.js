// A matcher whose engine decides as a test says.

import { Matcher } from "../../WebExtension/deciding/matcher.js";
import { SiteChoices } from "../../WebExtension/shared/site-choices.js";

/** A decision of one list, handle 1; `actions` are kinds with the rules behind them. */
export const decision = (more = {}, actions = {}) => ({
  isChecked: true, isBlocked: false, blocksCookies: false, makesHTTPS: false, isFirstParty: false,
  ignoring: [], choice: null,
  sheets: [], hidings: [], ...more,
  actions: Object.entries(actions).map(([kind, rules]) => ({ list: 1, kind, slot: rules[0], rules })),
});

export const blocking = decision({ isBlocked: true }, { block: [3] });

/** A matcher; `decide(load, wantsAll)` gives its decisions, `allowed` the sites that are left alone. */
export function fakeMatcher(decide, { allowed = [], choices = [], sheet = "", selectors = () => ".ad" } = {}) {
  const list = { identifier: "list", name: "List", handle: 1, isOn: true, fault: null };
  const engine = {
    decide, selectors: (_, slot) => selectors(slot), globalSheet: () => sheet,
    site: (url) => { try { return new URL(url).hostname; } catch { return null; } },
    upgraded: (url) => (url.startsWith("http:") ? url.replace("http:", "https:") : null),
    source: () => "[]", sourceBytes: () => new TextEncoder().encode("[]"),
  };
  const lists = {
    all: [list], fault: null, withHandle: (handle) => (handle === 1 ? list : undefined),
    mayDo: () => false, hides: () => true, anyHides: true,
  };
  const chosen = new SiteChoices();
  chosen.take(choices);
  return new Matcher(engine, lists, { isAllowed: (site) => allowed.includes(site), choices: chosen });
}
