internal import Automata
package import ContentRules

/// Finds where a pattern matches a URL, for explaining; deciding has faster ways.
package struct PatternSearch: Sendable {
  private let nfa: NFA
  private let isAnchored: Bool

  /// Prepares the search for a pattern.
  package init(_ filter: ParsedURLFilter) {
    // A leading `.*` means that the match may begin anywhere, which the search handles itself.
    isAnchored = !(filter.terms.first.map { $0.isGap } ?? true)
    nfa = NFA(terms: isAnchored ? filter.terms[...] : filter.terms.dropFirst())
  }

  /// Returns the match that is complete first and, of those, the one that begins first.
  ///
  /// - Parameter url: The serialised URL.
  /// - Returns: The matched bytes; empty at the end for a pattern that matches only there.
  /// - Complexity: O(*n* · *m*) for *n* bytes and *m* terms.
  package func firstMatch(in url: [UInt8]) -> Range<Int>? {
    var threads = Threads(count: nfa.instructions.count)
    for position in 0...url.count + 1 {
      if position == 0 || !isAnchored { enter(0, from: position, &threads) }
      if let start = threads.accepted {
        return min(start, url.count)..<min(position, url.count)
      }
      guard position <= url.count, !isAnchored || !threads.next.isEmpty else { break }
      let symbol = position < url.count ? url[position] : 0
      // No term matches a byte above 127, not even a gap.
      guard symbol < 128 else { break }
      threads.advance()
      for (instruction, start) in threads.now {
        if case .consume(let set) = nfa.instructions[instruction], set.contains(symbol) {
          enter(instruction + 1, from: start, &threads)
        }
      }
    }
    return nil
  }

  /// Enters an instruction and all that it reaches without reading.
  private func enter(_ first: Int, from start: Int, _ threads: inout Threads) {
    var stack = [first]
    while let instruction = stack.popLast() {
      guard threads.note(instruction, start) else { continue }
      switch nfa.instructions[instruction] {
      case .consume: threads.next.append((instruction, start))
      case .accept: threads.accepted = min(start, threads.accepted ?? start)
      case .jump(let target): stack.append(target)
      case .split(let target):
        stack.append(target)
        stack.append(instruction + 1)
      }
    }
  }

  /// The instructions that wait at one position, each with the start of its earliest match.
  private struct Threads {
    var now: [(instruction: Int, start: Int)] = []
    var next: [(instruction: Int, start: Int)] = []
    var accepted: Int?
    /// For each instruction, the last step that reached it, and the earliest start in that step.
    private var reached: [(step: Int, start: Int)]
    private var step = 1

    init(count: Int) { reached = Array(repeating: (0, 0), count: count) }

    mutating func advance() {
      swap(&now, &next)
      next.removeAll(keepingCapacity: true)
      step += 1
    }

    /// Records that a match reaches an instruction; returns false if an earlier one has.
    mutating func note(_ instruction: Int, _ start: Int) -> Bool {
      if reached[instruction].step == step, reached[instruction].start <= start { return false }
      reached[instruction] = (step, start)
      return true
    }
  }
}
