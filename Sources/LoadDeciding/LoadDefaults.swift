package import ResourceLoads
package import WebURL

/// What a load means whose description leaves something out, and how much of its URL rules see.
///
/// The one place that says it: `ResourceLoad`, ``LoadDecider`` and the readers of logs ask here. `Documentation/Loads.md` says it for
/// people.
package enum LoadDefaults {
  /// What a view or a frame shows before it has loaded a document.
  ///
  /// It is the page of a load that has none, and what the frame of a `child-document` shows.
  package static let initialDocument: StaticString = "about:blank"

  /// Whether the frame of a load shows ``initialDocument`` unless another document is named; it shows
  /// the page otherwise.
  package static func beginsFrame(_ type: ResourceType) -> Bool { type == .childDocument }

  /// Whether the page of a load is the load's own URL, whatever is named.
  ///
  /// > Source: the rule language, section 6.2: a main-frame navigation is compared with itself.
  package static func isItsOwnPage(_ type: ResourceType) -> Bool { type == .topDocument }

  /// Which frame starts a load that does not tell; `showsOtherDocument` is whether a frame URL is
  /// given that is not the top URL.
  package static func loadContext(of type: ResourceType, showsOtherDocument: Bool) -> LoadContext {
    if type == .childDocument { return .childFrame }
    return showsOtherDocument && type != .topDocument ? .childFrame : .topFrame
  }

  /// The types that WebKit judges before it removes the fragment: windows, pings and reports, and
  /// audio and video.
  ///
  /// A text track is judged without it and a synchronous request of a script with it, but their types,
  /// `media` and `fetch`, stand mostly for other loads.
  private static let keepingFragments: ResourceType = [.popup, .media, .ping, .cspReport]

  /// Whether rules are asked about a serialised URL at all: about those that hold their data
  /// themselves they are not.
  ///
  /// > Source: the rule language, section 6.1.
  package static func isChecked(_ url: Span<UInt8>) -> Bool {
    guard url.count >= 5 else { return true }
    return url[0] != UInt8(ascii: "d") || url[1] != UInt8(ascii: "a")
      || url[2] != UInt8(ascii: "t") || url[3] != UInt8(ascii: "a") || url[4] != UInt8(ascii: ":")
  }

  /// How many bytes of a serialised URL rules see: for most types all but the fragment of `http` and
  /// `https`.
  ///
  /// Whoever knows where the fragment begins says so.
  ///
  /// > Source: the rule language, section 6.1; observed in WebKit for each type.
  /// - Complexity: O(*n*) for *n* bytes, eight at a time, unless the fragment's place is known.
  package static func matchedCount(
    of url: Span<UInt8>,
    _ type: ResourceType,
    fragmentStart: Int? = nil
  ) -> Int {
    guard keepingFragments.isDisjoint(with: type), SerializedURL.isHTTP(url) else {
      return url.count
    }
    return fragmentStart ?? SerializedURL.fragmentStart(of: url)
  }

  /// A URL as rules see it.
  package static func matched(_ url: WebURL, _ type: ResourceType) -> WebURL {
    guard matchedCount(of: url.utf8.span, type) < url.utf8.count else { return url }
    var matched = url
    matched.setFragment(nil)
    return matched
  }
}
