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
 * A URL without its scheme.
 *
 * @param {string} url
 */
export function shortened(url) { return url.replace(/^https?:\/\//, ""); }

/**
 * What was done on a page, in one line.
 *
 * @param {Pick<Messages.PageReport, "site" | "isAllowed" | "lists" | "counts">} page
 * @param {number} hiddenCount how many elements are hidden
 */
export function summary(page, hiddenCount) {
  if (page.site === null) return "There is nothing to do on this page.";
  if (page.isAllowed) return "Allowed: nothing is blocked or hidden here.";
  if (page.lists.length === 0) return "No list is on yet.";
  /** @type {Array<[number, string]>} */
  const counts = [
    [page.counts.block, "blocked"], [page.counts.passed, "came through"], [hiddenCount, "hidden"],
    [page.counts["make-https"], "upgraded"], [page.counts["block-cookies"], "without cookies"],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return parts.length ? parts.join(", ") : "Nothing was blocked or hidden here.";
}

/**
 * How far the browser's own rules are.
 *
 * @param {Messages.DeclarativeSummary | null} summary
 * @param {boolean} isConnected whether the host is connected, which makes them
 */
export function declarativeWords(summary, isConnected) {
  const { exact = 0, approximated = 0, notExpressible = 0, isReady = false, fault = null } = summary ?? {};
  if (!isConnected && !isReady) return "Its rules are made by Tickbird's service.";
  if (fault) return `Its rules could not be activated: ${fault}.`;
  if (!isReady) return "The browser is taking the rules over; until then those from before act.";
  const all = exact + approximated + notExpressible;
  return `${counted(exact)} of ${counted(all)} rules are exact, ${counted(approximated)} `
    + `approximated, ${counted(notExpressible)} not expressible.`;
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
