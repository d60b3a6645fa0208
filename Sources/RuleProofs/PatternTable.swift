internal import Automata
package import ContentRules

/// The distinct patterns of one or more lists, and what is known of each.
///
/// Automata are built when they are first needed and a few thousand are kept. A value for one
/// thread.
package final class PatternTable {
  /// A pattern's place in the table.
  package typealias Number = Int

  /// The patterns in the order in which they came.
  package private(set) var filters: [URLFilter] = []
  private var numbers: [URLFilter: Number] = [:]
  /// Whether each pattern matches every URL by its status.
  private var universal: [Bool] = []
  /// The host that each pattern is about, if its spelling shows one.
  private var hosts: [[UInt8]?] = []
  private var automata: [Number: PatternAutomaton] = [:]
  private var tooLarge: Set<Number> = []
  private var inclusions: [Pair: Proof] = [:]
  private var meetings: [Pair: URLSearch.Outcome] = [:]
  /// URLs that each pattern matches, as far as some were found.
  private var samples: [Number: [String]] = [:]
  private var terms: [Term] = []
  private var otherTerms: [Term] = []
  /// The states that all searches have visited, which is what proofs cost.
  package private(set) var visited = 0
  /// The searches that were given up, because of their own length or of ``budget``.
  package private(set) var givenUp = 0
  /// The states that all searches together may visit; behind them, all are given up.
  package var budget = Int.max

  /// What is known of a claim.
  package enum Proof: Hashable, Sendable {
    /// It holds for every URL.
    case proved
    /// It does not hold for some URL.
    case refuted
    /// It was not decided within the limit.
    case undecided
  }

  private struct Pair: Hashable {
    var first: Number
    var second: Number
  }

  /// The most states that one search visits.
  static let searchLimit = 60_000
  /// The most automata and inclusions that are kept.
  private static let cacheLimit = 4_096
  /// The most URLs that are kept of a pattern.
  private static let sampleLimit = 6

  /// Creates an empty table.
  package init() {}

  /// Returns the number of a pattern that a list accepts.
  package func number(of filter: URLFilter) -> Number {
    if let number = numbers[filter] { return number }
    let number = filters.count
    numbers[filter] = number
    filters.append(filter)
    let parsed = URLFilterParser.parse(
      filter.text.utf8Span.span,
      isCaseSensitive: filter.isCaseSensitive,
      into: &terms
    )
    universal.append(parsed == .success(true))
    hosts.append(PatternHost.host(of: filter))
    return number
  }

  /// Whether a pattern matches every URL by its status (section 5.3 of the rule language).
  package func isUniversal(_ number: Number) -> Bool { universal[number] }

  /// Returns the length of the longest text that every URL contains that a pattern matches.
  package func longestText(of number: Number) -> Int {
    parse(number, &terms) ? PatternShape.longestText(in: terms) : 0
  }

  /// Returns a pattern's automaton; `nil` if it is universal or too large.
  package func automaton(_ number: Number) -> PatternAutomaton? {
    if let known = automata[number] { return known }
    guard !universal[number], !tooLarge.contains(number) else { return nil }
    guard let automaton = PatternAutomaton(filters[number], &terms) else {
      tooLarge.insert(number)
      return nil
    }
    if automata.count >= Self.cacheLimit { automata.removeAll(keepingCapacity: true) }
    automata[number] = automaton
    return automaton
  }

  // MARK: Proofs

  /// Tries to prove that each URL that the first pattern matches is matched by the second.
  ///
  /// - Returns: ``Proof/proved``, ``Proof/refuted`` by a URL, or ``Proof/undecided``.
  package func inclusion(of first: Number, in second: Number) -> Proof {
    if first == second || universal[second] { return .proved }
    let pair = Pair(first: first, second: second)
    if let known = inclusions[pair] { return known }
    let proof = newInclusion(of: first, in: second)
    if inclusions.count >= Self.cacheLimit * 16 { inclusions.removeAll(keepingCapacity: true) }
    inclusions[pair] = proof
    return proof
  }

  private func newInclusion(of first: Number, in second: Number) -> Proof {
    if isInclusionPlain(of: first, in: second) { return .proved }
    guard let other = automaton(second) else { return .undecided }
    var matching: [PatternAutomaton] = []
    if !universal[first] {
      guard let own = automaton(first) else { return .undecided }
      // A URL that the first one matches refutes most claims without a search.
      if samples(first, own).contains(where: { !other.matches($0) }) { return .refuted }
      matching = [own]
    }
    switch search(matching, [other]) {
    case .found(let url):
      // What tells it from one pattern tells it from others.
      if samples[first, default: []].count < Self.sampleLimit {
        samples[first, default: []].append(url)
      }
      return .refuted
    case .none: return .proved
    case .undecided: return .undecided
    }
  }

  /// Returns URLs that a pattern matches: one that is found at once, and those of earlier searches.
  private func samples(_ number: Number, _ automaton: PatternAutomaton) -> [String] {
    if let known = samples[number] { return known }
    let found = SampleURL.url(automaton, variant: 0).map { [$0] } ?? []
    samples[number] = found
    return found
  }

  /// Whether two patterns are about hosts of which no URL has both, as their spelling shows.
  package func areOfDifferentHosts(_ first: Number, _ second: Number) -> Bool {
    guard let host = hosts[first], let other = hosts[second] else { return false }
    return PatternHost.areApart(host, other)
  }

  /// Returns the host that a pattern is about with its subdomains, if its spelling shows one.
  package func host(of number: Number) -> [UInt8]? { hosts[number] }

  /// Whether no URL is about two hosts.
  package func areApart(_ host: [UInt8], _ other: [UInt8]) -> Bool {
    PatternHost.areApart(host, other)
  }

  /// Tries to find a URL that both patterns match.
  package func meeting(_ first: Number, _ second: Number) -> URLSearch.Outcome {
    if areOfDifferentHosts(first, second) { return .none }
    let pair = Pair(first: min(first, second), second: max(first, second))
    if let known = meetings[pair] { return known }
    let outcome = newMeeting(first, second)
    if meetings.count >= Self.cacheLimit * 4 { meetings.removeAll(keepingCapacity: true) }
    meetings[pair] = outcome
    return outcome
  }

  private func newMeeting(_ first: Number, _ second: Number) -> URLSearch.Outcome {
    var matching: [PatternAutomaton] = []
    for number in first == second ? [first] : [first, second] where !universal[number] {
      guard let automaton = automaton(number) else { return .undecided }
      matching.append(automaton)
    }
    if matching.count == 2 {
      // A URL of one that the other one matches needs no search.
      let own = samples(first, matching[0]).first { matching[1].matches($0) }
      if let url = own ?? samples(second, matching[1]).first(where: { matching[0].matches($0) }) {
        return .found(url)
      }
    }
    return search(matching, [])
  }

  /// Tries to find a URL of a kind that the patterns of the first numbers match and those of the
  /// others do not; three patterns at most.
  package func url(
    matching numbers: [Number],
    notMatching others: [Number] = [],
    in urls: URLAutomaton = .everything
  ) -> URLSearch.Outcome {
    var matching: [PatternAutomaton] = []
    for number in numbers where !universal[number] {
      guard let automaton = automaton(number) else { return .undecided }
      matching.append(automaton)
    }
    var missing: [PatternAutomaton] = []
    for number in others {
      if universal[number] { return .none }
      guard let automaton = automaton(number) else { return .undecided }
      missing.append(automaton)
    }
    return search(matching, missing, in: urls)
  }

  private func search(
    _ matching: [PatternAutomaton],
    _ others: [PatternAutomaton],
    in urls: URLAutomaton = .everything
  ) -> URLSearch.Outcome {
    guard visited < budget else {
      givenUp += 1
      return .undecided
    }
    let outcome = URLSearch.url(
      in: urls,
      matching: matching,
      notMatching: others,
      limit: min(Self.searchLimit, budget - visited),
      visited: &visited
    )
    if outcome == .undecided { givenUp += 1 }
    return outcome
  }

  /// Whether the terms of the second pattern occur in those of the first, which proves the
  /// inclusion without an automaton.
  private func isInclusionPlain(of first: Number, in second: Number) -> Bool {
    guard !universal[first], parse(first, &terms), parse(second, &otherTerms) else { return false }
    return PatternShape.isPart(otherTerms, of: terms)
  }

  private func parse(_ number: Number, _ terms: inout [Term]) -> Bool {
    let filter = filters[number]
    let parsed = URLFilterParser.parse(
      filter.text.utf8Span.span,
      isCaseSensitive: filter.isCaseSensitive,
      into: &terms
    )
    return parsed == .success(false)
  }
}
