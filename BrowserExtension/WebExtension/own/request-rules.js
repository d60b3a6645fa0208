// Rules that block a request, from narrow to wide.

import { siteDomain } from "./own-rules.js";

/** @typedef {import("./own-rules.js").OwnRule} OwnRule */
/** @typedef {"exact" | "path" | "folder" | "host" | "site"} Width */
/** @typedef {{ width: Width, subject: string, own: OwnRule }} RequestRule */

/** Longer addresses are no rules. */
const longestURL = 1000;

/** @param {string} text */
const escaped = (text) => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");

/**
 * The rules that block a request; empty for the page itself, and for what is no address of the web.
 *
 * None of them blocks the page that the request was made on.
 *
 * @param {{ url: string, page: string, resourceType: string }} request
 * @param {string | null} site the site of the request's address
 * @param {string | null} onlyOn the site that the rules are for; null for all
 * @returns {RequestRule[]}
 */
export function requestRules({ url, page, resourceType }, site, onlyOn) {
  const parts = /^((?:https?|wss?):\/\/([^/?#@]+))([^?#]*)(\?[^#]*)?/i.exec(url);
  if (!parts || resourceType === "top-document" || url.length > longestURL) return [];
  const [whole, origin, authority, path, query = ""] = parts;
  const host = authority.replace(/:\d*$/, "").toLowerCase();
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  /** @type {RequestRule[]} */
  const all = [];
  const add = (/** @type {Width} */ width, /** @type {string} */ subject, /** @type {string} */ pattern,
    /** @type {string} */ filter) => {
    const isSayable = /^[\x21-\x7e]*$/.test(filter) && !/[*^$#,|]/.test(filter.replace(/^\|\|?|[\^|]$/g, ""));
    const option = onlyOn === null ? "" : `$domain=${onlyOn}`;
    all.push({ width, subject, own: {
      rule: {
        trigger: { "url-filter": pattern, ...(onlyOn === null ? {} : { "if-domain": [siteDomain(onlyOn)] }) },
        action: { type: "block" },
      },
      filter: isSayable ? filter + option : null,
    } });
  };
  add("exact", whole, `^${escaped(whole)}$`, `|${whole}|`);
  if (query) add("path", origin + path, `^${escaped(origin + path)}`, `|${origin}${path}`);
  if (folder.length > 1 && folder !== path) add("folder", origin + folder, `^${escaped(origin + folder)}`, `|${origin}${folder}`);
  add("host", host, hostPattern(host), `||${host}^`);
  if (site && host.endsWith(`.${site}`)) add("site", site, hostPattern(site), `||${site}^`);
  return all.filter(({ own }) => !blocks(own, page));
}

/** @param {string} host */
const hostPattern = (host) => `^[^:]+://+([^:/]+\\.)?${escaped(host)}[/:]`;

/**
 * Whether a rule for requests blocks an address.
 *
 * @param {OwnRule} own
 * @param {string} url
 */
export function blocks({ rule }, url) {
  return new RegExp(String(rule.trigger["url-filter"]), "i").test(url);
}
