"use strict";
// What the engine answers, as elements. Every word of a list or a load is put in as text, never as HTML.

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  made.append(...children);
  return made;
}

function counted(number, word) { return `${number} ${word}${number === 1 ? "" : "s"}`; }

/** The verdict about a list, in a sentence. */
function verdictWords({ accepted, error, rules, counts }) {
  const found = Object.entries(counts).filter(([, number]) => number > 0)
    .map(([severity, number]) => counted(number, severity)).join(", ");
  if (!accepted) return `WebKit refuses this list${found === "" ? "" : ` (${found})`}: ${error}`;
  return `WebKit accepts this list: ${counted(rules, "rule")}${found === "" ? "" : `, ${found}`}.`;
}

/** A button that shows a place of the list. */
function placeButton({ line, column, range }, show) {
  const button = element("button", "place-button", `line ${line}, column ${column}`);
  button.type = "button";
  button.addEventListener("click", () => show(range));
  return button;
}

/** The findings as items of a list. */
function findingItems({ findings, counts }, show, mend) {
  const items = findings.map((finding) => {
    const severity = element("span", "severity", finding.severity[0].toUpperCase() + finding.severity.slice(1));
    const line = element("div", "line", placeButton(finding, show));
    if (finding.edits !== null) {
      const button = element("button", "mend", "Mend this");
      button.type = "button";
      button.addEventListener("click", () => mend(finding.edits));
      line.append(button);
    }
    line.append(element("span", "quiet", finding.code));
    const item = element("li", finding.severity, severity, `: ${finding.message}`);
    if (finding.hint !== "") item.append(element("div", "hint", finding.hint));
    item.append(line);
    return item;
  });
  const others = counts.error + counts.warning + counts.note - findings.length;
  if (others > 0) items.push(element("li", "note", `and ${others} more; tickbird check shows all of them`));
  return items;
}

/** What becomes of a rule that matched, in words. */
function fateWords({ fate, by }) {
  switch (fate) {
    case "applied": return "acts";
    case "merged": return `does the same as rule ${by}, which stands for both`;
    case "cancelled": return `is cancelled by ignore-previous-rules of rule ${by}`;
    case "swallowed": return `is passed over because of ignore-following-rules of rule ${by}`;
    case "inert": return "has no effect, because only web extensions may do it";
    case "too-late": return `comes too late: rule ${by} has decided already`;
    default: return fate;
  }
}

/** A URL in which the part that a rule matched is marked. */
function urlWithMark(url, range) {
  const shown = element("code", "");
  if (range === null) {
    shown.append(url);
    return shown;
  }
  const [start, end] = range;
  shown.append(url.slice(0, start), element("mark", "", url.slice(start, end)), url.slice(end));
  return shown;
}

/** What happens to a load, beyond being blocked or not, as sentences. */
function effectWords({ decision, globalSelectors }) {
  const effects = [];
  if (decision.cookies_blocked) effects.push("It is sent without cookies.");
  if (decision.url !== undefined) effects.push(`It goes to ${decision.url} instead.`);
  const selectors = decision.actions.filter(({ type }) => type === "css-display-none").map(({ selector }) => selector);
  if (globalSelectors !== "") selectors.push(globalSelectors);
  if (selectors.length > 0 && !decision.blocked) effects.push(`Hidden in its frame: ${selectors.join(", ").slice(0, 500)}`);
  for (const { type, notification } of decision.actions) {
    if (type === "notify") effects.push(`The page is told “${notification}”.`);
  }
  return effects;
}

/** The explanation of a load as elements below the verdict about it. */
function explanationElements(explanation, show) {
  const { matches, ruleCount, url } = explanation;
  const parts = [];
  const effects = effectWords(explanation);
  if (effects.length > 0) parts.push(element("ul", "effects", ...effects.map((words) => element("li", "", words))));
  parts.push(element("p", "quiet", `Decided as ${explanation.party} ${explanation.type}, on ${explanation.page}.`));
  if (ruleCount === 0) {
    parts.push(element("p", "", "No rule matches this load."));
    return parts;
  }
  parts.push(element("ol", "matches", ...matches.map((match) => {
    const words = element("span", match.fate === "applied" ? "" : "idle", ` ${match.action} ${fateWords(match)} `);
    return element("li", "", element("span", "rule", `Rule ${match.rule}:`), words, placeButton(match, show),
      urlWithMark(url, match.urlRange));
  })));
  if (ruleCount > matches.length) parts.push(element("p", "quiet", `and ${ruleCount - matches.length} more rules`));
  return parts;
}
