import ContentRules
import FuzzTargets

/// Validates a selector list, alone and surrounded by text that must not change the verdict.
enum SelectorBody: FuzzBody {
  static let name = "selector"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let fault = SelectorList.firstFault(in: input.span)
    try require(
      fault.map { 0...input.count ~= $0.position && !$0.message.isEmpty } ?? true,
      "the fault \(fault, default: "") lies outside of the \(input.count) bytes"
    )
    let second = SelectorList.firstFault(in: (Array("b,".utf8) + input).span)
    try require(
      (second == nil) == (fault == nil),
      "behind another selector: \(second, default: "valid"), alone: \(fault, default: "valid")"
    )
    let spaced = SelectorList.firstFault(in: (Array(" \t".utf8) + input).span)
    try require(
      (spaced == nil) == (fault == nil),
      "behind white space: \(spaced, default: "valid"), alone: \(fault, default: "valid")"
    )
    let trailing = SelectorList.firstFault(in: (input + Array(",b".utf8)).span)
    try require(
      fault == nil || trailing != nil,
      "a selector added behind makes this valid: \(fault, default: "")"
    )
    try checkRule(input, isValid: fault == nil)
  }

  /// A rule must be kept exactly if its selector is valid.
  private static func checkRule(_ input: [UInt8], isValid: Bool) throws(FuzzFinding) {
    // The reader refuses texts that are not UTF-8, which the selector parser leaves to it.
    let text = input.text
    guard text.utf8.elementsEqual(input) else { return }
    let list =
      #"[{"trigger":{"url-filter":"a"},"action":{"type":"css-display-none","selector":""#
      + escaped(text) + #""}},{"trigger":{"url-filter":"a"},"action":{"type":"block"}}]"#
    let report = RuleListReader.read(list)
    try require(report.isAccepted, "a selector makes the reader refuse the list")
    try require(
      report.skippedRules == (isValid ? [] : [0]),
      "the selector is valid: \(isValid), but the reader skips \(report.skippedRules)"
    )
    guard isValid, case .cssDisplayNone(let selector)? = report.ruleList?.rules.first?.action
    else { return }
    try require(
      selector.utf8.elementsEqual(input),
      "the reader hands over another selector: \(selector)"
    )
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static var seeds: [[UInt8]] {
    [
      ".ad, #banner > div + p ~ a b", "a[href^=\"http://x\" i][b|=c]:not(.d, e)",
      "div:has(> .ad):nth-child(2n + 1 of .x)::before", ":is(a, :where(b c), $)", "*|*, |a, *|b",
      "a:hover::after, ::slotted(b), :host(c)", "\\61 \\.b\\00002d /* c */ x", "a:lang(en, \"de\")",
      "a:has-text(x)", "[a='b", ":nth-last-of-type(-n+3)", "a::part(b c)", ":dir(ltr)", "a >> b",
      "::-webkit-scrollbar-thumb:hover", ":not(:not(:not(a)))", "é, a:matches(b)", "a,,b",
    ].map { Array($0.utf8) }
  }
}
