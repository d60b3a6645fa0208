internal import WebURL

/// A page and its frame, as serialised URLs and as the texts that they were given in.
///
/// A page has many loads, so its URLs are parsed once and recognised by their bytes. Memory is
/// reused for the next page.
struct KnownPage {
  /// The URLs of the page and the frame, and the texts that they were parsed from.
  ///
  ///     top URL │ frame URL │ top text │ frame text
  ///
  /// The frame's parts are empty if its document is the page's; a text is empty if it equals the
  /// URL.
  private(set) var bytes: [UInt8] = []
  private var frameStart = 0
  private var topTextStart = 0
  private var frameTextStart = 0
  /// Whether there is a page.
  private var isSet = false
  /// Whether the frame has another document than the page.
  private var hasFrame = false

  /// Whether a document other than the page was given for the frame.
  var showsOtherDocument: Bool {
    hasFrame && !bytes.span.extracting(frameURL).hasSameBytes(as: bytes.span.extracting(topURL))
  }

  /// The site of the top URL.
  private(set) var site = PageSite()

  /// The range of the serialised top URL.
  var topURL: Range<Int> { 0..<frameStart }
  /// The range of the frame's serialised URL, usually the top URL.
  var frameURL: Range<Int> { hasFrame ? frameStart..<topTextStart : topURL }

  private var topText: Range<Int> { topTextStart..<frameTextStart }
  private var frameText: Range<Int> { hasFrame ? frameTextStart..<bytes.count : topText }

  /// Whether the given serialised URLs are those of the page.
  func has(topURL: Span<UInt8>, frameURL: Span<UInt8>) -> Bool {
    isSet && has(topURL, at: self.topURL) && has(frameURL, at: self.frameURL)
  }

  /// Whether texts are known to be the page's URLs; without a text for the frame, the page's.
  func isWritten(topURL: Span<UInt8>, frameURL: Span<UInt8>?) -> Bool {
    guard isSet, isWritten(topURL, self.topURL, topText) else { return false }
    guard let frameURL else { return !hasFrame }
    return isWritten(frameURL, self.frameURL, frameText)
  }

  /// Sets the page from serialised URLs.
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

  /// Sets the page from texts; if one is not an absolute URL, clears the page and returns false.
  mutating func parse(topURL: Span<UInt8>, frameURL: Span<UInt8>?) -> Bool {
    isSet = false
    hasFrame = false
    bytes.removeAll(keepingCapacity: true)
    guard let (isTopOther, topHost) = parse(topURL) else { return false }
    frameStart = bytes.count
    var isFrameOther = false
    if let frameURL, !frameURL.hasSameBytes(as: topURL) {
      guard let (isOther, _) = parse(frameURL) else { return false }
      isFrameOther = isOther
      hasFrame = true
    }
    topTextStart = bytes.count
    if isTopOther { bytes.append(topURL) }
    frameTextStart = bytes.count
    if let frameURL, isFrameOther { bytes.append(frameURL) }
    let url = bytes
    if let topHost {
      site.assign(topHost: url.span.extracting(topHost))
    } else {
      site.assign(topURL: url.span.extracting(self.topURL))
    }
    isSet = true
    return true
  }

  /// Appends a text as a URL.
  ///
  /// - Returns: Whether the text differs from the URL, and the range of the URL's host if it is known;
  ///   `nil` if the text is not a URL.
  private mutating func parse(_ text: Span<UInt8>) -> (isOther: Bool, host: Range<Int>?)? {
    if let parts = WebURL.parts(ofPlainlySerialized: text) {
      bytes.append(text)
      return (false, parts.host)
    }
    guard let url = WebURL(utf8: text) else { return nil }
    bytes.append(url.utf8.span)
    return (!url.utf8.span.hasSameBytes(as: text), nil)
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
