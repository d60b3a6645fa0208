internal import CommandInput
internal import ContentRules
internal import Foundation

/// The file `tickbird.toml` beside a list, which configures what `tickbird check` reports.
///
///     [check]
///     ignore = ["pattern-unescaped-dot", "repeated-member"]
///     severity = "warning"
///     target = "safari16.4"
///     limit = 50
///     max-findings = 0
///     baseline = "accepted.baseline"   # beside this file
struct CheckConfiguration {
  /// The file's name.
  static let fileName = "tickbird.toml"
  private static let tableName = "check"
  private static let sizeLimit = 1 << 20
  private static let keys = [
    "ignore", "severity", "target", "limit", "max-findings", "baseline",
  ]

  var ignoredCodes: Set<DiagnosticCode> = []
  var severity: Diagnostic.Severity?
  var target: EngineRelease?
  var limit: Int?
  var maxFindings: Int?
  /// The path of the baseline.
  var baseline: String?

  /// Returns the path of the configuration beside a list; `nil` for standard input.
  static func path(beside list: String) -> String? {
    list == "-" ? nil : folder(of: list) + fileName
  }

  /// Reads the configuration beside a list, if there is one; `nil` if not.
  ///
  /// - Throws: ``InputError`` with the file and the line.
  static func found(at path: String) throws(InputError) -> Self? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    try requirePlainFile(path)
    return try Self(path: path)
  }

  /// Reads a configuration.
  ///
  /// - Throws: ``InputError`` with the file and the line.
  init(path: String) throws(InputError) {
    let bytes = try ByteInput(path: path).readAll(limit: Self.sizeLimit)
    try self.init(bytes, path: path, folder: Self.folder(of: path))
  }

  /// Returns the folder of a file with a slash behind it, or nothing.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Refuses a pipe or a device: the command line did not name it, and it may never end.
  private static func requirePlainFile(_ path: String) throws(InputError) {
    guard FileManager.default.fileExists(atPath: path), ByteInput.identity(path: path) == nil else {
      return
    }
    throw InputError("\(path) is no plain file; put one in its place, or take it away")
  }

  /// Parses the text of a file.
  init(_ bytes: [UInt8], path: String, folder: String) throws(InputError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw InputError("\(path) is not UTF-8")
    }
    let tables: [TOMLTable]
    do throws(TOMLFault) { tables = try TOMLSubset.tables(in: text) } catch {
      throw Self.fault(path, error.line, error.message)
    }
    for table in tables {
      if let message = Self.refusal(of: table) { throw Self.fault(path, table.line, message) }
      for entry in table.entries {
        do throws(InputError) { try take(entry, isInTable: !table.name.isEmpty, folder) } catch {
          throw Self.fault(path, entry.line, error.message)
        }
      }
    }
  }

  /// Returns why a table is not allowed, even an empty one: a misspelt name would disable
  /// everything below it.
  private static func refusal(of table: TOMLTable) -> String? {
    guard !table.name.isEmpty, table.name != tableName else { return nil }
    let isNear = Suggestion.nearest(to: table.name, among: [tableName]) != nil
    return "there is no table [\(table.name)]; "
      + (isNear ? "did you mean [\(tableName)]?" : "settings stand under [\(tableName)]")
  }

  /// Returns the error for a line, which may be as long as the file.
  private static func fault(_ path: String, _ line: Int, _ message: String) -> InputError {
    let start = message.unicodeScalars.prefix(400)
    let isWhole = start.endIndex == message.endIndex
    return InputError("\(path):\(line): \(String(start))\(isWhole ? "" : "…")")
  }

  private mutating func take(
    _ entry: TOMLEntry,
    isInTable: Bool,
    _ folder: String
  ) throws(InputError) {
    guard isInTable else { throw InputError("\(entry.key) must stand under [\(Self.tableName)]") }
    switch (entry.key, entry.value) {
    case ("ignore", .strings(let words)):
      for word in words { ignoredCodes.insert(try CheckSettings.ignorableCode(word)) }
    case ("severity", .string(let word)):
      guard let severity = Diagnostic.Severity(word: word) else {
        throw InputError("severity is note, warning or error, not \(word)")
      }
      self.severity = severity
    case ("target", .string(let word)):
      guard let target = TargetRelease(argument: word) else {
        throw InputError("\(word) is no target; see tickbird check --help")
      }
      self.target = target.release
    case ("limit", .integer(let number)) where number > 0: limit = number
    case ("max-findings", .integer(let number)) where number >= 0: maxFindings = number
    case ("baseline", .string(let path)):
      let path = path.hasPrefix("/") ? path : folder + path
      try Self.requirePlainFile(path)
      baseline = path
    case (let key, _):
      guard Self.keys.contains(key) else {
        let nearest = Suggestion.nearest(to: key, among: Self.keys)
        throw InputError(
          "there is no setting \(key)" + (nearest.map { "; did you mean \($0)?" } ?? "")
        )
      }
      let form =
        switch key {
        case "ignore": "an array of strings"
        case "limit": "a whole number from 1"
        case "max-findings": "a whole number from 0"
        default: "a string"
        }
      throw InputError("\(key) must be \(form)")
    }
  }
}
