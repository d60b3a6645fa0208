import ReferenceMatcher
import TestSupport
import Testing

@Suite struct VectorTests {
  @Test(arguments: [
    "actions-order", "automaton", "conditions", "observed", "regex", "resource-load-method",
  ])
  func matchVectorsHold(_ name: String) throws {
    let groups = try #require(try Vectors.json("match-\(name).json").array)
    var cases = 0
    for group in groups.compactMap(\.object) {
      let title = group["group"]?.string ?? ""
      let lists = try (group["lists"]?.array ?? []).map {
        try ReferenceRuleList(value: $0) { _ in true }
      }
      if let expected = group["global_stylesheet"]?.boolean {
        #expect(
          lists.allSatisfy { $0.globalHidingSelectors.isEmpty != expected },
          "\(title)"
        )
      }
      let isUnordered = group["unordered_between_lists"] == .boolean(true)
      for vector in (group["cases"]?.array ?? []).compactMap(\.object) {
        check(vector, lists, isUnordered: isUnordered, title)
        cases += 1
      }
    }
    #expect(cases > 0)
  }

  private func check(
    _ vector: [String: JSONValue],
    _ lists: [ReferenceRuleList],
    isUnordered: Bool,
    _ title: String
  ) {
    func url(_ key: String) -> String? { vector[key]?.string.map(canonicalURL) }
    guard let loadURL = url("url"), let topURL = url("top_url"),
      let type = vector["resource_type"]?.string, let expected = vector["expect"]?.array
    else {
      Issue.record("\(title): incomplete vector")
      return
    }
    let load = ReferenceLoad(
      url: loadURL,
      topURL: topURL,
      frameURL: url("frame_url"),
      resourceType: type,
      isFirstParty: isFirstParty(loadURL, top: topURL),
      loadContext: vector["load_context"]?.string ?? "child-frame",
      method: vector["method"]?.string
    )
    let results = lists.map { $0.evaluate(load) }

    var wanted = expected.compactMap(\.object)
    var actions = results.flatMap(\.actions).map(\.action)
    if title.hasPrefix("observed") || title.contains("/observed") {
      actions.removeAll { $0.type != "block" }
    }
    if isUnordered {
      wanted.sort { ($0["type"]?.string ?? "") < ($1["type"]?.string ?? "") }
      actions.sort { $0.type < $1.type }
    }
    let agrees =
      wanted.count == actions.count
      && zip(wanted, actions).allSatisfy { wanted, action in
        var fields = action.fields
        fields["type"] = .string(action.type)
        return wanted.allSatisfy { fields[$0.key] == $0.value }
      }
    #expect(
      agrees,
      "\(title): \(load) gave \(actions), wanted \(JSONValue.array(expected).text)"
    )
    if let count = vector["stylesheets"]?.number {
      #expect(
        results.count { !$0.ignoredPreviousRules } == Int(count),
        "\(title): \(load)"
      )
    }
  }

  @Test func patternVectorsHold() throws {
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
      let list = try Self.list(patterns.map(\.text), isCaseSensitive: isCaseSensitive)
      for vector in (group["cases"]?.array ?? []).compactMap(\.object) {
        let input = try #require(vector["input"]?.string)
        let wanted = (vector["match_ids"]?.array ?? []).compactMap(\.number).map { Int($0) }
        let found = Set(Self.matching(list, input).map { patterns[$0].id })
        #expect(found == Set(wanted), "\(group["group"]?.string ?? ""): \(input)")
      }
      guard isGenerated else { continue }
      // Each pattern is also met in one of four shapes; some of them are tried.
      for number in stride(from: 0, to: patterns.count, by: 1019) {
        let pattern = patterns[number].text
        let shape = pattern.utf8.reduce(0) { $0 + Int($1) } % 4
        let broken = String(pattern.prefix(3)) + "x"
        let inputs = [broken + pattern.suffix(1), broken + pattern, pattern, pattern + "x"]
        #expect(
          Self.matching(list, inputs[shape]) == (shape == 0 ? [] : [number]),
          "\(pattern) in \(inputs[shape])"
        )
      }
    }
  }

  /// A list with one blocking rule for each pattern.
  private static func list(
    _ patterns: [String],
    isCaseSensitive: Bool
  ) throws -> ReferenceRuleList {
    let rules = patterns.map { pattern in
      JSONValue.object([
        "action": .object(["type": .string("block")]),
        "trigger": .object([
          "url-filter": .string(pattern),
          "url-filter-is-case-sensitive": .boolean(isCaseSensitive),
        ]),
      ])
    }
    return try ReferenceRuleList(value: .array(rules)) { _ in true }
  }

  /// The rules whose patterns are found in a raw text.
  private static func matching(_ list: ReferenceRuleList, _ text: String) -> [Int] {
    list.evaluate(
      ReferenceLoad(url: text, topURL: "", resourceType: "other", isFirstParty: true)
    ).matched.map(\.rule)
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

  @Test(arguments: ["url-filter", "url-filter-observed"])
  func urlFilterVectorsHold(_ name: String) throws {
    let groups = try #require(try Vectors.json("\(name).json").array)
    for vector in groups.flatMap({ $0.object?["cases"]?.array ?? [] }).compactMap(\.object) {
      var pattern = vector["pattern"]?.string ?? ""
      if let generator = vector["pattern_generator"]?.object {
        let count = Int(generator["count"]?.number ?? 0)
        pattern = String(repeating: generator["repeat"]?.string ?? "", count: count)
      }
      let wanted = vector["expected_kind"]?.string ?? vector["status"]?.string
      #expect(status(of: pattern) == wanted, "\(pattern.prefix(60))")
    }
  }

  private func status(of pattern: String) -> String? {
    do {
      return try ReferencePattern(pattern).matchesEverything ? "MatchesEverything" : "Ok"
    } catch let refusal as ReferenceRefusal {
      return refusal.patternStatus
    } catch { return "\(error)" }
  }

  @Test(arguments: ["errors", "errors-observed"])
  func errorVectorsHold(_ name: String) throws {
    let groups = try #require(try Vectors.json("\(name).json").array)
    for vector in groups.flatMap({ $0.object?["cases"]?.array ?? [] }).compactMap(\.object) {
      let text = vector["json"]?.string ?? Self.generated(vector["json_generator"]?.object ?? [:])
      let wanted = vector["error"]?.string
      // The inner form of redirects is left to the engine's own tests.
      if wanted?.hasPrefix("JSONRedirect") == true && wanted != "JSONRedirectMissing" { continue }
      if wanted?.contains("Parameters") == true { continue }
      var name: String?
      do {
        _ = try ReferenceRuleList(jsonText: text.utf8) { Self.isPlausible($0) }
      } catch let refusal as ReferenceRefusal { name = refusal.name }
      #expect(name == wanted, "\(text.prefix(300))")
    }
  }

  private static func isPlausible(_ selector: String) -> Bool {
    !selector.isEmpty && !selector.hasSuffix(",") && !selector.hasPrefix("##")
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
}
