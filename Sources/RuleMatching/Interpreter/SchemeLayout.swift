/// The start of a URL: where its scheme ends, and how many slashes follow.
struct SchemeLayout {
  /// A position beyond any URL, for what the URL lacks.
  static let nowhere = Int.max

  /// Whether there is a scheme: a colon behind at least one character.
  private(set) var hasColon = false
  /// The position behind the first colon, or ``nowhere``.
  private(set) var behindColon = nowhere
  /// The number of slashes behind the colon.
  private(set) var slashes = 0
  /// The position behind `http://` or `https://` in any case, or ``nowhere``.
  private(set) var behindHTTP = nowhere
  /// The same if they are lower-case, for case-sensitive filters.
  private(set) var behindExactHTTP = nowhere

  /// The position behind the slashes.
  var authority: Int { behindColon &+ slashes }

  /// Reads the start of a URL.
  ///
  /// In place: a copy of fields that were only just written would wait for them.
  @inline(__always)
  mutating func read(_ text: borrowing URLText) {
    behindExactHTTP = Self.nowhere
    let view = text.view(isCaseSensitive: false)
    let start = view.word(at: 0)
    if start == 0x2F2F_3A73_7074_7468, view[8] != UInt8(ascii: "/") {  // "https://"
      // Nearly every URL begins like this.
      (hasColon, behindColon, slashes) = (true, 6, 2)
      noteHTTP(text)
      return
    }
    search(text, view, start)
  }

  /// Reads any other start.
  @inline(never)
  private mutating func search(_ text: borrowing URLText, _ view: TextView, _ start: UInt64) {
    self = SchemeLayout()
    var colon = 0
    // Nearly all URLs are recognised by one word; only others are searched for the colon.
    if start & 0xFF_FFFF_FFFF == 0x3A_7074_7468 {  // "http:"
      colon = 4
    } else if start & 0xFFFF_FFFF_FFFF == 0x3A73_7074_7468 {  // "https:"
      colon = 5
    } else {
      while view[colon] != UInt8(ascii: ":") {
        // A byte above 127 matches no pattern, so no scheme can end behind one.
        guard colon < view.count, view[colon] < 128 else { return }
        colon &+= 1
      }
      guard colon > 0 else { return }
    }
    hasColon = true
    behindColon = colon &+ 1
    while view[behindColon &+ slashes] == UInt8(ascii: "/") { slashes &+= 1 }
    if slashes >= 2 && (colon == 4 || colon == 5) && Self.isHTTP(start) { noteHTTP(text) }
  }

  /// Notes where `http://` or `https://` ends, with which the URL begins, and whether it is lower-case.
  @inline(__always)
  private mutating func noteHTTP(_ text: borrowing URLText) {
    behindHTTP = behindColon &+ 2
    if text.foldedPrefix >= 8 || Self.isHTTP(text.view(isCaseSensitive: true).word(at: 0)) {
      behindExactHTTP = behindHTTP
    }
  }

  private static func isHTTP(_ scheme: UInt64) -> Bool {
    scheme & 0xFF_FFFF_FFFF == 0x3A_7074_7468  // "http:"
      || scheme & 0xFFFF_FFFF_FFFF == 0x3A73_7074_7468  // "https:"
  }

  /// Returns the anchors that the URL's scheme and slashes satisfy.
  @inline(__always)
  func anchors(in view: TextView) -> UInt32 {
    // Nearly every URL has this beginning.
    slashes == 2 && Self.isHTTP(view.word(at: 0)) ? Self.anchorsOfWeb : otherAnchors(in: view)
  }

  /// The anchors that `http://` and `https://` satisfy.
  @inline(__always)
  private static var anchorsOfWeb: UInt32 {
    HostAnchor.httpSlashes.bit | HostAnchor.anySchemeSlashes.bit
      | HostAnchor.anySchemeOptionalSlashes.bit | HostAnchor.http.bit | HostAnchor.httpExact.bit
      | HostAnchor.httpLabels.bit | HostAnchor.webScheme.bit | HostAnchor.webSchemeExact.bit
  }

  private func otherAnchors(in view: TextView) -> UInt32 {
    if slashes == 0 { return HostAnchor.anySchemeOptionalSlashes.bit }
    var anchors = Self.isHTTP(view.word(at: 0)) ? HostAnchor.httpSlashes.bit : 0
    guard slashes >= 2 else { return anchors }
    anchors |= HostAnchor.anySchemeSlashes.bit
    // With more than two slashes, only the anchors above fit: the others would need a host that
    // begins with a slash.
    guard slashes == 2 else { return anchors }
    anchors |= HostAnchor.anySchemeOptionalSlashes.bit
    // `webScheme` allows any scheme made of the letters h, t, p, s and w.
    for position in 0..<behindColon &- 1 {
      switch view[position] {
      case UInt8(ascii: "h"), UInt8(ascii: "t"), UInt8(ascii: "p"), UInt8(ascii: "s"),
        UInt8(ascii: "w"):
        continue
      default:
        return anchors
      }
    }
    return anchors | HostAnchor.webScheme.bit | HostAnchor.webSchemeExact.bit
  }
}
