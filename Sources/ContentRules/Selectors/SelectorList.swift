/// The place where a selector list becomes invalid.
public struct SelectorFault: Hashable, Sendable {
  /// The byte offset of the fault in the text; the text's count if something is missing at its end.
  public var position: Int
  /// One sentence that says what is wrong, without a full stop.
  public var message: String

  /// Creates a fault from its parts.
  public init(position: Int, message: String) {
    self.position = position
    self.message = message
  }
}

/// Validates the `selector` of css-display-none rules as WebKit does.
///
/// A rule with an invalid selector list is skipped without an error, so a wrong verdict in either
/// direction would change what a list does:
///
///     SelectorList.firstFault(in: "a:has(b), .ad")   // nil
///     SelectorList.firstFault(in: "a:has-text(b)")   // at 1: the engine does not know it
///
/// > Source: the rule language, section 3.1; Selectors Level 4. WebKit: `CSSSelectorParser`, with
/// > quirks-mode parsing, without a style sheet's namespaces and with no optional features.
public enum SelectorList {
  /// How deeply pseudo-classes with selectors for arguments may be nested.
  ///
  /// > Deviation: the engine nests thousands. No real selector comes near, and the number keeps
  /// > the recursion well within a small thread's stack. A deeper list counts as invalid.
  public static let maximumDepth = 100

  /// Returns the first fault of a selector list; `nil` if it is valid.
  ///
  /// - Parameter text: The list as UTF-8 bytes; JSON escapes are already resolved.
  /// - Returns: The first fault, or `nil`.
  /// - Complexity: O(*n* · *d*), where *n* is the number of bytes and *d* the depth of nested
  ///   forgiving pseudo-classes, at most ``maximumDepth``. Allocates one array of tokens.
  public static func firstFault(in text: Span<UInt8>) -> SelectorFault? {
    var reader = SelectorReader(text)
    return reader.readList(in: text)
  }

  /// Returns the first fault of a selector list given as a string; `nil` if it is valid.
  ///
  /// - Parameter text: The list; positions count its UTF-8 bytes.
  /// - Returns: The first fault, or `nil`.
  public static func firstFault(in text: String) -> SelectorFault? {
    firstFault(in: text.utf8Span.span)
  }

  /// Whether every bracket, string, comment and escape of a valid selector list ends within it.
  ///
  /// The end of the text closes what is open, so that such a list is valid; but in the style sheet that
  /// WebKit makes of it, it swallows what follows:
  ///
  ///     SelectorList.isClosed(".a:is(.b")   // false: hides nothing
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  package static func isClosed(_ text: Span<UInt8>) -> Bool {
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "'"),
        UInt8(ascii: "\\"), UInt8(ascii: "/"):
        return !SelectorTokenizer(text).isOpenAtEnd
      default: break
      }
    }
    return true
  }

  /// Whether every bracket, string, comment and escape of a valid selector list ends within it.
  package static func isClosed(_ text: String) -> Bool { isClosed(text.utf8Span.span) }
}
