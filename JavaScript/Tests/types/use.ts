// Uses of the package that its types must take, and some that they must not.

import {
  check, compile, type Decision, type Diagnostic, EngineError, type Explanation, LoadError, open,
  RefusedError, report, RuleList, RuleLists, setMemoryLimit, version,
} from "../../index.js";

const list: RuleList = compile("[]", "a.json");
const again: RuleList = open(list.bytes);
const decision: Decision = list.decide({ url: "https://a.test/", type: "image", page: "" });
const rules: number[] = decision.rules;
const both = new RuleLists([list, again]);
const explanation: Explanation = both.explain({ url: "https://a.test/", type: "xhr" }, { hiding: true });
const place: number = explanation.matches[0].line;
const found: Diagnostic[] = check(new Uint8Array(3));
const accepted: boolean = report(new ArrayBuffer(3)).accepted;
setMemoryLimit(1 << 26);
const text: string = version();
try {
  list.free();
} catch (error) {
  if (error instanceof RefusedError) console.log(error.report.rules, error.code === "refused");
  if (error instanceof LoadError || error instanceof EngineError) console.log(error.message);
}
// @ts-expect-error A load has a type.
list.decide({ url: "https://a.test/" });
// @ts-expect-error A party is one of two.
list.decide({ url: "https://a.test/", type: "image", party: "third" });
// @ts-expect-error Lists are made by `compile` and `open`.
new RuleList();
// @ts-expect-error A list's bytes are not replaced.
list.bytes = new Uint8Array(1);
console.log(rules, place, found, accepted, text);
