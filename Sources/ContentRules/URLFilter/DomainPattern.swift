/// Rewrites the entries of `if-domain` and `unless-domain` as patterns.
///
/// A domain is searched in the top URL like any pattern: a scheme and `://`, any labels if the
/// entry begins with `*`, the entry itself, then `:` or `/`:
///
///     DomainPattern.pattern(forDomain: "*a.test")   // [a-z][a-z+.-]*:\/\/([^/]*\.)*a\.test[:/]
///
/// The entry is not checked, so the pattern may be invalid, or never match: the engine escapes too
/// few characters, and `[` once too often, and this does the same.
///
/// > Source: the rule language, section 6.4. WebKit: `getDomainList` in `ContentExtensionParser`.
public enum DomainPattern {
  /// Returns the pattern of one entry.
  ///
  /// - Parameter domain: The entry's UTF-8 bytes as they stand in the list.
  /// - Returns: The pattern's bytes, for ``URLFilterParser``.
  /// - Complexity: O(*n*), where *n* is the number of bytes; allocates the result.
  public static func pattern(forDomain domain: Span<UInt8>) -> [UInt8] {
    var pattern: [UInt8] = []
    pattern.reserveCapacity(domain.count + 48)
    append(domain, to: &pattern)
    return pattern
  }

  /// Returns the pattern of one entry; otherwise like the call that takes bytes.
  ///
  /// - Parameter domain: The entry as it stands in the list.
  /// - Returns: The pattern's bytes, for ``URLFilterParser``.
  public static func pattern(forDomain domain: String) -> [UInt8] {
    pattern(forDomain: domain.utf8Span.span)
  }

  /// Appends the pattern of one entry.
  private static func append(_ domain: Span<UInt8>, to pattern: inout [UInt8]) {
    pattern.append(contentsOf: scheme)
    var start = 0
    if domain.count > 0, domain[0] == UInt8(ascii: "*") {
      pattern.append(contentsOf: labels)
      start = 1
    }
    // What needs no escape is appended in one go.
    func appendPlain(_ end: Int) {
      guard start < end else { return }
      unsafe domain.extracting(start..<end).withUnsafeBufferPointer {
        unsafe pattern.append(contentsOf: $0)
      }
    }
    for index in start..<domain.count {
      let byte = domain[index]
      switch byte {
      case UInt8(ascii: "["):
        appendPlain(index)
        // Escaped twice: what remains is an escaped backslash and the start of a set.
        pattern.append(contentsOf: #"\\["#.utf8)
        start = index + 1
      case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "."),
        UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "$"):
        appendPlain(index)
        pattern.append(UInt8(ascii: "\\"))
        // The character itself goes with what follows it.
        start = index
      default: break
      }
    }
    appendPlain(domain.count)
    pattern.append(contentsOf: ending)
  }

  // As arrays, since a string's bytes take longer to append.
  private static let scheme = Array(#"[a-z][a-z+.-]*:\/\/"#.utf8)
  private static let labels = Array(#"([^/]*\.)*"#.utf8)
  private static let ending = Array("[:/]".utf8)

  /// Returns the bytes of an entry that a part of its pattern was made of, from those where the
  /// part begins to those where it ends; the last byte for what was added behind the entry.
  static func range(in domain: Span<UInt8>, of part: Range<Int>) -> Range<Int> {
    var prefix: [UInt8] = []
    func length(_ count: Int) -> Int {
      prefix.removeAll(keepingCapacity: true)
      append(domain.extracting(..<count), to: &prefix)
      return prefix.count - 4
    }
    // The pattern of a prefix of the entry is a prefix of the whole one, apart from its ending.
    func place(_ offset: Int) -> Int {
      var (low, high) = (0, domain.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if length(middle + 1) > offset { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let first = place(part.lowerBound)
    return first..<max(first, place(max(part.lowerBound, part.upperBound - 1))) + 1
  }
}
