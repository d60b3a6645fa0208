package import ResourceLoads
package import WebURL

/// The meaning of absent properties of a load, and how much of its URL rules see.
///
/// The only definition, for `ResourceLoad`, ``LoadDecider`` and the readers of logs.
/// `Documentation/Loads.md` describes it for users.
package enum LoadDefaults {
  /// The document of a view or a frame that has not loaded one.
  ///
  /// The page of a load without one, and the default frame of a `child-document`.
  package static let initialDocument: StaticString = "about:blank"

  /// Whether the frame of a load defaults to ``initialDocument`` instead of the page.
  package static func beginsFrame(_ type: ResourceType) -> Bool { type == .childDocument }

  /// Whether a load is its own page, whatever page is given.
  ///
  /// > Source: the rule language, section 6.2: a main-frame navigation is compared with itself.
  package static func isItsOwnPage(_ type: ResourceType) -> Bool { type == .topDocument }

  /// Returns the default load context; `showsOtherDocument` is whether a frame URL other than the
  /// top URL is given.
  package static func loadContext(of type: ResourceType, showsOtherDocument: Bool) -> LoadContext {
    if type == .childDocument { return .childFrame }
    return showsOtherDocument && type != .topDocument ? .childFrame : .topFrame
  }

  /// The types whose URLs WebKit matches before it removes the fragment: windows, pings and
  /// reports, audio and video.
  ///
  /// Text tracks are matched without it and synchronous requests of scripts with it, but their
  /// types, `media` and `fetch`, mostly mean other loads.
  private static let keepingFragments: ResourceType = [.popup, .media, .ping, .cspReport]

  /// Whether rules apply to a serialised URL at all; not to `data:` URLs.
  ///
  /// > Source: the rule language, section 6.1.
  package static func isChecked(_ url: Span<UInt8>) -> Bool {
    guard url.count >= 5 else { return true }
    return url[0] != UInt8(ascii: "d") || url[1] != UInt8(ascii: "a")
      || url[2] != UInt8(ascii: "t") || url[3] != UInt8(ascii: "a") || url[4] != UInt8(ascii: ":")
  }

  /// Returns how many bytes of a serialised URL rules see: for most types all but the fragment of
  /// `http` and `https`.
  ///
  /// Pass the fragment's position if it is known.
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

  /// Returns a URL as rules see it.
  package static func matched(_ url: WebURL, _ type: ResourceType) -> WebURL {
    guard matchedCount(of: url.utf8.span, type) < url.utf8.count else { return url }
    var matched = url
    matched.setFragment(nil)
    return matched
  }
}
