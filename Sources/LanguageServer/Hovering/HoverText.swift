internal import CommandInput
internal import ContentBlocking
internal import ContentRules

/// What is shown where the pointer rests: the key or word there, and the rule around it.
struct HoverText {
  /// The text, as Markdown.
  var markdown: String
  /// The bytes that it is about.
  var range: Range<Int>

  /// The longest rule to describe, in bytes.
  private static let ruleLimit = 256 << 10

  /// Returns the text for a place; `nil` outside of the rules.
  static func hover(at offset: Int, in document: inout OpenDocument) -> HoverText? {
    let outline = document.outline
    guard let number = outline.element(at: offset) else { return nil }
    let range = outline.ranges[number]
    let size = range.count
    guard size <= ruleLimit else {
      return HoverText(markdown: "**Rule \(number)** has \(size) bytes", range: range)
    }
    let text = Array(document.text.bytes[range])
    let rule = description(of: text, number: number)
    guard let spot = RuleSpot(at: offset - range.lowerBound, in: text) else {
      return HoverText(markdown: rule, range: range)
    }
    let place = spot.range.lowerBound + range.lowerBound..<spot.range.upperBound + range.lowerBound
    guard let words = words(for: spot) else { return HoverText(markdown: rule, range: place) }
    return HoverText(markdown: words + "\n\n---\n\n" + rule, range: place)
  }

  /// Returns a rule in words, or why WebKit does not take it.
  private static func description(of text: [UInt8], number: Int) -> String {
    var options = ContentRuleList.readingOptions()
    options.findsTraps = false
    let report = RuleListReader.read(Array("[".utf8) + text + Array("]".utf8), options: options)
    if let rule = report.ruleList?.rules.first {
      return RuleWords.description(of: rule, number: number, text: text)
    }
    let fault = report.webKitError ?? report.diagnostics.first
    let reason = fault.map { Markdown.code($0.message, limit: 300) } ?? "it is skipped"
    return report.skippedRules.isEmpty
      ? "**Rule \(number)** is refused by WebKit: \(reason)"
      : "**Rule \(number)** is skipped by WebKit: \(reason)"
  }

  /// Returns what a key or a value means.
  private static func words(for spot: RuleSpot) -> String? {
    switch spot.kind {
    case .key(let key):
      return VocabularyWords.key(key).map { "\(Markdown.code(key)) – \($0)" }
    case .value(let value, let key):
      if let meaning = VocabularyWords.word(value, of: key) {
        return "\(Markdown.code(value)) – \(meaning)"
      }
      switch key {
      // The rule's words, which follow, describe url-filter.
      case "if-top-url", "unless-top-url", "if-frame-url", "unless-frame-url":
        let pattern = PatternWords.description(of: value, isCaseSensitive: false)
        return "Matches URLs \(pattern)"
      case "if-domain", "unless-domain":
        return value.hasPrefix("*")
          ? "Pages of \(Markdown.code(String(value.dropFirst()))) and of all hosts below it"
          : "Pages of the host \(Markdown.code(value)) alone; `*` in front takes those below it, too"
      default: return nil
      }
    }
  }
}

/// The key or the text at a place in a rule's JSON.
struct RuleSpot {
  enum Kind: Equatable {
    case key(String)
    /// A text, and the key that it belongs to, perhaps in an array.
    case value(String, key: String)
  }

  private(set) var kind: Kind
  /// Its bytes with the quotation marks.
  private(set) var range: Range<Int>

  /// Finds the spot; `nil` if there is none, or the text is not JSON.
  init?(at offset: Int, in text: [UInt8]) {
    var tape = JSONTape()
    guard (try? tape.parse(text.span)) != nil else { return nil }
    var value = JSONTape.root
    var end = text.count
    var key = ""
    while true {
      switch tape.kind(value) {
      case .object:
        let members = Array(tape.children(of: value))
        guard let pair = Self.last(of: members, every: 2, before: offset, tape),
          pair + 1 < members.count
        else { return nil }
        let name = tape.string(members[pair], in: text.span) ?? ""
        let keyStart = tape.offset(of: members[pair]) - 1
        let keyEnd = Self.endOfString(text, keyStart)
        if offset <= keyEnd {
          kind = .key(name)
          range = keyStart..<keyEnd
          return
        }
        key = name
        if pair + 2 < members.count { end = min(end, tape.offset(of: members[pair + 2]) - 1) }
        value = members[pair + 1]
      case .array:
        let members = Array(tape.children(of: value))
        guard let member = Self.last(of: members, every: 1, before: offset, tape) else {
          return nil
        }
        value = members[member]
      case .string:
        let start = tape.offset(of: value) - 1
        let last = Self.endOfString(text, start)
        guard start <= offset, offset <= last, last <= end else { return nil }
        kind = .value(tape.string(value, in: text.span) ?? "", key: key)
        range = start..<last
        return
      default: return nil
      }
    }
  }

  /// Returns the index of the last member that begins at or before an offset.
  private static func last(
    of members: [Int],
    every step: Int,
    before offset: Int,
    _ tape: JSONTape
  ) -> Int? {
    var found: Int?
    for index in stride(from: 0, to: members.count, by: step) {
      // A string's offset is behind its quotation mark.
      let isString = tape.kind(members[index]) == .string
      if tape.offset(of: members[index]) - (isString ? 1 : 0) <= offset { found = index }
    }
    return found
  }

  private static func endOfString(_ text: [UInt8], _ start: Int) -> Int {
    var index = start + 1
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, text.count)
  }
}
