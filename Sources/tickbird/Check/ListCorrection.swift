internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import TextOutput

/// Mends a list in its file: the same text but for the edits that diagnostics carry.
///
/// Only edits that keep what rules mean are made. The outcome is checked before it is written, and
/// written only if it is no worse and the file is still as it was.
struct ListCorrection {
  let settings: CheckSettings
  /// Runs when a list is mended and its file is about to be looked at again.
  var willWrite: () -> Void = {}

  /// What became of a list.
  struct Outcome {
    var correctedCount = 0
    /// Why nothing, or less than there was, was mended, and which file was.
    var notes: [String] = []
    var status = ExitStatus.fine
  }

  /// How many diagnostics are mended in one run; a list with more is mended by several.
  private static let editLimit = 1_000_000
  /// How often a list is read anew: what is behind broken syntax is seen once that is mended.
  private static let roundLimit = 16

  /// Mends a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - source: What was read from it; afterwards what it holds.
  /// - Returns: What was done, and why not more.
  /// - Throws: `InputError` or `OutputError` where the file cannot be read again or written.
  func correct(_ path: String, _ source: inout ListFile.Source) throws -> Outcome {
    if let reason = Self.obstacle(path, source) {
      return Outcome(notes: [reason], status: .wrongUse)
    }
    var text = source.text
    var outcome = Outcome()
    var tally = tally(text)
    for _ in 0..<Self.roundLimit {
      let edits = edits(in: text)
      guard !edits.edits.isEmpty else { break }
      let changed = Self.applying(edits.edits, to: text)
      let newTally = self.tally(changed)
      guard newTally.isNoWorse(than: tally) else {
        outcome.notes.append("\(path): further edits would do harm and were not made")
        break
      }
      (text, tally) = (changed, newTally)
      outcome.correctedCount += edits.count
    }
    guard outcome.correctedCount > 0 else { return outcome }
    willWrite()
    let now = try ListFile.source(path: path)
    guard !now.isCompressed, !now.isCompiled, now.text == source.text else {
      return Outcome(
        notes: [
          "\(path) has changed meanwhile and was left as it is; run tickbird check --fix again"
        ],
        status: .wrongUse
      )
    }
    switch try OutputFile.rewrite(path, with: text) {
    case .refused(let reason): return Outcome(notes: [reason], status: .wrongUse)
    case .written(let file):
      if let file { outcome.notes.append("\(path) is a link; what was mended is \(file)") }
    }
    source.text = text
    return outcome
  }

  /// Why a list cannot be mended where it is.
  private static func obstacle(_ path: String, _ source: ListFile.Source) -> String? {
    if path == "-" {
      return "standard input cannot be mended; give --fix a file"
    }
    if source.isCompiled {
      return "\(path) is compiled and was not mended; mend its JSON, and compile it again"
    }
    if source.isCompressed {
      return
        "\(path) is compressed and was not mended; unpack it with gzip -d, and give --fix the file"
    }
    return ByteInput.identity(path: path) == nil
      ? "\(path) is no plain file and was not mended" : nil
  }

  /// How good a list is.
  private struct Tally {
    var isAccepted: Bool
    var syntaxErrors = 0
    var errors = 0
    var warnings = 0

    /// Broken syntax hides what is behind it, so that less of it outweighs all else.
    func isNoWorse(than other: Tally) -> Bool {
      if other.isAccepted {
        return isAccepted && warnings <= other.warnings
      }
      if isAccepted || syntaxErrors < other.syntaxErrors { return true }
      return syntaxErrors == other.syntaxErrors && errors <= other.errors
    }
  }

  private func tally(_ text: [UInt8]) -> Tally {
    var tally = Tally(isAccepted: false)
    let report = RuleListReader.read(text.span, options: options) { diagnostic, _ in
      if diagnostic.severity == .error { tally.errors += 1 }
      if diagnostic.severity == .warning { tally.warnings += 1 }
      if diagnostic.webKitError == .jsonInvalid { tally.syntaxErrors += 1 }
    }
    tally.isAccepted = report.isAccepted
    return tally
  }

  /// The edits that can be made at once, in the order of the text.
  private func edits(in text: [UInt8]) -> (edits: [Correction.Edit], count: Int) {
    var filter = FindingFilter(settings: settings)
    var corrections: [Correction] = []
    _ = RuleListReader.read(text.span, options: options) { diagnostic, rule in
      guard filter.admits(diagnostic, rule, text.span), corrections.count < Self.editLimit,
        let correction = diagnostic.correction, correction.keepsMeaning
      else { return }
      corrections.append(correction)
    }
    corrections.sort { Self.start($0) < Self.start($1) }
    var edits: [Correction.Edit] = []
    var end = 0
    var count = 0
    for correction in corrections where Self.start(correction) >= end {
      let isFree = edits.last.map { $0.byteRange != correction.edits.first?.byteRange } ?? true
      guard isFree else { continue }
      edits += correction.edits
      end = correction.edits.last?.byteRange.upperBound ?? end
      count += 1
    }
    return (edits, count)
  }

  private var options: ReadingOptions { ContentRuleList.readingOptions(target: settings.target) }

  private static func start(_ correction: Correction) -> Int {
    correction.edits.first?.byteRange.lowerBound ?? 0
  }

  private static func applying(_ edits: [Correction.Edit], to text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + edits.count)
    var position = 0
    for edit in edits {
      result += text[position..<edit.byteRange.lowerBound]
      result += Array(edit.replacement.utf8)
      position = edit.byteRange.upperBound
    }
    return result + text[position...]
  }
}
