internal import ContentRules

/// One way to express a pattern in browser rules: it matches if any of its tests does.
struct AddressForm {
  /// A test of a load's URL.
  struct Test {
    /// The host, with its subdomains.
    var domain: String?
    var urlFilter: String?
    var regex: String?
    /// The approximate size of the regular expression.
    var regexCost = 0
  }

  var tests: [Test]
  /// Whether web sockets are meant, and whether other loads are.
  var schemes = (sockets: true, others: true)
  var differences: [Difference] = []

  /// Whether a test is a regular expression, of which browsers accept few.
  var usesRegex: Bool { tests.contains { $0.regex != nil } }

  /// Returns schemes as types, for tests that name none; `nil` if types cannot express them.
  ///
  /// http and https must occur together, and so must ws and wss.
  static func types(of schemes: [String]) -> (sockets: Bool, others: Bool)? {
    let sockets = schemes.count { $0.hasPrefix("ws") }
    let others = schemes.count - sockets
    return sockets == 1 || others == 1 ? nil : (sockets > 0, others > 0)
  }
}

/// The ways to express a pattern, best first.
struct AddressForms {
  /// The forms; empty if there is none.
  private(set) var forms: [AddressForm] = []
  /// Whether the pattern can match no load at all.
  private(set) var isImpossible = false
  /// The host that all matched loads belong to, subdomains included.
  private(set) var host: String?

  /// Whether filters are case-sensitive.
  let isCaseSensitive: Bool

  /// Finds the forms of a pattern.
  init(_ filter: URLFilter, _ browser: DeclarativeBrowser) {
    isCaseSensitive = filter.isCaseSensitive
    guard
      case .success(let parsed) = URLFilterParser.parse(
        filter.text,
        isCaseSensitive: filter.isCaseSensitive
      )
    else {
      // A list with such a pattern is refused anyway.
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
    } else if let shape = SchemeShape(tree) {
      addForms(of: shape, tree, browser)
    } else if !tree.isAnchored {
      addFilters(of: tree.nodes, tree, browser) { AddressForm(tests: $0.tests(anchor: "")) }
    }
    guard forms.first?.differences.isEmpty != true else { return }
    addRegex(tree, browser)
  }

  /// Adds the filters of units, behind a regular expression if they are not equivalent.
  private mutating func addFilters(
    of nodes: [PatternNode],
    _ tree: PatternTree,
    _ browser: DeclarativeBrowser,
    _ makeForm: (FilterTexts) -> AddressForm
  ) {
    if let texts = filters(nodes, browser) {
      forms.append(makeForm(texts))
    } else if let (texts, difference) = looseFilters(nodes, browser) {
      addRegex(tree, browser)
      var form = makeForm(texts)
      form.differences.append(difference)
      forms.append(form)
    }
  }

  private mutating func addForms(
    of shape: SchemeShape,
    _ tree: PatternTree,
    _ browser: DeclarativeBrowser
  ) {
    guard !shape.schemes.isEmpty else {
      isImpossible = true
      return
    }
    let types = AddressForm.types(of: shape.schemes)
    guard !shape.rest.isEmpty else {
      forms.append(
        types.map { AddressForm(tests: [AddressForm.Test()], schemes: $0) }
          ?? AddressForm(tests: shape.schemes.map { .init(urlFilter: "|\($0):") })
      )
      return
    }
    guard types != nil || shape.hasColon else { return }
    addFilters(of: shape.rest, tree, browser) { texts in
      if let types {
        let anchor = shape.start.isEmpty ? "" : shape.start + "*"
        return AddressForm(tests: texts.tests(anchor: anchor), schemes: types)
      }
      // The colon distinguishes http from https.
      let anchor = (shape.start.isEmpty ? ":" : shape.start) + "*"
      return AddressForm(
        tests: shape.schemes.flatMap { texts.tests(anchor: "|\($0)\(anchor)") }
      )
    }
  }

  private func filters(_ nodes: [PatternNode], _ browser: DeclarativeBrowser) -> FilterTexts? {
    FilterTexts(nodes, isCaseSensitive: isCaseSensitive, seesFragments: browser.seesFragments)
  }

  /// Returns the filters of units that end almost like the browser's separator, and the difference.
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
    guard shape.subdomains != .none else {
      addFilters(of: shape.rest, tree, browser) { texts in
        AddressForm(tests: shape.schemes.flatMap { texts.tests(anchor: "|\($0)://") })
      }
      return
    }
    guard let types = AddressForm.types(of: shape.schemes) else { return }
    var differences: [Difference] =
      switch shape.subdomains {
      case .oneLabel: [.deeperSubdomains]
      case .anyText: [.atLabelStart]
      case .any, .none: []
      }
    if let regex = shape.labelCountRegex(seesFragments: browser.seesFragments) {
      // The same for all hosts with the same number of labels, so that one rule can name them.
      forms.append(AddressForm(tests: [regex], schemes: types))
    } else if !differences.isEmpty {
      addRegex(tree, browser)
    }
    var tests: [AddressForm.Test] = []
    if let host = shape.host, shape.endsWithHost {
      tests = [AddressForm.Test(domain: host)]
    } else if let texts = filters(shape.rest, browser) {
      tests = texts.tests(anchor: "||")
    } else if let (texts, difference) = looseFilters(shape.rest, browser) {
      tests = texts.tests(anchor: "||")
      if differences.isEmpty { addRegex(tree, browser) }
      differences.append(difference)
    }
    guard !tests.isEmpty, !tests.contains(where: { $0.urlFilter?.hasPrefix("||*") == true }) else {
      return
    }
    forms.append(AddressForm(tests: tests, schemes: types, differences: differences))
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
