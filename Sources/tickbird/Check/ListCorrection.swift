internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import TextOutput

/// Corrects a list in its file by applying the edits of diagnostics.
///
/// Applies only edits that keep the meaning of rules. Checks the result, and writes it only if it
/// is no worse and the file has not changed meanwhile.
struct ListCorrection {
  let settings: CheckSettings
  /// Called after correcting a list, before its file is checked for changes; for tests.
  var willWrite: () -> Void = {}

  /// The outcome for a list.
  struct Outcome {
    var correctedCount = 0
    /// Why nothing, or not everything, was corrected, and which file was.
    var notes: [String] = []
    var status = ExitStatus.fine
  }

  /// The most diagnostics to correct in one run; a list with more needs several.
  private static let editLimit = 1_000_000
  /// The most rounds of reading: what follows broken syntax is seen only after that is corrected.
  private static let roundLimit = 16

  /// Corrects a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - source: The text that was read from it; afterwards its new text.
  /// - Returns: What was done, and why not more.
  /// - Throws: `InputError` or `OutputError` if the file cannot be read again or written.
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

  /// Corrects a text.
  ///
  /// - Returns: The text, the number of corrected findings, and whether nothing more can be
  ///   corrected without making the list worse.
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

  /// Returns why a list cannot be corrected in place.
  static func obstacle(_ path: String, _ source: ListFile.Source) -> String? {
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
      ? "\(path) is not a plain file and was not mended" : nil
  }

  /// The number of faults of a list.
  private struct Tally {
    var isAccepted: Bool
    var syntaxErrors = 0
    var errors = 0
    var warnings = 0

    /// Whether edits have worked: all syntax faults that they correct are gone, and nothing new is
    /// wrong.
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

  /// Edits that can be applied together, in the order of the text.
  private struct Round {
    var edits: [Correction.Edit] = []
    var count = 0
    /// The number of findings that are syntax faults.
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

  /// Whether an edit can be applied together with those before it.
  ///
  /// An insertion depends on what it touches: if that changes, the next round decides whether it is
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
