/// The domain of a page, to decide which of the page's many loads are first-party.
///
///     let site = PageSite(topURL: Array("https://www.example.org/".utf8).span)
///     site.isFirstParty(loadHost: Array("img.example.org".utf8).span)  // true
///
/// Answers like ``PartyTest``, but looks up the Public Suffix List only once per page.
public struct PageSite: Hashable, Sendable {
  /// The registrable domain of the page's host, or the host itself if it has none; ASCII.
  ///
  /// Empty if the page has no host.
  public private(set) var domain: [UInt8] = []

  /// Creates the site of no page, for which loads without a host are first-party.
  public init() {}

  /// Creates the site of a page.
  ///
  /// - Parameter topURL: The serialised top URL; for a `blob:` URL, the URL inside of it counts.
  public init(topURL: Span<UInt8>) { assign(topURL: topURL) }

  /// Sets another page.
  ///
  /// Allocates only for a domain longer than any before.
  ///
  /// - Parameter topURL: As for ``init(topURL:)``.
  /// - Complexity: O(*n*), where *n* is the number of bytes up to the path.
  public mutating func assign(topURL: Span<UInt8>) {
    assign(topHost: topURL.extracting(SerializedURL.pageHostRange(of: topURL)))
  }

  /// Sets another page by its host, which is empty if it has none.
  package mutating func assign(topHost host: Span<UInt8>) {
    let start = PublicSuffixList.registrableDomain(ofHost: host)?.lowerBound ?? 0
    domain.removeAll(keepingCapacity: true)
    unsafe host.extracting(start..<host.count).withUnsafeBufferPointer {
      unsafe domain.append(contentsOf: $0)
    }
  }

  /// Whether a load from a host is first-party on the page.
  ///
  /// - Parameter loadHost: The serialised host of the load's URL; empty if it has none.
  /// - Returns: `true` for first-party, `false` for third-party.
  /// - Complexity: O(*n*), where *n* is the number of bytes of the domain. Allocates nothing.
  public func isFirstParty(loadHost: Span<UInt8>) -> Bool {
    guard !domain.isEmpty, !loadHost.isEmpty else { return domain.isEmpty == loadHost.isEmpty }
    let domain = domain.span
    return PartyTest.isHost(loadHost, within: domain, from: 0)
  }

  /// Whether a load of a URL is first-party on the page.
  ///
  /// - Parameter loadURL: The serialised URL of the load. A `blob:` URL has no host.
  /// - Returns: `true` for first-party, `false` for third-party.
  /// - Complexity: O(*n*), where *n* is the number of bytes up to the path. Allocates nothing.
  public func isFirstParty(loadURL: Span<UInt8>) -> Bool {
    isFirstParty(loadHost: loadURL.extracting(SerializedURL.hostRange(of: loadURL)))
  }
}
