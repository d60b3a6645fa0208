internal import ContentRules

/// Domains, each of which covers itself and all that is below it.
///
/// Whether any of them covers a host is found by the host's own names, so that rules with tens of thousands of
/// domains, of which there are real ones, can exclude as many.
struct CoveringDomains {
  private let names: Set<String>

  init(_ names: [String]) { self.names = Set(names) }

  /// Whether one of the domains is a host or above it; there is nothing above an address.
  func cover(_ host: String) -> Bool {
    names.contains(host)
      || !URLPatterns.isAddress(host) && ParentDomains(of: host).contains(where: names.contains)
  }
}
