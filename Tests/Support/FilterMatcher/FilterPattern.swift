internal import Foundation

/// The part of a network filter that says which addresses it is for.
///
/// > Source: Adblock Plus, “How to write filters”, basic filter rules.
enum FilterPattern: Sendable {
  case wildcards(WildcardPattern)
  case regex(NSRegularExpression)

  /// Reads a pattern; `nil` if it is a regular expression that cannot be read.
  init?(_ text: Substring, matchesCase: Bool) {
    guard text.count > 2, text.hasPrefix("/"), text.hasSuffix("/") else {
      self = .wildcards(WildcardPattern(text, matchesCase: matchesCase))
      return
    }
    let inner = String(text.dropFirst().dropLast())
    let options: NSRegularExpression.Options = matchesCase ? [] : .caseInsensitive
    guard let regex = try? NSRegularExpression(pattern: inner, options: options) else { return nil }
    self = .regex(regex)
  }

  /// Whether the pattern occurs in an address.
  func matches(_ address: Address) -> Bool {
    switch self {
    case .wildcards(let pattern): return pattern.matches(address)
    case .regex(let regex):
      let whole = NSRange(location: 0, length: address.text.utf16.count)
      return regex.firstMatch(in: address.text, range: whole) != nil
    }
  }

  /// A text in lower case that every address contains that matches; empty if none is known.
  var knownText: [UInt8] {
    if case .wildcards(let pattern) = self { pattern.longestText } else { [] }
  }
}

/// An address to search in.
struct Address: Sendable {
  var text: String
  /// Its bytes.
  var bytes: [UInt8]
  /// Its bytes in lower case.
  var lowered: [UInt8]
  /// Where a host anchor may stand: at the authority's begin and after each of its dots.
  var hostStarts: [Int]

  init(_ url: String) {
    text = url
    bytes = Array(url.utf8)
    lowered = bytes.map(lowercased)
    hostStarts = []
    guard let scheme = url.range(of: "://") else { return }
    let begin = url.utf8.distance(from: url.startIndex, to: scheme.upperBound)
    hostStarts.append(begin)
    for place in bytes.indices[begin...] {
      if bytes[place] == UInt8(ascii: "/") { break }
      if bytes[place] == UInt8(ascii: ".") { hostStarts.append(place + 1) }
    }
  }
}

/// A pattern of plain text, `*`, `^` and anchors.
struct WildcardPattern: Sendable {
  private enum Start { case anywhere, atHost, atBegin }

  private var start = Start.anywhere
  private var endsAtEnd = false
  private var body: [UInt8]
  private var matchesCase: Bool

  init(_ text: Substring, matchesCase: Bool) {
    var text = text
    if text.hasPrefix("||") {
      start = .atHost
      text = text.dropFirst(2)
    } else if text.hasPrefix("|") {
      start = .atBegin
      text = text.dropFirst()
    }
    if text.hasSuffix("|") {
      text = text.dropLast()
      // An anchor behind a separator is no anchor: the separator may be the end.
      endsAtEnd = !text.hasSuffix("^")
    }
    self.matchesCase = matchesCase
    body = matchesCase ? Array(text.utf8) : text.utf8.map(lowercased)
  }

  func matches(_ address: Address) -> Bool {
    let text = matchesCase ? address.bytes : address.lowered
    let starts =
      switch start {
      case .anywhere: Array(0...text.count)
      case .atHost: address.hostStarts
      case .atBegin: [0]
      }
    let first = body.first.flatMap { $0 == wildcard || $0 == separator ? nil : $0 }
    return starts.contains { place in
      (first == nil || place < text.count && text[place] == first)
        && matches(text[place...], body[...])
    }
  }

  private func matches(_ text: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>) -> Bool {
    var text = text
    var body = body
    while let next = body.popFirst() {
      switch next {
      case wildcard:
        return (text.startIndex...text.endIndex).contains { matches(text[$0...], body) }
      case separator:
        // The end of the address stands for a separator, too, and as often as is wanted.
        if let byte = text.popFirst(), !isSeparator(byte) { return false }
      default:
        guard text.popFirst() == next else { return false }
      }
    }
    return !endsAtEnd || text.isEmpty
  }

  /// The longest run of plain text, in lower case.
  var longestText: [UInt8] {
    body.map(lowercased).split { $0 == wildcard || $0 == separator }
      .max { $0.count < $1.count }.map(Array.init) ?? []
  }
}

private let wildcard = UInt8(ascii: "*")
private let separator = UInt8(ascii: "^")

private func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

/// Whether a separator may stand for a byte: all but letters, digits, `_ - . %`, and what is beyond
/// ASCII.
private func isSeparator(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
    UInt8(ascii: "."), UInt8(ascii: "%"), 0x80...:
    false
  default: true
  }
}
