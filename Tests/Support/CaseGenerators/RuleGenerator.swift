import ReferenceMatcher
internal import TestSupport

/// Draws rules as JSON values.
struct RuleGenerator {
  let names: Names
  let options: CaseOptions
  private var patterns: PatternGenerator
  private var earlierTriggers: [[String: JSONValue]] = []

  init(names: Names, options: CaseOptions) {
    self.names = names
    self.options = options
    patterns = PatternGenerator(names: names, options: options)
  }

  mutating func rule(_ random: inout RandomSource) -> JSONValue {
    let action = action(&random)
    let hides = action.object?["type"] == .string("css-display-none")
    var trigger: [String: JSONValue]
    if !earlierTriggers.isEmpty && random.chance(options.repetition) {
      trigger = random.pick(earlierTriggers)
      if random.chance(50) {
        trigger = self.trigger(filter: trigger["url-filter"], hides: hides, &random)
      }
    } else {
      trigger = self.trigger(filter: nil, hides: hides, &random)
    }
    earlierTriggers.append(trigger)
    var rule = ["trigger": JSONValue.object(trigger), "action": action]
    if random.chance(options.identifiers) {
      rule["_identifier"] = .number(Double(random.number(in: 0...3)))
      if random.chance(50) { rule["_rulesetIdentifier"] = .string("s") }
    }
    if random.chance(3) { rule["comment"] = .array([.null, .boolean(true)]) }
    return .object(rule)
  }

  // MARK: Triggers

  private static let resourceTypes = [
    "document", "top-document", "child-document", "image", "style-sheet", "script", "font", "raw",
    "svg-document", "media", "popup", "ping", "fetch", "websocket", "csp-report", "other",
  ]
  private static let methods = [
    "get", "GET", "post", "head", "options", "trace", "put", "delete", "patch", "connect", "Post",
  ]

  private mutating func trigger(
    filter: JSONValue?,
    hides: Bool,
    _ random: inout RandomSource
  ) -> [String: JSONValue] {
    let universal = options.universalPatterns * (hides ? 4 : 1)
    var trigger = [
      "url-filter": filter ?? .string(patterns.pattern(&random, universal: universal))
    ]
    func words(_ choices: [String], _ most: Int) -> JSONValue {
      if random.chance(5) { return .array([]) }
      let count = random.number(in: 1...most)
      return .array((0..<count).map { _ in .string(random.pick(choices)) })
    }
    if random.chance(options.flags * 2) { trigger["resource-type"] = words(Self.resourceTypes, 5) }
    if random.chance(options.flags) {
      trigger["load-type"] = words(["first-party", "third-party"], 2)
    }
    if random.chance(options.flags) {
      trigger["load-context"] = words(["top-frame", "child-frame"], 2)
    }
    if random.chance(options.flags) {
      trigger["request-method"] = .string(
        random.pick(Self.methods.prefix(random.chance(60) ? 2 : 11) + [])
      )
    }
    for key in [
      "url-filter-is-case-sensitive", "top-url-filter-is-case-sensitive",
      "frame-url-filter-is-case-sensitive",
    ] where random.chance(12) {
      // Any other type counts as absent.
      trigger[key] = random.pick(weighted: [
        (70, .boolean(true)), (20, .boolean(false)), (4, .null), (3, .number(1)),
        (3, .string("true")),
      ])
    }
    if random.chance(options.conditions) { addCondition(to: &trigger, &random) }
    if random.chance(3) { trigger["if-ancestor-frame-url"] = .array([]) }
    return trigger
  }

  private mutating func addCondition(
    to trigger: inout [String: JSONValue],
    _ random: inout RandomSource
  ) {
    let key = random.pick([
      "if-domain", "unless-domain", "if-top-url", "unless-top-url", "if-frame-url",
      "unless-frame-url",
    ])
    let count = random.number(in: 1...(options.isHostile ? 40 : 3))
    let entries = (0..<count).map { _ in
      JSONValue.string(
        key.hasSuffix("domain") ? domainEntry(&random) : patterns.pattern(&random)
      )
    }
    trigger[key] = .array(entries)
  }

  private func domainEntry(_ random: inout RandomSource) -> String {
    let host = random.pick(names.hosts)
    return random.pick(weighted: [
      (50, host), (30, "*" + host), (4, "*." + host), (3, "*"), (3, host + ":8080"),
      (3, host + "."), (2, "10.0.0.9"), (1, "[::1]"), (2, "+" + host), (1, "a]"), (1, "a b"),
    ])
  }

  // MARK: Actions

  private static let selectors = [
    ".ad", "#b", "div > a", "a:has(b)", ".Ad", "[href^=\"a\"]", ".x, .y", "*",
  ]
  /// The actions in a fixed order, because a dictionary has none.
  static let actionTypes = [
    "block", "block-cookies", "css-display-none", "ignore-previous-rules",
    "ignore-following-rules", "make-https", "notify", "redirect", "modify-headers",
  ]

  private func action(_ random: inout RandomSource) -> JSONValue {
    let type = random.pick(
      weighted: Self.actionTypes.map { (weight: options.actionWeights[$0] ?? 0, value: $0) }
    )
    var action: [String: JSONValue] = ["type": .string(type)]
    switch type {
    case "css-display-none":
      // A text that no one takes for a selector list makes the rule one that is skipped.
      action["selector"] = .string(random.chance(4) ? "" : random.pick(Self.selectors))
    case "notify":
      action["notification"] = .string(random.pick(["", "x", "y", "\u{E9}"]))
    case "redirect":
      action["redirect"] = redirect(&random)
    case "modify-headers":
      action["priority"] = .number(random.pick([0, 1, 1.5, 7]))
      for key in ["request-headers", "response-headers"] where random.chance(60) {
        action[key] = .array((0..<random.number(in: 0...2)).map { _ in header(&random) })
      }
    default: break
    }
    if random.chance(3) { action["selector"] = action["selector"] ?? .string(".unused") }
    return .object(action)
  }

  private func redirect(_ random: inout RandomSource) -> JSONValue {
    let text = { (text: String) in JSONValue.string(text) }
    return random.pick([
      .object(["url": text("https://a.com/r")]), .object(["url": text("https://b.com/r")]),
      .object(["extension-path": text("/r.js")]),
      .object(["regex-substitution": text("https://a.com/\\1")]),
      .object(["transform": .object(["scheme": text("https"), "query": text("?a")])]),
      .object(["transform": .object(["fragment": text(""), "port": text("8080")])]),
    ])
  }

  private func header(_ random: inout RandomSource) -> JSONValue {
    let operation = random.pick(["set", "append", "remove"])
    var header: [String: JSONValue] = [
      "operation": .string(operation), "header": .string(random.pick(["X-A", "Cookie"])),
    ]
    if operation != "remove" { header["value"] = .string(random.pick(["a", "b"])) }
    return .object(header)
  }
}
