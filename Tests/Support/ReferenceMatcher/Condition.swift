/// A condition on the page or the frame: some entry matches, or none does.
///
/// > Source: The rule language, sections 2.1 and 6.4.
struct Condition {
  /// The condition keys, in the order in which they are looked for.
  enum Kind: String, CaseIterable {
    case ifDomain = "if-domain"
    case unlessDomain = "unless-domain"
    case ifTopURL = "if-top-url"
    case unlessTopURL = "unless-top-url"
    case ifFrameURL = "if-frame-url"
    case unlessFrameURL = "unless-frame-url"

    var isUnless: Bool { rawValue.hasPrefix("unless") }
    var looksAtFrame: Bool { self == .ifFrameURL || self == .unlessFrameURL }
    var isDomain: Bool { self == .ifDomain || self == .unlessDomain }
  }

  let kind: Kind
  let isCaseSensitive: Bool
  let patternTexts: [String]
  private var patterns: [SearchPattern] = []

  init(_ kind: Kind, _ value: JSONValue, isCaseSensitive: Bool) throws {
    self.kind = kind
    self.isCaseSensitive = isCaseSensitive
    guard let members = value.array, !members.isEmpty else {
      throw ReferenceRefusal(name: "JSONInvalidConditionList")
    }
    patternTexts = try members.map { member in
      guard let entry = member.string, !entry.isEmpty else {
        throw ReferenceRefusal(name: "JSONInvalidConditionList")
      }
      guard kind.isDomain else { return entry }
      let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z")
      guard entry.utf8.allSatisfy({ $0 < 128 && !isCapital.contains($0) }) else {
        throw ReferenceRefusal(name: "JSONDomainNotLowerCaseASCII")
      }
      return Self.pattern(forDomain: entry)
    }
  }

  /// Rewrites a domain entry as the pattern that is searched for in the top URL.
  static func pattern(forDomain entry: String) -> String {
    var entry = Substring(entry)
    var pattern = "[a-z][a-z+.-]*://"
    if entry.hasPrefix("*") {
      entry.removeFirst()
      pattern += "([^/]*\\.)*"
    }
    for character in entry {
      switch character {
      case "\\", "{", "}", ".", "?", "*", "$": pattern += "\\\(character)"
      // Escaped twice: what remains is a backslash, then the opening of a set.
      case "[": pattern += "\\\\["
      default: pattern.append(character)
      }
    }
    return pattern + "[:/]"
  }

  mutating func preparePatterns(_ cache: inout PatternCache) throws {
    patterns = try patternTexts.map {
      try cache.pattern($0, isCaseSensitive: isCaseSensitive)
    }
  }

  func someEntryMatches(_ load: SearchedLoad) -> Bool {
    let text = kind.looksAtFrame ? load.frameURL : load.topURL
    return patterns.contains { $0.matches(text, load.options) }
  }
}
