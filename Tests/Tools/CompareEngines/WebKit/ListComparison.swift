import CaseGenerators
import ContentBlocking
import ContentRules
import Foundation
import ReferenceMatcher
import TestSupport

/// Compares the verdicts of WebKit and the reader about a damaged list.
struct ListComparison {
  let text: [UInt8]

  init(seed: UInt64) {
    var random = RandomSource(seed: seed)
    var options = CaseOptions()
    options.ruleCount = 1...3
    options.loadCount = 0
    // WebKitGTK 2.50 does not know `_identifier`.
    options.identifiers = 0
    let rules = CaseGenerator(options: options).makeCase(seed: seed).rules
    let mutator = RuleListMutator()
    switch seed % 4 {
    case 0: text = Array(RuleListSpeller().text(for: .array(rules), using: &random).utf8)
    case 1: text = mutator.mutated(Array(JSONValue.array(rules).text.utf8), using: &random)
    case 3: text = Array(OddDomainGenerator().list(using: &random).text.utf8)
    default: text = Array(mutator.mutated(.array(rules), using: &random).text.utf8)
    }
  }

  /// What `store_save` is asked.
  var request: JSONValue {
    .object([
      "op": .string("compile"), "list_base64": .string(Data(text).base64EncodedString()),
    ])
  }

  enum Verdict {
    case agreed
    case excluded
    case disagreed(String)
  }

  /// Compares WebKit's answer with the reader's.
  ///
  /// Excludes texts with `_identifier`, which is newer than WebKitGTK 2.50; the empty text, for
  /// which the store has an answer of its own; answers that came too late; and the abort of the
  /// engine on a range beyond 127, where the reader must refuse the pattern.
  func verdict(_ answer: JSONValue) -> Verdict {
    let fields = answer.object ?? [:]
    if text.isEmpty || String(decoding: text, as: UTF8.self).contains("dentifier") {
      return .excluded
    }
    let report = RuleListReader.read(text, options: ContentRuleList.readingOptions())
    let own = report.webKitError?.webKitError?.message ?? ""
    if let error = fields["error"]?.string {
      if error.hasPrefix("no answer within") { return .excluded }
      if error.hasPrefix("engine crashed"), report.webKitError?.webKitError == .jsonInvalidRegex {
        return .excluded
      }
      return .disagreed(describe(error, own))
    }
    let message = fields["message"]?.string ?? "?"
    let accepted = fields["accepted"] == .boolean(true)
    return message == own && accepted == report.isAccepted
      ? .agreed : .disagreed(describe(accepted ? "accepted" : message, own))
  }

  private func describe(_ webKit: String, _ own: String) -> String {
    "list: \(String(decoding: text, as: UTF8.self))\n  WebKit: \(webKit)\n  reader: \(own)"
  }
}
