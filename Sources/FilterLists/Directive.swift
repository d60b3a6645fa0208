/// What a line that begins with `!` tells the reader of lists.
enum Directive {
  /// An ordinary comment.
  case comment
  /// `!#if`, with the range of its condition.
  case condition(Range<Int>)
  /// `!#else`.
  case otherwise
  /// `!#endif`.
  case end
  /// `!#include`, with the range of the path.
  case include(Range<Int>)
  /// `!#safari_cb_affinity`, which assigns filters to one of AdGuard's content blockers.
  case affinity
  /// `!+`, AdGuard's hint for the next line.
  case hint(isForSafari: Bool)

  /// Reads a line without white space around it; `nil` if it does not begin with `!`, or is that alone.
  init?(_ text: [UInt8], _ line: Range<Int>) {
    guard line.count > 1, text[line.lowerBound] == UInt8(ascii: "!") else { return nil }
    func rest(_ word: StaticString) -> Range<Int>? {
      guard FilterText.starts(text, line, word) else { return nil }
      let rest = line.lowerBound + word.utf8CodeUnitCount..<line.upperBound
      guard rest.isEmpty || !Self.isLetter(text[rest.lowerBound]) else { return nil }
      return FilterText.trim(text, rest)
    }
    if FilterText.starts(text, line, "!#") {
      if let condition = rest("!#if") {
        self = .condition(condition)
      } else if rest("!#else") != nil {
        self = .otherwise
      } else if rest("!#endif") != nil {
        self = .end
      } else if let path = rest("!#include"), !path.isEmpty {
        self = .include(path)
      } else if FilterText.starts(text, line, "!#safari_cb_affinity") {
        self = .affinity
      } else {
        self = .comment
      }
    } else if FilterText.starts(text, line, "!+") {
      self = .hint(isForSafari: Self.isForSafari(FilterText.string(text, line)))
    } else {
      self = .comment
    }
  }

  /// Whether a line is an instruction for the tools that make a list of a template: `%include …%` of
  /// python-abp, or `@include` of AdGuard's compiler.
  static func isTemplate(_ text: [UInt8], _ line: Range<Int>) -> Bool {
    if FilterText.starts(text, line, "@include ") { return true }
    return FilterText.starts(text, line, "%include ")
      && text[line.upperBound - 1] == UInt8(ascii: "%")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
  }

  /// Whether a hint is for Safari, too: `PLATFORM(…)` names it, or `NOT_PLATFORM(…)` does not.
  private static func isForSafari(_ hint: String) -> Bool {
    var isForSafari = true
    for part in hint.split(separator: ")") {
      guard let opening = part.firstIndex(of: "(") else { continue }
      let names = part[part.index(after: opening)...].split(separator: ",").map {
        $0.filter { $0 != " " }
      }
      let namesSafari = names.contains { $0 == "ext_safari" }
      let word = part[..<opening].split(separator: " ").last.map(String.init) ?? ""
      if word.hasSuffix("NOT_PLATFORM") {
        if namesSafari { isForSafari = false }
      } else if word.hasSuffix("PLATFORM"), !namesSafari {
        isForSafari = false
      }
    }
    return isForSafari
  }
}
