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
        case .inert, .tooLate:
          // An audit counts an upgrade by the rule alone, whatever the URL and the other rules.
          record.tally.withoutEffect = match.kind == .makeHTTPS ? 0 : 1
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
        if match.fate.isApplied || match.kind == .makeHTTPS && match.fate == .inert {
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
