internal import Automata
package import ContentRules

/// Finds where a pattern matches a URL, for explaining; deciding has faster ways.
package struct PatternSearch: Sendable {
  private let nfa: NFA
  private let isAnchored: Bool

  /// Prepares the search for a pattern.
  package init(_ filter: ParsedURLFilter) {
    // A leading `.*` says that the match may begin anywhere, which the search does by itself.
    isAnchored = !(filter.terms.first.map { $0.isGap } ?? true)
    nfa = NFA(terms: isAnchored ? filter.terms[...] : filter.terms.dropFirst())
  }

  /// The match that is complete first; among those, the one that begins first.
  ///
  /// - Parameter url: The serialised URL.
  /// - Returns: The matched bytes; empty at the end for a pattern that matches just there.
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
      // A byte above 127 is no character, and nothing goes past one, a gap included.
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

  /// Notes an instruction and all that it reaches without reading.
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

  /// The instructions that read at one position, each with where its earliest match began.
  private struct Threads {
    var now: [(instruction: Int, start: Int)] = []
    var next: [(instruction: Int, start: Int)] = []
    var accepted: Int?
    /// For each instruction, the step that reached it last and the earliest start in that step.
    private var reached: [(step: Int, start: Int)]
    private var step = 1

    init(count: Int) { reached = Array(repeating: (0, 0), count: count) }

    mutating func advance() {
      swap(&now, &next)
      next.removeAll(keepingCapacity: true)
      step += 1
    }

    /// Notes that a match reaches an instruction; false when an earlier one has.
    mutating func note(_ instruction: Int, _ start: Int) -> Bool {
      if reached[instruction].step == step, reached[instruction].start <= start { return false }
      reached[instruction] = (step, start)
      return true
    }
  }
}
