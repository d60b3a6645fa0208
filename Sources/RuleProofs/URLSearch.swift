internal import Automata

/// Searches for a URL that some patterns match and others do not.
///
/// The search goes through the product of the patterns' automata and that of all URLs, breadth
/// first, so that what it finds is as short as such a URL can be.
///
///     URLSearch.url(in: .everything, matching: [a], notMatching: [b], limit: 20_000)
package enum URLSearch {
  /// What a search came to.
  package enum Outcome: Hashable, Sendable {
    /// A URL as it was asked for.
    case found(String)
    /// There is none.
    case none
    /// The limit was reached before either was certain.
    case undecided
  }

  /// Searches for a URL.
  ///
  /// - Parameters:
  ///   - urls: The URLs that count.
  ///   - matching: Patterns that have to match, at most three with the others.
  ///   - others: Patterns that must not match.
  ///   - limit: The most states of the product to visit.
  /// - Returns: A shortest URL, with the letters that come first; that there is none; or that the
  ///   limit was reached.
  /// - Complexity: O(*limit* · *k*) for *k* classes of symbols, at most 128.
  package static func url(
    in urls: URLAutomaton,
    matching: [PatternAutomaton],
    notMatching others: [PatternAutomaton],
    limit: Int
  ) -> Outcome {
    precondition(matching.count + others.count <= 3, "a state's numbers fill 64 bits")
    let patterns = matching + others
    let symbols = representatives(urls, patterns)
    var known: [UInt64: Int32] = [:]
    var states: [(key: UInt64, parent: Int32, symbol: UInt8)] = []
    // The start's key: the URLs' automaton in the low bits, then 14 bits for each pattern.
    func key(_ url: Int, _ numbers: [Int]) -> UInt64 {
      var key = UInt64(url)
      for (place, number) in numbers.enumerated() {
        key |= UInt64(number) << (20 + 14 * UInt64(place))
      }
      return key
    }
    let start = key(1, patterns.map { _ in 1 })
    guard isOpen(start, patterns, matching.count) else { return .none }
    states.append((start, -1, 0))
    known[start] = 0
    var place = 0
    while place < states.count {
      let (own, _, _) = states[place]
      let url = Int(own & 0xF_FFFF)
      for symbol in symbols {
        let next = urls.dfa.next(url, symbol)
        guard next != 0 else { continue }
        var key = UInt64(next)
        for (number, pattern) in patterns.enumerated() {
          let shift = 20 + 14 * UInt64(number)
          let state = pattern.next(Int(own >> shift & 0x3FFF), symbol)
          key |= UInt64(state) << shift
        }
        guard known[key] == nil, isOpen(key, patterns, matching.count) else { continue }
        states.append((key, Int32(place), symbol))
        if urls.isEnd[next] {
          guard isFound(key, patterns, matching.count) else { continue }
          return .found(text(of: states))
        }
        guard states.count < limit else { return .undecided }
        known[key] = Int32(states.count - 1)
      }
      place += 1
    }
    return .none
  }

  /// Whether a state may still lead to a URL that is asked for.
  private static func isOpen(_ key: UInt64, _ patterns: [PatternAutomaton], _ count: Int) -> Bool {
    for (number, pattern) in patterns.enumerated() {
      let state = Int(key >> (20 + 14 * UInt64(number)) & 0x3FFF)
      if number < count ? state == 0 : pattern.accepts[state] { return false }
    }
    return true
  }

  private static func isFound(_ key: UInt64, _ patterns: [PatternAutomaton], _ count: Int) -> Bool {
    for (number, pattern) in patterns.prefix(count).enumerated()
    where !pattern.accepts[Int(key >> (20 + 14 * UInt64(number)) & 0x3FFF)] {
      return false
    }
    return true
  }

  private static func text(of states: [(key: UInt64, parent: Int32, symbol: UInt8)]) -> String {
    var bytes: [UInt8] = []
    var place = states.count - 1
    while place > 0 {
      if states[place].symbol != 0 { bytes.append(states[place].symbol) }
      place = Int(states[place].parent)
    }
    return String(decoding: bytes.reversed(), as: UTF8.self)
  }

  /// Returns one symbol of each class that no automaton distinguishes, those first that read best.
  private static func representatives(
    _ urls: URLAutomaton,
    _ patterns: [PatternAutomaton]
  ) -> [UInt8] {
    var seen: Set<UInt64> = []
    return bestFirst.filter { symbol in
      var signature = UInt64(urls.dfa.classes[Int(symbol)])
      for pattern in patterns {
        signature = signature << 8 | UInt64(pattern.dfa.classes[Int(symbol)])
      }
      return seen.insert(signature).inserted
    }
  }

  private static let bestFirst: [UInt8] = {
    let best = Array("abcdefghijklmnopqrstuvwxyz/.-0123456789:=&?_".utf8)
    return best + (0..<128).filter { !best.contains($0) }
  }()
}
