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

/// Lists and logs of which much matches and much is cancelled.
enum AuditCases {
  static let lists = [
    """
    [{"trigger":{"url-filter":".*"},"action":{"type":"css-display-none","selector":".all"}},
    {"trigger":{"url-filter":"ad"},"action":{"type":"block"}},
    {"trigger":{"url-filter":"ad[0-9]","resource-type":["image"]},"action":{"type":"block"}},
    {"trigger":{"url-filter":"track","load-type":["third-party"]},"action":{"type":"block-cookies"}},
    {"trigger":{"url-filter":".*","unless-domain":["*a.test"]},
     "action":{"type":"css-display-none","selector":".x"}},
    {"trigger":{"url-filter":".*","if-domain":["*a.test","b.test"]},
     "action":{"type":"css-display-none","selector":".y"}},
    {"trigger":{"url-filter":"/b/"},"action":{"type":"ignore-previous-rules"}},
    {"trigger":{"url-filter":".*","unless-domain":["c.test"]},
     "action":{"type":"css-display-none","selector":".z"}},
    {"trigger":{"url-filter":"^http:"},"action":{"type":"make-https"}},
    {"trigger":{"url-filter":"/c/"},"action":{"type":"ignore-following-rules"}},
    {"trigger":{"url-filter":".*","if-domain":["*test"]},
     "action":{"type":"css-display-none","selector":".never"}},
    {"trigger":{"url-filter":".*","unless-domain":["d.test"]},
     "action":{"type":"css-display-none","selector":".w"}},
    {"trigger":{"url-filter":"a"},"action":{"type":"redirect","redirect":{"url":"https://r.test/"}}},
    {"trigger":{"url-filter":"nowhere-to-be-found"},"action":{"type":"block"}},
    {"trigger":{"url-filter":"x","if-top-url":["^https"]},"action":{"type":"ignore-previous-rules"}},
    {"trigger":{"url-filter":"ad"},"action":{"type":"block"}}]
    """,
    """
    [{"trigger":{"url-filter":"[0-9]"},"action":{"type":"block"}},
    {"trigger":{"url-filter":".*","if-domain":["*b.test"]},"action":{"type":"ignore-previous-rules"}}]
    """,
  ]

  static let hosts = ["a.test", "www.a.test", "b.test", "c.test", "d.test", "127.0.0.1"]

  /// A line without its end.
  static func line(_ random: inout RandomSource) -> String {
    func one(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
    let url =
      one(["http", "https"]) + "://" + one(hosts) + one(["/", "/b/", "/c/", "/x/"])
      + one(["ad", "track", "ad7", "page", "é", "../x"]) + one(["", "?a=1", "#f"])
    let top = one(["http", "https"]) + "://" + one(hosts) + "/"
    return [
      one(["", "", "", "", "", "", "data:x,"]) + url,
      one([top, top, top, top, "about:blank", ""]),
      one(["image", "script", "document", "xhr", "font"]),
      one(["", "-", "first-party", "third-party"]),
    ].joined(separator: "\t")
  }

  static let header = "url\tsource\ttype\tload_type\n"

  /// Rows that mostly are of the page of the row before.
  static func log(rows: Int, _ random: inout RandomSource) -> String {
    var last = ""
    return header
      + (0..<rows).map { _ in
        if last.isEmpty || Int.random(in: 0..<3, using: &random) == 0 { last = line(&random) }
        var columns = line(&random).split(separator: "\t", omittingEmptySubsequences: false)
        columns[1] = last.split(separator: "\t", omittingEmptySubsequences: false)[1]
        return columns.joined(separator: "\t") + "\n"
      }.joined()
  }

  static func compiled() throws -> [ContentRuleList] {
    try lists.enumerated().map {
      try ContentRuleList(identifier: "list \($0)", encodedContentRuleList: Array($1.utf8))
    }
  }

  static func auditor(workers: Int = 2, chunkSize: Int = 1 << 20) throws -> Auditor {
    var auditor = Auditor(lists: try compiled())
    auditor.workers = workers
    auditor.chunkSize = chunkSize
    return auditor
  }
}

/// A rule of a list.
private struct RuleNumber: Hashable {
  var list: Int
  var rule: Int
}

/// A list in which one rule does nothing.
private final class ChangedList {
  private var blocker: ContentBlocker

