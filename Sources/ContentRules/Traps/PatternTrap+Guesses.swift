/// Guesses what a pattern that matches nothing is meant to be.
extension PatternTraps {
  typealias Edit = (range: Range<Int>, replacement: String)

  struct Guess {
    var reason: String
    var edit: Edit
  }

  static func changed(_ pattern: [UInt8], _ edit: Edit) -> [UInt8] {
    var changed = pattern
    changed.replaceSubrange(edit.range, with: edit.replacement.utf8)
    return changed
  }

  /// Returns what a pattern may be meant to be, never one that matches more than it names.
  static func guesses(_ pattern: [UInt8], _ kind: URLLanguage.Kind) -> [Guess] {
    var guesses: [Guess] = []
    let count = pattern.count
    let text = pattern.span
    for port in [":443", ":80"] {
      for index in pattern.indices where text.matches(port, at: index) {
        let end = index + port.utf8.count
        guard end < count, !pattern[end].isDigit else { continue }
        guesses.append(
          Guess(
            reason: "the default port is never in a URL",
            edit: (index..<end, "")
          )
        )
      }
    }
    if pattern.last == UInt8(ascii: "$") {
      guesses.append(
        Guess(reason: "a path follows every host", edit: (count - 1..<count, "/$"))
      )
    }
    if kind.isDisjoint(with: .http), text.matches("^http", at: 0) {
      guesses.append(
        Guess(reason: "a websocket's URL begins with ws or wss", edit: (1..<5, "ws"))
      )
    }
    if pattern.first == UInt8(ascii: "^"), namesHost(pattern.dropFirst()) {
      let schemes = kind.contains(.http) ? "https?:" : "wss?:"
      let scheme = text.matches("//", at: 1) ? "^\(schemes)" : "^\(schemes)//"
      guesses.append(Guess(reason: "a URL begins with its scheme", edit: (0..<1, scheme)))
    }
    return guesses
  }

  /// Whether a pattern begins with labels and a dot between them.
  private static func namesHost(_ pattern: ArraySlice<UInt8>) -> Bool {
    let host = pattern.starts(with: "//".utf8) ? pattern.dropFirst(2) : pattern
    guard let first = host.first, first.isWordLetter || first.isDigit else { return false }
    let label = host.prefix { $0.isWordLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    let rest = host[label.endIndex...]
    return rest.starts(with: #"\."#.utf8) || rest.first == UInt8(ascii: ".")
  }

  /// Returns the edit that lowers the fewest leading capitals with which the pattern matches
  /// something; `nil` if nothing matches even with all of them lowered.
  static func lowerCase(_ pattern: [UInt8], _ isMet: ([UInt8]) -> Bool) -> Edit? {
    var capitals: [Int] = []
    var index = 0
    while index < pattern.count {
      if pattern[index] == UInt8(ascii: "\\") {
        index += 1
      } else if pattern[index].isCapital {
        capitals.append(index)
      }
      index += 1
    }
    let lowered = { (count: Int) in
      var changed = pattern
      for index in capitals.prefix(count) { changed[index] |= 0x20 }
      return changed
    }
    guard let first = capitals.first, isMet(lowered(capitals.count)) else { return nil }
    // With many capitals the exact number hardly matters, and each attempt takes time.
    var low = capitals.count > 16 ? capitals.count : 1
    var high = capitals.count
    while low < high {
      let middle = (low + high) / 2
      if isMet(lowered(middle)) { high = middle } else { low = middle + 1 }
    }
    let range = first..<capitals[low - 1] + 1
    return (range, String(decoding: lowered(low)[range], as: UTF8.self))
  }
}
