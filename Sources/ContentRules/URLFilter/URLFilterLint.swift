/// A finding about a valid pattern that probably does not do what its author wants.
public struct URLFilterFinding: Hashable, Sendable {
  /// The kind of finding.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The pattern matches every URL although it is not written `.*`.
    case matchesEverything = "matches-everything"
    /// An escape means something else than in other regular expressions.
    case misleadingEscape = "misleading-escape"
    /// A brace that looks like a quantifier stands for itself.
    case literalBrace = "literal-brace"
    /// The empty set: nothing can match it.
    case emptySet = "empty-set"
    /// A character that a serialised URL never contains.
    case impossibleCharacter = "impossible-character"
    /// A part that does not change what the pattern matches.
    case uselessPart = "useless-part"
    /// A full stop in a name matches any character.
    case unescapedDot = "unescaped-dot"
    /// Slashes and flags around the pattern, as in JavaScript, are part of it here.
    case delimiters = "delimiters"
  }

  /// The severity of a finding.
  public enum Severity: String, Hashable, Sendable {
    /// The rule very likely does something else than intended.
    case warning
    /// The pattern could be written better.
    case note
  }

  /// The kind of finding.
  public var code: Code
  /// The severity.
  public var severity: Severity
  /// Byte offsets within the pattern's UTF-8 text, half open.
  public var range: Range<Int>
  /// The problem in one sentence, without a full stop.
  public var message: String
  /// What to write instead, when there is something.
  public var hint: String?

  /// Creates a finding from its parts.
  public init(
    code: Code,
    severity: Severity,
    range: Range<Int>,
    message: String,
    hint: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.range = range
    self.message = message
    self.hint = hint
  }
}

/// Finds suspicious parts of valid patterns.
///
///     URLFilterLint.findings(#"ads.example\p"#, isCaseSensitive: false)
///     // unescapedDot at 3..<4, misleadingEscape at 11..<13
public enum URLFilterLint {
  /// Returns the findings of a pattern in the order of their places.
  ///
  /// - Parameters:
  ///   - text: The pattern's UTF-8 bytes.
  ///   - isCaseSensitive: Whether a letter stands for itself only.
  /// - Returns: The findings; none for an invalid pattern, whose fault comes first.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public static func findings(
    _ text: Span<UInt8>,
    isCaseSensitive: Bool
  ) -> [URLFilterFinding] {
    var terms: [Term] = []
    let parsed = URLFilterParser.parse(text, isCaseSensitive: isCaseSensitive, into: &terms)
    guard case .success(let matchesEverything) = parsed else { return [] }
    var collector = FindingCollector(pieces: PatternOutline(text).pieces)
    if matchesEverything {
      collector.reportMatchesEverything(text)
    } else {
      collector.reportUselessParts()
    }
    collector.reportPieces(in: text)
    collector.reportUnescapedDot(in: text)
    collector.reportDelimiters(in: text)
    return collector.findings.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Returns the findings of a pattern given as a string.
  ///
  /// - Parameters:
  ///   - text: The pattern; ranges count its UTF-8 bytes.
  ///   - isCaseSensitive: Whether a letter stands for itself only.
  /// - Returns: The findings in the order of their places.
  public static func findings(_ text: String, isCaseSensitive: Bool) -> [URLFilterFinding] {
    findings(text.utf8Span.span, isCaseSensitive: isCaseSensitive)
  }
}
