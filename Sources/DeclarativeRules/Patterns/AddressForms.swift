internal import ContentRules

/// One way to say a pattern in the browser's rules: loads for which any of its tests holds.
struct AddressForm {
  /// A test of a load's URL.
  struct Test {
    /// The host, with its subdomains.
    var domain: String?
    var urlFilter: String?
    var regex: String?
    /// How large the regular expression is, about.
    var regexCost = 0
  }

  var tests: [Test]
  /// Whether loads of WebSockets are meant, and whether others are.
  var schemes = (sockets: true, others: true)
  var differences: [Difference] = []

  /// Whether a test is a regular expression, of which browsers take few.
  var usesRegex: Bool { tests.contains { $0.regex != nil } }
}

/// The ways to say a pattern, the best first.
struct AddressForms {
  /// The ways; empty if there is none.
  private(set) var forms: [AddressForm] = []
  /// Whether the pattern can match no load at all.
  private(set) var isImpossible = false
  /// The host that all matched loads are of, or of one below.
  private(set) var host: String?

  /// Whether letters in filters match only themselves.
  let isCaseSensitive: Bool

  /// Finds the ways to say a pattern.
  init(_ filter: URLFilter, _ browser: DeclarativeBrowser) {
    isCaseSensitive = filter.isCaseSensitive
    guard
      case .success(let parsed) = URLFilterParser.parse(
        filter.text,
        isCaseSensitive: filter.isCaseSensitive
      )
    else {
      // A list with such a pattern is refused as a whole.
      isImpossible = true
      return
    }
    guard !parsed.matchesEverything else {
      forms = [AddressForm(tests: [AddressForm.Test()])]
      return
    }
    guard let tree = PatternTree(parsed.terms, isCaseSensitive: filter.isCaseSensitive) else {
      return
    }
    isImpossible = tree.isImpossible
    guard !isImpossible else { return }
    if let shape = AddressShape(tree) {
      if shape.subdomains != .anyText { host = shape.host }
      addForms(of: shape, tree, browser)
    } else if !tree.isAnchored, let texts = filters(tree.nodes, browser) {
      forms.append(AddressForm(tests: texts.strings(anchor: "").map { .init(urlFilter: $0) }))
    }
    guard forms.first?.differences.isEmpty != true else { return }
    addRegex(tree, browser)
    if !tree.isAnchored, let (texts, difference) = looseFilters(tree.nodes, browser) {
      forms.append(
        AddressForm(
          tests: texts.strings(anchor: "").map { .init(urlFilter: $0) },
          differences: [difference]
        )
      )
    }
  }

  private func filters(_ nodes: [PatternNode], _ browser: DeclarativeBrowser) -> FilterTexts? {
    FilterTexts(nodes, isCaseSensitive: isCaseSensitive, seesFragments: browser.seesFragments)
  }

  /// The filters of units that end nearly as the browser's separator does, and what differs.
  private func looseFilters(
    _ nodes: [PatternNode],
    _ browser: DeclarativeBrowser
  ) -> (FilterTexts, Difference)? {
    var nodes = nodes
    var difference = Difference.anySeparatorOrEnd
    if nodes.last?.single == .separators {
      nodes.append(.anything)
    } else if nodes.count > 1, nodes.last?.isEnd == true,
      let set = nodes[nodes.count - 2].endOrGoesOn,
      set != .separators, set.withoutCapitals == .separators
    {
      nodes[nodes.count - 2].kind = .group([
        PatternNode(kind: .characters(.separators), quantifier: .one), .anything,
      ])
      difference = .capitalIsNoSeparator
    } else {
      return nil
    }
    return filters(nodes, browser).map { ($0, difference) }
  }

  private mutating func addForms(
    of shape: AddressShape,
    _ tree: PatternTree,
    _ browser: DeclarativeBrowser
  ) {
    guard !shape.schemes.isEmpty else {
      isImpossible = true
      return
    }
    if shape.subdomains == .none {
      func add(_ texts: FilterTexts, _ differences: [Difference]) {
        let tests = shape.schemes.flatMap { scheme in
          texts.strings(anchor: "|\(scheme)://").map { AddressForm.Test(urlFilter: $0) }
        }
        forms.append(AddressForm(tests: tests, differences: differences))
      }
      if let texts = filters(shape.rest, browser) {
        add(texts, [])
      } else if let (texts, difference) = looseFilters(shape.rest, browser) {
        addRegex(tree, browser)
        add(texts, [difference])
      }
      return
    }
    // A rule without a scheme goes by types: http and https are to be had both or not at all.
    let isWeb = shape.schemes.filter { $0.hasPrefix("http") }
    let isSocket = shape.schemes.filter { $0.hasPrefix("ws") }
    guard isWeb.count != 1, isSocket.count != 1 else { return }
    var differences: [Difference] =
      switch shape.subdomains {
      case .oneLabel: [.deeperSubdomains]
      case .anyText: [.atLabelStart]
      case .any, .none: []
      }
    if !differences.isEmpty { addRegex(tree, browser) }
    var tests: [AddressForm.Test] = []
    if let host = shape.host, shape.endsWithHost {
      tests = [AddressForm.Test(domain: host)]
    } else if let texts = filters(shape.rest, browser) {
      tests = texts.strings(anchor: "||").map { AddressForm.Test(urlFilter: $0) }
    } else if let (texts, difference) = looseFilters(shape.rest, browser) {
      tests = texts.strings(anchor: "||").map { AddressForm.Test(urlFilter: $0) }
      if differences.isEmpty { addRegex(tree, browser) }
      differences.append(difference)
    }
    guard !tests.isEmpty, !tests.contains(where: { $0.urlFilter?.hasPrefix("||*") == true }) else {
      return
    }
    forms.append(
      AddressForm(
        tests: tests,
        schemes: (!isSocket.isEmpty, !isWeb.isEmpty),
        differences: differences
      )
    )
  }

  private mutating func addRegex(_ tree: PatternTree, _ browser: DeclarativeBrowser) {
    guard !forms.contains(where: \.usesRegex) else { return }
    let regex = RegexText(tree, seesFragments: browser.seesFragments)
    forms.append(
      AddressForm(
        tests: [
          AddressForm.Test(domain: host, regex: regex.text, regexCost: regex.cost)
        ]
      )
    )
  }
}
