import CaseGenerators
import ContentBlocking
import Foundation
import TestSupport
import Testing

@testable import CommandInput
@testable import RuleAudit

@Suite struct RowAuditTests {
  private static let places: [Int?] = [0, 1, nil, 2, 3, nil, nil]

  /// Adds rows, whose cells are those of ``AuditCases``, as columns.
  private static func add(
    _ rows: [(number: Int?, line: String)],
    to audit: RowAudit
  ) {
    for row in rows {
      let cells = row.line.split(separator: "\t", omittingEmptySubsequences: false)
      for (column, place) in places.enumerated() {
        let cell = place.flatMap { $0 < cells.count ? Array(cells[$0].utf8) : nil } ?? []
        unsafe cell.withUnsafeBufferPointer { unsafe audit.addCell($0, isURL: column < 3) }
      }
      audit.endRow(number: row.number)
    }
    audit.endBatch()
  }

  /// Some rows, a few of which are bad, and what the plain command makes of them.
  private static func sample(
    _ random: inout RandomSource
  ) throws -> (rows: [String], audit: Audit) {
    let log = AuditCases.log(rows: 400, &random)
    var rows = log.split(separator: "\n").dropFirst().map { String($0) }
    for _ in 0..<20 {
      rows.insert("no url\t\tscript\t", at: Int.random(in: 0...rows.count, using: &random))
    }
    let text = rows.map { row in
      let cells = row.split(separator: "\t", omittingEmptySubsequences: false)
      return places.map { $0.map { String(cells[$0]) } ?? "" }.joined(separator: "\t") + "\n"
    }.joined()
    let scratch = try Scratch()
    let file = try scratch.file("rows", text).path
    var auditor = try AuditCases.auditor(chunkSize: 3_000)
    auditor.columns = try TSVLayout(
      names: Array(RowAudit.columns.joined(separator: ",").utf8),
      separator: UInt8(ascii: ",")
    )
    var audit = try auditor.run([file]).audit
    audit.logs[0].name = "rows"
    return (rows, audit)
  }

  private static func audit() throws -> RowAudit {
    try RowAudit(lists: AuditCases.compiled(), log: "rows")
  }

  /// Requires all forms to be equal, but for the digest, which is of the rows and not of bytes.
  private static func expect(_ audit: RowAudit, is whole: Audit, _ digest: String) {
    var found = audit.audit()
    #expect(found.logs[0].digest == digest)
    found.logs[0].digest = whole.logs[0].digest
    #expect(found == whole)
    #expect(found.json == whole.json)
  }

  /// Rows in any parts, put together in any grouping, are the log.
  @Test(arguments: 0..<6)
  func partsAreTheLog(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed &+ 300)
    let (rows, whole) = try Self.sample(&random)
    let all = try Self.audit()
    Self.add(rows.map { (nil, $0) }, to: all)
    let digest = all.audit().logs[0].digest
    #expect(digest.utf8.count == 32)
    Self.expect(all, is: whole, digest)
    var parts: [[UInt8]] = []
    var start = 0
    while start < rows.count {
      // Also none at all.
      let end = min(rows.count, start + Int.random(in: 0...90, using: &random))
      let part = try Self.audit()
      Self.add(rows[start..<end].map { (nil, $0) }, to: part)
      parts.append(part.findings())
      start = end
    }
    while parts.count > 1 {
      let place = Int.random(in: 0..<parts.count - 1, using: &random)
      let joined = try Self.audit()
      try joined.merge(findings: parts[place])
      try joined.merge(findings: parts.remove(at: place + 1))
      parts[place] = joined.findings()
    }
    let merged = try Self.audit()
    try merged.merge(findings: #require(parts.first))
    Self.expect(merged, is: whole, digest)
  }

  /// Rows with numbers may come in any order, and be divided in any way.
  @Test(arguments: 0..<6)
  func numberedRowsHaveNoOrder(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed &+ 400)
    let (rows, whole) = try Self.sample(&random)
    let numbered = rows.enumerated().map { (number: Optional($0 + 1), line: $1) }
      .shuffled(using: &random)
    let all = try Self.audit()
    Self.add(rows.map { (nil, $0) }, to: all)
    var parts: [RowAudit] = []
    for _ in 0..<4 { parts.append(try Self.audit()) }
    var rest = numbered[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Int.random(in: 1...50, using: &random))
      rest = rest.dropFirst(batch.count)
      Self.add(
        batch.sorted { ($0.number ?? 0) < ($1.number ?? 0) },
        to: try #require(parts.randomElement(using: &random))
      )
    }
    let merged = try Self.audit()
    for part in parts.shuffled(using: &random) { try merged.merge(findings: part.findings()) }
    Self.expect(merged, is: whole, all.audit().logs[0].digest)
  }

  @Test func findingsOfOthersAreRefused() throws {
    let lists = try AuditCases.compiled()
    let audit = try RowAudit(lists: lists, log: "")
    let other = try RowAudit(lists: lists.reversed(), log: "")
    let numbered = try RowAudit(lists: lists, log: "")
    Self.add([(nil, "https://a.test/ad\t\tscript\t")], to: audit)
    Self.add([(5, "https://a.test/ad\t\tscript\t")], to: numbered)
    for (findings, words) in [
      (other.findings(), "other lists"), (numbered.findings(), "with numbers and rows without"),
      (Array(audit.findings().dropLast(2)), "damaged"), ([], "empty"), ([1], "damaged"),
      (Array("{}".utf8), "damaged"),
    ] {
      let error = #expect(throws: RowAudit.MergeError.self) { try audit.merge(findings: findings) }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
    #expect(audit.rows == 1)
    #expect(audit.blocked == 1)
  }

  @Test func findingsWithAWrongBitAreRefused() throws {
    let audit = try Self.audit()
    Self.add([(nil, "https://a.test/ad\t\tscript\t")], to: audit)
    let findings = audit.findings()
    for place in findings.indices {
      for bit in 0..<8 {
        var damaged = findings
        damaged[place] ^= 1 << UInt8(bit)
        #expect(throws: RowAudit.MergeError.self) { try audit.merge(findings: damaged) }
      }
    }
    #expect(audit.rows == 1)
    try audit.merge(findings: findings)
    #expect(audit.rows == 2)
  }

  @Test func cellsNeverLeaveTheirPlace() throws {
    let audit = try Self.audit()
    let long = "https://a.test/" + String(repeating: "a", count: 2 << 20)
    let rows: [[String]] = [
      ["https://a.test/\tad\n", "https://b\r.test/", "", "script", "", "", ""],
      ["https://a.test/", "", "", "scr\tipt", "", "", ""],
      [long, "", "", "script", "", "", ""],
      ["", "", "", "", "", "", ""],
    ]
    for row in rows {
      for (column, cell) in row.enumerated() {
        unsafe Array(cell.utf8).withUnsafeBufferPointer {
          unsafe audit.addCell($0, isURL: column < 3)
        }
      }
      audit.endRow(number: nil)
    }
    let found = audit.audit()
    #expect(audit.rows == 4)
    #expect(audit.blocked == 1)
    #expect(
      found.badLines.map(\.message) == [
        #"column resource_type: there is no type "scr ipt"; did you mean script?"#,
        "the line has more than 1,048,576 bytes", "column resource_type is empty",
      ]
    )
  }
}
