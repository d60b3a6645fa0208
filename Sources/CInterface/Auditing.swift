// Embedded Swift, and so WebAssembly, has no audits.
#if !hasFeature(Embedded)
public import CTickbird
internal import CommandOutput
internal import ContentBlocking
internal import RuleAudit

/// The audit behind a caller's reference.
private func audit(_ handle: OpaquePointer) -> RowAudit {
  unsafe Unmanaged<RowAudit>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Creates an audit.
@c @implementation
public func tickbird_audit_create(
  _ lists: UnsafePointer<OpaquePointer?>?,
  _ names: UnsafePointer<UnsafePointer<CChar>?>?,
  _ count: Int,
  _ log: UnsafePointer<CChar>?,
  _ audit: UnsafeMutablePointer<OpaquePointer?>?
) -> tickbird_status {
  guard let audit = unsafe audit else { return .badArgument }
  unsafe audit.pointee = nil
  guard unsafe count == 0 || lists != nil, (0...1_000_000).contains(count) else {
    return .badArgument
  }
  var named: [ContentRuleList] = []
  for number in 0..<count {
    guard let handle = unsafe lists?[number] else { return .badArgument }
    let list = unsafe SharedList.of(handle).list
    guard list.isSourceIntact else { return .damaged }
    let name = unsafe names?[number].map { unsafe String(cString: $0) } ?? list.identifier
    named.append(ContentRuleList(identifier: name, compiled: list.compiled))
  }
  let name = unsafe log.map { unsafe String(cString: $0) } ?? ""
  guard let made = try? RowAudit(lists: named, log: name) else { return .badArgument }
  unsafe audit.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
  return .ok
}

/// Frees an audit.
@c @implementation
public func tickbird_audit_free(_ audit: OpaquePointer?) {
  guard let audit = unsafe audit else { return }
  unsafe Unmanaged<RowAudit>.fromOpaque(UnsafeRawPointer(audit)).release()
}

/// Counts the rows of a batch.
@c @implementation
public func tickbird_audit_add(
  _ audit: OpaquePointer?,
  _ batch: UnsafePointer<tickbird_batch>?,
  _ numbers: UnsafePointer<Int64>?
) -> tickbird_status {
  guard let audit = unsafe audit, let batch = unsafe batch,
    unsafe batch.pointee.struct_size >= MemoryLayout<tickbird_batch>.size,
    let rows = unsafe AuditRows(batch.pointee, numbers)
  else { return .badArgument }
  let working = unsafe CInterface.audit(audit)
  guard working.takes(numbered: unsafe numbers != nil), rows.areSound else { return .badArgument }
  rows.add(to: working)
  return .ok
}

/// The rows of a batch in the order of an audit's columns.
@safe
private struct AuditRows {
  private let batch: BatchColumns
  /// As in ``RowAudit/columns``.
  private let columns: [Column]
  private let numbers: UnsafeBufferPointer<Int64>?
  /// The place of the type among the columns.
  private static let type = 3

  /// Reads the caller's columns; `nil` if one of them is none.
  init?(_ batch: tickbird_batch, _ numbers: UnsafePointer<Int64>?) {
    guard let batch = unsafe BatchColumns(batch) else { return nil }
    self.batch = batch
    columns = [
      batch.url, batch.page, batch.frame, batch.type, batch.party, batch.context, batch.method,
    ]
    unsafe self.numbers = unsafe numbers.map {
      unsafe UnsafeBufferPointer(start: $0, count: batch.rows)
    }
  }

  /// Whether all offsets lie within the bytes, and all numbers can be those of rows.
  var areSound: Bool {
    for column in columns where column.exists {
      for row in 0..<batch.rows where unsafe column.text(row) == nil { return false }
    }
    guard let numbers = unsafe numbers else { return true }
    let limit = Int64(RowAudit.numberLimit)
    return unsafe numbers.allSatisfy { 1 <= $0 && $0 <= limit }
  }

  /// Adds the rows, by their numbers if they have some.
  func add(to audit: RowAudit) {
    if let numbers = unsafe numbers {
      for row in unsafe order(of: numbers) {
        add(row, number: Int(unsafe numbers[row]), to: audit)
      }
    } else {
      for row in 0..<batch.rows { add(row, number: nil, to: audit) }
    }
    audit.endBatch()
  }

  private func order(of numbers: UnsafeBufferPointer<Int64>) -> [Int] {
    let rows = Array(0..<batch.rows)
    let isAscending = rows.dropFirst().allSatisfy { unsafe numbers[$0 - 1] <= numbers[$0] }
    guard !isAscending else { return rows }
    return rows.sorted { a, b in
      unsafe numbers[a] != numbers[b] ? numbers[a] < numbers[b] : a < b
    }
  }

  private func add(_ row: Int, number: Int?, to audit: RowAudit) {
    for (place, column) in columns.enumerated() {
      let cell = unsafe place == Self.type ? batch.type(row) : column.text(row)
      let text = unsafe cell ?? LoadParts.Text(start: nil, count: 0)
      unsafe audit.addCell(text, isURL: place < Self.type)
    }
    audit.endRow(number: number)
  }
}

/// Tells what was counted.
@c @implementation
public func tickbird_audit_count(
  _ audit: OpaquePointer?,
  _ counts: UnsafeMutablePointer<tickbird_audit_counts>?
) -> tickbird_status {
  guard let audit = unsafe audit, let counts = unsafe counts,
    unsafe counts.pointee.struct_size >= MemoryLayout<tickbird_audit_counts>.size
  else { return .badArgument }
  let working = unsafe CInterface.audit(audit)
  unsafe counts.pointee.requests = working.rows - working.badRows
  unsafe counts.pointee.bad_rows = working.badRows
  unsafe counts.pointee.blocked = working.blocked
  return .ok
}

/// Gives what was found to the caller.
@c @implementation
public func tickbird_audit_findings(
  _ audit: OpaquePointer?,
  _ findings: UnsafeMutablePointer<tickbird_text>?
) -> tickbird_status {
  unsafe clear(findings)
  guard let audit = unsafe audit, unsafe findings != nil else { return .badArgument }
  unsafe give(bytes: CInterface.audit(audit).findings(), to: findings)
  return .ok
}

/// Adds what another audit has found.
@c @implementation
public func tickbird_audit_merge(
  _ audit: OpaquePointer?,
  _ findings: UnsafeRawPointer?,
  _ size: Int,
  _ message: UnsafeMutablePointer<tickbird_text>?
) -> tickbird_status {
  unsafe clear(message)
  guard let audit = unsafe audit, size >= 0, unsafe findings != nil || size == 0 else {
    return .badArgument
  }
  guard size <= listLimit else { return .tooLong }
  let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: findings, count: size))
  do throws(RowAudit.MergeError) {
    try unsafe CInterface.audit(audit).merge(findings: bytes)
    return .ok
  } catch {
    unsafe give(error.message, to: message)
    return .damaged
  }
}

