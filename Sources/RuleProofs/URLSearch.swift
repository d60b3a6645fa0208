internal import Automata

/// Searches for a URL that some patterns match and others do not.
///
/// The search goes through the product of the patterns' automata and that of all URLs, breadth
/// first, so that what it finds is as short as such a URL can be.
///
///     URLSearch.url(in: .everything, matching: [a], notMatching: [b], limit: 20_000, visited: &sum)
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
  ///   - visited: Is raised by the states that were visited.
  /// - Returns: A shortest URL, with the letters that come first; that there is none; or that the
  ///   limit was reached.
  /// - Complexity: O(*limit* · *k*) for *k* classes of symbols, at most 128.
  package static func url(
    in urls: URLAutomaton,
    matching: [PatternAutomaton],
    notMatching others: [PatternAutomaton],
    limit: Int,
    visited: inout Int
  ) -> Outcome {
    precondition(matching.count + others.count <= 3, "a state's numbers fill 64 bits")
    let patterns = matching + others
    let symbols = representatives(urls, patterns)
    let urlColumns = symbols.map { Int(urls.dfa.classes[Int($0)]) }
    let columns = patterns.map { pattern in symbols.map { Int(pattern.dfa.classes[Int($0)]) } }
    var states = States()
    defer { visited += states.keys.count }
    // The start's key: the URLs' automaton in the low bits, then 14 bits for each pattern.
    var start: UInt64 = 1
    for number in patterns.indices { start |= 1 << (20 + 14 * UInt64(number)) }
    guard isOpen(start, patterns, matching.count) else { return .none }
    _ = states.insert(start, parent: -1, symbol: 0)
    var place = 0
    while place < states.keys.count {
      let own = states.keys[place]
      let url = Int(own & 0xF_FFFF) * urls.dfa.classCount
      nextSymbol: for (number, symbol) in symbols.enumerated() {
        let next = Int(urls.dfa.transitions[url + urlColumns[number]])
        guard next != 0 else { continue }
        var key = UInt64(next)
        for part in patterns.indices {
          let shift = 20 + 14 * UInt64(part)
          var state = Int(own >> shift & 0x3FFF)
          if !patterns[part].accepts[state] {
            let dfa = patterns[part].dfa
            state = Int(dfa.transitions[state * dfa.classCount + columns[part][number]])
          }
          // No URL that is asked for lies behind such a state.
          if part < matching.count ? state == 0 : patterns[part].accepts[state] {
            continue nextSymbol
          }
          key |= UInt64(state) << shift
        }
        guard states.insert(key, parent: Int32(place), symbol: symbol) else { continue }
        if urls.isEnd[next] {
          guard isFound(key, patterns, matching.count) else { continue }
          return .found(states.text)
        }
        guard states.keys.count < limit else { return .undecided }
      }
      place += 1
    }
    return .none
  }

  /// The states of a search in the order in which they were reached, and a table to find them in.
  private struct States {
    private(set) var keys: [UInt64] = []
    private var parents: [Int32] = []
    private var symbols: [UInt8] = []
    /// One more than a state's place, or 0, in open addressing; always at most half full.
    private var table = [Int32](repeating: 0, count: 64)

    /// Adds a state; returns false if it is known.
    mutating func insert(_ key: UInt64, parent: Int32, symbol: UInt8) -> Bool {
      var slot = self.slot(of: key)
      while table[slot] != 0 {
        if keys[Int(table[slot]) - 1] == key { return false }
        slot = (slot + 1) & (table.count - 1)
      }
      keys.append(key)
      parents.append(parent)
      symbols.append(symbol)
      table[slot] = Int32(keys.count)
      if keys.count * 2 > table.count { grow() }
      return true
    }

    /// The text that leads to the last state.
    var text: String {
      var bytes: [UInt8] = []
      var place = keys.count - 1
      while place > 0 {
        if symbols[place] != 0 { bytes.append(symbols[place]) }
        place = Int(parents[place])
      }
      return String(decoding: bytes.reversed(), as: UTF8.self)
    }

    private mutating func grow() {
      table = [Int32](repeating: 0, count: table.count * 4)
      for (place, key) in keys.enumerated() {
        var slot = self.slot(of: key)
        while table[slot] != 0 { slot = (slot + 1) & (table.count - 1) }
        table[slot] = Int32(place + 1)
      }
    }

    private func slot(of key: UInt64) -> Int {
      // The high half of a product depends on all bits.
      Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & (table.count - 1)
    }
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
