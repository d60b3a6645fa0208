internal import Automata

/// Short URLs that a pattern matches, found without a search through all of them.
package enum SampleURL {
  /// The beginnings that are tried, so that two samples have little in common.
  package static let variantCount = 2

  private static let starts = [Array("https://".utf8), Array("http://".utf8)]
  private static let letters = [
    Array("abcdefghijklmnopqrstuvwxyz0123456789./-:=&?_".utf8),
    Array("xkzqjvwyutsrponmlihgfedcba9876543210.-/:=_&?".utf8),
  ]
  private static let symbols = letters.map { first in
    first + (33..<127).filter { !first.contains($0) }
  }
  /// The most steps, and those in a row that come no nearer to a match.
  private static let stepLimit = 2_000
  private static let idleLimit = 12

  /// Returns a URL that a pattern matches, by walking towards a match; `nil` if the walk gets lost,
  /// which says nothing about the pattern.
  ///
  /// `variant` says which beginning and letters are used, below ``variantCount``.
  ///
  /// - Complexity: O(*n* · *k*) for *n* states and *k* symbols.
  package static func url(_ pattern: PatternAutomaton, variant: Int) -> String? {
    let urls = URLAutomaton.everything
    let distances = distances(of: pattern)
    var text: [UInt8] = []
    var state = 1
    var place = 1
    for symbol in starts[variant] {
      state = pattern.next(state, symbol)
      place = urls.dfa.next(place, symbol)
      text.append(symbol)
    }
    guard distances[state] < .max else { return nil }
    var idle = 0
    while !pattern.accepts[state] {
      guard text.count < stepLimit, idle < idleLimit else { return nil }
      // At the end of the URL, if that is all that is missing.
      if pattern.accepts[pattern.next(state, 0)], isEnd(urls, place) {
        return String(decoding: text, as: UTF8.self)
      }
      var best: (symbol: UInt8, distance: Int)?
      for symbol in symbols[variant] where urls.dfa.next(place, symbol) != 0 {
        let distance = distances[pattern.next(state, symbol)]
        if distance < best?.distance ?? .max { best = (symbol, distance) }
      }
      guard let best else { return nil }
      idle = best.distance < distances[state] ? 0 : idle + 1
      state = pattern.next(state, best.symbol)
      place = urls.dfa.next(place, best.symbol)
      text.append(best.symbol)
    }
    for _ in 0..<8 {
      if isEnd(urls, place) { return String(decoding: text, as: UTF8.self) }
      let next = [UInt8(ascii: "/"), symbols[variant][0]].first { urls.dfa.next(place, $0) != 0 }
      guard let next else { return nil }
      text.append(next)
      place = urls.dfa.next(place, next)
    }
    return nil
  }

  private static func isEnd(_ urls: URLAutomaton, _ place: Int) -> Bool {
    urls.isEnd[urls.dfa.next(place, 0)]
  }

  /// Returns for each state the fewest symbols to a match; `Int.max` where there is none.
  private static func distances(of pattern: PatternAutomaton) -> [Int] {
    let dfa = pattern.dfa
    var before: [[Int]] = Array(repeating: [], count: dfa.stateCount)
    for state in 0..<dfa.stateCount where !pattern.accepts[state] {
      for place in 0..<dfa.classCount {
        before[Int(dfa.transitions[state * dfa.classCount + place])].append(state)
      }
    }
    var distances = Array(repeating: Int.max, count: dfa.stateCount)
    var queue = (0..<dfa.stateCount).filter { pattern.accepts[$0] }
    for state in queue { distances[state] = 0 }
    var first = 0
    while first < queue.count {
      let state = queue[first]
      first += 1
      for previous in before[state] where distances[previous] == .max {
        distances[previous] = distances[state] + 1
        queue.append(previous)
      }
    }
    return distances
  }
}
