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
    let (text, correctedCount, isWhole) = corrected(source.text)
    var outcome = Outcome(correctedCount: correctedCount)
    if !isWhole { outcome.notes.append("\(path): further edits would do harm and were not made") }
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

  /// Mends a text.
  ///
  /// - Returns: The text, how many findings were mended, and whether that is all that can be mended
  ///   without making the list worse.
  func corrected(_ text: [UInt8]) -> (text: [UInt8], count: Int, isWhole: Bool) {
    var text = text
    var count = 0
    var tally = tally(text)
    for _ in 0..<Self.roundLimit {
      let round = edits(in: text)
      guard !round.edits.isEmpty else { break }
      let changed = Self.applying(round.edits, to: text)
      let newTally = self.tally(changed)
      guard newTally.isBetter(than: tally, bySyntax: round.syntaxCount) else {
        return (text, count, false)
      }
      (text, tally) = (changed, newTally)
      count += round.count
    }
    return (text, count, true)
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

    /// Whether edits have done what they should: all faults of syntax that they are for are gone, and
    /// nothing new is wrong.
    func isBetter(than other: Tally, bySyntax corrected: Int) -> Bool {
      if other.isAccepted { return isAccepted && warnings <= other.warnings }
      guard !isAccepted else { return true }
      return syntaxErrors <= other.syntaxErrors - corrected && errors <= other.errors
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

  /// Edits that can be made at once, in the order of the text.
  private struct Round {
    var edits: [Correction.Edit] = []
    var count = 0
    /// How many of the findings are faults of syntax.
    var syntaxCount = 0
  }

  private func edits(in text: [UInt8]) -> Round {
    var filter = FindingFilter(settings: settings)
    var corrections: [(edits: [Correction.Edit], isSyntax: Bool)] = []
    _ = RuleListReader.read(text.span, options: options) { diagnostic, rule in
      guard filter.admits(diagnostic, rule, text.span), corrections.count < Self.editLimit,
        let correction = diagnostic.correction, correction.keepsMeaning
      else { return }
      corrections.append((correction.edits, diagnostic.webKitError == .jsonInvalid))
    }
    corrections.sort { Self.order($0.edits).lexicographicallyPrecedes(Self.order($1.edits)) }
    var round = Round()
    for (edits, isSyntax) in corrections where Self.mayFollow(round.edits.last, edits.first) {
      round.edits += edits
      round.count += 1
      if isSyntax { round.syntaxCount += 1 }
    }
    return round
  }

  /// Whether an edit can be made along with those before it.
  ///
  /// What is put in belongs to what it touches: where that changes, the next round sees whether it is
  /// still wanted.
  private static func mayFollow(_ last: Correction.Edit?, _ next: Correction.Edit?) -> Bool {
    guard let next = next?.byteRange else { return false }
    guard let last = last?.byteRange else { return true }
    let mayTouch = !last.isEmpty && !next.isEmpty
    return next.lowerBound > last.upperBound || mayTouch && next.lowerBound == last.upperBound
  }

  private static func order(_ edits: [Correction.Edit]) -> [Int] {
    edits.flatMap { [$0.byteRange.lowerBound, $0.byteRange.upperBound] }
  }

  private var options: ReadingOptions { ContentRuleList.readingOptions(target: settings.target) }

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
