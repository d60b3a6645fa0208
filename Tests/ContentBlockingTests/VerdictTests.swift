import ContentBlocking
import ContentRules
import RuleCompiler
import Testing

/// Whoever checks a list and whoever compiles it come to one verdict.
@Suite("One verdict") struct VerdictTests {
  private static let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map {
    String(decoding: [$0], as: UTF8.self)
  }

  /// Lists that WebKitGTK 2.50.6 compiles within ten seconds, and how many seconds it takes; small
  /// ones of each kind here.
  private static func patterns(_ kind: String) -> [String] {
    let pairs = letters.flatMap { first in letters.map { first + $0 } }
    return switch kind {
    case "two letters": pairs
    case "two gaps": pairs.map { "\($0).*\(String($0.reversed()))" }
    case "three letters": pairs.flatMap { pair in "ab".map { pair + String($0) } }
    case "one host": pairs.map { #"^https?://([^/]+\.)?example\.com/\#($0)"# }
    case "one host, open ends":
      pairs.map { #"^[^:]+:(//)?([^/]+\.)?example\.com\#($0)([^-_.%A-Za-z0-9].*)?$"# }
    case "one host, repetitions":
      pairs.map { #"^https?://([^/]+\.)?example\.com/\#($0)([^a-z]b*)+$"# }
    case "one host, several names":
      pairs.map { #"^https?:\/\/([^/]+\.)?e?xam[op]?ple\.com/\#($0)(ab)?([^a-z]b*)?$"# }
    case "one host, names in the ending":
      pairs.map { #"^https?://([^/]+\.)?example\.com/\#($0)(e?f?g?)i"# }
    case "endings of names": pairs.map { #"^https?://([^/]+\.)?\#($0)ads[x-z]b?c"# }
    case "names": pairs.map { #"^https?://([^/]+\.)?[xyz]?\#($0)[.-]?test[/:?]"# }
    case "sets": pairs.map { "[a-f0-9][^/:]\\.\($0)[xyz]?" }
    case "sets repeated": pairs.map { "^[^:]+:(//)?.*[a-f0-9]+[^/:]*\\.\($0)" }
    case "one text": pairs.map { "/ads/[0-9]+/\($0)" }
    case "optional letters": [String(repeating: "a?b?", count: 600) + "x"]
    case "a long group": ["(ab)+" + String(repeating: "c", count: 6_000)]
    // WebKit compiles a million letters in under a second; quadratic work would take minutes.
    case "a long text": [pairs.joined() + String(repeating: "c", count: 400_000)]
    case "groups nested deep":
      [
        String(repeating: "(", count: 1_500) + "a" + String(repeating: ")", count: 1_500)
      ]
    case "groups repeated deep":
      [
        String(repeating: "(", count: 1_200) + "a" + String(repeating: "b)+", count: 1_200)
      ]
    default: preconditionFailure("no kind \(kind)")
    }
  }

  private static func list(_ kind: String) -> [UInt8] {
    listText(
      patterns(kind).map { pattern in
        let text = pattern.replacing("\\", with: "\\\\")
        return (#""url-filter":"\#(text)""#, #""type":"block""#)
      }
    )
  }

  @Test(
    "what WebKit compiles soon is checked and compiled",
    arguments: [
      "two letters", "two gaps", "three letters", "one host", "one text", "optional letters",
      "a long group", "a long text", "groups nested deep", "groups repeated deep",
    ]
  )
  func taken(_ kind: String) throws {
    let json = Self.list(kind)
    let report = RuleListReader.read(json, options: ContentRuleList.readingOptions())
    #expect(report.isAccepted, "\(report.diagnostics.filter { $0.severity == .error })")
    _ = try ContentRuleList(identifier: "list", encodedContentRuleList: json)
  }

  struct Excess: Sendable {
    var kind: String
    var limit: @Sendable (inout CompilerLimits) -> Void

    init(_ kind: String, _ limit: @escaping @Sendable (inout CompilerLimits) -> Void) {
      self.kind = kind
      self.limit = limit
    }
  }

  @Test(
    "a list beyond a limit is refused by both in the same words",
    arguments: [
      Excess("two letters") { $0.instructionsPerLoad = 400 },
      Excess("two gaps") { $0.instructionsPerLoad = 400 },
      Excess("one host") { $0.instructionsPerHost = 400 },
      Excess("one text") { $0.instructionsPerText = 100 },
      Excess("optional letters") { $0.instructionsPerFilter = 400 },
      Excess("optional letters") { $0.threadsPerFilter = 400 },
      Excess("a long group") { $0.instructionsPerFilter = 400 },
      Excess("groups repeated deep") { $0.instructionsPerLoad = 400 },
    ]
  )
  func refused(_ excess: Excess) throws {
    var limits = CompilerLimits()
    excess.limit(&limits)
    let json = Self.list(excess.kind)
    let report = RuleListReader.read(
      json,
      options: ContentRuleList.readingOptions(limits: limits)
    )
    #expect(!report.isAccepted)
    #expect(report.webKitError == nil)
    #expect(report.ruleList == nil)
    let own = try #require(report.limitError)
    #expect(own.code == .exceedsLimits)
    #expect(own.severity == .error)
    #expect(report.diagnostics.contains { $0.code == .exceedsLimits })
    do throws(RuleListError) {
      _ = try ContentRuleList.compile(json, limits: limits)
      Issue.record("nothing was thrown")
    } catch {
      guard case .exceedsLimits(let fault) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(fault.rule == own.location.ruleIndex)
      #expect(fault.message == own.message)
    }
  }

  @Test("what is counted while reading is never less than what compiling counts")
  func costIsAnUpperBound() throws {
    // Sets each limit to the count of the reader: the list must then compile.
    for kind in [
      "two letters", "two gaps", "three letters", "one host", "one host, open ends",
      "one host, repetitions", "one host, several names", "names", "endings of names",
      "one host, names in the ending", "sets", "sets repeated", "one text",
    ] {
      let json = Self.list(kind)
      let cost = RuleListReader.read(json).matchingCost
      if kind == "one host, open ends" { #expect(cost.elsewhere == 0) }
      var limits = CompilerLimits()
      limits.instructionsPerHost = cost.atHosts
      limits.instructionsPerLoad = cost.elsewhere
      limits.instructionsPerText = cost.elsewhere
      limits.instructionsPerLongURL = cost.elsewhere
      _ = try ContentRuleList.compile(json, limits: limits)
    }
  }
}
