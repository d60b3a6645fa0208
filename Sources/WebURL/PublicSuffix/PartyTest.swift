/// WebKit's test for whether a load goes to the site of the page.
///
/// The host of the page gives a domain: its registrable domain, or the host itself if it has none (an
/// IP address, a single label such as `localhost`, a public suffix). A load is
/// first-party if its host is that domain or lies beneath it, or if both URLs have no host. Scheme
/// and port play no part.
///
/// | Page | Load | Party |
/// | --- | --- | --- |
/// | `www.example.org` | `img.example.org` | first |
/// | `a.github.io` | `b.github.io` | third |
/// | `github.io` | `b.github.io` | first |
///
/// > Source: WebKit `ResourceLoadInfo::getResourceFlags` and `RegistrableDomain::matches`.
public enum PartyTest {
  /// Whether a load from a host is first-party on a page whose top URL has the other host.
  ///
  /// - Parameters:
  ///   - loadHost: The serialised host of the load's URL; empty if it has none.
  ///   - topHost: The serialised host of the top URL; empty if it has none.
  /// - Returns: `true` for first-party, `false` for third-party.
  /// - Complexity: O(*n*), where *n* is the number of bytes of both hosts. Allocates nothing.
  public static func isFirstParty(loadHost: Span<UInt8>, topHost: Span<UInt8>) -> Bool {
    guard !topHost.isEmpty, !loadHost.isEmpty else { return topHost.isEmpty == loadHost.isEmpty }
    // Most first-party loads come from the page's own host, which lies within any domain of it.
    if loadHost.count == topHost.count, ends(loadHost, with: topHost, from: 0) { return true }
    let domainStart = PublicSuffixList.registrableDomain(ofHost: topHost)?.lowerBound ?? 0
    return isHost(loadHost, within: topHost, from: domainStart)
  }

  /// Whether a host is the domain that begins at an index of another host, or lies beneath it.
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
  ///   - topURL: The serialised top URL. A `blob:` URL stands for the one within it.
  /// - Returns: `true` for first-party, `false` for third-party.
  /// - Complexity: O(*n*), where *n* is the number of bytes up to the paths. Allocates nothing.
  public static func isFirstParty(loadURL: Span<UInt8>, topURL: Span<UInt8>) -> Bool {
    isFirstParty(
      loadHost: loadURL.extracting(SerializedURL.hostRange(of: loadURL)),
      topHost: topURL.extracting(SerializedURL.pageHostRange(of: topURL))
    )
  }

  /// Whether a text ends with what another one has from an index on; it must be long enough.
  private static func ends(
    _ text: Span<UInt8>,
    with other: Span<UInt8>,
    from start: Int
  ) -> Bool {
    let offset = text.count - other.count
    // From the front: hosts differ there more often than in their last labels.
    for index in start..<other.count where text[index + offset] != other[index] { return false }
    return true
  }
}
