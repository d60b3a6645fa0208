internal import ContentRules

/// The end of the host that all URLs of a pattern have.
struct RegexHost {
  /// The last characters, in lower case.
  var text: [UInt8]
  /// Whether they are all of it.
  var isWhole: Bool

  /// Whether such hosts are a domain or below it; `nil` if some may be, and others not.
  func isAlways(below domain: [UInt8]) -> Bool? {
    if isWhole, text == domain { return true }
    let suffix = [UInt8(ascii: ".")] + domain
    if text.count >= suffix.count { return text.suffix(suffix.count) == suffix[...] }
    return suffix.suffix(text.count) == text[...] && !isWhole ? nil : false
  }
}

/// A regular expression of a filter as patterns of WebKit, which has no alternatives and no counts.
///
///     /^https?:\/\/(a|b)\.example\/\d{2}/   ^https?://a\.example/[0-9][0-9]
///                                           ^https?://b\.example/[0-9][0-9]
struct RegexFilter {
  /// The patterns, any of which is enough.
  var patterns: [[UInt8]]
  /// What each pattern says of the host of its URLs.
  var hosts: [RegexHost?] = []
  /// Whether all of them need a fragment, which most URLs come without.
  var needsFragment = true
  /// What they do not do as the expression.
  var reasons: [ConversionReason] = []

  /// The most patterns of one expression.
  static let maximumPatterns = 256
  /// The most terms of one pattern.
  static let maximumTerms = 600
  /// The most terms of all patterns of one expression.
  static let maximumSize = 8_000
  /// How often sets may be repeated among which further matches can begin and come as far.
  private static let overlappingCount = 10

  /// A term of a pattern.
  private enum Term {
    case set(RegexSet, Quantifier)
    case group([Term], Quantifier)
    case start
    case end
  }

  private enum Quantifier: UInt8 {
    case one = 0
    case optional = 0x3F
    case any = 0x2A
    case some = 0x2B
  }

  /// Converts an expression.
  ///
  /// - Parameter text: What stands between its slashes.
  /// - Returns: The patterns, all of which WebKit takes.
  /// - Throws: The reason why WebKit cannot express it.
  static func read(_ text: ArraySlice<UInt8>) throws(ConversionReason) -> RegexFilter {
    guard text.count <= 4_096 else { throw ConversionReason(.regexTooLarge) }
    var reader = RegexReader(text)
    guard let node = reader.read() else {
      throw reader.fault ?? ConversionReason(.regexSyntax, "it is empty")
    }
    var filter = RegexFilter(patterns: [])
    var seen: Set<[UInt8]> = []
    var scratch: [ContentRules.Term] = []
    for terms in try expand(node) {
      guard var terms = try placingAnchors(terms) else { continue }
      if isTooAmbiguous(terms) {
        let anchored = [.start] + terms
        guard beginsWithScheme(terms), !isTooAmbiguous(anchored) else {
          throw ConversionReason(.regexTooLarge)
        }
        terms = anchored
        if filter.reasons.isEmpty { filter.reasons.append(ConversionReason(.anchoredRegex)) }
      }
      filter.needsFragment = filter.needsFragment && terms.contains(where: isFragmentMark)
      let pattern = spell(terms)
      guard URLFilterParser.firstFault(in: pattern.span, scratch: &scratch) == nil else {
        throw ConversionReason(.regexSyntax, "WebKit refuses it")
      }
      guard seen.insert(pattern).inserted else { continue }
      filter.patterns.append(pattern)
      filter.hosts.append(host(of: terms))
    }
    guard !filter.patterns.isEmpty else { throw ConversionReason(.neverApplies) }
    return filter
  }

  // MARK: Expanding

  /// Returns the alternatives of a node, each as a sequence of terms.
  private static func expand(_ node: RegexNode) throws(ConversionReason) -> [[Term]] {
    switch node {
    case .set(let set): return set.isEmpty ? [] : [[.set(set, .one)]]
    case .start: return [[.start]]
    case .end: return [[.end]]
    case .alternatives(let nodes):
      // Alternatives of one character each are a set.
      if let set = singleSet(node) { return [[.set(set, .one)]] }
      var all: [[Term]] = []
      for node in nodes {
        all += try expand(node)
        guard all.count <= maximumPatterns else { throw ConversionReason(.regexTooLarge) }
      }
      return all
    case .sequence(let nodes):
      var all: [[Term]] = [[]]
      for node in nodes { all = try product(all, try expand(node)) }
      return all
    case .repetition(let node, let least, let most):
      return try expand(node, least: least, most: most)
    }
  }

  private static func product(
    _ first: [[Term]],
    _ second: [[Term]]
  ) throws(ConversionReason) -> [[Term]] {
    let length = (first.map(weight).max() ?? 0) + (second.map(weight).max() ?? 0)
    let count = first.count * second.count
    guard count <= maximumPatterns, length <= maximumTerms, count * length <= maximumSize else {
      throw ConversionReason(.regexTooLarge)
    }
    if second.count == 1 { return first.map { $0 + second[0] } }
    return first.flatMap { head in second.map { head + $0 } }
  }

