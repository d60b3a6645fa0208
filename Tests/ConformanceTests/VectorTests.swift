import EngineComparison
import ReferenceMatcher
import TestSupport
import Testing

/// Runs the recorded vectors over every engine.
@Suite struct VectorTests {
  static let matchFiles = [
    "actions-order", "automaton", "conditions", "observed", "regex", "resource-load-method",
  ]

  @Test(arguments: matchFiles, TestedEngine.all)
  func matchVectorsHold(_ file: String, _ tested: TestedEngine) throws {
    let groups = try #require(try Vectors.json("match-\(file).json").array)
      .compactMap { VectorGroup($0) }
    for group in groups { try group.check(tested.engine) }
    #expect(groups.reduce(0) { $0 + $1.cases.count } > 20)
  }

  @Test(arguments: ["errors", "errors-observed"], TestedEngine.all)
  func listsAreAcceptedAndRefused(_ file: String, _ tested: TestedEngine) throws {
    let groups = try #require(try Vectors.json("\(file).json").array)
    for vector in groups.flatMap({ $0.object?["cases"]?.array ?? [] }).compactMap(\.object) {
      let text = vector["json"]?.string ?? Self.generated(vector["json_generator"]?.object ?? [:])
      #expect(
        tested.engine.refusal(of: Array(text.utf8)) == vector["error"]?.string,
        "\(text.prefix(300))"
      )
    }
  }

  private static func generated(_ generator: [String: JSONValue]) -> String {
    func text(_ key: String) -> String { generator[key]?.string ?? "" }
    if let depth = generator["depth"]?.number.map({ Int($0) }) {
      return String(repeating: text("open"), count: depth)
        + String(repeating: text("close"), count: depth)
    }
    let rules = Array(repeating: text("rule"), count: Int(generator["count"]?.number ?? 0))
    return text("prefix") + rules.joined(separator: text("separator")) + text("suffix")
  }

  /// A pattern that matches everything shows by its selector in the global sheet.
  @Test(arguments: ["url-filter", "url-filter-observed"], TestedEngine.all)
  func patternsAreAcceptedAndRefused(_ file: String, _ tested: TestedEngine) throws {
    let groups = try #require(try Vectors.json("\(file).json").array)
    for vector in groups.flatMap({ $0.object?["cases"]?.array ?? [] }).compactMap(\.object) {
      var pattern = vector["pattern"]?.string ?? ""
      if let generator = vector["pattern_generator"]?.object {
        let count = Int(generator["count"]?.number ?? 0)
        pattern = String(repeating: generator["repeat"]?.string ?? "", count: count)
      }
      let list = Self.list([pattern], action: ["css-display-none"])
      switch vector["expected_kind"]?.string ?? vector["status"]?.string {
      case "Ok":
        #expect(try tested.engine.load([list]).globalSelectors == [nil], "\(pattern.prefix(60))")
      case "MatchesEverything":
        #expect(try tested.engine.load([list]).globalSelectors == ["a"], "\(pattern.prefix(60))")
      case "EmptyPattern":
        #expect(tested.engine.refusal(of: list) == "JSONInvalidURLFilterInTrigger")
      default:
        #expect(
          tested.engine.refusal(of: list) == "JSONInvalidRegex",
          "\(pattern.prefix(60))"
        )
      }
    }
  }

  /// A list of one rule for each pattern.
  private static func list(
    _ patterns: [String],
    isCaseSensitive: Bool = false,
    action words: [String] = ["block"]
  ) -> [UInt8] {
    let rules = patterns.map { pattern in
      JSONValue.object([
        "action": .object(["type": .string(words[0]), "selector": .string("a")]),
        "trigger": .object([
          "url-filter": .string(pattern),
          "url-filter-is-case-sensitive": .boolean(isCaseSensitive),
        ]),
      ])
    }
    return Array(JSONValue.array(rules).text.utf8)
  }

  @Test(arguments: TestedEngine.all)
  func patternsAreFoundInRawTexts(_ tested: TestedEngine) throws {
    let groups = try #require(try Vectors.json("pattern-match.json").array)
    for group in groups.compactMap(\.object) {
      let isCaseSensitive = group["case_sensitive"] == .boolean(true)
      var patterns: [(text: String, id: Int)] = (group["patterns"]?.array ?? []).compactMap {
        guard let text = $0.object?["pattern"]?.string, let id = $0.object?["id"]?.number
        else { return nil }
        return (text, Int(id))
      }
      let isGenerated = group["patterns_generator"] != nil
      if isGenerated { patterns = Self.fourLetterPatterns() }
      let loaded = try tested.engine.load([
        Self.list(patterns.map(\.text), isCaseSensitive: isCaseSensitive)
      ])
      for vector in (group["cases"]?.array ?? []).compactMap(\.object) {
        let input = try #require(vector["input"]?.string)
        let wanted = (vector["match_ids"]?.array ?? []).compactMap(\.number).map { Int($0) }
        let found = Set(loaded.rules(matching: input).map { patterns[$0].id })
        #expect(found == Set(wanted), "\(group["group"]?.string ?? ""): \(input)")
      }
      guard isGenerated else { continue }
      // Each pattern is also met in one of four shapes; some of them are tried.
      for number in stride(from: 0, to: patterns.count, by: 2039) {
        let pattern = patterns[number].text
        let shape = pattern.utf8.reduce(0) { $0 + Int($1) } % 4
        let broken = String(pattern.prefix(3)) + "x"
        let inputs = [broken + pattern.suffix(1), broken + pattern, pattern, pattern + "x"]
        #expect(
          loaded.rules(matching: inputs[shape]) == (shape == 0 ? [] : [number]),
          "\(pattern) in \(inputs[shape])"
        )
      }
    }
  }

  /// All texts of three letters A to Z and one letter A to C.
  private static func fourLetterPatterns() -> [(text: String, id: Int)] {
    let letters = (0..<26).map { String(Character(Unicode.Scalar(UInt8(65 + $0)))) }
    var patterns: [(text: String, id: Int)] = []
    for first in letters {
      for second in letters {
        for third in letters {
          for fourth in letters.prefix(3) {
            patterns.append((first + second + third + fourth, patterns.count))
          }
        }
      }
    }
    return patterns
  }

  @Test(arguments: TestedEngine.judgingSelectors)
  func rulesAreSkippedForTheirSelectors(_ tested: TestedEngine) throws {
    let groups = try #require(try Vectors.json("selectors-observed.json").array)
    let cases = groups.flatMap { $0.object?["cases"]?.array ?? [] }.compactMap(\.object)
    #expect(cases.count > 500)
    for vector in cases {
      let rule = JSONValue.object([
        "action": .object([
          "type": .string("css-display-none"), "selector": vector["selector"] ?? .null,
        ]),
        "trigger": .object(["url-filter": .string("a")]),
      ])
      let refusal = tested.engine.refusal(of: Array(JSONValue.array([rule]).text.utf8))
      #expect(
        refusal == (vector["valid"] == .boolean(true) ? nil : "JSONContainsNoRules"),
        "\(vector["selector"]?.string ?? "")"
      )
    }
  }
}
