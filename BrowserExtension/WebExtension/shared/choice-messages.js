// What the background answers about the choices for sites, tabs that are off, and the toolbar's button.

import { areChoices, isChoice } from "./site-choices.js";
import { text } from "./texts.js";

/** @typedef {import("../background.js").Background} Background */

const types = new Set(["choose", "choices", "take-choices", "tab-off", "appearance", "set-badge"]);

/**
 * Whether a message is one of these.
 *
 * @param {Messages.Message} message
 * @returns {message is Messages.AboutChoices}
 */
export const isAboutChoices = (message) => types.has(message.type);

/**
 * Answers one.
 *
 * @param {Messages.AboutChoices} message
 * @param {Background} background
 * @param {(address: string) => string | null} siteOf the site of what a person typed
 */
export async function answerOfChoices(message, background, siteOf) {
  const { settings, badge } = background;
  // Where the browser's rules decide, what it has not taken does not act, though it is kept and tried again.
  const siteRules = background.canBlock === false ? background.siteRules : null;
  let faultOf = () => /** @type {string | null | undefined} */ (null);
  settings.mustBeKnown();
  switch (message.type) {
    case "choices": return { entries: settings.choices.all };
    case "choose": {
      const { choice, isOn } = message;
      if (!isChoice(choice)) throw new Error(`nobody answers for ${choice}`);
      const site = known(message.site, siteOf);
      await settings.choose(site, choice, isOn);
      faultOf = () => siteRules?.choiceFault(site, choice, isOn);
      break;
    }
    case "take-choices": {
      const entries = message.entries.map(({ site, choices }) => ({ address: site, site: siteOf(site), choices }));
      // What is there already can be taken back, whatever it is called.
      const isRight = (/** @type {string | null} */ site, /** @type {Messages.SiteChoice[]} */ choices) =>
        choices.length === 0 || site !== null && areChoices(choices) && !settings.hasSitesBelow(site);
      await settings.takeChoices(entries.flatMap(({ site, choices }) =>
        (site && isRight(site, choices) ? { site, choices } : [])));
      await background.exemptionsChanged();
      return {
        wrong: entries.filter(({ site, choices }) => !site || !isRight(site, choices)).map(({ address }) => address),
      };
    }
    case "tab-off":
      if (message.isOff) await settings.tabsOff.begin(message.tabId, known(message.site, siteOf));
      else await settings.tabsOff.end(message.tabId);
      faultOf = () => siteRules?.tabFault(message.tabId);
      break;
    case "appearance": return { showsBadge: settings.showsBadge };
    case "set-badge":
      await settings.setShowsBadge(message.isShown);
      await badge.showAll();
      return {};
  }
  await background.exemptionsChanged();
  const fault = faultOf();
  if (fault) throw new Error(fault);
  return {};
}

/**
 * A site as the engine names it.
 *
 * @param {string} address
 * @param {(address: string) => string | null} siteOf
 */
function known(address, siteOf) {
  const site = siteOf(address);
  if (!site) throw new Error(text("sites_wrong", address));
  return site;
}
