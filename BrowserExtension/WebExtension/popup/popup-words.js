// What the pop-up says, as text.

import { counted, dayAndClock, clock, listed, sentences, text } from "../shared/texts.js";

/** How many rules and lines are named. */
const named = 3;

/**
 * Which rules of a list, and on which lines of it; at most three are named.
 *
 * @param {string} name the list's
 * @param {number[]} numbers from 0
 * @param {Array<number | null>} lines
 */
export function ruleWords(name, numbers, lines) {
  const [line] = lines;
  if (numbers.length === 1) {
    return line === null || line === undefined ? text("rule_place", name, numbers[0] + 1)
      : text("rule_place_line", name, numbers[0] + 1, line);
  }
  const more = numbers.length - named;
  const rules = listed([...numbers.slice(0, named).map((number) => number + 1),
    ...(more > 0 ? [counted("rules_more", more)] : [])]);
  const places = lines.slice(0, named).flatMap((each) => (each === null ? [] : [each]));
  return places.length === 0 ? text("rule_places", name, rules)
    : text("rule_places_lines", name, rules, listed(places));
}

/**
 * Who blocks a page as a whole.
 *
 * @param {Pick<Messages.BlockedReport, "isBlocked" | "rules">} report
 */
export function blockedWords({ isBlocked, rules }) {
  if (!isBlocked) return text("blocked_no_longer");
  if (rules.length === 0) return text("blocked_by_list");
  const names = [...new Set(rules.map(({ name }) => name))];
  if (names.length > 1) return counted("blocked_by_lists", rules.length, listed(names));
  if (rules.length > 1) return counted("blocked_by_rules", rules.length, names[0]);
  const [{ number, line }] = rules;
  return line === null ? text("blocked_by_rule", names[0], number + 1)
    : text("blocked_by_rule_line", names[0], number + 1, line);
}

/**
 * What follows the host in a URL; the URL itself where it has no host.
 *
 * @param {string} url
 */
export function pathOf(url) { return url.replace(/^[a-z]+:\/\/[^/?#]*(?=.)/i, ""); }

/**
 * What was done on a page, in one line.
 *
 * @param {Pick<Messages.PageReport, "site" | "isSource" | "isAllowed" | "isAllowanceRefused" | "lists" | "counts" | "host"
 *   | "blocked">} page
 * @param {number | null} hiddenCount how many elements are hidden; null while the page does not answer
 */
export function summary(page, hiddenCount) {
  if (page.blocked?.isBlocked) return text("summary_page_blocked");
  if (page.isSource) return text("summary_source");
  if (page.site === null) return text("summary_own_page");
  if (page.isAllowanceRefused) return text("allow_refused");
  if (page.isAllowed) return text("summary_allowed");
  if (page.lists.length === 0) {
    return text(page.host.state === "connected" ? "summary_no_list" : "summary_no_service");
  }
  /** @type {Array<[number, string]>} */
  const counts = [
    [page.counts.block, "done_blocked"], [page.counts.passed, "done_passed"], [hiddenCount ?? 0, "done_hidden"],
    [page.counts["make-https"], "done_upgraded"], [page.counts["block-cookies"], "done_stripped"],
  ];
  const parts = listed(counts.flatMap(([count, key]) => (count > 0 ? counted(key, count) : [])), "unit");
  if (hiddenCount === null) {
    return sentences(parts ? text("summary_so_far", parts) : text("summary_nothing_blocked"),
      text("summary_not_counted"));
  }
  if (parts) return parts;
  return text(page.lists.some(({ isOn }) => isOn) ? "summary_nothing" : "summary_all_off");
}

/**
 * How far the browser's own rules are.
 *
 * @param {Messages.DeclarativeSummary | null} summary
 * @param {boolean} isConnected whether the host is connected, which makes them
 */
export function declarativeWords(summary, isConnected) {
  const { exact = 0, approximated = 0, notExpressible = 0, isReady = false, fault = null } = summary ?? {};
  if (!isReady && !isConnected) return text("own_rules_made");
  if (fault) return text("own_rules_faulty");
  if (!isReady) return text("own_rules_coming");
  const all = exact + approximated + notExpressible;
  return text("own_rules_state", exact, all, approximated, notExpressible);
}

/**
 * A text with a full stop at its end.
 *
 * @param {string} words
 */
export function sentence(words) { return /[.!?。！？؟]\u2069?$/.test(words) ? words : `${words}.`; }

/**
 * Which pages a note is for.
 *
 * @param {NativeHost.NoteTarget} target
 */
export function targetWords({ kind, address }) {
  switch (kind) {
    case "site": return text("target_site", address);
    case "host": return text("target_host", address);
    case "path": return text("target_path", address);
    default: return text("target_page");
  }
}

/**
 * How often a note was shown and left, and until when it is snoozed.
 *
 * @param {Pick<NativeHost.Note, "snoozedUntil" | "isSnoozed" | "counts">} note
 * @param {Date} now
 */
export function stateWords({ snoozedUntil, isSnoozed, counts }, now) {
  const words = [counts.shown ? counted("note_shown", counts.shown) : text("note_not_shown")];
  if (counts.left) words.push(counted("note_left_times", counts.left));
  if (isSnoozed) {
    const end = snoozedUntil ?? 0;
    const isToday = new Date(end).toDateString() === now.toDateString();
    words.push(text("note_rests", isToday ? clock(end) : dayAndClock(end)));
  }
  return listed(words, "unit");
}

/**
 * The targets of a page that differ from each other.
 *
 * @param {NativeHost.NoteTarget[]} targets
 */
export function distinctTargets(targets) {
  const site = targets.find((target) => target.kind === "site")?.address;
  return targets.filter(({ kind, address }) =>
    !(kind === "host" && address === site || kind === "path" && !address.includes("/")));
}
