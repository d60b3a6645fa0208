internal import ContentBlocking
internal import ContentRules
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Checks lists one after the other on a thread of its own, and remembers the last ones.
///
/// A list of 150,000 rules takes seconds; whoever asks about it again, for other URLs or the next
/// page of diagnostics, waits no more.
final class RulesBench: Sendable {
  private let queue = DispatchQueue(label: "rules", qos: .userInitiated)
  private let recent = Mutex<[CheckedList]>([])
  private static let kept = 2

  /// Reads and compiles a list, if it is not one of the last.
  func check(_ text: [UInt8], name: String) async -> CheckedList {
    await run { [self] in
      let known = recent.withLock { $0.first { $0.text == text && $0.name == name } }
      let list = known ?? CheckedList(text, name: name)
      recent.withLock { recent in
        recent.removeAll { $0.text == text && $0.name == name }
        recent.insert(list, at: 0)
        if recent.count > Self.kept { recent.removeLast() }
      }
      return list
    }
  }

  /// Does work on the bench's thread.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}

/// A list with everything that is to be said of it.
struct CheckedList: Sendable {
  let name: String
  let text: [UInt8]
  /// What reading found.
  let report: RuleListReport
  /// Why a list that WebKit takes is not compiled.
  let limit: String?
  /// The list to decide with; `nil` where it is refused.
  let compiled: ContentRuleList?
  /// Its rules with their places; `nil` where it is refused.
  let source: ListSource?
  /// The rules that hide on every page.
  let globals: [Rule]

  init(_ text: [UInt8], name: String) {
    self.name = name
    self.text = text
    var report = RuleListReport(ruleList: nil, ruleCount: 0)
    var limit: String?
    var compiled: ContentRuleList?
    do throws(RuleListError) {
      let (file, found) = try ContentRuleList.compile(text)
      report = found
      compiled = try ContentRuleList(identifier: name, compiledFile: file)
    } catch {
      if case .refused(let found) = error {
        report = found
      } else {
        limit = error.message
        report = RuleListReader.read(text, options: ContentRuleList.readingOptions())
      }
    }
    self.report = report
    self.limit = limit
    self.compiled = compiled
    source = compiled == nil ? nil : ListSource(text)
    globals = source?.globalRules ?? []
  }

  /// File, line and column of a rule.
  func place(of index: Int) -> String {
    guard let source, let rule = source.rule(at: index) else { return name }
    let position = source.position(of: rule)
    return "line \(position.line), column \(position.column)"
  }

  /// A rule's text on one line.
  func text(of index: Int) -> String {
    guard let source, let rule = source.rule(at: index) else { return "" }
    return DisplayText.shortened(DisplayText.line(source.text(of: rule)), to: 600)
  }
}
