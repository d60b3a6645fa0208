/// Finds the host of a URL in its serialisation, without parsing and without allocating.
///
/// The bytes must be what the URL standard's serialiser writes, such as ``WebURL/utf8``; then the
/// result is exactly the host's text. For any other bytes it is some range within them.
public enum SerializedURL {
  /// Returns the bytes of the host, an IPv6 address with its brackets; empty if there is no host.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes up to the path.
  public static func hostRange(of url: Span<UInt8>) -> Range<Int> {
    hostRange(of: url, from: 0)
  }

  /// Returns the bytes of the host that a page with this URL belongs to.
  ///
  /// This is the host of the URL, or for a `blob:` URL that of the URL inside of it.
  public static func pageHostRange(of url: Span<UInt8>) -> Range<Int> {
    hostRange(of: url, from: isBlob(url) ? 5 : 0)
  }

  /// Whether the scheme is `http` or `https`.
  package static func isHTTP(_ url: Span<UInt8>) -> Bool {
    guard url.count > 5, url[0] == UInt8(ascii: "h"), url[1] == UInt8(ascii: "t"),
      url[2] == UInt8(ascii: "t"), url[3] == UInt8(ascii: "p")
    else { return false }
    return url[4] == ASCII.colon || url[4] == UInt8(ascii: "s") && url[5] == ASCII.colon
  }

  /// Returns the index of the `#` before the fragment; the end of the URL without one.
  ///
  /// - Complexity: O(*n*) for *n* bytes, eight at a time.
  package static func fragmentStart(of url: Span<UInt8>) -> Int {
    var index = 0
    while index + 8 <= url.count {
      // A `#` becomes zero; the first zero is the lowest byte to set its high bit.
      let word = url.word(at: index) ^ 0x2323_2323_2323_2323
      let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
      if zeros != 0 { return index + zeros.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < url.count, url[index] != ASCII.hash { index += 1 }
    return index
  }

  private static func isBlob(_ url: Span<UInt8>) -> Bool {
    url.count > 5 && url[0] == UInt8(ascii: "b") && url[1] == UInt8(ascii: "l")
      && url[2] == UInt8(ascii: "o") && url[3] == UInt8(ascii: "b") && url[4] == ASCII.colon
  }

  private static func hostRange(of url: Span<UInt8>, from start: Int) -> Range<Int> {
    var index = start
    while index < url.count, ByteSet.scheme.contains(url[index]) { index += 1 }
    guard index + 2 < url.count, url[index] == ASCII.colon, url[index + 1] == ASCII.slash,
      url[index + 2] == ASCII.slash
    else { return start..<start }
    index += 3
    var hostStart = index
    var hostEnd: Int?
    var isInsideBrackets = false
    scan: while index < url.count {
      switch url[index] {
      case ASCII.slash, ASCII.question, ASCII.hash:
        break scan
      case ASCII.at:
        // What looked like host and port were credentials.
        hostStart = index + 1
        hostEnd = nil
      case ASCII.openBracket:
        isInsideBrackets = true
      case ASCII.closeBracket:
        isInsideBrackets = false
      case ASCII.colon where !isInsideBrackets && hostEnd == nil:
        hostEnd = index
      default:
        break
      }
      index += 1
    }
    return hostStart..<(hostEnd ?? index)
  }
}
