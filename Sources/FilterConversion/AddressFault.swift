internal import FilterLists

/// Finds patterns that no URL which WebKit looks at can match.
enum AddressFault {
  /// How the URLs of loads begin; `data:` URLs are never looked at.
  private static let beginnings = [
    "http://", "https://", "ws://", "wss://", "blob:", "about:", "file:///", "ftp://",
    "webkit-extension://", "safari-web-extension://", "safari-extension://",
  ].map { Array($0.utf8) }

  /// Whether a text may stand at the begin of a URL.
  static func mayBegin(_ text: ArraySlice<UInt8>) -> Bool {
    let literal = self.literal(text)
    return beginnings.contains { $0.starts(with: literal) || literal.starts(with: $0) }
  }

  /// Returns the text up to the first mark, in lower case.
  private static func literal(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.prefix {
      $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: "^") && $0 != UInt8(ascii: "|")
    }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  /// Whether a filter names types whose URLs keep their fragments: pings, pop-ups and media.
  static func keepFragments(_ types: TypeSet) -> Bool {
    types != .ordinary && !types.isDisjoint(with: [.popup, .media, .ping])
  }

  /// Checks the pattern of a filter.
  ///
  /// - Parameters:
  ///   - text: The list's bytes.
  ///   - range: The pattern, which is no regular expression.
  ///   - types: What the filter is about.
  /// - Throws: The reason why nothing can match.
  static func check(
    _ text: [UInt8],
    _ range: Range<Int>,
    types: TypeSet
  ) throws(ConversionReason) {
    if !keepFragments(types), text[range].contains(UInt8(ascii: "#")) {
      throw ConversionReason(.fragmentInPattern)
    }
    guard FilterText.starts(text, range, "|"), !FilterText.starts(text, range, "||") else { return }
    let literal = literal(text[range].dropFirst())
    let possible = beginnings.filter { $0.starts(with: literal) || literal.starts(with: $0) }
    guard !possible.isEmpty else { throw ConversionReason(.noSuchAddress) }
    // WebSockets have a type of their own.
    let areSockets = possible.allSatisfy { $0.starts(with: "ws".utf8) }
    if areSockets, !types.contains(.websocket) { throw ConversionReason(.noSuchAddress) }
  }
}
