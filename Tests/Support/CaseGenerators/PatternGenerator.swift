import ReferenceMatcher
internal import TestSupport

/// Generates valid patterns, from a grammar that covers everything that is valid.
struct PatternGenerator {
  let names: Names
  let options: CaseOptions
  /// Counts named groups, whose names must differ within a pattern.
  private var groupCount = 0

  init(names: Names, options: CaseOptions) {
    self.names = names
    self.options = options
  }

  /// Patterns that match everything, by each of the ways to do so.
  static let universal = [
    ".*", "^", "$", "^$", "^a*$", "()", "(a)?", ".*$", "a*", "(.+)*", "(?:a*b?)+", "^.*", "((.)*)?",
    ".*?", "[ab]*", "(?:.?)+", "\\0", "(?<n>[^]){0,}", "b{0,1}$",
  ]

  mutating func pattern(_ random: inout RandomSource, universal: Int? = nil) -> String {
    groupCount = 0
    if random.chance(universal ?? options.universalPatterns) { return random.pick(Self.universal) }
    if options.isHostile && random.chance(70) { return hostile(&random) }
    if options.hasOverlappingTexts && random.chance(60) { return overlapping(&random) }
    if options.hasCommonTexts && random.chance(60) { return common(&random) }
    if options.hasManyNames {
      return random.chance(70)
        ? hostAnchored(&random) : escaped(random.pick(names.words), &random) + end(&random)
    }
    return random.pick(weighted: [
      (40, hostAnchored(&random)), (30, body(&random) + end(&random)),
      (15, "^" + scheme(&random) + body(&random) + end(&random)),
      (10, escaped(random.pick(names.words), &random)),
      (5, escaped(random.pick(names.hosts), &random) + "/" + body(&random)),
    ])
  }

  /// A text that overlaps itself, and behind a gap another one of the same letters.
  private func overlapping(_ random: inout RandomSource) -> String {
    let letters = random.pick(["a", "ab", "aab"])
    let text = String(repeating: letters, count: random.number(in: 2...7))
    return text + random.pick([".*", ".+", "[^/]*", ""])
      + random.pick(["ab", "aab", "ba", "aaab", letters])
  }

  /// A part of what most URLs begin with, with optional characters and sets.
  private func common(_ random: inout RandomSource) -> String {
    let text = Array(
      random.pick(["https://", "http://", "https://www.", "://a.com/", ".com/", "www."])
    )
    let first = random.number(in: 0...text.count - 4)
    let part = text[first..<random.number(in: first + 4...text.count)]
    let made = part.map { character in
      let written = character == "." ? "\\." : String(character)
      switch random.number(below: 8) {
      case 0: return written + "?"
      case 1: return "(\(written))?"
      case 2: return "[\(character)\(random.pick(["s", "p", "/", "w"]))]"
      default: return written
      }
    }
    return random.pick(["", "", "^"]) + made.joined()
      + random.pick(["", "", "", ".*a", "[a/:]", "$"])
  }

  // MARK: Anchors

  /// The dialects of the host anchor that real lists use.
  private mutating func hostAnchored(_ random: inout RandomSource) -> String {
    var host = random.pick(names.hosts)
    host = host.replacing(".", with: random.chance(85) ? "\\." : ".")
    let dialects = [
      "^[^:]+://+([^:/]+\\.)?\(host)[/:]", "^[^:]+://+([^:/]+\\.)?\(host)[:/]",
      "^[^:]+:(//)?([^/]+\\.)?\(host)", "^https?://([^/]+\\.)?\(host)",
      "^https?:/+([^/:]+\\.)?\(host)[:/]",
    ]
    if random.chance(17) {
      return "^[htpsw]+:\\/\\/([a-z0-9-]+\\.)?\(host)([\\/:&\\?].*)?$"
    }
    let anchor = random.pick(dialects)
    // With many rules, some bodies would occur in nearly every URL, so they are omitted.
    switch random.number(below: options.hasManyNames ? 8 : 10) {
    case 0..<5: return anchor
    case 5..<7: return anchor + ".*" + escaped(random.pick(names.words), &random) + end(&random)
    case 7: return anchor + escaped(random.pick(names.words), &random)
    default: return anchor + body(&random) + end(&random)
    }
  }

  private func scheme(_ random: inout RandomSource) -> String {
    random.pick(["http", "https?://", "[a-z]+://", "^https?:", "wss?:\\/\\/", ".*", "[^/]*"])
  }

