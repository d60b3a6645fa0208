import CaseGenerators
import CommandOutput
import ContentBlocking
import ContentRules
import Foundation
import ResourceLoads
import TestSupport
import Testing
import WebURL

@testable import CommandInput
@testable import RuleAudit

@Suite struct AuditMergeTests {
  /// Any logs, in any grouping, merged in order, are one run over all of them.
  @Test(arguments: 0..<8)
  func mergesAreOneRun(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed &+ 1000)
    let scratch = try Scratch()
    var paths: [String] = []
    for number in 0..<Int.random(in: 1...7, using: &random) {
      var text = AuditCases.log(rows: Int.random(in: 0...120, using: &random), &random)
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        text += "bad line \(number)\n"
      }
      paths.append(try scratch.file("log \(number).tsv", text).path)
    }
    let auditor = try AuditCases.auditor(chunkSize: 1_000)
    let whole = try auditor.run(paths).audit
    var partials: [String] = []
    for (number, path) in paths.enumerated() {
      let bytes = try AuditPartial.write(try auditor.run([path]).audit)
      partials.append(try scratch.file("\(number).audit", Data(bytes)).path)
    }
    // Any two neighbours, until one is left.
    var audits = try partials.map { try AuditPartial.read(path: $0) }
    while audits.count > 1 {
      let place = Int.random(in: 0..<audits.count - 1, using: &random)
      var merged = audits[place]
      try merged.merge(audits[place + 1])
      let bytes = try AuditPartial.write(merged)
      audits[place] = try AuditPartial.read(
        path: scratch.file("merged.audit", Data(bytes)).path
      )
      #expect(audits[place] == merged)
      audits.remove(at: place + 1)
    }
    let merged = try #require(audits.first)
    #expect(merged == whole)
    #expect(merged.json == whole.json)
    let text = { AuditText($0, paint: .init(false)).rendered() }
    #expect(text(merged) == text(whole))
  }

  /// A log cut anywhere between lines gives the counts and examples of the whole log; places are
  /// those in the parts.
  @Test(arguments: 0..<4)
  func partsOfALogAreTheLog(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed &+ 2000)
    let scratch = try Scratch()
    let text = AuditCases.log(rows: 300, &random)
    let rows = text.split(separator: "\n").dropFirst().map { String($0) }
    let auditor = try AuditCases.auditor()
    let whole = try auditor.run([scratch.file("whole.tsv", text).path]).audit
    var parts: [Audit] = []
    var starts: [Int] = []
    var start = 0
    while start < rows.count {
      let end = min(rows.count, start + Int.random(in: 1...120, using: &random))
      let part = AuditCases.header + rows[start..<end].map { $0 + "\n" }.joined()
      parts.append(try auditor.run([scratch.file("\(parts.count).tsv", part).path]).audit)
      starts.append(start)
      start = end
    }
    var merged = parts[0]
    for part in parts.dropFirst() { try merged.merge(part) }

    func inWhole(_ record: Record) -> Record {
      var record = record
      let offsets = [record.first, record.last].map { $0.map { starts[$0.log] } ?? 0 }
      record.first?.line += offsets[0]
      record.last?.line += offsets[1]
      record.first?.log = 0
      record.last?.log = 0
      return record
    }
    #expect(merged.outcomes == whole.outcomes)
    for number in whole.lists.indices {
      #expect(merged.lists[number].outcomes == whole.lists[number].outcomes)
      #expect(inWhole(merged.lists[number].record) == whole.lists[number].record)
      #expect(
        merged.lists[number].matches.mapValues { inWhole($0.record) }
          == whole.lists[number].matches.mapValues(\.record)
      )
    }
    #expect(
      merged.sites.mapValues { inWhole($0.record) } == whole.sites.mapValues(\.record)
    )
    #expect(parts.count > 1)
  }

  @Test func differentListsAndSameLogsAreRefused() throws {
    let scratch = try Scratch()
    var random = RandomSource(seed: 9)
    let path = try scratch.file("a.tsv", AuditCases.log(rows: 5, &random)).path
    let audit = try AuditCases.auditor().run([path]).audit
    var other = Auditor(lists: [try AuditCases.compiled()[0]])
    other.workers = 1
    let short = try other.run([path]).audit
    #expect(throws: Audit.MergeError.differentLists("one is of 2 lists, the other of 1")) {
      var merged = audit
      try merged.merge(short)
    }
    var swapped = Auditor(lists: try AuditCases.compiled().reversed())
    swapped.workers = 1
    let backwards = try swapped.run([path]).audit
    #expect(
      throws: Audit.MergeError.differentLists("list 0 and list 1 are different lists")
    ) {
      var merged = audit
      try merged.merge(backwards)
    }
    #expect(throws: Audit.MergeError.sameLog(path, path)) {
      var merged = audit
      try merged.merge(audit)
    }
    var twice = audit
    try twice.merge(audit, allowsDuplicates: true)
    #expect(twice.outcomes.requests == 10)
    #expect(twice.logs.count == 2)
  }

  @Test func damagedPartialsAreRefusedWithTheirPlace() throws {
    let scratch = try Scratch()
    var random = RandomSource(seed: 12)
    let path = try scratch.file("a.tsv", AuditCases.log(rows: 30, &random)).path
    let audit = try AuditCases.auditor().run([path]).audit
    let file = try AuditPartial.write(audit)
    for length in stride(from: 0, to: file.count, by: 97) {
      let cut = try scratch.file("cut.audit", Data(file.prefix(length))).path
      let error = #expect(throws: InputError.self) { try AuditPartial.read(path: cut) }
      #expect(error?.message.contains("cut.audit") == true)
    }
    let text = AuditPartial.json(audit)
    for length in stride(from: 0, to: text.count - 1, by: 31) {
      #expect(throws: InputError.self, "\(length)") {
        try AuditPartial.read(Array(text.prefix(length)), name: "cut")
      }
    }
    // A changed byte may give another sound partial, but never a trap; merging adds its numbers.
    for _ in 0..<2_000 {
      var changed = text
      let place = Int.random(in: 0..<changed.count, using: &random)
      changed[place] = [0x2D, 0x39, 0x5B, 0x22, 0x30, 0x2C].randomElement(using: &random) ?? 0
      guard var read = try? AuditPartial.read(changed, name: "changed") else { continue }
      try? read.merge(audit, allowsDuplicates: true)
      _ = read.json
      _ = AuditText(read, paint: .init(false)).rendered()
    }
  }

  @Test(arguments: [
    ("{}", "not a partial audit: it does not begin as one"),
    ("", "not a partial audit: it is empty"),
    (#"{"tickbird_audit":1}"#, "\"logs\" is missing"),
    (
      #"{"tickbird_audit":2,"logs":[["a","b",-1,0,0]]}"#,
      "byte 37 of its text: a number is negative"
    ),
    (#"{"tickbird_audit":2,"logs":[["a"]]}"#, "an array of 5 is expected, not of 1"),
    (
      #"{"tickbird_audit":2,"logs":[["a","b",99999999999999999999999999,0,0]]}"#,
      "a whole number is expected"
    ),
  ])
  func faultsAreNamed(_ text: String, _ message: String) throws {
    let error = #expect(throws: InputError.self) {
      try AuditPartial.read(Array(text.utf8), name: "x.audit")
    }
    let found = try #require(error).message
    if text.contains(":1}") {
      #expect(found.contains("its format is 1, and this tickbird reads 2"))
    } else {
      #expect(found.contains(message), "\(found)")
    }
    #expect(found.contains("x.audit"))
  }

  @Test func largeCountsAreKeptAndSaturate() throws {
    var audit = Audit(lists: [])
    audit.outcomes.requests = Int.countLimit
    let text = AuditPartial.json(audit)
    var read = try AuditPartial.read(text, name: "x")
    #expect(read == audit)
    try read.merge(audit)
    #expect(read.outcomes.requests == Int.countLimit)
  }
}
