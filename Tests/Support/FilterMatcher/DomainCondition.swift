/// Domains that a filter is for and not for, as `domain=` and the left side of `##` list them.
///
/// > Source: Adblock Plus, “How to write filters”: the most specific domain decides; with a domain
/// > that is wanted, others are not. AdGuard and uBlock Origin: `name.*` is every public suffix.
struct DomainCondition: Hashable, Sendable {
  private var wanted: Set<String> = []
  private var unwanted: Set<String> = []

  /// Whether some domain is wanted; a filter without one is generic.
  var isSpecific: Bool { !wanted.isEmpty }
  /// Whether there is nothing to hold.
  var isEmpty: Bool { wanted.isEmpty && unwanted.isEmpty }

  init() {}

  /// Reads domains; `nil` if one is of a form that is not modelled, such as a regular expression.
  init?(_ texts: [Substring]) {
    for text in texts {
      let isUnwanted = text.hasPrefix("~")
      let domain = text.drop { $0 == "~" }.lowercased()
      guard !domain.isEmpty else { continue }
      guard !domain.hasPrefix("/"), !domain.dropLast(2).contains("*") else { return nil }
      if isUnwanted { unwanted.insert(domain) } else { wanted.insert(domain) }
    }
  }

  /// Whether the condition holds on a host, whose public suffix is given.
  func holds(on host: String, publicSuffix: String) -> Bool {
    for domain in domains(from: host) {
      var names = [domain]
      if !publicSuffix.isEmpty, domain.hasSuffix("." + publicSuffix) {
        names.append(domain.dropLast(publicSuffix.count) + "*")
      }
      if names.contains(where: unwanted.contains) { return false }
      if names.contains(where: wanted.contains) { return true }
    }
    return wanted.isEmpty
  }
}
