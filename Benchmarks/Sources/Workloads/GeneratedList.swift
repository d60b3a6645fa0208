/// A rule list generated from a seed, with the shapes and shares of real lists.
///
/// The shares were counted in EasyList and EasyPrivacy, as written by two converters in use. No
/// rule is copied from them.
public struct GeneratedList: Sendable {
  /// The style of the rules.
  public enum Dialect: String, CaseIterable, Sendable {
    /// As AdGuard's converter does: few conditions, one host anchor, `.*` for rules that hide.
    case short
    /// As eyeo's converter does: nearly all rules with types and an `unless-domain`, most of them
    /// case-sensitive, a quarter with `.*`.
    case conditional
  }

  /// The style of the rules.
  public let dialect: Dialect
  /// The number of rules.
  public let ruleCount: Int
  let names: Names

  /// Creates a description of a list.
  public init(dialect: Dialect = .short, ruleCount: Int, seed: UInt64 = 1) {
    self.dialect = dialect
    self.ruleCount = ruleCount
    names = Names(seed: seed)
  }

  /// A descriptive name.
  public var name: String { "generated-\(dialect.rawValue)-\(ruleCount)" }

  /// The whole list as JSON.
  public func json() -> [UInt8] { json(rules: 0..<ruleCount) }

  /// Returns some of the rules, as a list of their own.
  public func json(rules: Range<Int>) -> [UInt8] {
    var text = "["
    for number in rules {
      text += number == rules.lowerBound ? "\n" : ",\n"
      var random = SeededGenerator(seed: names.seed ^ UInt64(number) &* 0xD134_2543_DE82_EF95)
      switch dialect {
      case .short: appendShortRule(number, &random, to: &text)
      case .conditional: appendConditionalRule(number, &random, to: &text)
      }
    }
    text += "\n]\n"
    return Array(text.utf8)
  }

  private var siteCount: Int { max(200, ruleCount / 7) }

  /// Returns domains for a condition, as a list in JSON: mostly one, rarely many.
  ///
  /// A list ten times as long names ten times as many sites, so that a page meets the same number
  /// of conditions.
  func domains(_ random: inout SeededGenerator) -> String {
    let count =
      switch random.share() {
      case ..<0.62: 1
      case ..<0.90: 2 + random.below(4)
      case ..<0.99: 6 + random.below(95)
      default: 101 + random.below(430)
      }
    return (0..<count)
      .map { _ in "\"*\(names.domain(Names.site(random.below(siteCount))))\"" }
      .joined(separator: ", ")
  }
}

extension String {
  /// Returns a pattern that matches exactly the text, escaped for a JSON string.
  ///
  /// Escapes slashes only on request, as converters differ in that.
  func asPattern(escapingSlashes: Bool = false) -> String {
    var pattern = ""
    for character in utf8 {
      switch character {
      case UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "+"), UInt8(ascii: "*"):
        pattern += "\\\\"
      case UInt8(ascii: "/") where escapingSlashes: pattern += "\\\\"
      default: break
      }
      pattern.unicodeScalars.append(Unicode.Scalar(character))
    }
    return pattern
  }
}
