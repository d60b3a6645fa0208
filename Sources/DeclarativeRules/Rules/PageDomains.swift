internal import ContentRules
internal import ResourceLoads

/// A condition on the page or the frame, as domains.
struct PageDomains {
  /// The result of a condition.
  enum Result {
    /// The rule applies whatever the page is.
    case always
    /// The rule never applies.
    case never
    case domains(PageDomains)
    case notExpressible(Difference)
  }

  /// The domains, subdomains included; sorted and deduplicated.
  var domains: [String]
  /// Whether the rule does not apply on the domains.
  var isNegated: Bool
  /// Whether they are those of the requesting document.
  var isOfFrame: Bool
  /// Whether a page being loaded counts as the page itself.
  var isOfPage: Bool
  var differences: [Difference]

  /// Reads a trigger's condition.
  static func read(_ trigger: Trigger, _ browser: DeclarativeBrowser) -> Result {
    guard let condition = trigger.condition else { return .always }
    guard trigger.flags.requestMethod == nil else {
      // In WebKit, such a condition never matches.
      return condition.isNegated ? .always : .never
    }
    var reader = Reader(condition: condition, browser: browser)
    for entry in condition.entries {
      if let result = reader.read(entry) { return result }
    }
    return reader.result()
  }

  private struct Reader {
    let condition: Condition
    let browser: DeclarativeBrowser
    /// Domains with their subdomains, and single hosts.
    var domains: Set<String> = []
    var hosts: Set<String> = []
    var differences: [Difference] = []
    var hasUnknown = false

    /// Adds an entry; returns a result if that decides everything.
    mutating func read(_ entry: String) -> Result? {
      condition.subject == .domain ? readDomain(entry) : readPattern(entry)
    }

    private mutating func readDomain(_ entry: String) -> Result? {
      let hasStar = entry.utf8.first == UInt8(ascii: "*")
      let name = Array(entry.utf8.dropFirst(hasStar ? 1 : 0))
      // An empty label, or nothing but the star: no page has such a host.
      if name.isEmpty || name.first == UInt8(ascii: ".") { return nil }
      guard let domain = DomainName.name(name) else {
        hasUnknown = true
        return nil
      }
      if hasStar { domains.insert(domain) } else { hosts.insert(domain) }
      return nil
    }

    private mutating func readPattern(_ entry: String) -> Result? {
      let parsed = URLFilterParser.parse(entry, isCaseSensitive: condition.isCaseSensitive)
      guard case .success(let parsed) = parsed else { return .never }
      if parsed.matchesEverything { return condition.isNegated ? .never : .always }
      let address: Difference = condition.subject == .topURL ? .pageAddress : .frameAddress
      guard let tree = PatternTree(parsed.terms, isCaseSensitive: condition.isCaseSensitive) else {
        return .notExpressible(address)
      }
      if tree.isImpossible { return nil }
      guard let shape = AddressShape(tree), let host = shape.host, shape.endsWithHost,
        shape.schemes.contains("http"), shape.schemes.contains("https")
      else { return .notExpressible(address) }
      switch shape.subdomains {
      case .any: domains.insert(host)
      case .none: hosts.insert(host)
      case .oneLabel, .anyText:
        domains.insert(host)
        differences.append(shape.subdomains == .oneLabel ? .deeperSubdomains : .atLabelStart)
      }
      return nil
    }

    mutating func result() -> Result {
      let isPlain = hosts.contains { host in
        !DomainName.isAddress(host) && !domains.contains(host)
          && !ParentDomains(of: host).contains(where: domains.contains)
      }
      if isPlain { differences.append(.domainsWithSubdomains) }
      if hasUnknown { differences.append(.partOfDomains) }
      let all = domains.union(hosts).sorted()
      guard !all.isEmpty else {
        if hasUnknown { return .notExpressible(.domainPattern) }
        return condition.isNegated ? .always : .never
      }
      let isOfFrame = condition.subject == .frameURL || !browser.knowsPageDomain
      return .domains(
        PageDomains(
          domains: all,
          isNegated: condition.isNegated,
          isOfFrame: isOfFrame,
          isOfPage: condition.subject != .frameURL,
          differences: differences
        )
      )
    }
  }
}
