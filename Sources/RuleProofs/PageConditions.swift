package import ContentRules

/// The conditions of rules as sets of pages and frames, and proofs about them.
///
/// A plain domain such as `*shop.test` is compared by its labels, every other entry by its
/// pattern's automaton. Entries are searched for anywhere in a page's URL, so that two domains
/// never exclude each other: `https://a.test/?u=https://b.test/` is on both.
package final class PageConditions {
  /// A condition's place in the table; 0 stands for none.
  package typealias Number = Int

  private let patterns: PatternTable
  private var numbers: [Condition: Number] = [:]
  private var known: [Entries?] = [nil]
  private var inclusions: [Pair: Bool] = [:]

  /// The most pairs of entries that are compared with automata.
  private static let pairLimit = 64
  /// The most inclusions that are kept.
  private static let cacheLimit = 65_536

  private struct Pair: Hashable {
    var first: Number
    var second: Number
  }

  /// A condition's entries.
  struct Entries {
    var condition: Condition
    /// The plain domains: whether each also stands for its subdomains.
    var domains: [String: Bool] = [:]
    /// The plain domains in the list's order.
    var hosts: [String] = []
    /// The patterns of all other entries.
    var others: [PatternTable.Number] = []
  }

  /// Creates a table for the patterns of another one.
  package init(patterns: PatternTable) {
    self.patterns = patterns
  }

  /// Returns the number of a condition; 0 for `nil`.
  package func number(of condition: Condition?) -> Number {
    guard let condition else { return 0 }
    if let number = numbers[condition] { return number }
    numbers[condition] = known.count
    known.append(entries(of: condition))
    return known.count - 1
  }

  /// Returns a condition; `nil` for number 0.
  package func condition(_ number: Number) -> Condition? { known[number]?.condition }

  /// Returns the plain domains of a condition without their `*`, and whether it has other entries.
  package func hosts(of number: Number) -> (hosts: [String], hasOthers: Bool) {
    guard let entries = known[number] else { return ([], false) }
    return (entries.hosts, !entries.others.isEmpty)
  }

  /// Returns the patterns of a condition's entries other than plain domains.
  package func others(of number: Number) -> [PatternTable.Number] { known[number]?.others ?? [] }

  /// Returns the pattern by which a condition's first entry is searched for, those that are no plain
  /// domains first; `nil` for number 0.
  package func firstPattern(of number: Number) -> PatternTable.Number? {
    guard let entries = known[number] else { return nil }
    return entries.others.first ?? entries.hosts.first.map { pattern(ofHost: $0, entries) }
  }

  // MARK: Proofs

  /// Whether it is proved that wherever the first condition holds, the second holds.
  package func isIncluded(_ first: Number, in second: Number) -> Bool {
    if first == second || second == 0 { return true }
    if first == 0 { return false }
    let pair = Pair(first: first, second: second)
    if let known = inclusions[pair] { return known }
    let isProved = newInclusion(first, second)
    if inclusions.count >= Self.cacheLimit { inclusions.removeAll(keepingCapacity: true) }
    inclusions[pair] = isProved
    return isProved
  }

  /// Whether it is proved that the two conditions never hold together.
  package func areDisjoint(_ first: Number, _ second: Number) -> Bool {
    guard first != 0, second != 0, let own = known[first], let other = known[second],
      isOfFrame(own) == isOfFrame(other)
    else { return false }
    switch (own.condition.isNegated, other.condition.isNegated) {
    case (true, true): return false
    case (false, true): return areIncluded(own, in: other)
    case (true, false): return areIncluded(other, in: own)
    case (false, false): return areDisjointPatterns(own, other)
    }
  }

  private func newInclusion(_ first: Number, _ second: Number) -> Bool {
    guard let own = known[first], let other = known[second], isOfFrame(own) == isOfFrame(other)
    else { return false }
    switch (own.condition.isNegated, other.condition.isNegated) {
    case (false, false): return areIncluded(own, in: other)
    case (true, true): return areIncluded(other, in: own)
    case (false, true): return areDisjointPatterns(own, other)
    case (true, false): return false
    }
  }

  private func isOfFrame(_ entries: Entries) -> Bool { entries.condition.subject == .frameURL }

  /// Whether no URL is matched by an entry of each; never proved for plain domains, which some URL
  /// holds together.
  private func areDisjointPatterns(_ own: Entries, _ other: Entries) -> Bool {
    guard own.domains.isEmpty, other.domains.isEmpty,
      own.others.count * other.others.count <= Self.pairLimit
    else { return false }
    return own.others.allSatisfy { one in
      other.others.allSatisfy { patterns.meeting(one, $0) == .none }
    }
  }

  /// Whether each entry is included in some entry of the other condition.
  private func areIncluded(_ own: Entries, in other: Entries) -> Bool {
    // A letter that stands for both cases is not included in one that stands for itself.
    let comparesCase = !own.condition.isCaseSensitive && other.condition.isCaseSensitive
    return own.hosts.allSatisfy { host in
      let isWild = own.domains[host] ?? false
      if !comparesCase, Self.isCovered(host, isWild: isWild, by: other.domains) { return true }
      guard other.others.count <= Self.pairLimit else { return false }
      let pattern = patterns.number(of: Self.filter(domain: isWild ? "*" + host : host, own))
      return other.others.contains { patterns.inclusion(of: pattern, in: $0) == .proved }
    }
      && own.others.allSatisfy { pattern in
        if other.others.contains(pattern) { return true }
        guard other.others.count + other.hosts.count <= Self.pairLimit else { return false }
        let all = other.others + other.hosts.map { self.pattern(ofHost: $0, other) }
        return all.contains { patterns.inclusion(of: pattern, in: $0) == .proved }
      }
  }

  private static func isCovered(
    _ host: String,
    isWild: Bool,
    by domains: [String: Bool]
  ) -> Bool {
    if let other = domains[host], other || !isWild { return true }
    return ParentDomains(of: host).contains { domains[$0] == true }
  }

  // MARK: Examples

  /// Returns conditions of single entries that hold on pages where one condition holds and another
  /// probably does not.
  ///
  /// - Parameters:
  ///   - first: The condition that holds; 0 for every page.
  ///   - second: The condition that does not.
  ///   - limit: The most conditions.
  /// - Returns: The conditions' numbers.
  package func pages(in first: Number, outside second: Number, limit: Int) -> [Number] {
    guard second != 0, let other = known[second] else { return [] }
    if other.condition.isNegated {
      // On one of the pages that the other one leaves out.
      return other.condition.entries.prefix(limit).map {
        single($0, of: other.condition)
      }
    }
    guard let own = known[first], !own.condition.isNegated else { return [first] }
    let hosts = own.hosts.filter {
      !Self.isCovered($0, isWild: own.domains[$0] ?? false, by: other.domains)
    }
    guard own.condition.subject == .domain else {
      return own.condition.entries.filter { !other.condition.entries.contains($0) }.prefix(limit)
        .map { single($0, of: own.condition) }
    }
    return hosts.prefix(limit).flatMap { host in
      // A wild entry may be left out but for its own host.
      (own.domains[host] ?? false ? ["sub." + host, host] : [host]).map {
        single($0, of: own.condition)
      }
    }
  }

  /// Returns the number of the condition that holds where one entry of a condition matches.
  package func single(_ entry: String, of condition: Condition) -> Number {
    var single = condition
    single.isNegated = false
    single.entries = [entry]
    return number(of: single)
  }

  // MARK: Entries

  private func entries(of condition: Condition) -> Entries {
    var entries = Entries(condition: condition)
    for entry in condition.entries {
      guard condition.subject == .domain else {
        let filter = URLFilter(entry, isCaseSensitive: condition.isCaseSensitive)
        entries.others.append(patterns.number(of: filter))
        continue
      }
      let isWild = entry.utf8.first == UInt8(ascii: "*")
      let host = isWild ? String(entry.dropFirst()) : entry
      guard Self.isPlain(host) else {
        entries.others.append(patterns.number(of: Self.filter(domain: entry, entries)))
        continue
      }
      if entries.domains[host] == nil { entries.hosts.append(host) }
      entries.domains[host] = (entries.domains[host] ?? false) || isWild
    }
    return entries
  }

  /// Whether an entry has no characters with a meaning of their own.
  private static func isPlain(_ host: String) -> Bool {
    guard let first = host.utf8.first, first != UInt8(ascii: ".") else { return false }
    return host.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
        || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
  }

  /// Whether one of a condition's entries is a host as pages have them, so that it can be met
  /// without a search; `false` says nothing.
  package func namesOrdinaryHost(_ number: Number) -> Bool {
    known[number]?.hosts.prefix(64).contains { host in
      let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      // A host whose last label is a number would be an IP address.
      guard host.utf8.count < 200, labels.count > 1, let last = labels.last else { return false }
      return last.allSatisfy(Self.isLetter)
        && labels.allSatisfy { label in
          (1...63).contains(label.count)
            && label.allSatisfy { Self.isLetter($0) || Self.isDigit($0) }
        }
    } ?? false
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  private static func filter(domain: String, _ entries: Entries) -> URLFilter {
    URLFilter(
      String(decoding: DomainPattern.pattern(forDomain: domain), as: UTF8.self),
      isCaseSensitive: entries.condition.isCaseSensitive
    )
  }

  private func pattern(ofHost host: String, _ entries: Entries) -> PatternTable.Number {
    let isWild = entries.domains[host] ?? false
    return patterns.number(of: Self.filter(domain: isWild ? "*" + host : host, entries))
  }

  /// Returns the patterns by which a condition's entries are searched for, and whether none of them
  /// may match; `nil` for number 0, or if there are more than a limit.
  package func patterns(
    of number: Number,
    limit: Int
  ) -> (numbers: [PatternTable.Number], isNegated: Bool, isOfFrame: Bool)? {
    guard let entries = known[number], entries.hosts.count + entries.others.count <= limit else {
      return nil
    }
    return (
      entries.others + entries.hosts.map { pattern(ofHost: $0, entries) },
      entries.condition.isNegated, isOfFrame(entries)
    )
  }
}
