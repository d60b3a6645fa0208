internal import ContentBlocking
internal import ContentRules
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Checks lists sequentially on a thread of its own, and caches the last ones.
///
/// A list of 150,000 rules takes seconds; asking about it again, for other URLs or more
/// diagnostics, costs nothing.
final class RulesBench: Sendable {
  private let queue = DispatchQueue(label: "rules", qos: .userInitiated)
  private let recent = Mutex<[CheckedList]>([])
  private static let kept = 2

  /// Reads and compiles a list, unless it is cached.
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

  /// Runs work on the bench's thread.
  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}

/// A list with the results of checking it.
struct CheckedList: Sendable {
  let name: String
  let text: [UInt8]
  /// The reader's report.
  let report: RuleListReport
  /// The limit that an acceptable list exceeds, if it was not compiled.
  let limit: String?
  /// The compiled list; `nil` if it was refused.
  let compiled: ContentRuleList?
  /// The rules with their positions; `nil` if the list was refused.
  let source: ListSource?
  /// The rules that hide elements on every page.
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

  /// Returns file, line and column of a rule.
  func place(of index: Int) -> String {
    guard let source, let rule = source.rule(at: index) else { return name }
    let position = source.position(of: rule)
    return "line \(position.line), column \(position.column)"
  }

  /// Returns a rule's text on one line.
  func text(of index: Int) -> String {
    guard let source, let rule = source.rule(at: index) else { return "" }
    return DisplayText.shortened(DisplayText.line(source.text(of: rule)), to: 600)
  }
}
