// The engine in a worker: each question is a list and a load, and the answer all that the page shows of them.
//
// Whatever the engine finds is plain data; the page puts it into elements as text.

import { useModule, bytesOf } from "./lib/engine.js";
import { compile, report, setMemoryLimit } from "./lib/lists.js";
import { indicesOf, lineStarts } from "./places.js";

/** The most findings of an answer, and rules of an explanation; the others are counted. */
const mostFindings = 50;
const mostMatches = 50;
/** The bytes that an instance of the engine may have. */
const mostMemory = 1 << 30;

let compiled = { text: null, list: null };

/** The findings with their places in the text, the severest first in the order of the list. */
function findings(text, found) {
  const order = { error: 0, warning: 1, note: 2 };
  const chosen = [...found].sort((one, other) => order[one.severity] - order[other.severity]).slice(0, mostFindings);
  const edits = chosen.flatMap(({ correction }) => correction?.edits ?? []);
  const indices = indicesOf(text, [...chosen, ...edits].flatMap(({ offset, length }) => [offset, offset + length]));
  const range = ({ offset, length }) => [indices.get(offset), indices.get(offset + length)];
  return chosen.map((each) => ({
    severity: each.severity, code: each.code, message: each.message, hint: each.hint ?? "",
    line: each.line, column: each.column, range: range(each),
    edits: each.correction === undefined ? null
      : each.correction.edits.map((edit) => ({ range: range(edit), replacement: edit.replacement })),
  }));
}

/** What happens to a load, with the places of its rules in the text. */
function explanation(text, load) {
  const { list } = compiled;
  let found;
  try {
    found = list.explain(load, { hiding: true });
  } catch (error) {
    return { fault: error.message };
  }
  const starts = lineStarts(bytesOf(text));
  const matches = found.matches.slice(0, mostMatches);
  const offsets = matches.map(({ line, column }) => (starts[line - 1] ?? 0) + column - 1);
  const indices = indicesOf(text, offsets);
  return {
    url: found.url, type: found.resource_type, party: found.load_type, page: found.top_url,
    decision: found.decision, ruleCount: found.matches.length,
    globalSelectors: found.decision.stylesheets > 0 ? list.globalSelectors ?? "" : "",
    matches: matches.map((each, number) => {
      const start = indices.get(offsets[number]);
      return {
        rule: each.rule, line: each.line, column: each.column, action: each.action, text: each.text,
        fate: each.fate, by: each.by?.rule ?? null, urlRange: each.url_range, range: [start, start + each.text.length],
      };
    }),
  };
}

function answer({ text, load }) {
  const verdict = report(text);
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of verdict.diagnostics) counts[severity] += 1;
  const answered = {
    accepted: verdict.accepted, error: verdict.error?.message ?? "", rules: verdict.rules, counts,
    findings: findings(text, verdict.diagnostics), explanation: null,
  };
  if (!verdict.accepted) return answered;
  if (compiled.text !== text) {
    compiled.list?.free();
    compiled = { text: null, list: null };
    try {
      compiled = { text, list: compile(text) };
    } catch (error) {
      if (error.code !== "refused") throw error;
      // A list that WebKit would take, and whose compiling costs too much.
      return { ...answered, accepted: false, error: error.message };
    }
  }
  if (load.url !== "") answered.explanation = explanation(text, load);
  return answered;
}

addEventListener("message", ({ data }) => {
  if (data.module !== undefined) {
    useModule(data.module);
    setMemoryLimit(mostMemory);
    postMessage({ isReady: true });
    return;
  }
  try {
    postMessage({ number: data.number, answer: answer(data) });
  } catch (error) {
    postMessage({ number: data.number, fault: error.message });
  }
});