  init(_ text: String) throws {
    blocker = ContentBlocker(lists: [
      try ContentRuleList(identifier: "changed", encodedContentRuleList: text)
    ])
  }

  func blocks(_ load: ResourceLoad) -> Bool { blocker.outcome(for: load).isBlocked }
}

extension Explanation.Fate {
  fileprivate var isApplied: Bool {
    switch self {
    case .applied, .merged: true
    default: false
    }
  }
}

extension AuditCases {
  /// For each ignore rule its list with a rule in its place that never matches.
  fileprivate static func withoutIgnoreRules() throws -> [RuleNumber: ChangedList] {
    let never = #"{"trigger":{"url-filter":"never-to-be-found"},"action":{"type":"block"}}"#
    var changed: [RuleNumber: ChangedList] = [:]
    for (number, text) in lists.enumerated() {
      let source = ListSource(Array(text.utf8))
      let rules = (0..<source.ruleCount).compactMap { source.rule(at: $0) }
      for rule in rules
      where rule.action == .ignorePreviousRules || rule.action == .ignoreFollowingRules {
        var texts = rules.map { source.text(of: $0) }
        texts[rule.index] = never
        changed[RuleNumber(list: number, rule: rule.index)] = try ChangedList(
          "[" + texts.joined(separator: ",") + "]"
        )
      }
    }
    return changed
  }
}

@Suite struct AuditCountTests {
  /// What explanations say of every row is what the audit counts.
  @Test(arguments: 0..<6)
  func countsAreThoseOfExplanations(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let text = AuditCases.log(rows: 400, &random)
    let scratch = try Scratch()
    let path = try scratch.file("log.tsv", text).path
    let audit = try AuditCases.auditor(chunkSize: 2_000).run([path]).audit
    #expect(audit.badLineCount == 0)

    var expected = Audit(lists: audit.lists)
    for number in expected.lists.indices {
      expected.lists[number].outcomes = Outcomes()
      expected.lists[number].record = Record()
      expected.lists[number].matches = [:]
    }
    let withoutRule = try AuditCases.withoutIgnoreRules()
    var blocker = ContentBlocker(lists: try AuditCases.compiled())
    let sources = AuditCases.lists.map { ListSource(Array($0.utf8)) }
    for (index, row) in text.split(separator: "\n").enumerated().dropFirst() {
      let columns = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let types: [String: ResourceType] = [
        "image": .image, "script": .script, "xhr": .fetch, "font": .font,
      ]
      let url = try #require(WebURL(columns[0]))
      let page = columns[1].isEmpty ? nil : WebURL(columns[1])
      let load = ResourceLoad(
        url: url,
        topURL: page,
        resourceType: types[columns[2]] ?? LoadWords.documentType(nil, url: url, page: page),
        loadType: columns[3].isEmpty
          ? nil : columns[3] == "first-party" ? .firstParty : .thirdParty
      )
      let explanation = blocker.explanation(for: load, sources: sources)
      let example = Example(log: 0, line: index + 1, url: load.url.utf8)
      for match in explanation.matches {
        var record = Record()
        record.tally.matched = 1
        switch match.fate {
        case .applied, .merged: break
        case .cancelled: record.tally.cutByPrevious = 1
        case .swallowed: record.tally.cutByFollowing = 1
        case .inert, .tooLate: record.tally.withoutEffect = 1
        }
        record.first = example
        record.last = example
        let filter = sources[match.list].rule(at: match.rule)?.trigger.urlFilter.text ?? ""
        expected.lists[match.list].record.add(record)
        expected.lists[match.list].matches[match.rule, default: .init(filter: filter)]
          .record.add(record)
        let site = PageSite(topURL: load.topURL.utf8.span).domain
        expected.sites[site, default: AuditedSite()].record.add(record)
      }
      let decision = explanation.decision
      let blockers = explanation.matches.filter { match in
        guard match.fate.isApplied else { return false }
        return sources[match.list].rule(at: match.rule)?.action == .block
      }
      #expect(blockers.isEmpty == !decision.isBlocked)
      var firstParty = FirstPartyBlocks()
      if load.loadType == .firstParty {
        switch load.resourceType {
        case .topDocument, .childDocument: firstParty.documents = 1
        case .script: firstParty.scripts = 1
        default: break
        }
      }
      if decision.isBlocked { expected.outcomes.firstParty += firstParty }
      for match in explanation.matches {
        func change(_ body: (inout AuditedList.RuleRecord) -> Void) {
          body(&expected.lists[match.list].matches[match.rule, default: .init(filter: "")])
        }
        let action = sources[match.list].rule(at: match.rule)?.action
        if match.fate.isApplied {
          if case .cssDisplayNone = action {
          } else {
            let site = PageSite(topURL: load.topURL.utf8.span).domain
            change { $0.sites[site, default: 0] += 1 }
          }
        }
        if blockers.contains(match) {
          change { $0.effects.firstParty += firstParty }
          if blockers.count == 1 { change { $0.effects.onlyBlocker += 1 } }
        }
        let id = RuleNumber(list: match.list, rule: match.rule)
        if !decision.isBlocked, withoutRule[id]?.blocks(load) == true {
          change { $0.effects.rescued += 1 }
        }
      }
      expected.outcomes.blocked += decision.isBlocked ? 1 : 0
      expected.outcomes.withoutCookies += decision.blocksCookies ? 1 : 0
      expected.outcomes.hiding += decision.hiddenSelectors.isEmpty ? 0 : 1
      expected.outcomes.requests += 1
    }
    #expect(audit.outcomes.requests == expected.outcomes.requests)
    #expect(audit.outcomes.blocked == expected.outcomes.blocked)
    #expect(audit.outcomes.withoutCookies == expected.outcomes.withoutCookies)
    #expect(audit.outcomes.hiding == expected.outcomes.hiding)
    for number in audit.lists.indices {
      let (found, wanted) = (audit.lists[number], expected.lists[number])
      #expect(found.record == wanted.record, "list \(number)")
      #expect(Set(found.matches.keys) == Set(wanted.matches.keys), "list \(number)")
      for (rule, match) in wanted.matches {
        #expect(found.matches[rule]?.record == match.record, "list \(number), rule \(rule)")
        #expect(found.matches[rule]?.effects == match.effects, "list \(number), rule \(rule)")
        #expect(found.matches[rule]?.sites == match.sites, "list \(number), rule \(rule)")
      }
    }
    for (site, wanted) in expected.sites {
      #expect(
        audit.sites[site]?.record == wanted.record,
        "\(String(decoding: site, as: UTF8.self))"
      )
    }
    #expect(audit.outcomes.firstParty == expected.outcomes.firstParty)
    #expect(audit.lists[0].matches.values.contains { $0.effects.onlyBlocker > 0 })
    #expect(audit.lists.contains { $0.matches.values.contains { $0.effects.rescued > 0 } })
    #expect(audit.outcomes.firstParty.documents > 0 && audit.outcomes.firstParty.scripts > 0)
    #expect(audit.lists[0].matches[3]?.conditions == "load-type third-party")
    #expect(audit.lists[0].matches[5]?.conditions == "if-domain *a.test, b.test")
    #expect(audit.lists[0].unmatched == [13])
    let cancelled = audit.lists[0].record.tally
    #expect(cancelled.cutByPrevious > 0 && cancelled.cutByFollowing > 0)
    #expect(cancelled.withoutEffect > 0)
  }

