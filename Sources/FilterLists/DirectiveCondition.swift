/// Evaluates the condition of `!#if`: names, `!`, `&&`, `||` and parentheses.
struct DirectiveCondition {
  private static let maximumDepth = 32

  private let text: ArraySlice<UInt8>
  private var position: Int
  private let names: Set<String>
  private var isBroken = false

  private init(_ text: ArraySlice<UInt8>, _ names: Set<String>) {
    self.text = text
    position = text.startIndex
    self.names = names
  }

  /// Returns whether a condition holds; `nil` if it cannot be read.
  ///
  /// - Parameters:
  ///   - text: The condition.
  ///   - names: The names that are true; all others are false.
  /// - Returns: Whether it holds, or `nil`.
  static func holds(_ text: ArraySlice<UInt8>, names: Set<String>) -> Bool? {
    var reader = DirectiveCondition(text, names)
    let value = reader.either(depth: 0)
    reader.skipSpace()
    return reader.isBroken || reader.position < text.endIndex ? nil : value
  }

  private mutating func either(depth: Int) -> Bool {
    var value = both(depth: depth)
    while take("||") {
      let other = both(depth: depth)
      value = value || other
    }
    return value
  }

  private mutating func both(depth: Int) -> Bool {
    var value = single(depth: depth)
    while take("&&") {
      let other = single(depth: depth)
      value = value && other
    }
    return value
  }

  private mutating func single(depth: Int) -> Bool {
    guard depth < Self.maximumDepth, !isBroken else {
      isBroken = true
      return false
    }
    if take("!") { return !single(depth: depth + 1) }
    if take("(") {
      let value = either(depth: depth + 1)
      if !take(")") { isBroken = true }
      return value
    }
    skipSpace()
    let name = text[position...].prefix {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F
    }
    guard !name.isEmpty else {
      isBroken = true
      return false
    }
    position = name.endIndex
    let word = String(decoding: name, as: UTF8.self).lowercased()
    return word == "true" || names.contains(word)
  }

  private mutating func skipSpace() {
    while position < text.endIndex, FilterText.isSpace(text[position]) { position += 1 }
  }

  private mutating func take(_ word: String) -> Bool {
    skipSpace()
    guard text[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }
}

/// The conditions of all `!#if` around a line.
struct DirectiveConditions {
  /// The names that are true.
  let names: Set<String>
  /// Those whose end has not come, from the outermost inward.
  private var open: [Condition] = []

  private struct Condition {
    var holds: Bool
    /// Whether what surrounds it is met.
    var isReached: Bool
  }

  /// No conditions.
  init(names: Set<String>) { self.names = names }

  /// Whether all of them hold.
  var areMet: Bool { open.last.map { $0.holds && $0.isReached } ?? true }

  /// Begins to read what is behind `!#if`; a condition that cannot be read does not hold.
  mutating func open(_ condition: ArraySlice<UInt8>) {
    let holds = DirectiveCondition.holds(condition, names: names) ?? false
    open.append(Condition(holds: holds, isReached: areMet))
  }

  /// Goes on behind `!#else`.
  mutating func toggle() {
    if let last = open.indices.last { open[last].holds.toggle() }
  }

  /// Ends the innermost at `!#endif`.
  mutating func close() { _ = open.popLast() }
}
