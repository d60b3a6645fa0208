// Loads as recorded decisions describe them; runs in Node and in browsers.

const types = [
  "top-document", "child-document", "image", "style-sheet", "script", "font", "svg-document", "media",
  "popup", "ping", "fetch", "websocket", "other", "csp-report",
];
const methods = ["get", "head", "options", "trace", "put", "delete", "post", "patch", "connect"];

/** The properties of a load in one number; see `TriggerFlags`. */
export function packed(type, party, context, method) {
  return 1 << types.indexOf(type) | (party === "first-party" ? 1 : 2) << 14
    | (context === "top-frame" ? 1 : 2) << 16 | (methods.indexOf(method) + 1) << 18;
}

/** The lines of a text, without what follows the last line break. */
export function lines(text) { return text.replace(/\n$/, "").split("\n"); }

function isSerialized(url) {
  try { return new URL(url).href === url; } catch { return false; }
}

/** The requests of a crawl; `isPlain` says that one can be described by the package's own loads. */
export function crawl(text) {
  return lines(text).slice(1).map((row) => {
    const [url, page, , word, party] = row.split("\t");
    const type = word === "document" ? "top-document" : word;
    const isPlain = isSerialized(url) && isSerialized(page)
      && (type !== "top-document" || url.split("#")[0] === page.split("#")[0]);
    return { url, page, type, party: party === "first-party" ? party : "third-party", isPlain };
  });
}

function letters(blocked, cookies, https) {
  return (blocked ? "b" : "") + (cookies ? "c" : "") + (https ? "h" : "") || "-";
}

/** Compares a list's decisions with WebKit's; throws at the first that differs. */
export function checkRecorded(list, requests, expected) {
  if (requests.length !== expected.length) throw new Error("there are more requests than decisions");
  let plain = 0;
  let acted = 0;
  requests.forEach((load, place) => {
    let found;
    if (load.isPlain) {
      plain += 1;
      const decision = list.decide({ ...load, context: "top-frame" });
      found = letters(decision.blocked, decision.cookiesBlocked, decision.makesHTTPS);
    } else {
      // The engine gets exactly the URL that WebKit got.
      const decision = list.decideAsGiven({ url: load.url, page: load.page, frame: load.page },
        packed(load.type, load.party, "top-frame", "get"));
      found = letters(decision.blocked, decision.cookies_blocked, decision.makes_https);
    }
    if (found !== "-") acted += 1;
    if (found !== expected[place]) {
      throw new Error(`${JSON.stringify(load)} gave ${found}, WebKit ${expected[place]}`);
    }
  });
  return { count: requests.length, plain, acted };
}
