internal import Automata
public import ContentRules

/// Finds where a pattern matches a URL, for explaining; deciding has faster ways.
public struct PatternSearch: Sendable {
  private let nfa: NFA
  private let isAnchored: Bool

  /// Prepares the search for a pattern.
  public init(_ filter: ParsedURLFilter) {
    // A leading `.*` says that the match may begin anywhere, which the search does by itself.
    isAnchored = !(filter.terms.first.map { $0.isGap } ?? true)
    nfa = NFA(terms: isAnchored ? filter.terms[...] : filter.terms.dropFirst())
  }

  /// The match that is complete first; among those, the one that begins first.
  ///
  /// - Parameter url: The serialised URL.
  /// - Returns: The matched bytes; empty at the end for a pattern that matches just there.
  /// - Complexity: O(*n* · *m*) for *n* bytes and *m* terms.
  public func firstMatch(in url: [UInt8]) -> Range<Int>? {
    // For each instruction, where the earliest match that has come to it began.
    var starts = [Int?](repeating: nil, count: nfa.instructions.count)
    for position in 0...url.count + 1 {
      if position == 0 || !isAnchored { enter(0, from: position, &starts) }
      for case (.accept, let start?) in zip(nfa.instructions, starts) {
        return min(start, url.count)..<min(position, url.count)
      }
      guard position <= url.count else { break }
      let symbol = position < url.count ? url[position] : 0
      // No pattern gets past such a byte, not even the search for where one begins.
      guard symbol < 128 else { break }
      var next = [Int?](repeating: nil, count: nfa.instructions.count)
      for (index, instruction) in nfa.instructions.enumerated() {
        if case .consume(let set) = instruction, let start = starts[index], set.contains(symbol) {
          enter(index + 1, from: start, &next)
        }
      }
      starts = next
    }
    return nil
  }

  /// Notes an instruction and all that it reaches without reading.
  private func enter(_ first: Int, from start: Int, _ starts: inout [Int?]) {
    var stack = [first]
    while let index = stack.popLast() {
      if let earlier = starts[index], earlier <= start { continue }
      starts[index] = start
      switch nfa.instructions[index] {
      case .consume, .accept: break
      case .jump(let target): stack.append(target)
      case .split(let target):
        stack.append(target)
        stack.append(index + 1)
      }
    }
  }
}
