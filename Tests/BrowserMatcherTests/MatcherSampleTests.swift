import ContentRules
import EngineTestSupport
import Foundation
import LoadDeciding
import ResourceLoads
import RuleCompiler
import RuleMatching
import TestSupport
import Testing

/// Where `Scripts/check-embedded` wants the sample.
private let folder = ProcessInfo.processInfo.environment["TICKBIRD_WRITE_SAMPLE"]

private struct Answers: Encodable {
  struct Action: Encodable {
    var slot: UInt32
    var kind: UInt8
    var rules: [UInt32]
  }

  struct Load: Encodable {
    var top: String
    var frame: String
    var url: String
    var properties: UInt32
    var kinds: UInt32
    var actions: [Action]
  }

  var globalSheet: String
  var faultOffset: Int
  var loads: [Load] = []
}

@Suite("MatcherSample")
struct MatcherSampleTests {
  @Test(
    "a list and its decisions are written down for matchers built otherwise",
    .enabled(if: folder != nil, "Scripts/check-embedded asks for it")
  )
  func sample() throws {
    let folder = URL(fileURLWithPath: try #require(folder))
    // The small list, and many rules behind it, half of them run as threads.
    var rules = SampleLists.small
    for rule in SampleLists.large(400) {
      var rule = rule
      rule.index += SampleLists.small.count
      rules.append(rule)
    }
    rules.removeAll { $0.action == .ignoreFollowingRules }
    var limits = SampleLists.noTables
    limits.statesPerFilter = 20
    let bytes = try compile(rules, limits: limits)
    let list = try CompiledRuleList(validating: bytes)
    var spoiled = CompiledFile(bytes)
    spoiled.set(.max, at: spoiled.start(.urlIndex) + 8)
    spoiled.repair()
    var answers = Answers(
      globalSheet: String(decoding: list.globalSheet ?? [], as: UTF8.self),
      faultOffset: try #require(spoiled.fault()).offset
    )
    var decider = LoadDecider([list], pages: 1)
    var random = RandomSource(seed: 5)
    let oracles = try rules.prefix(60).compactMap { rule in
      rule.trigger.urlFilter.text == ".*"
        ? nil : try PatternOracle(rule.trigger.urlFilter.text, isCaseSensitive: false)
    }
    for top in ["https://top.test/", "https://www.news.test/a", "https://bad.test/t5p"] {
      for frame in ["https://frame.test/", top] {
        let topBytes = Array(top.utf8)
        let frameBytes = Array(frame.utf8)
        let isPage = decider.turn(topText: topBytes.span, frameText: frameBytes.span)
        #expect(isPage)
        for round in 0..<150 {
          let filler = random.text(of: Array("ab/:.w0".utf8), upTo: 30)
          let match = oracles[round % oracles.count].matchingText(&random)
          var url = round % 2 == 0 ? match + filler : Array("https://a.test/".utf8) + filler + match
          url.removeAll { !(1..<128 ~= $0) }
          if round < sampleURLs.count { url = sampleURLs[round] }
          let traits = LoadTraits(
            resourceType: [.image, .script, .fetch][round % 3],
            loadType: round % 2 == 0 ? .firstParty : .thirdParty,
            loadContext: round % 5 == 0 ? .topFrame : .childFrame,
            requestMethod: round % 4 == 0 ? .post : nil
          )
          guard case .checked(let load) = decider.prepare(url: url.span, traits) else { continue }
          let decision = decider.decide(load, list: 0)
          answers.loads.append(
            Answers.Load(
              top: top,
              frame: frame,
              url: String(decoding: url, as: UTF8.self),
              properties: load.packed,
              kinds: UInt32(decision.kinds) | (decision.attachesGlobalSheet ? 0 : 1 << 16)
                | (decision.upperSlot == .max ? 0 : 1 << 17),
              actions: decider.appliedActions(decision, list: 0, includesHiding: true).map {
                Answers.Action(slot: $0.slot, kind: $0.kind.rawValue, rules: $0.rules)
              }
            )
          )
        }
      }
    }
    // A sample in which nothing matches would compare nothing.
    #expect(answers.loads.count > 500)
    #expect(answers.loads.count { !$0.actions.isEmpty } > answers.loads.count / 4)
    #expect(Set(answers.loads.map(\.kinds)).count > 5)
    try Data(bytes).write(to: folder.appendingPathComponent("list.tbc"))
    try Data(spoiled.bytes).write(to: folder.appendingPathComponent("spoiled.tbc"))
    try spoiledFiles(bytes).write(to: folder.appendingPathComponent("spoiled-files"))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try encoder.encode(answers).write(to: folder.appendingPathComponent("answers.json"))
  }

  /// Spoiled files, each behind its length and the native verdict, 1 for accepted.
  private func spoiledFiles(_ original: [UInt8]) throws -> Data {
    var files = Data()
    func add(_ spoil: (inout CompiledFile) -> Void) {
      var file = CompiledFile(original)
      spoil(&file)
      file.repair()
      for number in [UInt32(file.bytes.count), file.fault() == nil ? 1 : 0] {
        files.append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
      }
      files.append(contentsOf: file.bytes)
    }
    for round in 0..<400 {
      var random = RandomSource(seed: UInt64(round))
      add { $0.spoil(layout: CompiledFile(original), &random) }
    }
    // Numbers that are none where `Int` has 32 bits: in the fields of headers, and as LEB128 has them.
    let layout = CompiledFile(original)
    for section in Section.allCases where section != .source && layout.size(section) >= 8 {
      let start = layout.start(section)
      for field in stride(from: start, to: start + min(48, layout.size(section) - 4), by: 4) {
        for number in [1 << 31, UInt32.max] { add { $0.set(number, at: field) } }
      }
      var random = RandomSource(seed: UInt64(start))
      for _ in 0..<40 {
        let place = start + random.number(below: layout.size(section) - 5)
        add { $0.bytes.replaceSubrange(place..<place + 5, with: [0xFF, 0xFF, 0xFF, 0xFF, 0x0F]) }
      }
    }
    return files
  }
}