  /// An exception rescues a load only if nothing else would, and if the load does load.
  @Test func exceptionsCountWhatTheyAloneSpare() throws {
    func rule(_ filter: String, _ action: String) -> String {
      #"{"trigger":{"url-filter":"\#(filter)"},"action":{"type":"\#(action)"}}"#
    }
    let first = [
      rule("/early", "ignore-following-rules"), rule("/ad", "block"),
      rule("/ok", "ignore-previous-rules"), rule("/fine", "ignore-previous-rules"),
    ]
    let lists = [first, [rule("/other", "block")]].map { "[" + $0.joined(separator: ",") + "]" }
    let scratch = try Scratch()
    var text = AuditCases.header
    for path in [
      "/ad", "/ad/ok", "/ad/ok/fine", "/ad/fine", "/ad/early", "/ad/early/ok", "/ok",
      "/ad/ok/other", "/ad/other",
    ] {
      text += "http://a.test\(path)\thttp://a.test/\tscript\t\n"
    }
    let log = try scratch.file("log.tsv", text).path
    let audit = try Auditor(
      lists: lists.map { try ContentRuleList(identifier: "list", encodedContentRuleList: $0) }
    ).run([log]).audit
    let effects = audit.lists[0].matches.mapValues { $0.effects }
    #expect((0...3).map { effects[$0]?.rescued } == [1, 0, 1, 1])
    #expect(effects[1]?.onlyBlocker == 1)
    #expect(audit.lists[1].matches[0]?.effects.onlyBlocker == 1)
    #expect(effects[1]?.firstParty.scripts == 2 && audit.outcomes.firstParty.scripts == 3)
  }

