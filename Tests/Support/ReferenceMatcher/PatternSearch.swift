/// A text in the form in which patterns are searched in it.
struct SearchedText {
  /// The characters, and a 0 behind the last one.
  ///
  /// A character above 127 is in no set, so no match goes past it: the text is cut off there.
  let characters: [UInt8]
  /// For each three characters in a row one bit, whether they occur, by ``index(of:)``.
  private let triples: [UInt64]

  init(_ text: String) {
    let ascii = text.utf8.prefix { $0 < 128 }
    characters = Array(ascii) + (ascii.count == text.utf8.count ? [0] : [])
    var triples = [UInt64](repeating: 0, count: 1 << 9)
    for start in characters.indices.dropLast(2) {
      let index = Self.index(of: characters[start...])
      triples[index >> 6] |= 1 << UInt64(index & 63)
    }
    self.triples = triples
  }

  /// Packs the low five bits of the first three characters, which both cases of a letter share.
  static func index(of characters: some Collection<UInt8>) -> Int {
    characters.prefix(3).reduce(0) { $0 << 5 | Int($1 & 31) }
  }

  /// Whether the text can hold all of these triples.
  ///
  /// May say yes wrongly, but not no.
  func mayContain(_ wanted: [Int]) -> Bool {
    for triple in wanted where triples[triple >> 6] >> UInt64(triple & 63) & 1 == 0 {
      return false
    }
    return true
  }
}

/// A pattern as a list of steps, over which a search moves a set of positions.
///
/// > Source: The rule language, section 5.4.
struct PatternMachine: Sendable {
  private enum Step {
    /// Reads a character of the set and goes on at the step.
    case consume(PatternCharacters, then: Int)
    /// Goes on at both steps.
    case fork(Int, Int)
    /// The whole pattern has been found.
    case found
  }

  private var steps: [Step] = [.found]
  private var start = 0
  private let isAnchored: Bool
  /// Triples (see ``SearchedText``) that every text with a match contains.
  private var necessaryTriples: [Int] = []

  init(_ pattern: ReferencePattern) {
    isAnchored = pattern.isAnchored
    start = lay(pattern.nodes, then: 0)
    necessaryTriples = Self.literalRuns(pattern.nodes).flatMap { run in
      run.indices.dropLast(2).map { SearchedText.index(of: run[$0...]) }
    }
  }

  // MARK: From tree to steps

  /// Adds the steps of a sequence and returns the first, where it begins.
  private mutating func lay(_ nodes: [PatternNode], then next: Int) -> Int {
    nodes.reversed().reduce(next) { lay($1, then: $0) }
  }

  private mutating func lay(_ node: PatternNode, then next: Int) -> Int {
    switch node {
    case .characters(let set, let repetition):
      repeated(repetition, then: next) { $0.add(.consume(set, then: $1)) }
    case .group(let body, let repetition):
      repeated(repetition, then: next) { $0.lay(body, then: $1) }
    }
  }

  private mutating func repeated(
    _ repetition: PatternRepetition,
    then next: Int,
    _ layBody: (inout Self, _ then: Int) -> Int
  ) -> Int {
    if repetition == .once { return layBody(&self, next) }
    // The fork stands behind the body if the body may repeat, so that it leads back.
    let fork = add(.fork(next, next))
    let body = layBody(&self, repetition.allowsMany ? fork : next)
    steps[fork] = .fork(body, next)
    return repetition.allowsNone ? fork : body
  }

  private mutating func add(_ step: Step) -> Int {
    steps.append(step)
    return steps.count - 1
  }

  /// The longest rows of top-level pieces that each stand for one character, in either case.
  private static func literalRuns(_ nodes: [PatternNode]) -> [[UInt8]] {
    var runs: [[UInt8]] = [[]]
    for node in nodes {
      let members: [UInt8] =
        if case .characters(let set, .once) = node, set.bits.nonzeroBitCount <= 2 {
          set.members
        } else { [] }
      switch (members.first, members.last) {
      case (let first?, let last?) where first & 31 == last & 31 && first != 0:
        runs[runs.count - 1].append(first)
      default: runs.append([])
      }
    }
    return runs
  }

  // MARK: Searching

  /// Whether the text holds what every match must contain.
  func maybeFinds(in text: SearchedText) -> Bool { text.mayContain(necessaryTriples) }

  /// Searches the text for the pattern.
  ///
  /// - Complexity: O(*n* · *m*) for *n* characters and *m* steps.
  func finds(in text: SearchedText) -> Bool {
    var positions = PositionSet(count: steps.count)
    var following = PositionSet(count: steps.count)
    enter(start, &positions)
    for character in text.characters {
      if !isAnchored { enter(start, &positions) }
      for position in positions.members {
        if case .consume(let set, let next) = steps[position], set.contains(character) {
          enter(next, &following)
        }
      }
      if following.contains(0) { return true }
      swap(&positions, &following)
      following.removeAll()
      if isAnchored && positions.members.isEmpty { return false }
    }
    return false
  }

  /// Adds a step and, where it is a fork, the steps behind it.
  private func enter(_ step: Int, _ positions: inout PositionSet) {
    var waiting = [step]
    while let step = waiting.popLast() {
      guard positions.insert(step) else { continue }
      if case .fork(let left, let right) = steps[step] { waiting += [right, left] }
    }
  }
}

/// A set of step numbers that is emptied in the time it took to fill it.
private struct PositionSet {
  private(set) var members: [Int] = []
  private var isMember: [Bool]

  init(count: Int) { isMember = Array(repeating: false, count: count) }

  func contains(_ step: Int) -> Bool { isMember[step] }

  mutating func insert(_ step: Int) -> Bool {
    guard !isMember[step] else { return false }
    isMember[step] = true
    members.append(step)
    return true
  }

  mutating func removeAll() {
    for member in members { isMember[member] = false }
    members.removeAll(keepingCapacity: true)
  }
}
