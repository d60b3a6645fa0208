import ContentRules
import ResourceLoads
import Testing
import Workloads

@Suite("Generated lists")
struct GeneratedListTests {
  @Test(
    "are accepted as WebKit would accept them, rule by rule",
    arguments: GeneratedList.Dialect.allCases
  )
  func areAccepted(dialect: GeneratedList.Dialect) throws {
    let report = RuleListReader.read(GeneratedList(dialect: dialect, ruleCount: 3_000).json())
    #expect(report.webKitError == nil)
    #expect(report.ruleCount == 3_000)
    #expect(report.skippedRules.isEmpty)
  }

  @Test(
    "are the same for a seed, and others for another",
    arguments: GeneratedList.Dialect.allCases
  )
  func followTheSeed(dialect: GeneratedList.Dialect) {
    func json(_ seed: UInt64) -> [UInt8] {
      GeneratedList(dialect: dialect, ruleCount: 500, seed: seed).json()
    }
    #expect(json(7) == json(7))
    #expect(json(7) != json(8))
  }

  @Test(
    "are the same on every machine: instruction counts are compared with recorded ones",
    arguments: [
      (GeneratedList.Dialect.short, UInt64(11_228_770_643_416_598_093)),
      (.conditional, 16_878_309_432_266_950_026),
    ]
  )
  func areRecorded(dialect: GeneratedList.Dialect, checksum: UInt64) {
    let list = GeneratedList(dialect: dialect, ruleCount: 1_000)
    #expect(fingerprint(list.json()) == checksum)
  }

  @Test("a piece of a list holds the rules that the whole has there")
  func piecesFitTogether() throws {
    let list = GeneratedList(ruleCount: 300)
    let whole = try #require(RuleListReader.read(list.json()).ruleList)
    let piece = try #require(RuleListReader.read(list.json(rules: 100..<200)).ruleList)
    #expect(piece.rules.map(\.trigger) == whole.rules[100..<200].map(\.trigger))
  }

  @Test("have the shares of real lists")
  func haveRealShares() throws {
    let rules = try #require(
      RuleListReader.read(GeneratedList(ruleCount: 20_000).json()).ruleList
    ).rules
    func share(_ test: (Rule) -> Bool) -> Double {
      Double(rules.count(where: test)) / Double(rules.count)
    }
    let hostOnly = share { $0.trigger.urlFilter.text.hasSuffix("[/:]") }
    #expect((0.81..<0.86).contains(hostOnly))
    #expect((0.05..<0.08).contains(share { $0.trigger.condition?.isNegated == false }))
    #expect((0.04..<0.06).contains(share { $0.trigger.flags.loadTypes != [] }))
  }
}

/// FNV-1a.
func fingerprint(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