/// Writes the report.
@c @implementation
public func tickbird_audit_report(
  _ audit: OpaquePointer?,
  _ form: Int32,
  _ top: Int,
  _ unmatched: Int32,
  _ report: UnsafeMutablePointer<tickbird_text>?
) -> tickbird_status {
  unsafe clear(report)
  guard let audit = unsafe audit, unsafe report != nil, top >= 0 else { return .badArgument }
  let rows: AuditCSV.Rows
  switch Int(form) {
  case TICKBIRD_AUDIT_TEXT:
    var text = AuditText(unsafe CInterface.audit(audit).audit(), paint: Paint(false))
    text.rowLimit = top
    text.listsUnmatched = unmatched != 0
    if unmatched != 0 { text.rules = unsafe CInterface.audit(audit).rules }
    unsafe give(text.rendered(), to: report)
    return .ok
  case TICKBIRD_AUDIT_JSON:
    unsafe give(bytes: CInterface.audit(audit).audit().json, to: report)
    return .ok
  case TICKBIRD_AUDIT_PARTIAL:
    unsafe give(bytes: AuditPartial.json(CInterface.audit(audit).audit()), to: report)
    return .ok
  case TICKBIRD_AUDIT_CSV_RULE: rows = .rule
  case TICKBIRD_AUDIT_CSV_SITE: rows = .site
  case TICKBIRD_AUDIT_CSV_RULE_SITE: rows = .ruleSite
  default: return .badArgument
  }
  var table = AuditCSV(unsafe CInterface.audit(audit).audit(), rows: rows)
  table.listsUnmatched = unmatched != 0
  if unmatched != 0 { table.rules = unsafe CInterface.audit(audit).rules }
  unsafe give(bytes: table.rendered(), to: report)
  return .ok
}
#endif
