// The patterns by which Safari's older extensions name pages.

/**
 * Whether a text is one of a pattern's, in which stars stand for any text.
 *
 * Takes no more steps than the product of both lengths.
 *
 * @param {string} pattern @param {string} text
 */
function matchesStars(pattern, text) {
  const parts = pattern.split("*");
  if (parts.length === 1) return pattern === text;
  const first = parts[0] ?? "";
  const last = parts[parts.length - 1] ?? "";
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let place = first.length;
  const end = text.length - last.length;
  if (end < place) return false;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, place);
    if (found < 0 || found + part.length > end) return false;
    place = found + part.length;
  }
  return true;
}

/** @param {string} pattern @param {string} host */
function matchesHost(pattern, host) {
  if (pattern.startsWith("*.") && host === pattern.slice(2)) return true;
  return matchesStars(pattern, host);
}

/**
 * Which pages an extension may see, and which of them something of it is for.
 *
 * @typedef {{schemes: string[], domains: string[] | null}} SafariAccess
 * @typedef {{allowed: string[] | null, excluded: string[]}} SafariPages
 */

/** @param {SafariAccess} access @param {string | URL | undefined} address */
function canAccess(access, address) {
  /** @type {URL} */
  let url;
  try {
    url = new URL(String(address));
  } catch {
    return false;
  }
  if (!access.schemes.includes(url.protocol.slice(0, -1))) return false;
  if (!access.domains) return true;
  return access.domains.some((domain) => matchesHost(domain, url.hostname));
}

/** @param {string} pattern @param {URL} url */
function matchesPattern(pattern, url) {
  const parts = /^([a-z*]+):\/\/([^/]*)(\/.*)?$/i.exec(pattern);
  if (!parts) return false;
  const [, scheme = "", host = "", path = "/*"] = parts;
  const isScheme = scheme === "*" || scheme.toLowerCase() === url.protocol.slice(0, -1);
  if (!isScheme) return false;
  const colon = host.lastIndexOf(":");
  const name = (colon < 0 ? host : host.slice(0, colon)).toLowerCase();
  if (colon >= 0 && !matchesStars(host.slice(colon + 1), url.port)) return false;
  return matchesHost(name, url.hostname) && matchesStars(path, url.pathname + url.search);
}

/** @param {SafariPages} pages @param {string | URL | undefined} address */
function isPage(pages, address) {
  /** @type {URL} */
  let url;
  try {
    url = new URL(String(address));
  } catch {
    return false;
  }
  const matches = (/** @type {string} */ pattern) => matchesPattern(pattern, url);
  if (pages.allowed && !pages.allowed.some(matches)) return false;
  return !pages.excluded.some(matches);
}
