import Foundation

/// Reads `.xcconfig` files.
struct ConfigurationFile {
  private enum Limits {
    static let size = 1 << 20
    static let includes = 32
  }

  private let files: ProjectFiles
  /// Assignments in order; a later one of the same name stands above the earlier.
  private(set) var assignments: [BuildSettings.Assignment] = []
  private(set) var findings: [Finding] = []
  private var count = 0

  init(files: ProjectFiles) {
    self.files = files
  }

  /// Reads a file and those that it includes.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.settings` for files that include each other.
  mutating func read(_ path: String, isOptional: Bool = false, stack: [String] = []) throws {
    if let start = stack.firstIndex(of: path) {
      let names = (stack[start...] + [path]).map { files.shown($0) }
      throw XcodeProjectError(
        .settings,
        "\(names.joined(separator: " includes ")): configuration files include each other"
      )
    }
    count += 1
    guard count <= Limits.includes else {
      throw XcodeProjectError(
        .settings,
        "\(files.shown(path)): more than \(Limits.includes) configuration files are included"
      )
    }
    let bytes: [UInt8]
    do {
      bytes = try files.read(path, limit: Limits.size)
    } catch let error as XcodeProjectError {
      if isOptional, files.entry(path) == .missing { return }
      findings.append(
        .notTaken(
          "configuration-file",
          files.shown(path),
          error.reason(about: files.shown(path)),
          "its settings are missing; put it there, or write them into the target"
        )
      )
      return
    }
    let folder = ReferencePaths.joined(path, "..")
    let text = String(decoding: bytes, as: UTF8.self)
    for line in text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) {
      try read(line: line, folder: folder, path: path, stack: stack + [path])
    }
  }

  private mutating func read(
    line: Substring,
    folder: String,
    path: String,
    stack: [String]
  ) throws {
    let text = Self.trimmed(line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line)
    if text.hasPrefix("#include") {
      let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
      guard parts.count >= 3 else { return }
      var included = ReferencePaths.joined(folder, String(parts[1]))
      // Xcode looks for `Base.xcconfig` where `Base` is named.
      let whole = included + ".xcconfig"
      if files.entry(included) == .missing, files.entry(whole) != .missing { included = whole }
      try read(included, isOptional: parts[0].utf8.contains(UInt8(ascii: "?")), stack: stack)
      return
    }
    guard let equals = Self.assignment(in: text) else { return }
    var value = Self.trimmed(text[text.index(after: equals)...])
    while value.hasSuffix(";") { value = Self.trimmed(value.dropLast()) }
    assignments.append(
      BuildSettings.Assignment(
        key: String(Self.trimmed(text[..<equals])),
        value: String(value),
        origin: files.shown(path)
      )
    )
  }

  /// Returns the index of the assignment's `=`, which is not one inside of `[sdk=…]`.
  private static func assignment(in text: Substring) -> Substring.Index? {
    var depth = 0
    for index in text.indices {
      switch text[index] {
      case "[": depth += 1
      case "]": depth -= 1
      case "=" where depth == 0: return index
      default: continue
      }
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
