/// The build settings of one target in one configuration.
///
/// Every name has a stack of values: Xcode's defaults at the bottom, then the project's
/// configuration file, the project, the target's configuration file, the target. `$(inherited)`,
/// and a setting's own name in its value, mean the value below.
struct BuildSettings: Sendable {
  /// An assignment as written.
  struct Assignment: Sendable {
    /// The name, with conditions such as `[sdk=macosx*]`.
    var key: String
    var value: String
    /// The file or level that has it, for messages.
    var origin: String
  }

  private enum Limits {
    /// The depth of settings that refer to settings; real projects need a tenth of it.
    static let depth = 100
    /// The bytes of a value.
    static let length = 64 << 10
    /// The references that one value may expand: a value can double with each step.
    static let steps = 20_000
  }

  private var stacks: [String: [String]] = [:]
  /// Assignments under a condition that was not evaluated.
  private(set) var conditional: [Assignment] = []
  private let configuration: String

  init(configuration: String) {
    self.configuration = configuration
  }

  /// Pushes assignments on top of the existing ones.
  mutating func push(_ assignments: [Assignment]) {
    for assignment in assignments {
      guard let bracket = assignment.key.firstIndex(of: "[") else {
        stacks[assignment.key, default: []].append(assignment.value)
        continue
      }
      let conditions = assignment.key[bracket...].split(whereSeparator: { "[], ".contains($0) })
      let isOurs = conditions.allSatisfy { condition in
        let parts = condition.split(separator: "=", maxSplits: 1)
        return parts.count == 2 && parts[0] == "config" && Self.matches(configuration, parts[1])
      }
      if isOurs {
        stacks[String(assignment.key[..<bracket]), default: []].append(assignment.value)
      } else if !conditions.allSatisfy({ $0.hasPrefix("config=") }) {
        conditional.append(assignment)
      }
    }
  }

  private static func matches(_ text: String, _ pattern: Substring) -> Bool {
    guard pattern.hasSuffix("*") else { return text == pattern }
    return text.hasPrefix(pattern.dropLast())
  }

  /// Whether a name has a value.
  func has(_ name: String) -> Bool { stacks[name] != nil }

  /// The names with a prefix, in order.
  func names(withPrefix prefix: String) -> [String] {
    stacks.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Returns the value of a setting with all variables expanded; `nil` if it has none.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.settings`, naming the settings of a loop.
  func value(_ name: String) throws -> String? {
    var evaluation = Evaluation(stacks: stacks)
    return try evaluation.value(name)
  }

  /// Whether a setting is on.
  func isOn(_ name: String) throws -> Bool {
    ["YES", "TRUE", "1"].contains(try value(name)?.uppercased() ?? "")
  }

  /// Expands the variables in a text.
  ///
  /// - Returns: The text, and the variables that have no value and became empty.
  /// - Throws: ``XcodeProjectError`` with code `.settings`.
  func expand(_ text: String) throws -> (text: String, unknown: [String]) {
    var evaluation = Evaluation(stacks: stacks)
    let expanded = try evaluation.expand(text, own: nil)
    return (expanded, evaluation.unknown)
  }

  /// Splits a text into words, with quotes and backslashes as in a shell.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var hasWord = false
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
        hasWord = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
        hasWord = true
      } else if quote == nil, character.isWhitespace {
        if hasWord { words.append(word) }
        word = ""
        hasWord = false
      } else {
        word.append(character)
        hasWord = true
      }
    }
    if hasWord { words.append(word) }
    return words
  }

  /// One evaluation, with its limits.
  private struct Evaluation {
    let stacks: [String: [String]]
    var unknown: [String] = []
    private var active: [(name: String, level: Int)] = []
    private var steps = 0

    init(stacks: [String: [String]]) {
      self.stacks = stacks
    }

    mutating func value(_ name: String) throws -> String? {
      guard let stack = stacks[name] else { return nil }
      return try value(name, level: stack.count - 1)
    }

    private mutating func value(_ name: String, level: Int) throws -> String {
      guard let stack = stacks[name], stack.indices.contains(level) else { return "" }
      if let start = active.firstIndex(where: { $0.name == name && $0.level == level }) {
        let names = active[start...].map(\.name) + [name]
        throw XcodeProjectError(
          .settings,
          "the build settings \(names.joined(separator: " → ")) refer to each other in a loop"
        )
      }
      steps += 1
      guard active.count < Limits.depth, steps <= Limits.steps else {
        throw XcodeProjectError(
          .settings,
          "the build setting \(active.first?.name ?? name) needs too many others to be worked out"
        )
      }
      active.append((name, level))
      defer { active.removeLast() }
      return try expand(stack[level], own: (name, level))
    }

    mutating func expand(_ text: String, own: (name: String, level: Int)?) throws -> String {
      guard text.utf8.count <= Limits.length else {
        throw XcodeProjectError(
          .settings,
          "the build setting \(own?.name ?? "in a text") has more than \(Limits.length) bytes"
        )
      }
      var parser = SettingReferences(text)
      var result = ""
      while let part = parser.next() {
        switch part {
        case .text(let text): result += text
        case .reference(let inner):
          result += try reference(inner, own: own)
        }
        guard result.utf8.count <= Limits.length else {
          throw XcodeProjectError(
            .settings,
            "the build setting \(own?.name ?? "in a text") has more than \(Limits.length) bytes"
          )
        }
      }
      return result
    }

    private mutating func reference(
      _ inner: String,
      own: (name: String, level: Int)?
    ) throws -> String {
      // The name may itself contain variables, as in `$(PREFIX_$(CONFIGURATION))`.
      steps += 1
      guard steps <= Limits.steps, inner.count(where: { $0 == "$" }) <= Limits.depth else {
        throw XcodeProjectError(
          .settings,
          "the build setting \(own?.name ?? "in a text") needs too many others to be worked out"
        )
      }
      let written = inner.contains("$") ? try expand(inner, own: own) : inner
      let parts = written.split(separator: ":", omittingEmptySubsequences: false)
      let name = parts.first.map(String.init) ?? ""
      var value: String?
      if let own, name == "inherited" || name == own.name {
        value = try self.value(own.name, level: own.level - 1)
      } else {
        value = try self.value(name)
      }
      for modifier in parts.dropFirst() {
        value = SettingModifier.apply(String(modifier), to: value)
      }
      if value == nil, name != "inherited" { unknown.append(name) }
      return value ?? ""
    }
  }
}