  private static func expand(
    _ node: RegexNode,
    least: Int,
    most: Int?
  ) throws(ConversionReason) -> [[Term]] {
    if let set = singleSet(node) {
      guard least <= maximumTerms, (most ?? 0) <= maximumTerms else {
        throw ConversionReason(.regexTooLarge)
      }
      guard !set.isEmpty else { return least == 0 ? [[]] : [] }
      var terms = [Term](repeating: .set(set, .one), count: least)
      if let most {
        terms += [Term](repeating: .set(set, .optional), count: most - least)
      } else if least == 0 {
        terms.append(.set(set, .any))
      } else {
        terms[least - 1] = .set(set, .some)
      }
      return [terms]
    }
    let inner = try expand(node)
    guard !inner.isEmpty else { return least == 0 ? [[]] : [] }
    // Nothing, however often, is nothing; an empty group in a pattern would match anything.
    if inner.allSatisfy({ $0.isEmpty }) { return [[]] }
    func repeated(_ count: Int) throws(ConversionReason) -> [[Term]] {
      var all: [[Term]] = [[]]
      for _ in 0..<count { all = try product(all, inner) }
      return all
    }
    guard least <= 64, (most ?? 0) <= 64 else { throw ConversionReason(.regexTooLarge) }
    guard inner.allSatisfy({ weight($0) * max(1, most ?? 1) <= maximumTerms }) else {
      throw ConversionReason(.regexTooLarge)
    }
    let hasAnchor = inner.contains { $0.contains(where: isAnchor) }
    if let most {
      // Optional repetitions of one alternative are groups; of several, more alternatives.
      if inner.count == 1, !hasAnchor {
        let optional = [Term](repeating: .group(inner[0], .optional), count: most - least)
        return try product(try repeated(least), [optional])
      }
      var all: [[Term]] = []
      for count in least...most {
        all += try repeated(count)
        guard all.count <= maximumPatterns else { throw ConversionReason(.regexTooLarge) }
      }
      return all
    }
    guard inner.count == 1, !hasAnchor else { throw ConversionReason(.regexTooLarge) }
    return try product(
      try repeated(max(0, least - 1)),
      [[.group(inner[0], least == 0 ? .any : .some)]]
    )
  }

  /// How many terms there are, those within groups included.
  private static func weight(_ terms: [Term]) -> Int {
    terms.reduce(0) { sum, term in
      if case .group(let inner, _) = term { sum + 1 + weight(inner) } else { sum + 1 }
    }
  }

  /// The set of a node that matches one character.
  private static func singleSet(_ node: RegexNode) -> RegexSet? {
    switch node {
    case .set(let set): return set
    case .sequence(let nodes): return nodes.count == 1 ? singleSet(nodes[0]) : nil
    case .alternatives(let nodes):
      var union = RegexSet()
      for node in nodes {
        guard let set = singleSet(node) else { return nil }
        union.formUnion(set)
      }
      return union
    case .repetition, .start, .end: return nil
    }
  }

  // MARK: Anchors

  private static func isAnchor(_ term: Term) -> Bool {
    switch term {
    case .start, .end: true
    case .set, .group: false
    }
  }

  /// Returns terms with an anchor at their ends alone; `nil` if they match nothing.
  ///
  /// - Throws: A reason if an anchor stands where it may match or not.
  private static func placingAnchors(_ terms: [Term]) throws(ConversionReason) -> [Term]? {
    var result: [Term] = []
    var isAtEnd = false
    for term in terms {
      switch term {
      case .start:
        if result.contains(where: { mustConsume($0) }) { return nil }
        guard result.allSatisfy(isAnchor) else {
          throw ConversionReason(.regexSyntax, "^ stands behind something optional")
        }
        if result.isEmpty { result.append(.start) }
      case .end: isAtEnd = true
      case .set, .group:
        if isAtEnd {
          if mustConsume(term) { return nil }
          throw ConversionReason(.regexSyntax, "$ stands before something optional")
        }
        result.append(term)
      }
    }
    // What may be left out at an open end says nothing.
    if !isAtEnd {
      while let last = result.last, !isAnchor(last), !mustConsume(last) { result.removeLast() }
      // `a+` at an open end is `a`.
      if case .set(let set, .some)? = result.last { result[result.count - 1] = .set(set, .one) }
    }
    while let first = result.first, isGap(first) { result.removeFirst() }
    if result.count > 1, isAnchor(result[0]), isGap(result[1]) {
      result.removeFirst()
      while let first = result.first, isGap(first) { result.removeFirst() }
    }
    if isAtEnd, let first = result.first, isAnchor(first), !result.contains(where: mustConsume) {
      // No URL is empty, but WebKit takes what may be to match every URL.
      guard result.count > 1 else { return nil }
      throw ConversionReason(.regexSyntax, "^ and $ stand around what is all optional")
    }
    if isAtEnd { result.append(.end) }
    return result
  }

