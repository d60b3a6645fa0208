public import DeclarativeRules
internal import Foundation
internal import WebURL

/// A model of Chromium's declarative rules, written from observed behaviour.
///
/// The tests in real browsers compare it with Chromium's `testMatchOutcome`.
public final class DeclarativeModel {
  /// The outcome of a load.
  public struct Outcome: Hashable, Sendable {
    /// Whether the load fails.
    public var isBlocked = false
    /// Whether the load is repeated by https.
    public var isUpgraded = false
    /// Whether cookies are removed.
    public var losesCookies = false
    /// The index of the rule that decided, if any.
    public var decider: Int?
    /// The indexes of all rules whose conditions hold.
    public var matched: [Int] = []
  }

  private struct Prepared {
    var condition: DeclarativeRule.Condition
    var types: Set<String>
    var domains: Set<String>
    var excludedDomains: Set<String>
    var pages: Set<String>
    var excludedPages: Set<String>
    var filter: FilterMatch?
    var regex: NSRegularExpression?
  }

  private let rules: [DeclarativeRule]
  private let prepared: [Prepared]
  private var byDomain: [String: [Int]] = [:]
  private var byGram: [ArraySlice<UInt8>: [Int]] = [:]
  private var others: [Int] = []

  /// Creates a model of rules; throws if Foundation cannot parse a regular expression.
  public init(_ rules: [DeclarativeRule]) throws {
    self.rules = rules
    prepared = try rules.map { rule in
      let condition = rule.condition
      return Prepared(
        condition: condition,
        types: Set(condition.types),
        domains: Set(condition.requestDomains),
        excludedDomains: Set(condition.excludedRequestDomains),
        pages: Set(condition.topDomains),
        excludedPages: Set(condition.excludedTopDomains),
        filter: condition.urlFilter.map {
          FilterMatch($0, isCaseSensitive: condition.isCaseSensitive)
        },
        regex: try condition.regexFilter.map {
          try NSRegularExpression(
            pattern: $0,
            options: condition.isCaseSensitive ? [] : .caseInsensitive
          )
        }
      )
    }
    let literals = prepared.map { rule in
      rule.filter?.literal ?? rule.condition.regexFilter.map(RegexLiteral.longest) ?? []
    }
    var uses: [ArraySlice<UInt8>: Int] = [:]
    for literal in literals {
      for gram in Self.grams(literal) { uses[gram, default: 0] += 1 }
    }
    for (place, rule) in prepared.enumerated() {
      if !rule.domains.isEmpty {
        for domain in rule.domains { byDomain[domain, default: []].append(place) }
      } else if let rare = Self.grams(literals[place]).min(by: { uses[$0] ?? 0 < uses[$1] ?? 0 }) {
        // Indexed by the gram that fewest rules have, which filters best.
        byGram[rare, default: []].append(place)
      } else {
        others.append(place)
      }
    }
  }

  /// Decides a load.
  public func outcome(_ load: BrowserLoad) -> Outcome {
    var outcome = Outcome()
    let url = Array(load.url.utf8)
    let lowered = url.map(FilterMatch.lower)
    let hostStart =
      (load.url.range(of: "://")?.upperBound).map {
        load.url.utf8.distance(from: load.url.utf8.startIndex, to: $0)
      } ?? 0
    let host = hostStart..<min(url.count, hostStart + load.host.utf8.count)
    var candidates = Set(others)
    for domain in Self.domains(load.host) { candidates.formUnion(byDomain[domain] ?? []) }
    for gram in Self.grams(lowered) { candidates.formUnion(byGram[gram] ?? []) }
    let topDomains = Self.domains(load.topHost)
    outcome.matched = candidates.sorted().filter { place in
      holds(prepared[place], load, topDomains, url, lowered, host)
    }
    decide(&outcome)
    return outcome
  }

  private func decide(_ outcome: inout Outcome) {
    func strength(_ place: Int) -> (Int, Int) {
      let step =
        switch rules[place].action {
        case .allow: 3
        case .block: 2
        case .upgradeScheme: 1
        case .removeCookies: 0
        }
      return (rules[place].priority, step)
    }
    let before = outcome.matched.filter { rules[$0].action != .removeCookies }
    let decider = before.max { strength($0) < strength($1) }
    outcome.decider = decider
    outcome.isBlocked = decider.map { rules[$0].action == .block } ?? false
    outcome.isUpgraded = decider.map { rules[$0].action == .upgradeScheme } ?? false
    let allowed = before.filter { rules[$0].action == .allow }.map { rules[$0].priority }.max() ?? 0
    outcome.losesCookies = outcome.matched.contains {
      rules[$0].action == .removeCookies && rules[$0].priority > allowed
    }
  }

  private func holds(
    _ rule: Prepared,
    _ load: BrowserLoad,
    _ topDomains: [String],
    _ url: [UInt8],
    _ lowered: [UInt8],
    _ host: Range<Int>
  ) -> Bool {
    let condition = rule.condition
    guard rule.types.contains(load.type),
      condition.methods.isEmpty || condition.methods.contains(load.method),
      rule.pages.isEmpty || topDomains.contains(where: rule.pages.contains),
      !topDomains.contains(where: rule.excludedPages.contains),
      rule.domains.isEmpty || Self.domains(load.host).contains(where: rule.domains.contains),
      rule.excludedDomains.isEmpty
        || !Self.domains(load.host).contains(where: rule.excludedDomains.contains)
    else { return false }
    if !condition.initiatorDomains.isEmpty || !condition.excludedInitiatorDomains.isEmpty {
      let domains = load.initiatorHost.map(Self.domains) ?? []
      guard
        condition.initiatorDomains.isEmpty
          || domains.contains(where: condition.initiatorDomains.contains),
        !domains.contains(where: condition.excludedInitiatorDomains.contains)
      else { return false }
    }
    if let party = condition.party {
      let isFirst = load.initiatorHost.map { Self.site($0) == Self.site(load.host) } ?? false
      guard (party == .firstParty) == isFirst else { return false }
    }
    if let filter = rule.filter, !filter.matches(url, lowered: lowered, host: host) { return false }
    if let regex = rule.regex {
      let whole = NSRange(location: 0, length: load.url.utf16.count)
      guard regex.firstMatch(in: load.url, range: whole) != nil else { return false }
    }
    return true
  }

  /// The runs of four characters of a text.
  private static func grams(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.count < 4 ? [] : (0...(text.count - 4)).map { text[$0..<$0 + 4] }
  }

  private static func site(_ host: String) -> String { registrableDomain(host) ?? host }

  private static func registrableDomain(_ host: String) -> String? {
    let bytes = Array(host.utf8)
    return PublicSuffixList.registrableDomain(ofHost: bytes.span).map { range in
      String(decoding: bytes[range], as: UTF8.self)
    }
  }

  /// A host and the domains above it.
  private static func domains(_ host: String) -> [String] {
    var domains = [host]
    // An IP address has no parent domain.
    guard !host.allSatisfy({ $0.isNumber || $0 == "." }) else { return domains }
    var rest = host[...]
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      domains.append(String(rest))
    }
    return domains
  }
}
