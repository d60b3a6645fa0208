internal import WebURL

/// A page and its frame, as they are and as they were written.
///
/// A page has many loads, so its URLs are parsed once and recognised by their bytes. The memory of
/// one page serves the next.
struct KnownPage {
  /// The URL of the page, that of the frame, and the texts that they were parsed from.
  ///
  ///     top URL │ frame URL │ top text │ frame text
  ///
  /// The frame's parts are empty when its document is the page's, a text is when it is the URL.
  private(set) var bytes: [UInt8] = []
  private var frameStart = 0
  private var topTextStart = 0
  private var frameTextStart = 0
  /// Whether there is a page at all.
  private var isSet = false
  /// Whether the frame shows another document than the page does.
  private var hasFrame = false

  /// Whether a document was named for the frame that is not the page's.
  var showsOtherDocument: Bool {
    hasFrame && !bytes.span.extracting(frameURL).hasSameBytes(as: bytes.span.extracting(topURL))
  }

  /// The site of the top URL.
  private(set) var site = PageSite()

  /// The place of the serialised top URL.
  var topURL: Range<Int> { 0..<frameStart }
  /// The place of the serialised URL of the frame, mostly the top URL.
  var frameURL: Range<Int> { hasFrame ? frameStart..<topTextStart : topURL }

  private var topText: Range<Int> { topTextStart..<frameTextStart }
  private var frameText: Range<Int> { hasFrame ? frameTextStart..<bytes.count : topText }

  /// Whether serialised URLs are those of the page.
  func has(topURL: Span<UInt8>, frameURL: Span<UInt8>) -> Bool {
    isSet && has(topURL, at: self.topURL) && has(frameURL, at: self.frameURL)
  }

  /// Whether texts are known to be the URLs of the page; without one for the frame, its page's.
  func isWritten(topURL: Span<UInt8>, frameURL: Span<UInt8>?) -> Bool {
    guard isSet, isWritten(topURL, self.topURL, topText) else { return false }
    guard let frameURL else { return !hasFrame }
    return isWritten(frameURL, self.frameURL, frameText)
  }

  /// Takes over serialised URLs.
  mutating func assign(topURL: Span<UInt8>, frameURL: Span<UInt8>) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(topURL)
    frameStart = bytes.count
    hasFrame = !topURL.hasSameBytes(as: frameURL)
    if hasFrame { bytes.append(frameURL) }
    topTextStart = bytes.count
    frameTextStart = bytes.count
    site.assign(topURL: topURL)
    isSet = true
  }

  /// Takes over texts; if one is not an absolute URL, there is no page, and the result is false.
  mutating func parse(topURL: Span<UInt8>, frameURL: Span<UInt8>?) -> Bool {
    isSet = false
    hasFrame = false
    bytes.removeAll(keepingCapacity: true)
    guard let isTopOther = parse(topURL) else { return false }
    frameStart = bytes.count
    var isFrameOther = false
    if let frameURL, !frameURL.hasSameBytes(as: topURL) {
      guard let isOther = parse(frameURL) else { return false }
      isFrameOther = isOther
      hasFrame = true
    }
    topTextStart = bytes.count
    if isTopOther { bytes.append(topURL) }
    frameTextStart = bytes.count
    if let frameURL, isFrameOther { bytes.append(frameURL) }
    let url = bytes
    site.assign(topURL: url.span.extracting(self.topURL))
    isSet = true
    return true
  }

  /// Appends a text as a URL; whether it is written in another way, `nil` if it is no URL.
  private mutating func parse(_ text: Span<UInt8>) -> Bool? {
    if WebURL.isPlainlySerialized(text) {
      bytes.append(text)
      return false
    }
    guard let url = WebURL(utf8: text) else { return nil }
    bytes.append(url.utf8.span)
    return !url.utf8.span.hasSameBytes(as: text)
  }

  @inline(__always)
  private func has(_ text: Span<UInt8>, at place: Range<Int>) -> Bool {
    bytes.span.extracting(place).hasSameBytes(as: text)
  }

  @inline(__always)
  private func isWritten(_ text: Span<UInt8>, _ url: Range<Int>, _ other: Range<Int>) -> Bool {
    has(text, at: url) || !other.isEmpty && has(text, at: other)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
