/// The result of an audit: what lists did to all requests of some logs.
///
/// Audits of different logs by the same lists can be merged, in any grouping; the result is that of
/// one audit of all the logs in that order.
package struct Audit: Hashable, Sendable {
  /// The lists, in the order in which they were given.
  package var lists: [AuditedList]
  /// The logs, in order.
  package var logs: [AuditedLog] = []
  /// The outcomes of all requests.
  package var outcomes = Outcomes()
  /// The sites of pages, by name; the empty name is for pages without a host.
  package var sites: [[UInt8]: AuditedSite] = [:]
  /// The first bad lines, no more than ``badLineLimit``.
  package var badLines: [BadLine] = []

  /// The most bad lines to keep.
  package static let badLineLimit = 10

  /// A line that could not be decided.
  package struct BadLine: Hashable, Sendable {
    /// The log's position, from 0.
    package var log: Int
    /// The line, from 1.
    package var line: Int
    /// The problem.
    package var message: String

    /// Creates a bad line.
    package init(log: Int, line: Int, message: String) {
      self.log = log
      self.line = line
      self.message = message
    }
  }

  /// Creates an empty audit.
  package init(lists: [AuditedList]) { self.lists = lists }

  /// The lines that could not be decided.
  package var badLineCount: Int { logs.reduce(0) { $0 + $1.badLines } }
}

/// An audited log.
package struct AuditedLog: Hashable, Sendable {
  /// The name as given.
  package var name: String
  /// The digest of its bytes, decompressed.
  package var digest = ""
  /// The number of its bytes, decompressed.
  package var size = 0
  /// The number of requests decided.
  package var requests = 0
  /// The number of lines that could not be decided.
  package var badLines = 0

  /// Creates an empty log.
  package init(name: String) { self.name = name }
}

/// The findings about a site.
package struct AuditedSite: Hashable, Sendable {
  package var outcomes = Outcomes()
  package var record = Record()

  /// Creates a site without requests.
  package init() {}

  mutating func add(_ other: AuditedSite) {
    outcomes += other.outcomes
    record.add(other.record)
  }
}

/// The findings about a list.
package struct AuditedList: Hashable, Sendable {
  /// The name as given.
  package var name: String
  /// The digest of its JSON text.
  package var digest: String
  /// What is known of its rules before any request.
  package var rules: RuleTable
  /// The outcomes of the requests by this list alone.
  package var outcomes = Outcomes()
  /// The record of all its rules together.
  package var record = Record()
  /// The number of requests with its global sheet attached.
  package var attachedSheets = 0
  /// The rules that matched, by their positions in the JSON array.
  package var matches: [Int: RuleRecord] = [:]

  /// A rule that matched.
  package struct RuleRecord: Hashable, Sendable {
    package var record: Record
    /// The rule's `url-filter`.
    package var filter: String
    /// The selector of a `css-display-none` rule, possibly cut off.
    package var selector: String
    /// The rule's restrictions besides its pattern, shortened.
    package var conditions: String
    package var effects = RuleEffects()
    /// How often the rule was applied on each site; not recorded for rules that hide something.
    package var sites: [[UInt8]: Int] = [:]

    /// Creates a record.
    package init(
      record: Record = Record(),
      filter: String,
      selector: String = "",
      conditions: String = ""
    ) {
      self.record = record
      self.filter = filter
      self.selector = selector
      self.conditions = conditions
    }

    mutating func add(_ other: RuleRecord) {
      record.add(other.record)
      effects += other.effects
      for (site, count) in other.sites { sites[site, default: 0].add(count) }
    }

    /// The sites, those with most loads first.
    var sortedSites: [(name: [UInt8], count: Int)] {
      sites.map { ($0.key, $0.value) }.sorted { a, b in
        a.1 != b.1 ? a.1 > b.1 : a.0.lexicographicallyPrecedes(b.0)
      }
    }
  }

  /// Creates a list without findings.
  package init(name: String, digest: String, rules: RuleTable) {
    self.name = name
    self.digest = digest
    self.rules = rules
  }

  /// The rules that could have matched but never did, in order, without those of the global sheet,
  /// which match every load.
  package var unmatched: [Int] {
    rules.actions.indices.filter {
      matches[$0] == nil && rules.actions[$0] != .skipped && rules.actions[$0] != .globalSheet
    }
  }

  fileprivate mutating func add(_ other: AuditedList) {
    outcomes += other.outcomes
    record.add(other.record)
    attachedSheets += other.attachedSheets
    for (rule, found) in other.matches {
      if matches[rule] == nil {
        matches[rule] = found
      } else {
        matches[rule]?.add(found)
      }
    }
  }
}

