public import ReferenceMatcher
public import TestSupport

/// Damages rule lists slightly, so that readers meet valid, almost valid and invalid ones.
public struct RuleListMutator: Sendable {
  /// Makes a mutator.
  public init() {}

  // MARK: Values

  /// Replaces a value somewhere in a list by one that may or may not be allowed there.
  public func mutated(_ value: JSONValue, using random: inout RandomSource) -> JSONValue {
    var value = value
    for _ in 0...random.number(below: 3) { value = changed(value, &random) }
    return value
  }

  private func changed(_ value: JSONValue, _ random: inout RandomSource) -> JSONValue {
    // Most changes are made some way down, because that is where the many checks are.
    let staysHere = random.chance(4)
    switch value {
    case .array(var members) where !members.isEmpty && !staysHere:
      let index = random.number(below: members.count)
      switch random.number(below: 12) {
      case 0: members.remove(at: index)
      case 1: members.insert(members[index], at: index)
      case 2: members.append(replacement(&random))
      default: members[index] = changed(members[index], &random)
      }
      return .array(members)
    case .object(var members) where !members.isEmpty && !staysHere:
      let key = random.pick(members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      switch random.number(below: 12) {
      case 0: members[key] = nil
      case 1: members[random.pick(Self.keys)] = replacement(&random)
      case 2:
        members[random.pick(Self.keys)] = members[key]
        members[key] = nil
      case 3: members[random.pick(Self.keys)] = .array([.string(random.pick(Self.strings))])
      default: members[key] = changed(members[key] ?? .null, &random)
      }
      return .object(members)
    case .string(let text) where !staysHere:
      guard random.chance(60) else { return .string(random.pick(Self.strings)) }
      var bytes = Array(text.utf8)
      let place = random.number(below: bytes.count + 1)
      if !bytes.isEmpty && random.chance(30) {
        bytes.remove(at: min(place, bytes.count - 1))
      } else {
        bytes.insert(contentsOf: random.pick(Self.fragments).utf8, at: place)
      }
      return .string(String(decoding: bytes, as: UTF8.self))
    default: return replacement(&random)
    }
  }

  private func replacement(_ random: inout RandomSource) -> JSONValue {
    random.pick([
      .null, .boolean(true), .boolean(false), .number(0), .number(-1), .number(1.5), .number(1e300),
      .string(""), .string(random.pick(Self.strings)), .array([]), .object([:]),
      .array([.string(random.pick(Self.strings))]), .array([.null]),
      .object(["type": .string(random.pick(Self.strings))]),
    ])
  }

  private static let keys = [
    "trigger", "action", "url-filter", "url-filter-is-case-sensitive", "resource-type",
    "top-url-filter-is-case-sensitive", "frame-url-filter-is-case-sensitive", "load-type",
    "load-context", "request-method", "if-domain", "unless-domain", "if-top-url",
    "unless-top-url", "if-frame-url", "unless-frame-url", "type", "selector", "notification",
    "redirect", "url", "transform", "regex-substitution", "extension-path", "priority",
    "request-headers", "response-headers", "operation", "header", "value", "_identifier",
    "_rulesetIdentifier", "if-ancestor-frame-url", "port", "query", "query-transform", "scheme",
    "fragment", "host", "remove-parameters", "add-or-replace-parameters", "key", "replace-only",
  ]
  private static let strings =
    RuleGenerator.actionTypes + [
      "BLOCK", "image", "Image", "raw", "first-party", "top-frame", "GET", "a", "a|b", "(", "[",
      ".*", "^$", "\u{E9}", "a.com", "*", "A.com", "/r.js", "https://a.com/", "javascript:a",
      "##", ".ad", "\\", "a{2}", "(?=a)", "$a", "#a", "?a", "65536", "set", "x\u{0}",
    ]
  private static let fragments = [
    "|", "(", ")", "[", "]", "{", "}", "{1}", "{0,1}", "*", "+", "?", "^", "$", "\\", "\\d", "\\b",
    "\\0", "\\xff", "(?:", "(?<n>", "(?=", "[^", "[\\w]", "[z-a]", "\u{E9}", "A", ".", "\u{0}",
    "\\k<n>", "\\1", "\\c", "\\u{41}", "[]", "[^]", "**", "-",
  ]

  // MARK: Texts

  /// Damages a text here or there: cuts, copies, swaps, changes and inserts.
  public func mutated(_ text: [UInt8], using random: inout RandomSource) -> [UInt8] {
    var bytes = text
    for _ in 0...random.number(below: 3) {
      let start = random.number(below: bytes.count + 1)
      let end = min(bytes.count, start + random.number(in: 0...random.pick([1, 4, 40])))
      switch random.number(below: 8) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: Array(bytes[start..<end]), at: start)
      case 2 where random.chance(30): bytes.removeSubrange(start...)
      case 3 where start < bytes.count: bytes[start] ^= 1 << UInt8(random.number(below: 8))
      case 4 where start < bytes.count: bytes[start] = UInt8(random.number(below: 256))
      default: bytes.insert(contentsOf: random.pick(Self.tokens).utf8, at: start)
      }
    }
    return bytes
  }

  private static let tokens = [
    "null", "true", "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "\\x41", "\\v",
    "\\q", "01", "-", "1e400", "1.", "//", "/**/", "\u{FEFF}", "\u{C}", "\u{0}", "'", " ", "\n",
    "\"url-filter\":", "\"trigger\":{}", "\"if-domain\":[],", "[[[[[[[[", "0.5e-3", "NaN", "\u{7F}",
    "{},", "\"\\u00e9\"",
  ]
}
