internal import ContentRules

/// Expresses a pattern together with “http, without a port”.
enum UpgradeForms {
  private static let start = "http://"
  private static let host = "[^/:]+"
  private static let hostCost = 6

  /// Returns the form; `nil` if there is none.
  static func form(_ filter: URLFilter, _ browser: DeclarativeBrowser) -> AddressForm? {
    guard
      case .success(let parsed) = URLFilterParser.parse(
        filter.text,
        isCaseSensitive: filter.isCaseSensitive
      )
    else { return nil }
    if parsed.matchesEverything { return form(everythingOf: nil, filter, browser) }
    guard let tree = PatternTree(parsed.terms, isCaseSensitive: filter.isCaseSensitive) else {
      return nil
    }
    if let shape = AddressShape(tree) { return form(shape, filter, browser) }
    guard !tree.isAnchored else { return nil }
    let hasSlash = tree.nodes.contains { $0.single?.only(isCaseSensitive: true) == slash }
    if tree.nodes.first?.single?.only(isCaseSensitive: true) == slash {
      return form(nil, filter, browser) { regex in
        regex.append(host + "(?:/", cost: hostCost + 1)
        regex.append([.anything])
        regex.append(")?", cost: 1)
        regex.append(tree.nodes)
      }
    }
    guard !hasSlash, tree.nodes.allSatisfy({ isWithoutPort($0) }) else { return nil }
    return form(nil, filter, browser) { regex in
      regex.append("(?:[^/:]*", cost: hostCost)
      regex.append(tree.nodes)
      regex.append("[^/:]*/|\(host)/", cost: 2 * hostCost + 2)
      regex.append([.anything])
      regex.append(tree.nodes)
      regex.append(")", cost: 0)
    }
  }

  private static let slash = UInt8(ascii: "/")

  /// Whether a unit is a character that cannot be part of a port.
  private static func isWithoutPort(_ node: PatternNode) -> Bool {
    guard let set = node.single else { return false }
    return !set.contains(slash) && !set.contains(UInt8(ascii: ":"))
  }

  private static func form(
    _ shape: AddressShape,
    _ filter: URLFilter,
    _ browser: DeclarativeBrowser
  ) -> AddressForm? {
    guard shape.schemes.contains("http"), let name = shape.host else { return nil }
    if shape.endsWithHost, shape.subdomains == .any {
      return form(everythingOf: name, filter, browser)
    }
    return form(name, filter, browser) { regex in
      switch shape.subdomains {
      case .none: break
      case .any, .anyText: regex.append("(?:[^/:]+\\.)?", cost: hostCost + 2)
      case .oneLabel: regex.append("(?:[a-z0-9\\-]+\\.)?", cost: hostCost + 2)
      }
      let rest = shape.rest.dropFirst(name.utf8.count)
      regex.append(Array(shape.rest.prefix(name.utf8.count)))
      regex.append("/", cost: 1)
      if !shape.endsWithHost { regex.append(Array(rest.dropFirst())) }
    }
  }

  /// Returns a form for all URLs of a domain, or for all URLs.
  private static func form(
    everythingOf domain: String?,
    _ filter: URLFilter,
    _ browser: DeclarativeBrowser
  ) -> AddressForm {
    form(domain, filter, browser) { regex in regex.append(host + "/", cost: hostCost + 1) }
  }

  private static func form(
    _ domain: String?,
    _ filter: URLFilter,
    _ browser: DeclarativeBrowser,
    _ body: (inout RegexText) -> Void
  ) -> AddressForm {
    var regex = RegexText(
      isCaseSensitive: filter.isCaseSensitive,
      seesFragments: browser.seesFragments
    )
    regex.append(start, cost: start.utf8.count)
    body(&regex)
    return AddressForm(
      tests: [AddressForm.Test(domain: domain, regex: regex.text, regexCost: regex.cost)],
      schemes: (sockets: false, others: true),
      differences: [.upgradeMatchedAgain]
    )
  }
}