  private func end(_ random: inout RandomSource) -> String {
    random.pick(weighted: [
      (76, ""), (10, "$"), (2, "\\0"), (6, "[\\0/]"), (2, "[\\0]"), (2, "[/?\\x00]$"),
      (2, "\\0{0,1}"),
    ])
  }

  // MARK: Bodies

  private mutating func body(_ random: inout RandomSource, depth: Int = 0) -> String {
    (0..<random.number(in: 1...3)).map { _ in piece(&random, depth: depth) }.joined()
  }

  private mutating func piece(_ random: inout RandomSource, depth: Int) -> String {
    let kind = random.number(below: depth < 3 ? 100 : 80)
    switch kind {
    case 0..<30: return escaped(random.pick(names.words), &random)
    case 30..<36: return random.pick(["/", "\\.", "-", "\\/", "?a=".replacing("?", with: "\\?")])
    case 36..<44: return "."
    case 44..<52: return random.pick([".*", ".+", ".*?", ".{0,}"])
    case 52..<78: return set(&random) + quantifier(&random)
    case 78..<80: return random.pick(["a{,1}", "]", "}", "a{", "a{1", "{a"])
    default:
      let opening: String
      switch random.number(below: 5) {
      case 0: opening = "(?:"
      case 1:
        groupCount += 1
        opening = "(?<n\(groupCount)>"
      default: opening = "("
      }
      let inside = random.chance(5) ? "" : body(&random, depth: depth + 1)
      return opening + inside + ")" + quantifier(&random)
    }
  }

  private func set(_ random: inout RandomSource) -> String {
    random.pick(weighted: [
      (8, "[ab]"), (6, "[a-c]"), (6, "[^/]"), (4, "[^ab]"), (3, "[A-B]"), (4, "[0-9]"),
      (1, "[]"), (2, "[^]"), (2, "[a\\-b]"), (3, "[\\0/]"), (2, "[x\\x41]"), (3, "\\x61"),
      (2, "\\u0062"), (2, "\\141"), (3, "a"), (3, "b"), (2, "[^:/]"), (2, "[a-z0-9-]"),
      (2, "[-.]"), (1, "[\\b\\t]"), (1, "[^\\0a]"), (1, "[^A-Z]"), (2, "[&/:?]"), (1, "\\cA"),
      (2, "B"), (1, "[\\c_\\-\\]a]"), (1, "\\-"), (1, "[b^]"),
    ])
  }

  private func quantifier(_ random: inout RandomSource) -> String {
    guard random.chance(45) else { return "" }
    return random.pick(["?", "*", "+", "{0,1}", "{0,}", "{1,}"]) + (random.chance(15) ? "?" : "")
  }

  /// Writes a text as a pattern for it: escaped where it must be, and sometimes where it need not be.
  private func escaped(_ text: String, _ random: inout RandomSource) -> String {
    var result = ""
    for character in text {
      switch character {
      case ".": result += random.chance(80) ? "\\." : "."
      case "/": result += random.chance(20) ? "\\/" : "/"
      case "-": result += random.chance(20) ? "\\-" : "-"
      default: result += random.chance(6) ? character.uppercased() : String(character)
      }
    }
    return result
  }

  // MARK: Hostile shapes

  private mutating func hostile(_ random: inout RandomSource) -> String {
    func repeated(_ text: String, _ most: Int) -> String {
      String(repeating: text, count: random.number(in: 1...most))
    }
    switch random.number(below: 9) {
    case 0: return repeated("a?", 30) + repeated("a", 30)
    case 1: return repeated("(a*b?)*", 6) + "x"
    case 2: return "[ab]*a" + repeated("[ab]", 8)
    case 3:
      return repeated("(", 1) + String(repeating: "(", count: 20) + "ab"
        + String(repeating: ")", count: 20) + ")+x"
    case 4: return repeated(".*a", 6) + repeated(".*b", 6)
    case 5: return repeated(random.pick(["a", "ab", "aab"]), 200)
    case 6: return "(" + repeated("(a?b?)+", 6) + ")*/" + repeated("[^a]", 6)
    case 7: return "a" + repeated(".", 8) + "b"
    default: return "^[^:]+://+" + repeated("([^:/]+\\.)?", 4) + repeated("[a-b]+", 4) + "[/:]"
    }
  }
}
