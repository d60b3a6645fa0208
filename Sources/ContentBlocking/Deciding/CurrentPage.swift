internal import WebURL

/// The page and frame of the last load, as they are and as they were written.
///
/// A page has many loads in a row, so its URLs are parsed once and kept while their bytes stay the
/// same. The memory of one page serves the next.
struct CurrentPage {
  /// A URL of the page.
  struct Address {
    /// The URL, serialised.
    private(set) var url: [UInt8] = []
    /// The text that the URL was parsed from, if it is another one.
    private var text: [UInt8] = []

    /// Whether a text would be parsed to this URL, as far as is known without parsing it.
    @inline(__always)
    func isKnown(as other: Span<UInt8>) -> Bool {
      if url.span.hasSameBytes(as: other) { return true }
      return !text.isEmpty && text.span.hasSameBytes(as: other)
    }

    /// Takes over a URL.
    mutating func assign(_ other: [UInt8]) {
      url = other
      text.removeAll(keepingCapacity: true)
    }

    /// Takes over a text; `false` if it is no absolute URL, which leaves everything as it was.
    mutating func parse(_ other: Span<UInt8>) -> Bool {
      if WebURL.isPlainlySerialized(other) {
        url.replace(with: other)
        text.removeAll(keepingCapacity: true)
      } else {
        guard let parsed = WebURL(utf8: other) else { return false }
        url = parsed.utf8
        text.replace(with: other)
      }
      return true
    }
  }

  /// What became of the page.
  enum Change {
    case none
    case changed
    /// A URL is no absolute one; there is no page now.
    case failed
  }

  private var top = Address()
  private var frame = Address()
  /// Whether there is a page at all.
  private var isSet = false
  /// Whether the frame shows another document than the page does.
  private var hasFrame = false

  /// The site of the top URL.
  private(set) var site = PageSite()

  /// The serialised top URL.
  var topURL: [UInt8] { top.url }
  /// The serialised URL of the frame, mostly the top URL.
  var frameURL: [UInt8] { hasFrame ? frame.url : top.url }

  /// Takes over serialised URLs, keeping the arrays.
  mutating func assign(topURL: [UInt8], frameURL: [UInt8]) -> Change {
    let isSameTop = isSet && top.url.span.hasSameBytes(as: topURL.span)
    if isSameTop, self.frameURL == frameURL { return .none }
    if !isSameTop {
      top.assign(topURL)
      site.assign(topURL: topURL.span)
    }
    hasFrame = topURL != frameURL
    if hasFrame { frame.assign(frameURL) }
    isSet = true
    return .changed
  }

  /// Takes over URLs as texts, of which that of the frame is left out if it is the page's.
  mutating func parse(topURL: Span<UInt8>, frameURL: Span<UInt8>?) -> Change {
    let isSameTop = isSet && top.isKnown(as: topURL)
    if isSameTop, isFrame(frameURL) { return .none }
    isSet = false
    if !isSameTop {
      guard top.parse(topURL) else { return .failed }
      let url = top.url
      site.assign(topURL: url.span)
    }
    hasFrame = false
    if let frameURL, !top.isKnown(as: frameURL) {
      guard frame.parse(frameURL) else { return .failed }
      hasFrame = true
    }
    isSet = true
    return .changed
  }

  /// Whether a text is known to be the URL of the frame.
  private func isFrame(_ text: Span<UInt8>?) -> Bool {
    guard let text else { return !hasFrame }
    return hasFrame ? frame.isKnown(as: text) : top.isKnown(as: text)
  }
}

extension [UInt8] {
  fileprivate mutating func replace(with bytes: Span<UInt8>) {
    removeAll(keepingCapacity: true)
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
