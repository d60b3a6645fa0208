package import CommandInput
package import ContentBlocking
internal import ContentRules

/// Audits logs: determines what lists do to all of their requests.
///
///     let audit = try Auditor(lists: lists).run(["monday.tsv.gz", "tuesday.tsv.gz"])
///
/// Memory grows with the lists, the cores and the number of sites, but not with the number of
/// requests.
package struct Auditor {
  /// The format of all logs; by default recognised by each log's first line.
  package var format: LogFormat?
  /// The columns of logs that do not name them.
  package var columns: TSVLayout?
  /// The threads that decide.
  package var workers = Batch.coreCount
  /// About how many bytes of a log a job has.
  package var chunkSize = 1 << 20
  private let lists: [ContentRuleList]

  /// The result of a run.
  package struct Run {
    /// The audit.
    package var audit: Audit
    /// The most parts of logs in memory at any time.
    package var peak: Int
  }

  /// Creates an auditor for lists.
  package init(lists: [ContentRuleList]) { self.lists = lists }

  /// Audits logs.
  ///
  /// - Parameters:
  ///   - paths: The logs; `-` is standard input.
  ///   - progress: Called now and then with the numbers of requests and bad lines so far.
  /// - Returns: What was found.
  /// - Throws: ``InputError`` if a log cannot be read to its end, or is invalid as a whole.
  package func run(
    _ paths: [String],
    progress: (_ requests: Int, _ badLines: Int) -> Void = { _, _ in }
  ) throws -> Run {
    for path in paths { try ByteInput.check(path: path) }
    var audit = Audit(lists: [])
    audit.logs = paths.map { AuditedLog(name: $0 == "-" ? "standard input" : $0) }
    var requests = 0
    var badLines = 0
    let lists = lists
    let ending = try Batch.run(
      workers: workers,
      source: AuditSource(
        paths: paths,
        format: format,
        columns: columns,
        chunkSize: chunkSize
      ),
      makeWorker: { AuditWorker(lists) },
      sink: { part in
        if let fault = part.fault { throw fault }
        if let digest = part.ending {
          audit.logs[part.log].digest = digest.text
          audit.logs[part.log].size = digest.count
        }
        audit.logs[part.log].requests += part.requests
        audit.logs[part.log].badLines += part.badLines
        let room = Audit.badLineLimit - audit.badLines.count
        audit.badLines += part.shown.prefix(max(0, room))
        requests += part.requests
        badLines += part.badLines
        progress(requests, badLines)
      }
    )
    if let fault = ending.fault { throw fault }
    for findings in ending.summaries { audit.add(findings) }
    audit.lists = lists.indices.map { number in
      Self.auditedList(lists[number], ending.summaries.map { $0.lists[number] })
    }
    return Run(audit: audit, peak: ending.peak)
  }

  /// Merges what all workers found about a list.
  private static func auditedList(
    _ list: ContentRuleList,
    _ findings: [ListFindings]
  ) -> AuditedList {
    let text = list.source
    let source = ListSource(text)
    var audited = AuditedList(
      name: list.identifier,
      digest: ByteDigest(text).text,
      rules: RuleTable(source)
    )
    for found in findings {
      audited.outcomes += found.outcomes
      audited.record.add(found.record)
      audited.attachedSheets += found.attachedSheets
      for (rule, record) in found.matches {
        audited.matches[rule, default: texts(of: rule, source)].record.add(record)
      }
      for (rule, effects) in found.effects { audited.matches[rule]?.effects += effects }
      for (rule, sites) in found.sites {
        for (site, count) in sites {
          audited.matches[rule]?.sites[site, default: 0].add(count)
        }
      }
    }
    return audited
  }

  /// The most characters of a selector to keep; it may be as long as a list.
  private static let selectorLimit = 160

  private static func texts(of number: Int, _ source: ListSource) -> AuditedList.RuleRecord {
    guard let rule = source.rule(at: number) else { return .init(filter: "") }
    var selector = ""
    if case .cssDisplayNone(let text) = rule.action {
      selector = text
      if text.utf8.count > selectorLimit {
        selector = String(text.unicodeScalars.prefix(selectorLimit - 1)) + "…"
      }
    }
    return .init(
      filter: rule.trigger.urlFilter.text,
      selector: selector,
      conditions: rule.trigger.conditionsText
    )
  }
}

extension Audit {
  fileprivate mutating func add(_ findings: Findings) {
    outcomes += findings.outcomes
    for (site, found) in findings.sites { sites[site, default: AuditedSite()].add(found) }
  }
}
