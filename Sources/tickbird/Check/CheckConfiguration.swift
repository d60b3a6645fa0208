internal import CommandInput
internal import ContentRules
internal import Foundation

/// The file `tickbird.toml` beside a list, which says what `tickbird check` tells of it.
///
///     [check]
///     ignore = ["pattern-unescaped-dot", "repeated-member"]
///     severity = "warning"
///     target = "safari16.4"
///     limit = 50
///     max-findings = 0
///     baseline = "accepted.baseline"   # beside this file
struct CheckConfiguration {
  /// What the file is called.
  static let fileName = "tickbird.toml"
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

  /// Creates a configuration that says nothing.
  init() {}

  /// Reads the configuration beside a list; `nil` where there is none.
  ///
  /// - Throws: ``InputError`` with the file and the line.
  static func beside(list: String) throws(InputError) -> Self? {
    guard list != "-" else { return nil }
    let slash = list.lastIndex(of: "/")
    let folder = slash.map { String(list[...$0]) } ?? ""
    let path = folder + fileName
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    try requirePlainFile(path)
    let bytes = try ByteInput(path: path).readAll(limit: sizeLimit)
    return try Self(bytes, path: path, folder: folder)
  }

  /// Refuses a pipe or a device, which nobody on the command line named and which may never end.
  private static func requirePlainFile(_ path: String) throws(InputError) {
    guard FileManager.default.fileExists(atPath: path), ByteInput.identity(path: path) == nil else {
      return
    }
    throw InputError("\(path) is no plain file; put one in its place, or take it away")
  }

  /// Reads the text of a file.
  init(_ bytes: [UInt8], path: String, folder: String) throws(InputError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw InputError("\(path) is not UTF-8")
    }
    let entries: [TOMLEntry]
    do throws(TOMLFault) { entries = try TOMLSubset.entries(in: text) } catch {
      throw Self.fault(path, error.line, error.message)
    }
    for entry in entries {
      do throws(InputError) { try take(entry, folder) } catch {
        throw Self.fault(path, entry.line, error.message)
      }
    }
  }

  /// Says what is wrong in a line, which may be as long as the file.
  private static func fault(_ path: String, _ line: Int, _ message: String) -> InputError {
    let start = message.unicodeScalars.prefix(400)
    let isWhole = start.endIndex == message.endIndex
    return InputError("\(path):\(line): \(String(start))\(isWhole ? "" : "…")")
  }

  private mutating func take(_ entry: TOMLEntry, _ folder: String) throws(InputError) {
    guard entry.table == "check" else {
      throw InputError("\(entry.key) must stand under [check]")
    }
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
