// What the pop-up says, as text.

/** @param {number} number */
export function counted(number) { return number.toLocaleString("en"); }

/**
 * Which rules, and on which lines of their list; at most three are named.
 *
 * @param {number[]} numbers from 0
 * @param {Array<number | null>} lines
 */
export function ruleWords(numbers, lines) {
  const named = numbers.slice(0, 3).map((number) => counted(number + 1)).join(", ");
  const places = lines.slice(0, 3).flatMap((line) => (line === null ? [] : [counted(line)])).join(", ");
  const more = numbers.length > 3 ? ` and ${counted(numbers.length - 3)} more` : "";
  return (numbers.length === 1 ? "rule " : "rules ") + named
    + (places && (numbers.length === 1 ? `, line ${places}` : `, lines ${places}`)) + more;
}

/**
 * Who blocks a page as a whole.
 *
 * @param {Pick<Messages.BlockedReport, "isBlocked" | "rules">} report
 */
export function blockedWords({ isBlocked, rules }) {
  if (!isBlocked) return "No list blocks it any more.";
  if (rules.length === 0) return "A list blocks it.";
  const names = [...new Set(rules.map(({ name }) => name))];
  const lists = names.length === 1 ? `the list “${names[0]}”` : `${names.length} lists`;
  if (rules.length > 1) return `${counted(rules.length)} rules of ${lists} block it.`;
  const [{ number, line }] = rules;
  return `R${ruleWords([number], [line]).slice(1)}${line === null ? "" : ","} of ${lists} blocks it.`;
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
 * @param {Pick<Messages.PageReport, "site" | "isSource" | "isAllowed" | "lists" | "counts" | "host" | "blocked">} page
 * @param {number | null} hiddenCount how many elements are hidden; null while the page does not answer
 */
export function summary(page, hiddenCount) {
  if (page.blocked?.isBlocked) return "The page itself is blocked.";
  if (page.isSource) return "The source of a page is shown as it is.";
  if (page.site === null) return "Pages of the browser’s own are left alone.";
  if (page.isAllowed) return "Allowed: nothing is blocked or hidden here.";
  if (page.lists.length === 0) {
    return page.host.state === "connected" ? "There is no list yet."
      : "No list is known, because Tickbird’s service is not reached.";
  }
  /** @type {Array<[number, string]>} */
  const counts = [
    [page.counts.block, "blocked"], [page.counts.passed, "came through"], [hiddenCount ?? 0, "hidden"],
    [page.counts["make-https"], "upgraded"], [page.counts["block-cookies"], "without cookies"],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  if (hiddenCount === null) {
    return `${parts.join(", ") || "Nothing was blocked"}. What is hidden is counted when the page answers.`;
  }
  if (parts.length > 0) return parts.join(", ");
  return page.lists.some(({ isOn }) => isOn) ? "Nothing was blocked or hidden here." : "All lists are off.";
}

/**
 * How far the browser's own rules are.
 *
 * @param {Messages.DeclarativeSummary | null} summary
 * @param {boolean} isConnected whether the host is connected, which makes them
 */
export function declarativeWords(summary, isConnected) {
  const { exact = 0, approximated = 0, notExpressible = 0, isReady = false, fault = null } = summary ?? {};
  if (!isReady && !isConnected) return "This browser blocks by its own rules, which Tickbird’s service makes.";
  if (fault) return "This browser blocks by its own rules, which could not all be activated.";
  if (!isReady) return "This browser blocks by its own rules, and is still taking them over.";
  const all = exact + approximated + notExpressible;
  return `This browser blocks by its own rules: ${counted(exact)} of ${counted(all)} are exact, `
    + `${counted(approximated)} nearly so, ${counted(notExpressible)} missing.`;
}

/**
 * A text with a full stop at its end.
 *
 * @param {string} text
 */
export function sentence(text) { return /[.!?]$/.test(text) ? text : `${text}.`; }

/**
 * Which pages a note is for.
 *
 * @param {NativeHost.NoteTarget} target
 */
export function targetWords({ kind, address }) {
  switch (kind) {
    case "site": return `All of ${address}`;
    case "host": return `${address}, not what is below it`;
    case "path": return `Everything below ${address}`;
    default: return "Only this page";
  }
}

/**
 * How often a note was shown and left, and until when it is snoozed.
 *
 * @param {Pick<NativeHost.Note, "snoozedUntil" | "isSnoozed" | "counts">} note
 * @param {Date} now
 */
export function stateWords({ snoozedUntil, isSnoozed, counts }, now) {
  const times = (/** @type {number} */ count) => `${count} time${count === 1 ? "" : "s"}`;
  const words = [counts.shown ? `Shown ${times(counts.shown)}` : "Not shown yet"];
  if (counts.left) words.push(`left ${times(counts.left)}`);
  if (isSnoozed) {
    const date = new Date(snoozedUntil ?? 0);
    const isToday = date.toDateString() === now.toDateString();
    /** @type {Intl.DateTimeFormatOptions} */
    const shape = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
    words.push(`rests until ${date.toLocaleString(undefined, shape)}`);
  }
  return words.join(", ");
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
