/// Matches a `urlFilter` as the browser does.
struct FilterMatch {
  private let body: [UInt8]
  private let startsAtHost: Bool
  private let startsAtURL: Bool
  private let endsAtURL: Bool
  private let isCaseSensitive: Bool

  init(_ filter: String, isCaseSensitive: Bool) {
    var text = Array(filter.utf8)[...]
    self.isCaseSensitive = isCaseSensitive
    startsAtHost = text.starts(with: "||".utf8)
    startsAtURL = !startsAtHost && text.first == UInt8(ascii: "|")
    text = text.dropFirst(startsAtHost ? 2 : startsAtURL ? 1 : 0)
    endsAtURL = text.last == UInt8(ascii: "|")
    if endsAtURL { text = text.dropLast() }
    body = isCaseSensitive ? Array(text) : text.map(Self.lower)
  }

  /// The longest run of plain characters, in lower case.
  var literal: [UInt8] {
    body.map(Self.lower).split { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "^") }
      .max { $0.count < $1.count }.map(Array.init) ?? []
  }

  func matches(_ url: [UInt8], lowered: [UInt8], host: Range<Int>) -> Bool {
    let text = isCaseSensitive ? url : lowered
    if startsAtURL { return matches(text[...], body[...]) }
    if startsAtHost {
      return host.contains { start in
        (start == host.lowerBound || text[start - 1] == UInt8(ascii: "."))
          && matches(text[start...], body[...])
      }
    }
    // Most places are ruled out by the first character.
    let first = body.first.flatMap { [UInt8]("*^".utf8).contains($0) ? nil : $0 }
    return (0...text.count).contains { place in
      (first == nil || place < text.count && text[place] == first)
        && matches(text[place...], body[...])
    }
  }

  private func matches(_ text: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>) -> Bool {
    var text = text
    var body = body
    while let first = body.first {
      body = body.dropFirst()
      switch first {
      case UInt8(ascii: "*"):
        return (text.startIndex...text.endIndex).contains { matches(text[$0...], body) }
      case UInt8(ascii: "^"):
        guard let next = text.first else {
          // The end counts as a separator if nothing else must follow.
          return body.allSatisfy { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "^") }
        }
        guard Self.isSeparator(next) else { return false }
        text = text.dropFirst()
      default:
        guard text.first == first else { return false }
        text = text.dropFirst()
      }
    }
    return !endsAtURL || text.isEmpty
  }

  static func lower(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "%"):
      false
    default: true
    }
  }
}
