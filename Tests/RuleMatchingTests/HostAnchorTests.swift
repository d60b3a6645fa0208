import ContentRules
import EngineTestSupport
import RuleMatching
import TestSupport
import Testing

@Suite("Host anchors")
struct HostAnchorTests {
  /// What may follow an anchor: keys of every kind, with and without a tail.
  static let hosts = ["ab[:/]", "a$", "abab", "a.b/", "abababab", "b[^a-z0-9_.-]", "ab([/:].*)?$"]

  @Test(
    "the scanner finds a host where the anchor's automaton does",
    arguments: HostAnchor.allCases,
    hosts
  )
  func scanner(_ anchor: HostAnchor, _ host: String) throws {
    let pattern = "\(anchor.pattern)\(host)"
    let oracle = try PatternOracle(pattern)
    var decider = Decider(try CompiledRuleList(validating: compile([Rule(0, pattern)])))
    var random = RandomSource(
      seed: (UInt64(anchor.rawValue) &* 31 &+ UInt64(host.utf8.count)) &* 97 &+ Effort.seed
    )
    let alphabet = Array("htpswabAB.:/-_@+9".utf8)
    let starts = ["http://", "https://", "ws://", "x:", "HTTP://", "a+b://", "http:/", "http:///"]
    var matched = 0
    for round in 0..<200 * Effort.factor {
      var url: [UInt8]
      switch round % 4 {
      case 0: url = random.text(of: alphabet, upTo: 14)
      case 1:
        url = Array(starts[round / 4 % starts.count].utf8) + random.text(of: alphabet, upTo: 8)
      case 2: url = oracle.matchingText(&random)
      default: url = random.mutated(oracle.matchingText(&random), alphabet: alphabet)
      }
      if round % 7 == 0 { url += Array("://".utf8) + random.text(of: alphabet, upTo: 8) }
      guard url.allSatisfy({ 1..<128 ~= $0 }) else { continue }
      let expected = oracle.matches(url)
      matched += expected ? 1 : 0
      #expect(
        decider.rules(url) == (expected ? [0] : []),
        "\(String(decoding: url, as: UTF8.self))"
      )
    }
    #expect(matched > 10)
  }

  @Test("all short texts over the characters that matter", arguments: HostAnchor.allCases)
  func exhaustive(_ anchor: HostAnchor) throws {
    let pattern = "\(anchor.pattern)a[:/]"
    let oracle = try PatternOracle(pattern)
    var decider = Decider(try CompiledRuleList(validating: compile([Rule(0, pattern)])))
    let alphabet = Array("ah.:/".utf8)
    let start = Array(
      [.http, .httpExact, .httpSlashes].contains(anchor) ? "http:".utf8 : "h:".utf8
    )
    for length in 0...4 {
      for number in 0..<(0..<length).reduce(1, { count, _ in count * alphabet.count }) {
        var rest = number
        var url = start + Array("//".utf8.prefix(number % 3))
        for _ in 0..<length {
          url.append(alphabet[rest % alphabet.count])
          rest /= alphabet.count
        }
        url.append(UInt8(ascii: "/"))
        #expect(
          decider.rules(url) == (oracle.matches(url) ? [0] : []),
          "\(String(decoding: url, as: UTF8.self))"
        )
      }
    }
  }
}
