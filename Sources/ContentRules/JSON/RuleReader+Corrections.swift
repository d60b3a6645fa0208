/// The edits by which values and keys are mended.
extension RuleReader {
  /// Puts other bytes in the place of a value or a key.
  func replacing(
    _ index: Int,
    _ replacement: String,
    keepsMeaning: Bool
  ) -> Correction {
    Correction(node(index).range, replacement, keepsMeaning: keepsMeaning)
  }

  /// Puts a string that should be an array into brackets; `nil` for other values.
  func wrapping(_ value: Int) -> Correction? {
    guard node(value).kind == .string else { return nil }
    let range = node(value).range
    return Correction(
      [
        Correction.Edit(range.lowerBound..<range.lowerBound, "["),
        Correction.Edit(range.upperBound..<range.upperBound, "]"),
      ],
      keepsMeaning: true
    )
  }

  /// Takes a key and its value out of an object in which another key follows.
  func removing(memberBeforeOthers key: Int) -> Correction {
    let next = Int(node(key + 1).next)
    return Correction(
      node(key).range.lowerBound..<node(next).range.lowerBound,
      "",
      keepsMeaning: true
    )
  }

  /// Takes an element out of an array, with the comma between it and the one before.
  func removing(element: Int, behind previous: Int) -> Correction {
    Correction(
      node(previous).range.upperBound..<node(element).range.upperBound,
      "",
      keepsMeaning: true
    )
  }
}

extension Correction {
  /// A word as a JSON string, in the place of a key or a value that is probably misspelled.
  static func guess(_ word: String?, at node: JSONNode) -> Correction? {
    word.map { Correction(node.range, "\"\($0)\"", keepsMeaning: false) }
  }
}
