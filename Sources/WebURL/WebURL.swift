/// A URL, as the URL standard parses and writes it.
///
/// The value is the serialised URL, always ASCII, with the places of its components beside it, so
/// that reading a component searches nothing.
///
///     let page = WebURL("https://Example.com:443/a/../b?q#top")
///     page?.serialized  // "https://example.com/b?q#top"
///     WebURL("../c", base: page)?.serialized  // "https://example.com/c"
///
/// Two URLs are equal when they are written the same, fragment included.
///
/// > Source: URL standard, https://url.spec.whatwg.org, "URLs".
public struct WebURL: Sendable {
  /// The serialised URL in ASCII bytes; reading it copies nothing.
  public internal(set) var utf8: [UInt8]

  var layout: Layout

  /// Parses a URL, relative to a base if one is given.
  ///
  /// White space around the text, and tabs and line breaks within it, are dropped. The result is
  /// `nil` if the standard's parser fails, which includes a relative text without a base.
  ///
  /// - Parameters:
  ///   - text: The URL, or a reference that the base completes; at most 2³⁰ bytes in UTF-8.
  ///   - base: The URL that a relative reference is resolved against.
  /// - Complexity: O(*n*), where *n* is the number of bytes. An absolute URL that is already
  ///   written as it will be serialised costs one allocation.
  public init?(_ text: String, base: WebURL? = nil) {
    self.init(utf8: Array(text.utf8), base: base)
  }

  /// Parses a URL from its bytes, relative to a base if one is given.
  ///
  /// Bytes that are not UTF-8 are percent-encoded as they are; in a host they make parsing fail.
  /// An absolute URL that is already written as it will be serialised keeps the given array and
  /// costs no allocation. The result is `nil` if the standard's parser fails.
  ///
  /// - Parameters:
  ///   - bytes: The URL, or a reference that the base completes; at most 2³⁰ bytes.
  ///   - base: The URL that a relative reference is resolved against.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public init?(utf8 bytes: [UInt8], base: WebURL? = nil) {
    if let layout = CanonicalURL.layout(of: bytes.span) {
      self.init(utf8: bytes, layout: layout)
      return
    }
    var parser = URLParser(bytes, base: base)
    guard let url = parser.parse() else { return nil }
    self = url
  }

  /// Parses a URL from borrowed bytes, relative to a base if one is given.
  ///
  /// As ``init(utf8:base:)`` does with an array of them; the bytes are copied.
  ///
  /// - Parameters:
  ///   - bytes: The URL, or a reference that the base completes; at most 2³⁰ bytes.
  ///   - base: The URL that a relative reference is resolved against.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public init?(utf8 bytes: Span<UInt8>, base: WebURL? = nil) {
    var copy: [UInt8] = []
    unsafe bytes.withUnsafeBufferPointer { unsafe copy.append(contentsOf: $0) }
    self.init(utf8: copy, base: base)
  }

  /// Whether bytes are, at first sight, a URL written as the parser would write it.
  ///
  /// True for `http`, `https`, `ws` and `wss` URLs of the common shape alone: a domain without
  /// credentials, perhaps a port, then a path without dot segments. For such a text parsing may be
  /// left out; any other may be serialised already, too, but must be parsed to know.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes. Allocates nothing.
  public static func isPlainlySerialized(_ bytes: Span<UInt8>) -> Bool {
    CanonicalURL.layout(of: bytes) != nil
  }

  /// The bytes of the host of a URL that is plainly written as the parser would write it, and the
  /// place where the fragment begins.
  ///
  /// - Parameter bytes: Any text.
  /// - Returns: The host's bytes, never empty, and the offset of `#`, or
  ///   the number of bytes without one; `nil` exactly if ``isPlainlySerialized(_:)`` is false.
  /// - Complexity: O(*n*), where *n* is the number of bytes. Allocates nothing.
  public static func parts(
    ofPlainlySerialized bytes: Span<UInt8>
  ) -> (host: Range<Int>, fragmentStart: Int)? {
    guard let layout = CanonicalURL.layout(of: bytes) else { return nil }
    return (Int(layout.hostStart)..<Int(layout.hostEnd), Int(layout.fragmentStart))
  }

  init(utf8: [UInt8], layout: Layout) {
    self.utf8 = utf8
    self.layout = layout
  }
}

extension WebURL: Hashable {
  /// Whether two URLs are written the same.
  public static func == (left: WebURL, right: WebURL) -> Bool {
    left.utf8 == right.utf8
  }

  /// Hashes the serialised bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(utf8)
  }
}

extension WebURL: CustomStringConvertible {
  /// The serialised URL.
  public var description: String {
    serialized
  }
}
