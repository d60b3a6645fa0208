/// WebKit's test for whether a load goes to the site of the page.
///
/// The host of the page determines a domain: its registrable domain, or the host itself if it has
/// none (an IP address, a single label such as `localhost`, a public suffix). A load is first-party
/// if its host is that domain or a subdomain of it, or if neither URL has a host. Scheme and port
/// do not matter.
///
/// | Page | Load | Party |
/// | --- | --- | --- |
/// | `www.example.org` | `img.example.org` | first |
/// | `a.github.io` | `b.github.io` | third |
/// | `github.io` | `b.github.io` | first |
///
/// > Source: WebKit `ResourceLoadInfo::getResourceFlags` and `RegistrableDomain::matches`.
public enum PartyTest {
  /// Whether a load from a host is first-party on a page with the other host.
  ///
  /// - Parameters:
  ///   - loadHost: The serialised host of the load's URL; empty if it has none.
  ///   - topHost: The serialised host of the top URL; empty if it has none.
  /// - Returns: `true` for first-party, `false` for third-party.
  /// - Complexity: O(*n*), where *n* is the number of bytes of both hosts. Allocates nothing.
  public static func isFirstParty(loadHost: Span<UInt8>, topHost: Span<UInt8>) -> Bool {
    guard !topHost.isEmpty, !loadHost.isEmpty else { return topHost.isEmpty == loadHost.isEmpty }
    // Most first-party loads come from the page's own host, which belongs to its domain in any
    // case.
    if loadHost.count == topHost.count, ends(loadHost, with: topHost, from: 0) { return true }
    let domainStart = PublicSuffixList.registrableDomain(ofHost: topHost)?.lowerBound ?? 0
    return isHost(loadHost, within: topHost, from: domainStart)
  }

  /// Whether a host is the domain that begins at an index of another host, or a subdomain of it.
  static func isHost(
    _ loadHost: Span<UInt8>,
    within topHost: Span<UInt8>,
    from domainStart: Int
  ) -> Bool {
    let length = topHost.count - domainStart
    guard loadHost.count >= length, ends(loadHost, with: topHost, from: domainStart) else {
      return false
    }
    return loadHost.count == length || loadHost[loadHost.count - length - 1] == ASCII.dot
  }

  /// Whether a load of a URL is first-party on a page with the other one.
  ///
  /// - Parameters:
  ///   - loadURL: The serialised URL of the load. A `blob:` URL has no host.
  ///   - topURL: The serialised top URL; for a `blob:` URL, the URL inside of it counts.
  /// - Returns: `true` for first-party, `false` for third-party.
  /// - Complexity: O(*n*), where *n* is the number of bytes up to the paths. Allocates nothing.
  public static func isFirstParty(loadURL: Span<UInt8>, topURL: Span<UInt8>) -> Bool {
    isFirstParty(
      loadHost: loadURL.extracting(SerializedURL.hostRange(of: loadURL)),
      topHost: topURL.extracting(SerializedURL.pageHostRange(of: topURL))
    )
  }

  /// Whether a text, which must be long enough, ends with the part of another one from an index on.
  private static func ends(
    _ text: Span<UInt8>,
    with other: Span<UInt8>,
    from start: Int
  ) -> Bool {
    let length = other.count - start
    return text.extracting(text.count - length..<text.count)
      .hasSameBytes(as: other.extracting(start..<other.count))
  }
}
