internal import ContentRules
internal import FilterLists
internal import WebURL

/// The pages that a filter is for: those of some domains, without others.
struct PageScope {
  /// A domain with what is below it, or a pattern of domains.
  struct Domain: Hashable {
    /// The name in lower case and Punycode, without `*` at its ends.
    var name: [UInt8]
    /// Whether `.*` stands behind it, for any public suffix.
    var hasWildcard = false
  }

  var included: [Domain] = []
  var excluded: [Domain] = []
  /// Names that were left out, because no host has them.
  var unusable: [String] = []
  /// Whether a domain was named at all, usable or not.
  var namesIncluded = false
  /// Whether a domain below an excluded one may be included, as in Adblock Plus.
  var nearestDecides = false
  /// Whether `*` beside other domains stands for every page, as in AdGuard, and not for nothing.
  var starIsEveryPage = false

  /// How many pairs of domains of one filter are compared.
  static let comparedDomains = 2_000_000

  var isEmpty: Bool { included.isEmpty && excluded.isEmpty }

  /// A scope of all pages.
  init() {}

  /// The pages that a filter about loads names.
  init(of filter: NetworkFilter, _ source: FilterSource) {
    let text = source.text
    starIsEveryPage = source.dialect == .adguard
    for modifier in filter.modifiers where modifier.kind.namesPages {
      add(text, modifier.value ?? 0..<0, separator: UInt8(ascii: "|"))
    }
  }

  /// Reads domains with a separator between them, and adds them.
  mutating func add(_ text: [UInt8], _ range: Range<Int>, separator: UInt8) {
    guard !range.isEmpty else { return }
    var hasStar = false
    defer { if hasStar, starIsEveryPage { includeEveryPage() } }
    for part in FilterText.split(text, range, at: separator) {
      let isExcluded = text[part.lowerBound] == UInt8(ascii: "~")
      let name = part.lowerBound + (isExcluded ? 1 : 0)..<part.upperBound
      if name.count == 1, text[name.lowerBound] == UInt8(ascii: "*") {
        if !isExcluded { hasStar = true }
        continue
      }
      if !isExcluded { namesIncluded = true }
      guard let domain = Self.domain(text[name]) else {
        if unusable.count < 8 { unusable.append(FilterText.string(text, name)) }
        continue
      }
      if isExcluded { excluded.append(domain) } else { included.append(domain) }
    }
  }

  /// Includes every page that is not excluded, whatever was included before.
  mutating func includeEveryPage() {
    (included, unusable) = ([], [])
    namesIncluded = false
  }

