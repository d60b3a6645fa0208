internal import CommandInput
package import ContentBlocking

/// An audit of rows that a program hands over, as of one log.
///
///     let audit = RowAudit(lists: lists, log: "crawl")
///     audit.add(…)
///     audit.endBatch()
///     audit.audit().json
///
/// Rows are decided as the lines of a log whose columns are ``columns``, by the same code, so that the
/// report is that of such a log. Findings of parts can be put together, in several steps.
package final class RowAudit {
  /// The names of the columns of the log that the rows are taken for.
  package static let columns = [
    "url", "top_url", "frame_url", "resource_type", "load_type", "load_context", "method",
  ]
  /// The largest number of a row.
  package static let numberLimit = AuditPartial.numberLimit

  /// Why findings cannot be added.
  package struct MergeError: Error {
    /// What is wrong, in one sentence without a full stop.
    package var message: String
  }

  private let lists: [ContentRuleList]
  private let layout: TSVLayout
  /// What other audits have found, and what is known of the rows.
  private var found: Audit
  private var digest = RowDigest()
  private var counting: Counting?
  /// Whether rows have numbers of their own; `nil` as long as there are none.
  private var isNumbered: Bool?
  private var text: [UInt8] = []
  private var rowStart = 0
  private var cellCount = 0
  private var numbers: [Int] = []

  /// The decider, which is large; made when there is a row.
  private final class Counting {
    var decider: CountingDecider
    init(_ lists: [ContentRuleList]) { decider = CountingDecider(lists.map(\.compiled)) }
  }

  /// About how many bytes of rows are decided together.
  private static let chunkSize = 1 << 20

  /// Creates an empty audit.
  ///
  /// - Parameters:
  ///   - lists: The lists; their names are their identifiers.
  ///   - log: The name of the log that the rows are taken for.
  /// - Throws: ``MergeError``, which does not happen: the columns are known.
  package init(lists: [ContentRuleList], log: String) throws(MergeError) {
    self.lists = lists
    do throws(InputError) {
      layout = try TSVLayout(
        names: Array(Self.columns.joined(separator: ",").utf8),
        separator: UInt8(ascii: ",")
      )
    } catch {
      throw MergeError(message: error.message)
    }
    found = Audit(
      lists: lists.map { list in
        AuditedList(
          name: list.identifier,
          digest: ByteDigest(list.source).text,
          rules: RuleTable(actions: [], places: [])
        )
      }
    )
    found.logs = [AuditedLog(name: log)]
  }

  /// The number of rows so far, whether decided or not.
  package var rows: Int { found.logs[0].requests + found.logs[0].badLines }
  /// The number of rows that could not be decided.
  package var badRows: Int { found.logs[0].badLines }

  /// The number of requests that a list blocked.
  package var blocked: Int { found.outcomes.blocked + (counting?.decider.blocked ?? 0) }

  // MARK: Rows

  /// Whether rows with numbers, or ones without, can be added.
  package func takes(numbered: Bool) -> Bool { isNumbered == nil || isNumbered == numbered }

  /// Adds the next cell of a row; those of a row come in the order of ``columns``.
  ///
  /// Tabs and line ends, which no column of a log can have, are left out of URLs, as the URL standard has
  /// it, and are spaces in words.
  package func addCell(_ cell: UnsafeBufferPointer<UInt8>, isURL: Bool) {
    // The line is too long then, whatever comes behind.
    let cell = unsafe UnsafeBufferPointer(rebasing: cell.prefix(CountingDecider.lineLimit + 1))
    if cellCount > 0 { text.append(0x09) }
    cellCount += 1
    if unsafe Self.isClean(cell) {
      unsafe text.append(contentsOf: cell)
      return
    }
    for place in cell.indices {
      let byte = unsafe cell[place]
      if byte != 0x09, byte != 0x0A, byte != 0x0D {
        text.append(byte)
      } else if !isURL {
        text.append(0x20)
      }
    }
  }

  /// Ends a row.
  ///
  /// - Parameter number: The row's number, from 1, not less than that of the row before in the batch;
  ///   `nil` for the one behind the last.
  package func endRow(number: Int?) {
    text.append(0x0A)
    digest.add(text, rowStart..<text.count)
    found.logs[0].size.add(text.count - rowStart)
    rowStart = text.count
    cellCount = 0
    isNumbered = number != nil
    if let number { numbers.append(number) }
    if text.count >= Self.chunkSize { endBatch() }
  }

  /// Decides the rows that were added; the next may have smaller numbers.
  package func endBatch() {
    guard !text.isEmpty else { return }
    let counting = counting ?? Counting(lists)
    self.counting = counting
    var progress = ChunkProgress(log: 0)
    let first = rows + 1
    counting.decider.beginChunk(log: 0)
    counting.decider.readColumns(
      text,
      layout,
      isNumbered == true ? .given(numbers) : .from(first),
      &progress
    )
    counting.decider.endChunk()
    found.logs[0].requests.add(progress.requests)
    found.logs[0].badLines.add(progress.badLines)
    found.addBadLines(progress.shown)
    text.removeAll(keepingCapacity: text.capacity <= 4 * Self.chunkSize)
    numbers.removeAll(keepingCapacity: true)
    rowStart = 0
  }

  @inline(__always)
  private static func isClean(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
    // Without an early end, so that many bytes are compared at once.
    var dirty: UInt8 = 0
    for place in cell.indices {
      let byte = unsafe cell[place]
      dirty |= byte == 0x09 || byte == 0x0A || byte == 0x0D ? 1 : 0
    }
    return dirty == 0
  }

  // MARK: Findings

  /// Returns what was found, without what follows from the lists, for ``merge(findings:)``.
  package func findings() -> [UInt8] {
    AuditPartial.findings(whole(), isNumbered: isNumbered == true)
  }

  /// Adds what another audit by the same lists has found about further rows.
  ///
  /// Rows without numbers are those behind the last, so that the order of calls is that of the rows.
  ///
  /// - Throws: ``MergeError``; nothing is changed then.
  package func merge(findings: [UInt8]) throws(MergeError) {
    let other: Audit
    let otherIsNumbered: Bool
    do throws(InputError) {
      (other, otherIsNumbered) = try AuditPartial.readFindings(
        findings,
        ruleCounts: lists.map { Int($0.compiled.info.ruleCount) }
      )
    } catch {
      throw MergeError(message: error.message)
    }
    guard other.logs.count == 1, let otherDigest = RowDigest(other.logs[0].digest) else {
      throw MergeError(message: "the findings are not about rows")
    }
    guard found.hasLists(of: other) else {
      throw MergeError(message: "the findings are of other lists")
    }
    let otherRows = other.logs[0].requests + other.logs[0].badLines
    if otherRows > 0 {
      guard takes(numbered: otherIsNumbered) else {
        throw MergeError(message: "rows with numbers and rows without cannot be put together")
      }
      isNumbered = otherIsNumbered
    }
    found.append(other, shiftingLines: otherIsNumbered ? 0 : rows)
    digest += otherDigest
  }

  /// The rules of the lists, for reports.
  package var rules: AuditedRules { AuditedRules(lists) }

  /// Returns the audit.
  package func audit() -> Audit {
    var audit = whole()
    for number in lists.indices { audit.lists[number].describe(ListSource(lists[number].source)) }
    return audit
  }

  private func whole() -> Audit {
    endBatch()
    var audit = found
    audit.logs[0].digest = digest.text
    guard let counting else { return audit }
    let findings = counting.decider.finish()
    audit.add(findings)
    for number in lists.indices { audit.lists[number].add(findings.lists[number]) }
    return audit
  }
}
