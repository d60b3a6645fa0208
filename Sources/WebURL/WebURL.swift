/// A URL, as the URL standard parses and serialises it.
///
/// Stores the serialised URL, always ASCII, with the positions of its components, so that reading a
/// component needs no search.
///
///     let page = WebURL("https://Example.com:443/a/../b?q#top")
///     page?.serialized  // "https://example.com/b?q#top"
///     WebURL("../c", base: page)?.serialized  // "https://example.com/c"
///
/// Two URLs are equal if their serialisations are, fragments included.
///
/// > Source: URL standard, https://url.spec.whatwg.org, "URLs".
public struct WebURL: Sendable {
  /// The serialised URL in ASCII bytes; reading it copies nothing.
  public internal(set) var utf8: [UInt8]

  var layout: Layout

  /// Parses a URL, relative to a base if one is given.
  ///
  /// White space around the text, and tabs and line breaks within it, are removed. The result is
  /// `nil` if the standard's parser fails, as it does for a relative text without a base.
  ///
  /// - Parameters:
  ///   - text: The URL, or a reference that the base completes; at most 2³⁰ bytes in UTF-8.
  ///   - base: The URL that a relative reference is resolved against.
  /// - Complexity: O(*n*), where *n* is the number of bytes. An absolute URL in serialised form
  ///   costs one allocation.
  public init?(_ text: String, base: WebURL? = nil) {
    self.init(utf8: Array(text.utf8), base: base)
  }

  /// Parses a URL from its bytes, relative to a base if one is given.
  ///
  /// Ill-formed UTF-8 is percent-encoded as it is; in a host it makes parsing fail. An absolute URL
  /// in serialised form keeps the given array and costs no allocation. The result is `nil` if the
  /// standard's parser fails.
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
  /// Like ``init(utf8:base:)`` with an array; the bytes are copied.
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

  /// Returns the host's bytes and the fragment's start, for bytes that are obviously a serialised
  /// URL.
  ///
  /// Obvious are only `http`, `https`, `ws` and `wss` URLs of the common shape: a domain without
  /// credentials, an optional port, then a path without dot segments. Such a text need not be
  /// parsed; any other may be serialised, too, but must be parsed to know.
  ///
  /// - Parameter bytes: Any text.
  /// - Returns: The range of the host, never empty, and the offset of `#`, or the
  ///   number of bytes without one; `nil` if the bytes are not obviously a serialised URL.
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
  /// Whether two URLs have the same serialisation.
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
