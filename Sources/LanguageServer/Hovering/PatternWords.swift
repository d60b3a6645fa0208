internal import ContentRules

/// A pattern in words.
enum PatternWords {
  /// The beginnings by which converters of filter lists write “this host or one below it”.
  private static let hostBeginnings: [(pattern: String, schemes: String)] = [
    (#"^[^:]+://+([^:/]+\.)?"#, "any scheme"), (#"^[^:]+:(//)?([^/]+\.)?"#, "any scheme"),
    (#"^https?://([^/]+\.)?"#, "http or https"), (#"^https?://([^/:]*\.)?"#, "http or https"),
    (#"^https?:/+([^/:]+\.)?"#, "http or https"),
    (#"^https?:\/\/([^/]+\.)?"#, "http or https"),
    (#"^[htpsw]+:\/\/([a-z0-9-]+\.)?"#, "http, https, ws or wss"),
  ]
  /// The longest pattern to describe, in terms.
  private static let termLimit = 120

  /// Returns what URLs a pattern matches, as the end of a sentence in Markdown that begins “URLs”.
  static func description(of filter: URLFilter) -> String {
    description(of: filter.text, isCaseSensitive: filter.isCaseSensitive)
  }

  /// Returns the same for a pattern with its case rule.
  static func description(of text: String, isCaseSensitive: Bool) -> String {
    guard text.utf8.count <= 2_000 else {
      return "that match a pattern of \(text.utf8.count) bytes"
    }
    guard
      case .success(let filter) = URLFilterParser.parse(text, isCaseSensitive: isCaseSensitive)
    else { return "that match \(Markdown.code(text))" }
    if filter.matchesEverything { return "of any kind: every piece of the pattern can be empty" }
    guard filter.terms.count <= termLimit else {
      return "that match a pattern of \(filter.terms.count) pieces"
    }
    var words = Words(isCaseSensitive: isCaseSensitive)
    var terms = filter.terms[...]
    var beginning = "that contain "
    for (start, schemes) in hostBeginnings where text.hasPrefix(start) {
      guard
        case .success(let parsed) = URLFilterParser.parse(
          start + "x",
          isCaseSensitive: isCaseSensitive
        ),
        terms.starts(with: parsed.terms.dropLast())
      else { continue }
      terms = terms.dropFirst(parsed.terms.count - 1)
      beginning =
        "whose scheme is \(schemes) and whose host, or a part of it behind a dot, begins with "
      break
    }
    if beginning == "that contain " {
      if terms.first?.isGap ?? false {
        terms = terms.dropFirst()
      } else {
        beginning = "that begin with "
      }
    }
    words.add(terms)
    let caseNote =
      isCaseSensitive || !text.utf8.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
      ? "" : " (letters of either case)"
    return beginning + words.text + (isCaseSensitive ? " (letters as they are written)" : caseNote)
  }

  /// The words for terms.
  private struct Words {
    let isCaseSensitive: Bool
    private var parts: [String] = []
    private var literal = ""

    init(isCaseSensitive: Bool) { self.isCaseSensitive = isCaseSensitive }

    var text: String { parts.joined(separator: ", then ") }

    mutating func add(_ terms: ArraySlice<Term>) {
      var index = terms.startIndex
      while index < terms.endIndex {
        let term = terms[index]
        index += 1
        switch term.kind {
        case .characters(let set):
          if term.quantifier == .one, let character = single(set) {
            literal.unicodeScalars.append(Unicode.Scalar(character))
            continue
          }
          endLiteral()
          parts.append(words(set, term.quantifier))
        case .group(let count):
          endLiteral()
          let end = min(index + count, terms.endIndex)
          // Nesting is bounded by the number of terms.
          var inner = Words(isCaseSensitive: isCaseSensitive)
          inner.add(terms[index..<end])
          index = end
          let text = inner.parts.count > 1 ? "(\(inner.text))" : inner.text
          switch term.quantifier {
          case .one: parts.append(text)
          case .zeroOrOne: parts.append("optionally \(text)")
          case .zeroOrMore: parts.append("\(text) any number of times")
          case .oneOrMore: parts.append("\(text) once or more")
          }
        }
      }
      endLiteral()
    }

    private mutating func endLiteral() {
      if !literal.isEmpty { parts.append(Markdown.code(literal)) }
      literal = ""
    }

    /// Returns the one character of a set, in small letters if their case does not matter.
    private func single(_ set: CharacterSet) -> UInt8? {
      let members = (1..<128).filter { set.contains(UInt8($0)) }
      if members.count == 1, !set.contains(0) { return UInt8(members[0]) }
      guard !isCaseSensitive, members.count == 2, !set.contains(0),
        members[0] >= 0x41, members[0] <= 0x5A, members[1] == members[0] + 0x20
      else { return nil }
      return UInt8(members[1])
    }

    private func words(_ set: CharacterSet, _ quantifier: Quantifier) -> String {
      if set == .endOfURL { return "the end of the URL" }
      if let character = single(set) {
        let shown = Markdown.code(String(Unicode.Scalar(character)))
        switch quantifier {
        case .one: return shown
        case .zeroOrOne: return "optionally \(shown)"
        case .zeroOrMore: return "any number of \(shown)"
        case .oneOrMore: return "one or more \(shown)"
        }
      }
      let name = name(of: set)
      switch quantifier {
      case .one: return "one \(name)"
      case .zeroOrOne: return "at most one \(name)"
      case .zeroOrMore: return set == .any ? "anything" : "any number of \(name)"
      case .oneOrMore: return "at least one \(name)"
      }
    }

    /// Returns a name such as “character but `/`” or “character of `0-9`”.
    private func name(of set: CharacterSet) -> String {
      if set == .any { return "character" }
      let outside = (1..<128).filter { !set.contains(UInt8($0)) }
      let inside = (1..<128).filter { set.contains(UInt8($0)) }
      if inside.isEmpty { return "character of none (this never matches)" }
      if outside.count < inside.count { return "character but \(Self.ranges(outside))" }
      let withoutCapitals =
        isCaseSensitive
        ? inside : inside.filter { !(0x41...0x5A ~= $0 && inside.contains($0 + 0x20)) }
      return "character of \(Self.ranges(withoutCapitals))"
    }

    private static func ranges(_ characters: [Int]) -> String {
      var text = ""
      var index = 0
      while index < characters.count {
        var end = index
        while end + 1 < characters.count, characters[end + 1] == characters[end] + 1 { end += 1 }
        let first = shown(characters[index])
        switch end - index {
        case 0: text += first
        case 1: text += first + shown(characters[end])
        default: text += first + "-" + shown(characters[end])
        }
        index = end + 1
      }
      return Markdown.code(text)
    }

    private static func shown(_ character: Int) -> String {
      guard character >= 0x20, character < 0x7F else {
        return "\\x" + String(character + 0x100, radix: 16).dropFirst()
      }
      return String(Unicode.Scalar(UInt8(character)))
    }
  }
}
