import ContentBlocking
import Foundation
import ResourceLoads
import RuleMatching

/// A decision as a short text that two engines can be compared by.
enum Verdict {
  /// In the browser, for an array of loads.
  static func expression(_ loads: [[String: Any]]) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: loads)
    return """
      (({ engine, lists }, loads) => loads.map((load) => {
        const decision = engine.decide(load, true);
        const quick = engine.decide(load);
        let hash = 0x811c9dc5;
        const add = (number) => { hash = Math.imul(hash ^ number, 0x01000193) >>> 0; };
        for (const action of decision.actions) {
          add(lists.all.findIndex((list) => list.handle === action.list));
          add(\(kinds).indexOf(action.kind));
          action.rules.forEach(add);
        }
        const letters = (each) => (each.isBlocked ? 'b' : '') + (each.blocksCookies ? 'c' : '')
          + (each.makesHTTPS ? 'h' : '') || '-';
        const sheets = quick.sheets.length;
        return [letters(quick), letters(decision), sheets, hash].join(' ');
      }))(tickbird.state, \(String(decoding: data, as: UTF8.self)))
      """
  }

  /// By the engine.
  static func native(_ load: ResourceLoad, _ blocker: inout ContentBlocker) -> String {
    let decision = blocker.decision(for: load)
    let outcome = blocker.outcome(for: load)
    var hash: UInt32 = 0x811C_9DC5
    func add(_ number: Int) {
      hash = (hash ^ UInt32(truncatingIfNeeded: number)) &* 0x0100_0193
    }
    for action in decision.actions {
      add(action.list)
      add(Int(action.kind.rawValue))
      for rule in action.rules { add(rule) }
    }
    let letters =
      (outcome.isBlocked ? "b" : "") + (outcome.blocksCookies ? "c" : "")
      + (outcome.makesHTTPS ? "h" : "")
    let word = letters.isEmpty ? "-" : letters
    return "\(word) \(word) \(decision.attachedSheets) \(hash)"
  }

  private static let kinds = """
    ["block", "block-cookies", "css-display-none", "notify", "ignore-previous-rules",
     "ignore-following-rules", "make-https", "modify-headers", "redirect", "report-identifier"]
    """
}