  /// Reads one domain; `nil` if WebKit cannot name it.
  static func domain(_ text: ArraySlice<UInt8>) -> Domain? {
    var name = text
    if name.starts(with: "*.".utf8) { name = name.dropFirst(2) }
    var domain = Domain(name: [])
    if name.count > 2, name.suffix(2).elementsEqual(".*".utf8) {
      domain.hasWildcard = true
      name = name.dropLast(2)
    }
    guard var ascii = AddressFilter.asciiHost(name) else { return nil }
    while ascii.last == UInt8(ascii: ".") { ascii.removeLast() }
    guard !ascii.isEmpty, ascii.count <= 253, ascii.first != UInt8(ascii: "."),
      ascii.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
          || $0 == 0x5F
      })
    else { return nil }
    domain.name = ascii
    return domain
  }

  // MARK: Conditions

  /// The condition of a rule for these pages.
  enum Condition {
    /// No condition: every page.
    case none
    /// The field of a trigger, with a comma in front.
    case json([UInt8], isApproximate: Bool)
  }

  /// Returns the condition that holds on these pages.
  ///
  /// - Parameter target: The engine; `nil` for the newest.
  /// - Returns: The condition.
  /// - Throws: The reason why one condition cannot say it.
  func condition(for target: EngineRelease?) throws(ConversionReason) -> Condition {
    let condition = try condition()
    if let target, target.lacksTopURL, case .json(let json, _) = condition,
      json.starts(with: #","if-top"#.utf8) || json.starts(with: #","unless-top"#.utf8)
    {
      throw ConversionReason(.targetLacks, "\(target) has no patterns for pages")
    }
    return condition
  }

  private func condition() throws(ConversionReason) -> Condition {
    if namesIncluded, included.isEmpty {
      throw ConversionReason(.domainPattern, unusable.joined(separator: ", "))
    }
    if included.isEmpty {
      guard !excluded.isEmpty else { return .none }
      return Self.condition(of: Self.distinct(excluded), isNegated: true)
    }
    let pages = try includedPages()
    if pages.patterns.isEmpty { return Self.condition(of: pages.whole, isNegated: false) }
    var json: [UInt8] = []
    RuleText.appendList(
      "if-top-url",
      pages.whole.flatMap { Self.patterns(of: $0) } + pages.patterns,
      to: &json
    )
    return .json(json, isApproximate: pages.isApproximate)
  }

  /// The pages of included domains without those of excluded ones.
  struct IncludedPages {
    /// Domains with all that is below them.
    var whole: [Domain] = []
    /// Patterns of the top URL for what is left of others.
    var patterns: [[UInt8]] = []
    /// Whether a wildcard stands for some names that WebKit cannot tell from others.
    var isApproximate = false
  }

  /// Returns the pages of the included domains without those of the excluded ones.
  ///
  /// - Throws: The reason why no patterns can say it, or that nothing is left.
  func includedPages() throws(ConversionReason) -> IncludedPages {
    var pages = IncludedPages()
    guard included.count * excluded.count <= Self.comparedDomains else {
      throw ConversionReason(.tooManyExclusions)
    }
    for domain in Self.distinct(included) {
      if isExcluded(domain) { continue }
      var below = excluded.filter { Self.isBelow($0, domain) }
      let named = excluded.flatMap { Self.names(of: $0, below: domain) }
      if !named.isEmpty { pages.isApproximate = true }
      below += named
      if domain.hasWildcard {
        below += excluded.filter { !Self.names(of: domain, below: $0).isEmpty }
      }
      if below.isEmpty {
        pages.whole.append(domain)
        continue
      }
      pages.patterns += try Self.complement(of: domain, without: Self.distinct(below))
      if domain.hasWildcard { pages.isApproximate = true }
      guard pages.patterns.count <= HostExclusion.maximumPatterns else {
        throw ConversionReason(.tooManyExclusions)
      }
    }
    if pages.whole.isEmpty, pages.patterns.isEmpty { throw ConversionReason(.neverApplies) }
    if pages.whole.contains(where: \.hasWildcard) { pages.isApproximate = true }
    return pages
  }

  /// Returns patterns for the pages of a domain without those of others that are below it.
  private static func complement(
    of domain: Domain,
    without others: [Domain]
  ) throws(ConversionReason) -> [[UInt8]] {
    guard others.allSatisfy({ !$0.hasWildcard }) else { throw ConversionReason(.twoConditions) }
    let names = others.map(\.name)
    if domain.hasWildcard {
      guard let patterns = WildcardExclusion.patterns(name: domain.name, without: names) else {
        throw ConversionReason(.twoConditions)
      }
      return patterns
    }
    guard let patterns = HostExclusion.patterns(domain: domain.name, without: names) else {
      throw ConversionReason(.tooManyExclusions)
    }
    return patterns
  }

  /// Whether all of an included domain is excluded.
  func isExcluded(_ domain: Domain) -> Bool {
    excluded.contains { other in
      if other == domain { return true }
      if other.hasWildcard {
        return !domain.hasWildcard && Self.covers(wildcard: other.name, domain.name)
      }
      return !nearestDecides && Self.isBelow(domain, other)
    }
  }

  /// Whether a domain below an included one is excluded, or below one that is.
  ///
  /// Named by itself, it would be nearer to its pages than what excludes it.
  func excludes(_ domain: Domain, within included: Domain) -> Bool {
    excluded.contains { other in
      Self.isBelow(other, included) && (domain == other || Self.isBelow(domain, other))
    }
  }

  /// Whether pages of a domain are among these, as far as included domains say.
  func touches(_ domain: Domain) -> Bool {
    included.isEmpty
      || included.contains {
        $0 == domain || Self.isBelow($0, domain) || Self.isBelow(domain, $0)
          || !Self.names(of: domain, below: $0).isEmpty
          || !Self.names(of: $0, below: domain).isEmpty
      }
  }

  /// Whether a domain is truly below another one.
  static func isBelow(_ domain: Domain, _ other: Domain) -> Bool {
    if other.hasWildcard {
      return !domain.hasWildcard && covers(wildcard: other.name, domain.name)
    }
    return domain.name.count > other.name.count + 1
      && domain.name[domain.name.count - other.name.count - 1] == UInt8(ascii: ".")
      && domain.name.suffix(other.name.count) == other.name[...]
  }

  /// Returns the names that a wildcard has below a domain: for `x.a.*` below `a.example` that is
  /// `x.a.example`.
  ///
  /// Below a wildcard, `x.a.*` is itself what is below `a.*`.
  private static func names(of wildcard: Domain, below domain: Domain) -> [Domain] {
    guard wildcard.hasWildcard, !isBelow(domain, wildcard) else { return [] }
    if domain.hasWildcard {
      let suffix = [UInt8(ascii: ".")] + domain.name
      return wildcard.name.suffix(suffix.count) == suffix[...] ? [wildcard] : []
    }
    let dot = UInt8(ascii: ".")
    let labels = wildcard.name.split(separator: dot)
    return (1...labels.count).compactMap { count in
      let tail =
        Array(labels[count...].joined(separator: [dot])) + (count < labels.count ? [dot] : [])
      guard domain.name.starts(with: tail), isSuffix(domain.name.dropFirst(tail.count)) else {
        return nil
      }
      return Domain(name: Array(labels[..<count].joined(separator: [dot])) + [dot] + domain.name)
    }
  }

  /// Whether a name is what `.*` stands for: one label, or two that are a public suffix.
  private static func isSuffix(_ name: ArraySlice<UInt8>) -> Bool {
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count == 2 else { return labels.count == 1 && !labels[0].isEmpty }
    return PublicSuffixList.registrableDomain(ofHost: name.span) == nil
  }

  /// Whether a name is that of a wildcard with one label or two behind it.
  private static func covers(wildcard: [UInt8], _ name: [UInt8]) -> Bool {
    var start = name.startIndex
    while start + wildcard.count < name.endIndex {
      let rest = name[start...]
      if rest.starts(with: wildcard), name[start + wildcard.count] == UInt8(ascii: ".") {
        let labels = name[(start + wildcard.count + 1)...].count { $0 == UInt8(ascii: ".") }
        return labels <= 1
      }
      guard let dot = rest.firstIndex(of: UInt8(ascii: ".")) else { return false }
      start = dot + 1
    }
    return false
  }

  static func distinct(_ domains: [Domain]) -> [Domain] {
    guard domains.count > 1 else { return domains }
    var seen: Set<Domain> = []
    return domains.filter { seen.insert($0).inserted }
  }

  /// Returns the condition of domains that are whole.
  static func condition(of domains: [Domain], isNegated: Bool) -> Condition {
    var json: [UInt8] = []
    guard domains.contains(where: \.hasWildcard) else {
      RuleText.appendList(
        isNegated ? "unless-domain" : "if-domain",
        domains.lazy.map { [UInt8(ascii: "*")] + $0.name },
        to: &json
      )
      return .json(json, isApproximate: false)
    }
    RuleText.appendList(
      isNegated ? "unless-top-url" : "if-top-url",
      domains.flatMap { patterns(of: $0) },
      to: &json
    )
    return .json(json, isApproximate: true)
  }

  /// Returns the patterns of the top URL for a domain and what is below it.
  static func patterns(of domain: Domain) -> [[UInt8]] {
    guard domain.hasWildcard else { return [AddressFilter.hostPattern(domain.name)] }
    var pattern = AddressFilter.hostAnchor
    AddressFilter.appendLiteral(domain.name[...], to: &pattern)
    // One label, or two as in `co.uk`.
    return [
      pattern + Array(#"\.[^.:/]+[:/]"#.utf8),
      pattern + Array(#"\.[a-z][a-z][a-z]?\.[a-z][a-z][:/]"#.utf8),
    ]
  }
}
