// Compares the module with vectors; runs in Node and in browsers. Each function returns the number of
// cases, and throws at the first that differs. The form of vectors is in their README.md.

import { packed } from "./loads.js";

/** A URL as the URL standard writes it, by the platform's own parser. */
function serialized(url) {
  try { return new URL(url).href; } catch { return url; }
}

// With sorted keys, so that equal values have equal texts.
function text(value) {
  if (Array.isArray(value)) return `[${value.map(text).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${text(value[key])}`)}}`;
}

function expectEqual(what, found, expected) {
  if (text(found) !== text(expected)) {
    throw new Error(`${what} gave ${text(found)}, wanted ${text(expected)}`);
  }
}

/** WebKit's name of the error with which a list is refused; `null` for one that is accepted. */
function refusal(tickbird, list) {
  try {
    tickbird.compile(list).free();
    return null;
  } catch (error) {
    if (!(error instanceof tickbird.RefusedError)) throw error;
    return error.report.error.code;
  }
}

/** Loads and what lists do to them. */
export function checkMatches(tickbird, groups) {
  let count = 0;
  for (const group of groups) {
    const sources = group.lists.map((list) => JSON.stringify(list));
    if (group.error !== undefined) {
      expectEqual(group.group, sources.map((list) => refusal(tickbird, list)), [group.error]);
      count += 1;
      continue;
    }
    const lists = sources.map((list) => tickbird.compile(list));
    if (group.global_stylesheet !== undefined) {
      expectEqual(`${group.group}: sheets`, lists.map((list) => list.globalSelectors !== null),
        lists.map(() => group.global_stylesheet));
    }
    if (group.global_selectors !== undefined) {
      expectEqual(group.group, lists.map((list) => list.globalSelectors), group.global_selectors);
    }
    for (const vector of group.cases ?? []) {
      checkMatch(tickbird, group, vector, lists);
      count += 1;
    }
    for (const list of lists) list.free();
  }
  return count;
}

function checkMatch(tickbird, group, vector, lists) {
  const what = `${group.group}: ${JSON.stringify(vector)}`;
  const url = serialized(vector.url);
  const page = serialized(vector.top_url);
  const context = vector.load_context ?? "child-frame";
  // The party is the engine's finding.
  const party = new tickbird.RuleLists(lists)
    .explain({ url, page, type: "other", method: "null" }).load_type;
  const outcomes = lists.map((list) => list.decideAsGiven(
    { url, page, frame: vector.frame_url === undefined ? page : serialized(vector.frame_url) },
    packed(vector.resource_type, party, context, vector.method)));
  let found = outcomes.flatMap((outcome) => outcome.actions).map(({ rules, ...action }) => action);
  let wanted = vector.expect.map(withoutEmpty);
  // Only blocking was looked at.
  if (group.group.includes("observed")) found = found.filter(({ type }) => type === "block");
  if (group.unordered_between_lists === true) {
    for (const actions of [wanted, found]) actions.sort((a, b) => (text(a) < text(b) ? -1 : 1));
  }
  const isExact = vector.expect_fields === "exact";
  const seen = isExact || found.length !== wanted.length ? found
    : found.map((action, place) => Object.fromEntries(
      Object.keys(wanted[place]).map((key) => [key, action[key]])));
  expectEqual(what, seen, wanted);
  if (vector.stylesheets !== undefined) {
    expectEqual(`${what}: sheets`,
      outcomes.filter((outcome) => outcome.attaches_sheet).length, vector.stylesheets);
  }
}

// What is empty means the same as its absence.
function withoutEmpty(action) {
  return Object.fromEntries(Object.entries(action)
    .filter(([, value]) => !(Array.isArray(value) && value.length === 0)));
}

function casesOf(groups) { return groups.flatMap((group) => group.cases ?? []); }

/** Lists that are accepted, and refused with WebKit's errors. */
export function checkErrors(tickbird, groups) {
  const cases = casesOf(groups);
  for (const vector of cases) {
    const list = vector.json ?? generated(vector.json_generator);
    expectEqual(list.slice(0, 300), refusal(tickbird, list), vector.error);
  }
  return cases.length;
}

function generated({ prefix, rule, count, separator, suffix, open, close, depth }) {
  if (depth !== undefined) return open.repeat(depth) + close.repeat(depth);
  return prefix + Array(count).fill(rule).join(separator) + suffix;
}

function listOf(patterns, action, isCaseSensitive = false) {
  return JSON.stringify(patterns.map((pattern) => ({
    action,
    trigger: { "url-filter": pattern, "url-filter-is-case-sensitive": isCaseSensitive },
  })));
}

/** Patterns that are accepted and refused; one that matches everything is in the global sheet. */
export function checkPatterns(tickbird, groups) {
  const cases = casesOf(groups);
  for (const vector of cases) {
    const { pattern_generator: generator } = vector;
    const pattern = generator ? generator.repeat.repeat(generator.count) : vector.pattern;
    const list = listOf([pattern], { type: "css-display-none", selector: "a" });
    const kind = vector.expected_kind ?? vector.status;
    const what = pattern.slice(0, 60);
    if (kind === "Ok" || kind === "MatchesEverything") {
      expectEqual(what, tickbird.compile(list).globalSelectors, kind === "Ok" ? null : "a");
    } else {
      expectEqual(what, refusal(tickbird, list),
        kind === "EmptyPattern" ? "JSONInvalidURLFilterInTrigger" : "JSONInvalidRegex");
    }
  }
  return cases.length;
}

/** Patterns that are found in texts that no URL parser has seen. */
export function checkTexts(tickbird, groups) {
  let count = 0;
  for (const group of groups) {
    const isGenerated = group.patterns_generator !== undefined;
    const patterns = isGenerated ? fourLetterPatterns() : group.patterns;
    const list = tickbird.compile(listOf(
      patterns.map(({ pattern }) => pattern), { type: "block" }, group.case_sensitive === true));
    const matching = (input) => {
      const { actions } = list.decideAsGiven(
        { url: input, page: "about:blank", frame: "about:blank" },
        packed("other", "third-party", "child-frame", "get"));
      const ids = actions.flatMap(({ rules }) => rules).map((rule) => patterns[rule].id);
      return [...new Set(ids)].sort((a, b) => a - b);
    };
    for (const vector of group.cases ?? []) {
      expectEqual(`${group.group}: ${vector.input}`, matching(vector.input),
        [...new Set(vector.match_ids)].sort((a, b) => a - b));
      count += 1;
    }
    // Each pattern also occurs in one of four shapes; a sample of them is tried.
    for (let number = 0; isGenerated && number < patterns.length; number += 2039) {
      const { pattern } = patterns[number];
      const shape = [...pattern].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 4;
      const broken = `${pattern.slice(0, 3)}x`;
      const input = [broken + pattern.at(-1), broken + pattern, pattern, `${pattern}x`][shape];
      expectEqual(`${pattern} in ${input}`, matching(input), shape === 0 ? [] : [number]);
      count += 1;
    }
  }
  return count;
}

function fourLetterPatterns() {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters.flatMap((a) => letters.flatMap((b) => letters.flatMap((c) => letters.slice(0, 3)
    .map((d) => a + b + c + d)))).map((pattern, id) => ({ pattern, id }));
}

/** Selectors that are kept, and those whose rules are skipped. */
export function checkSelectors(tickbird, groups) {
  const cases = casesOf(groups);
  for (const vector of cases) {
    const list = listOf(["a"], { type: "css-display-none", selector: vector.selector });
    expectEqual(vector.selector, refusal(tickbird, list), vector.valid ? null : "JSONContainsNoRules");
  }
  return cases.length;
}