  @Test func jobsAndChunksDoNotMatter() throws {
    var random = RandomSource(seed: 77)
    let text = AuditCases.log(rows: 3_000, &random)
    let scratch = try Scratch()
    let path = try scratch.file("log.tsv", text).path
    let expected = try AuditCases.auditor(workers: 1).run([path])
    for workers in [1, 2, 5] {
      for chunkSize in [1, 5_000, 70_000] {
        let run = try AuditCases.auditor(workers: workers, chunkSize: chunkSize).run([path])
        #expect(run.audit == expected.audit, "\(workers) workers, \(chunkSize) bytes")
      }
    }
    #expect(expected.audit.outcomes.requests == 3_000)
  }

  /// More different pages than are kept, in an order that throws all of them out again and again.
  @Test func pagesThatAreForgottenAreCounted() throws {
    var text = AuditCases.header
    for round in 0..<3 {
      for page in 0..<400 {
        text += "http://a.test/b/\(round)\thttp://p\(page).test/\timage\t\n"
      }
    }
    let scratch = try Scratch()
    let audit = try AuditCases.auditor().run([scratch.file("log.tsv", text).path]).audit
    #expect(audit.outcomes.requests == 1_200)
    let rule = try #require(audit.lists[0].matches[11])
    #expect(rule.record.tally.matched == 1_200)
    #expect(rule.record.first?.line == 2)
    #expect(rule.record.last?.line == 1_201)
    #expect(audit.lists[0].matches[4]?.record.tally.cutByPrevious == 1_200)
    #expect(audit.sites.count == 400)
  }

  @Test func memoryDoesNotGrowWithTheLog() throws {
    let scratch = try Scratch()
    var random = RandomSource(seed: 3)
    let part = Data(AuditCases.log(rows: 20_000, &random).utf8)
    let file = try scratch.file("log.tsv", Data())
    let handle = try FileHandle(forWritingTo: file)
    var size = 0
    while size < 10 << 20 {
      try handle.write(contentsOf: part)
      size += part.count
    }
    try handle.close()
    let auditor = try AuditCases.auditor(workers: 2, chunkSize: 1 << 16)
    let run = try auditor.run([file.path])
    #expect(run.audit.outcomes.requests == size / part.count * 20_000)
    #expect(run.audit.badLineCount == 0, "the headers in the middle are ignored")
    #expect(run.audit.logs[0].size == size)
    #expect(run.peak <= Batch.bound(workers: 2))
    #expect(size / auditor.chunkSize > 4 * Batch.bound(workers: 2))
  }
}

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
    // Merges random neighbours until one is left.
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
    // A changed byte may yield another valid partial, and must never trap, not even in a merge.
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
