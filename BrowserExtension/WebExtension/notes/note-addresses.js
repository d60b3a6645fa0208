// The targets that a page can belong to, as the native host compares addresses.
//
// The same rules as `PageAddress` and `NoteTarget` of the host, which Documentation/Notes.md has; the
// browsers' tests compare them. So the background can tell pages without a note by itself.

/** The deepest path that a note may be attached to, in segments. */
const pathDepth = 64;
/** Sites above a host are looked up if they have at most so many labels; no name in the domain name system has more. */
const labelLimit = 128;

const visitParameters = new Set([
  "_hsenc", "_hsmi", "dclid", "fbclid", "gbraid", "gclid", "gclsrc", "igshid", "mc_cid", "mc_eid",
  "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id", "srsltid", "twclid", "vero_id", "wbraid",
  "yclid",
]);

/**
 * The key of a target in the index.
 *
 * @param {NativeHost.TargetKind} kind
 * @param {string} address
 */
export const targetKey = (kind, address) => `${kind} ${address}`;

/**
 * Percent-encoding in its one form: RFC 3986, 6.2.2.1 and 6.2.2.2.
 *
 * @param {string} text
 */
function normalized(text) {
  return text.replace(/%([0-9a-f]{2})/gi, (_, digits) => {
    const character = String.fromCharCode(parseInt(digits, 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${digits.toUpperCase()}`;
  });
}

/**
 * Whether a query's parameter names where the visitor came from, which makes no other page.
 *
 * @param {string} parameter
 */
function isAboutVisit(parameter) {
  const name = parameter.split("=", 1)[0];
  return name.startsWith("utm_") || visitParameters.has(name);
}

/**
 * The keys of all targets that a page belongs to, the most exact first; none for an address that is
 * not one of http or https.
 *
 * @param {string} address
 */
export function targetKeys(address) {
  let url;
  try {
    url = new URL(address);
  } catch {
    return [];
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return [];
  const host = url.hostname.length > 1 ? url.hostname.replace(/\.$/, "") : url.hostname;
  const port = url.port === "" || url.port === "80" || url.port === "443" ? "" : `:${url.port}`;
  const authority = host + port;
  const path = normalized(url.pathname);
  const query = normalized(url.search.slice(1)).split("&")
    .filter((parameter) => !isAboutVisit(parameter)).join("&");
  const route = /^#[/!]/.test(url.hash) ? normalized(url.hash) : "";
  const keys = [targetKey("page", authority + path + (query && `?${query}`) + route)];
  for (const folder of folders(path)) keys.push(targetKey("path", authority + folder));
  keys.push(targetKey("host", host), targetKey("site", host));
  // A number has nothing below it.
  if (/^\[|^[0-9.]+$/.test(host)) return keys;
  for (const site of sitesAbove(host)) keys.push(targetKey("site", site));
  return keys;
}

/**
 * A path without final slashes and the folders that it lies in, the longest first; of a deep one only the
 * outermost folders.
 *
 * Cuts nothing off again and again: a page may have an address of two megabytes.
 *
 * @param {string} path
 */
function folders(path) {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  const found = [];
  for (let slash = path.indexOf("/"); slash >= 0 && slash < end && found.length <= pathDepth;
    slash = path.indexOf("/", slash + 1)) found.push(path.slice(0, slash));
  if (found.length <= pathDepth) found.push(path.slice(0, end));
  return found.reverse();
}

/**
 * The sites above a host, the longest first.
 *
 * @param {string} host
 */
function sitesAbove(host) {
  const found = [];
  for (let dot = host.lastIndexOf("."); dot >= 0 && found.length < labelLimit; ) {
    found.push(host.slice(dot + 1));
    dot = dot > 0 ? host.lastIndexOf(".", dot - 1) : -1;
  }
  return found.reverse();
}

/**
 * Whether pages at an address may have notes.
 *
 * @param {string | undefined} url
 */
export function isPage(url) { return /^https?:/.test(url ?? ""); }

/**
 * Whether two addresses are those of one page.
 *
 * @param {string} one
 * @param {string} other
 */
export function samePage(one, other) { return targetKeys(one)[0] === targetKeys(other)[0]; }
