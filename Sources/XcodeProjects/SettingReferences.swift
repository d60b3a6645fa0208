/// Splits a build setting's text into plain text and references, `$(…)` or `${…}`.
struct SettingReferences: IteratorProtocol {
  /// A part of the text.
  enum Part: Equatable {
    case text(String)
    /// The text between the parentheses.
    case reference(String)
  }

  private var rest: Substring
  // A failed search to the end rules out all later ones, which keeps the cost linear.
  private var isOpen = false

  init(_ text: String) {
    rest = text[...]
  }

  /// Returns the next part; an unclosed parenthesis is plain text.
  mutating func next() -> Part? {
    guard !rest.isEmpty else { return nil }
    if !isOpen, rest.first == "$", let end = reference() {
      let inner = rest.dropFirst(2)[..<end]
      rest = rest[rest.index(after: end)...]
      return .reference(String(inner))
    }
    var text = String(rest.removeFirst())
    while let character = rest.first, character != "$" {
      text.append(character)
      rest.removeFirst()
    }
    return .text(text)
  }

  /// Returns the end of the reference that begins here.
  private mutating func reference() -> Substring.Index? {
    let closing: Character
    if rest.hasPrefix("$(") {
      closing = ")"
    } else if rest.hasPrefix("${") {
      closing = "}"
    } else {
      return nil
    }
    let opening: Character = closing == ")" ? "(" : "{"
    var depth = 0
    for index in rest.indices.dropFirst(2) {
      if rest[index] == opening {
        depth += 1
      } else if rest[index] == closing {
        if depth == 0 { return index }
        depth -= 1
      }
    }
    isOpen = true
    return nil
  }
}

/// Applies the modifiers of `$(NAME:modifier)`.
enum SettingModifier {
  /// Applies a modifier; unknown ones change nothing.
  static func apply(_ modifier: String, to value: String?) -> String? {
    if modifier.hasPrefix("default=") {
      return value.flatMap { $0.isEmpty ? nil : $0 } ?? String(modifier.dropFirst("default=".count))
    }
    guard let value else { return nil }
    switch modifier {
    case "rfc1034identifier": return replaced(value, with: "-") { isLetterOrDigit($0) || $0 == "-" }
    case "identifier", "c99extidentifier":
      let name = replaced(value, with: "_") { isLetterOrDigit($0) || $0 == "_" }
      return name.first?.isASCIIDigit == true ? "_" + name : name
    case "lower": return value.lowercased()
    case "upper": return value.uppercased()
    case "file": return ReferencePaths.lastComponent(value)
    case "dir":
      let slash = value.lastIndex(of: "/")
      return slash.map { String(value[...$0]) } ?? "./"
    case "base":
      let name = ReferencePaths.lastComponent(value)
      return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    case "suffix":
      let name = ReferencePaths.lastComponent(value)
      return name.lastIndex(of: ".").map { String(name[$0...]) } ?? ""
    case "standardizepath": return ReferencePaths.joined("/", value)
    default: return value
    }
  }

  private static func replaced(
    _ text: String,
    with replacement: Unicode.Scalar,
    where isKept: (Unicode.Scalar) -> Bool
  ) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isKept($0) ? $0 : replacement }))
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value))
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
