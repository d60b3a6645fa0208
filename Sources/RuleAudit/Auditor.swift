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
      AuditedList(lists[number], ending.summaries.map { $0.lists[number] })
    }
    return Run(audit: audit, peak: ending.peak)
  }
}
