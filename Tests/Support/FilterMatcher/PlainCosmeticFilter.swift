/// A filter that hides elements, or an exception to one.
struct PlainCosmeticFilter: Sendable {
  /// The line, without spaces around it.
  var text: String
  var isException: Bool
  var domains: DomainCondition
  var selector: String

  /// What a line is, seen by its separator.
  enum Kind {
    /// No cosmetic filter.
    case none
    /// Hides, or an exception.
    case hiding(PlainCosmeticFilter)
    /// Does something that a style sheet alone cannot, or names domains in a way not modelled.
    case other
  }

  /// Tells what a line is.
  ///
  /// A domain list has none of `/ | @ " !`, so that `##` within a URL is no separator.
  static func kind(of line: Substring) -> Kind {
    guard let hash = line.firstIndex(where: { "#/|@\"!".contains($0) }), line[hash] == "#"
    else { return .none }
    let rest = line[line.index(after: hash)...]
    let sign = rest.prefix { "@?$%".contains($0) }
    let behind = rest.dropFirst(sign.count)
    guard behind.hasPrefix("#"), sign.count <= 3 else { return .none }
    let selector = String(behind.dropFirst()).trimmed
    guard !selector.isEmpty else { return .none }
    guard sign.isEmpty || sign == "@", isPlain(selector),
      let domains = DomainCondition(line[..<hash].split(separator: ","))
    else { return .other }
    return .hiding(
      PlainCosmeticFilter(
        text: String(line),
        isException: sign == "@",
        domains: domains,
        selector: selector
      )
    )
  }

  /// Whether a selector is CSS, as far as its marks tell; others are procedural.
  private static func isPlain(_ selector: String) -> Bool {
    guard !selector.hasPrefix("+js("), !selector.hasPrefix("^"), !selector.hasPrefix("script:")
    else { return false }
    let procedural = [
      ":-abp-", ":contains(", ":has-text(", ":matches-css", ":xpath(", ":upward(", ":remove(",
      ":style(", ":nth-ancestor(", ":min-text-length(", ":watch-attr", ":matches-path(",
      ":matches-attr(", ":matches-property(", ":matches-prop(", ":others(", ":if(", ":if-not(",
      ":properties(", ":-abp-properties(", ":matches-media(", ":remove-attr(", ":remove-class(",
      "[-ext-",
    ]
    return !procedural.contains { selector.contains($0) }
  }
}

extension String {
  /// Without spaces around it.
  var trimmed: String { String(self[...].trimmed) }
}

extension Substring {
  var trimmed: Substring {
    let begun = drop(while: \.isWhitespace)
    guard let last = begun.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return begun[...last]
  }
}
