/// Evaluates what follows `#if`, as a compiler on Linux does.
struct CompilationCondition {
  /// Conditions that are set with `-D`.
  let defines: Set<String>
  /// Whether a module can be imported.
  let canImport: (String) -> Bool

  private struct Tokens {
    var rest: ArraySlice<String>

    mutating func take(_ token: String) -> Bool {
      guard rest.first == token else { return false }
      rest.removeFirst()
      return true
    }
  }

  /// The compiler's version, for `swift(>=…)` and `compiler(>=…)`.
  private static let compiler = [6, 3]
  private static let depth = 50

  /// Whether a condition holds; an unknown one counts as true.
  func holds(_ text: String) -> Bool {
    var tokens = Tokens(rest: Self.tokens(text)[...])
    return either(&tokens, 0)
  }

  private static func tokens(_ text: String) -> [String] {
    var tokens: [String] = []
    var word = ""
    func isWord(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_" || character == "."
    }
    for character in text {
      if isWord(character) {
        word.append(character)
        continue
      }
      if !word.isEmpty { tokens.append(word) }
      word = ""
      guard !character.isWhitespace else { continue }
      // `&&`, `||`, `>=` are one token each.
      if let last = tokens.last, last.count == 1,
        ["&&", "||", ">="].contains(last + String(character))
      {
        tokens[tokens.count - 1] = last + String(character)
      } else {
        tokens.append(String(character))
      }
    }
    if !word.isEmpty { tokens.append(word) }
    return tokens
  }

  private func either(_ tokens: inout Tokens, _ depth: Int) -> Bool {
    var result = both(&tokens, depth)
    while tokens.take("||") {
      let right = both(&tokens, depth)
      result = result || right
    }
    return result
  }

  private func both(_ tokens: inout Tokens, _ depth: Int) -> Bool {
    var result = single(&tokens, depth)
    while tokens.take("&&") {
      let right = single(&tokens, depth)
      result = result && right
    }
    return result
  }

  private func single(_ tokens: inout Tokens, _ depth: Int) -> Bool {
    var isNegated = false
    while tokens.take("!") { isNegated.toggle() }
    return isNegated != plain(&tokens, depth)
  }

  private func plain(_ tokens: inout Tokens, _ depth: Int) -> Bool {
    guard depth < Self.depth, let word = tokens.rest.popFirst() else { return true }
    if word == "(" {
      let result = either(&tokens, depth + 1)
      _ = tokens.take(")")
      return result
    }
    guard tokens.take("(") else {
      return word == "true" || defines.contains(word)
    }
    var arguments: [String] = []
    while let token = tokens.rest.popFirst(), token != ")" { arguments.append(token) }
    let argument = arguments.first ?? ""
    switch word {
    case "os", "platform": return argument == "Linux"
    case "canImport": return canImport(argument.split(separator: ".").first.map(String.init) ?? "")
    case "targetEnvironment": return false
    case "swift", "compiler": return Self.version(arguments)
    default: return true
    }
  }

  private static func version(_ arguments: [String]) -> Bool {
    let wanted = (arguments.last ?? "").split(separator: ".").compactMap { Int($0) }
    let isBelow = wanted.lexicographicallyPrecedes(compiler)
    let isSame = compiler.starts(with: wanted) || wanted.starts(with: compiler)
    return arguments.first == "<" ? !isBelow && !isSame : isBelow || isSame
  }
}