  private static func isGap(_ term: Term) -> Bool {
    if case .set(.all, .any) = term { true } else { false }
  }

  private static func isFragmentMark(_ term: Term) -> Bool {
    if case .set(let set, _) = term {
      mustConsume(term) && set == .byte(UInt8(ascii: "#"))
    } else {
      false
    }
  }

  private static func mustConsume(_ term: Term) -> Bool {
    switch term {
    case .set(_, let quantifier): quantifier == .one || quantifier == .some
    case .group(let terms, let quantifier):
      (quantifier == .one || quantifier == .some) && terms.contains(where: mustConsume)
    case .start, .end: false
    }
  }

  // MARK: Size

  /// Whether an automaton would have to count from many places at once.
  ///
  /// It has to where sets are repeated often, and a further match may begin and come as far while one is among them: if
  /// each set that has to be passed before has characters with them in common. A run of one set alone has one count,
  /// however many matches begin in it. Matches begin anywhere, unless the pattern is anchored, and wherever a
  /// repetition without end may be left.
  private static func isTooAmbiguous(_ terms: [Term]) -> Bool {
    /// The sets that have to be passed before, each once: a repetition must not cost as much as it is long.
    var passed: [RegexSet] = []
    var mayBegin = true
    var count = 0
    for (place, term) in terms.enumerated() {
      switch term {
      case .start: mayBegin = false
      case .end: continue
      case .group(_, let quantifier):
        // Whatever is in it may begin a match.
        if quantifier == .any || quantifier == .some { (passed, mayBegin, count) = ([], true, 0) }
      case .set(let set, let quantifier):
        let folded = set.folded
        if mayBegin, set.count > 1, !passed.isEmpty, passed.allSatisfy({ $0.intersects(folded) }) {
          count += 1
          if count > overlappingCount, passed != [folded] { return true }
        }
        if quantifier == .one || quantifier == .some, !passed.contains(folded) {
          passed.append(folded)
        }
        if quantifier == .any || quantifier == .some,
          mayGoOn(folded, to: terms[(place + 1)...].first)
        {
          (passed, mayBegin, count) = ([], true, 0)
        }
      }
    }
    return false
  }

  /// Whether a character of a set may be of the next term as well, or of one behind that.
  private static func mayGoOn(_ set: RegexSet, to next: Term?) -> Bool {
    switch next {
    case .set(let other, let quantifier):
      quantifier == .optional || quantifier == .any || other.folded.intersects(set)
    case .group: true
    case .start, .end, nil: false
    }
  }

  private static func beginsWithScheme(_ terms: [Term]) -> Bool {
    spell(Array(terms.prefix(4))).starts(with: "http".utf8)
  }

  // MARK: Hosts

  /// Returns the end of the host of all URLs that terms match; `nil` unless they spell a scheme, a
  /// host and the slash behind it from the URL's start.
  private static func host(of terms: [Term]) -> RegexHost? {
    var rest = terms[...]
    guard case .start? = rest.popFirst() else { return nil }
    for byte in "http".utf8 {
      guard case .set(RegexSet.byte(byte), .one)? = rest.popFirst() else { return nil }
    }
    if case .set(RegexSet.byte(UInt8(ascii: "s")), _)? = rest.first { rest.removeFirst() }
    for byte in "://".utf8 {
      guard case .set(RegexSet.byte(byte), .one)? = rest.popFirst() else { return nil }
    }
    var end = RegexHost(text: [], isWhole: true)
    var separators = RegexSet()
    for byte in "/:?#\\@".utf8 { separators.insert(byte) }
    while let term = rest.popFirst() {
      switch term {
      case .set(RegexSet.byte(UInt8(ascii: "/")), .one): return end
      case .set(let set, let quantifier) where !set.intersects(separators):
        if quantifier == .one, set.count == 1, let byte = (1...127).first(where: set.contains) {
          end.text.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        } else {
          end = RegexHost(text: [], isWhole: false)
        }
      default: return nil
      }
    }
    return nil
  }

  // MARK: Spelling

  private static func spell(_ terms: [Term]) -> [UInt8] {
    var pattern: [UInt8] = []
    for term in terms {
      switch term {
      case .start: pattern.append(UInt8(ascii: "^"))
      case .end: pattern.append(UInt8(ascii: "$"))
      case .set(let set, let quantifier):
        set.append(to: &pattern)
        if quantifier != .one { pattern.append(quantifier.rawValue) }
      case .group(let terms, let quantifier):
        pattern.append(UInt8(ascii: "("))
        pattern.append(contentsOf: spell(terms))
        pattern.append(UInt8(ascii: ")"))
        if quantifier != .one { pattern.append(quantifier.rawValue) }
      }
    }
    return pattern.isEmpty ? AddressFilter.everything : pattern
  }
}
extension ConversionReason: Error {}