// MARK: Merging

extension Audit {
  /// The reason why two audits cannot be merged.
  package enum MergeError: Error, Hashable {
    /// They are of different lists; the text says how they differ.
    case differentLists(String)
    /// A log is in both.
    case sameLog(String, String)
  }

  /// Adds the audit of further logs by the same lists.
  ///
  /// - Parameters:
  ///   - other: The audit of the logs behind those of this one.
  ///   - allowsDuplicates: Whether the same log may count twice.
  /// - Throws: ``MergeError``; nothing is changed then.
  package mutating func merge(
    _ other: Audit,
    allowsDuplicates: Bool = false
  ) throws(MergeError) {
    try checkLists(other)
    try Self.checkLogs(logs + other.logs, allowsDuplicates)
    let other = other.shifted(logs: logs.count)
    for number in lists.indices { lists[number].add(other.lists[number]) }
    logs += other.logs
    outcomes += other.outcomes
    for (site, found) in other.sites { sites[site, default: AuditedSite()].add(found) }
    badLines = Array((badLines + other.badLines).prefix(Self.badLineLimit))
  }

  /// Adds the audit of further lines of the only log, by the same lists.
  mutating func append(_ other: Audit, shiftingLines count: Int) {
    let other = other.shifted(lines: count)
    for number in lists.indices { lists[number].add(other.lists[number]) }
    logs[0].size.add(other.logs[0].size)
    logs[0].requests.add(other.logs[0].requests)
    logs[0].badLines.add(other.logs[0].badLines)
    outcomes += other.outcomes
    for (site, found) in other.sites { sites[site, default: AuditedSite()].add(found) }
    addBadLines(other.badLines)
  }

  /// Adds bad lines of the only log, keeping the first.
  mutating func addBadLines(_ lines: [BadLine]) {
    guard !lines.isEmpty else { return }
    badLines = Array((badLines + lines).sorted { $0.line < $1.line }.prefix(Self.badLineLimit))
  }

  /// Whether the other audit is of the same lists, in the same order.
  func hasLists(of other: Audit) -> Bool { (try? checkLists(other)) != nil }

  /// Throws an error if a log occurs twice.
  package func checkLogs(allowsDuplicates: Bool) throws(MergeError) {
    try Self.checkLogs(logs, allowsDuplicates)
  }

  private static func checkLogs(
    _ logs: [AuditedLog],
    _ allowsDuplicates: Bool
  ) throws(MergeError) {
    if !allowsDuplicates, let (first, second) = duplicate(in: logs) {
      throw .sameLog(first.name, second.name)
    }
  }

  /// Returns the first two equal logs; logs without requests do not count.
  package static func duplicate(in logs: [AuditedLog]) -> (AuditedLog, AuditedLog)? {
    var seen: [String: AuditedLog] = [:]
    for log in logs where log.requests > 0 {
      if let first = seen.updateValue(log, forKey: "\(log.digest) \(log.size)") {
        return (first, log)
      }
    }
    return nil
  }

  private func checkLists(_ other: Audit) throws(MergeError) {
    guard lists.count == other.lists.count else {
      throw .differentLists("one is of \(lists.count) lists, the other of \(other.lists.count)")
    }
    for (mine, its) in zip(lists, other.lists)
    where mine.digest != its.digest || mine.rules.actions.count != its.rules.actions.count {
      throw .differentLists("\(mine.name) and \(its.name) are different lists")
    }
  }

  /// Returns the audit with its logs numbered from `logs` on, and lines moved by `lines`.
  private func shifted(logs: Int = 0, lines: Int = 0) -> Audit {
    guard logs > 0 || lines > 0 else { return self }
    var audit = self
    for list in audit.lists.indices {
      audit.lists[list].record.shift(logs, lines)
      for rule in audit.lists[list].matches.keys {
        audit.lists[list].matches[rule]?.record.shift(logs, lines)
      }
    }
    for site in audit.sites.keys { audit.sites[site]?.record.shift(logs, lines) }
    for line in audit.badLines.indices {
      audit.badLines[line].log += logs
      audit.badLines[line].line.add(lines)
    }
    return audit
  }
}

extension Record {
  fileprivate mutating func shift(_ logs: Int, _ lines: Int) {
    first?.log += logs
    first?.line.add(lines)
    last?.log += logs
    last?.line.add(lines)
  }
}
