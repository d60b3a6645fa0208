/// Collects diagnostics while a list is read, and determines which one WebKit would report.
///
/// Keeps only the first few of every code and counts the others, so that a list with a million
/// faults takes no more memory than one with a hundred. Texts are composed only for diagnostics
/// that are kept. Callers who want all of them take them after each rule. A class, so that closures
/// that compose texts may read the reporter.
final class DiagnosticCollector {
  /// WebKit's order: an error of an earlier stage hides those of all later ones.
  private enum Stage: Int, CaseIterable {
    case syntax, notAnArray, tooManyRules, rules, noRules, patterns

    init(_ error: WebKitError) {
      switch error {
      case .jsonInvalid: self = .syntax
      case .jsonTopLevelStructureNotAnArray: self = .notAnArray
      case .jsonTooManyRules: self = .tooManyRules
      case .jsonContainsNoRules: self = .noRules
      case .jsonInvalidRegex: self = .patterns
      default: self = .rules
      }
    }
  }

  /// The rule that diagnostics reported now belong to.
  var ruleIndex: Int? {
    didSet { isGuessed = false }
  }
  /// Whether the rule has a syntax fault that can only be corrected by a guess.
  ///
  /// What follows in the rule may not be what it seems, so corrections there are guesses, too.
  private var isGuessed = false
  /// How many errors were reported, kept or not.
  private(set) var errorCount = 0
  /// How many diagnostics were reported, kept or not.
  private(set) var reportCount = 0
  private let limitPerCode: Int
  private var kept: [Diagnostic] = []
  /// The codes that were reported, which are few.
  private var tallies: [Tally] = []
  /// The place in ``tallies`` of the code that was reported last, which is mostly reported again.
  private var last = 0
  /// The first error of each stage: an index into `kept`, or a copy if it has been taken.
  private var first = [First?](repeating: nil, count: Stage.allCases.count)
  private var places = LineCounter()
  /// The most paths of broken syntax that are looked up in one rule; each look-up walks the rule.
  private static let syntaxPathLimit = 1_000

  /// How many diagnostics of a code were reported, kept or not, and of which stage they are.
  private struct Tally {
    var code: DiagnosticCode
    var stage: Stage?
    var count = 0
  }

  private enum First {
    case kept(Int)
    case taken(Diagnostic)
  }

  init(limitPerCode: Int) {
    self.limitPerCode = max(1, limitPerCode)
  }

  /// How many diagnostics of a code were reported, kept or not.
  func count(of code: DiagnosticCode) -> Int { tallies.first { $0.code == code }?.count ?? 0 }

  /// Counts a diagnostic of a code.
  private func count(_ code: DiagnosticCode) -> Tally {
    if last >= tallies.count || tallies[last].code != code {
      last = tallies.firstIndex { $0.code == code } ?? tallies.count
      if last == tallies.count {
        tallies.append(Tally(code: code, stage: code.webKitError.map(Stage.init)))
      }
    }
    tallies[last].count += 1
    return tallies[last]
  }

  /// Reports a diagnostic at the given bytes.
  ///
  /// The path is relative to the rule, such as `.trigger.url-filter`. The severity defaults to that
  /// of the code.
  func report(
    _ code: DiagnosticCode,
    _ range: Range<Int>,
    path: @autoclosure () -> String = "",
    severity: Diagnostic.Severity? = nil,
    reason: String? = nil,
    _ message: @autoclosure () -> String,
    hint: @autoclosure () -> String? = nil,
    correction: @autoclosure () -> Correction? = nil,
    relatedRule: Int? = nil
  ) {
    reportCount += 1
    let tally = count(code)
    let stage = tally.stage
    if stage != nil { errorCount += 1 }
    let isFirst = stage.map { first[$0.rawValue] == nil } ?? false
    let wasGuessed = isGuessed
    if stage == .syntax, !isGuessed { isGuessed = !(correction()?.keepsMeaning ?? false) }
    guard tally.count <= limitPerCode || isFirst else { return }
    let hasPath = stage != .syntax || kept.count < Self.syntaxPathLimit
    if let stage, isFirst { first[stage.rawValue] = .kept(kept.count) }
    var correction = correction()
    if wasGuessed { correction?.keepsMeaning = false }
    kept.append(
      Diagnostic(
        code,
        severity: severity,
        reason: reason,
        message: message(),
        hint: hint(),
        correction: correction,
        location: SourceLocation(
          ruleIndex: ruleIndex,
          jsonPath: ruleIndex.map { "[\($0)]" + (hasPath ? path() : "") } ?? "",
          byteRange: range
        ),
        relatedRule: relatedRule
      )
    )
  }

  /// Returns all diagnostics in the order of the text, each with its line and column, and the error
  /// that WebKit would report.
  func finish(_ text: Span<UInt8>) -> (all: [Diagnostic], webKitError: Diagnostic?) {
    switch first.lazy.compactMap({ $0 }).first {
    case .kept(let index): kept[index].isWebKitError = true
    case .taken(let diagnostic): return (takeAll(text), diagnostic)
    case nil: break
    }
    place(text)
    return (kept + summaries(text), kept.first(where: { $0.isWebKitError }))
  }

  /// Removes and returns what was reported since the last call, in the order of the text.
  ///
  /// None is marked as the error that WebKit would report, which is known only at the end.
  func takeAll(_ text: Span<UInt8>) -> [Diagnostic] {
    guard !kept.isEmpty else { return [] }
    let firsts = first.map { stage -> Int? in
      if case .kept(let index) = stage { index } else { nil }
    }
    for (stage, index) in firsts.enumerated() {
      guard let index else { continue }
      var diagnostic = kept[index]
      diagnostic.isWebKitError = true
      let start = diagnostic.location.byteRange.lowerBound
      (diagnostic.location.line, diagnostic.location.column) = places.advance(to: start, in: text)
      first[stage] = .taken(diagnostic)
    }
    place(text)
    defer { kept.removeAll(keepingCapacity: true) }
    return kept
  }

  private func place(_ text: Span<UInt8>) {
    kept.sort { a, b in
      (a.location.byteRange.lowerBound, b.severity) < (b.location.byteRange.lowerBound, a.severity)
    }
    for index in kept.indices {
      (kept[index].location.line, kept[index].location.column) =
        places.advance(to: kept[index].location.byteRange.lowerBound, in: text)
    }
  }

  private func summaries(_ text: Span<UInt8>) -> [Diagnostic] {
    var keptCounts: [DiagnosticCode: Int] = [:]
    var lastPlaces: [DiagnosticCode: SourceLocation] = [:]
    for diagnostic in kept {
      keptCounts[diagnostic.code, default: 0] += 1
      lastPlaces[diagnostic.code] = diagnostic.location
    }
    return tallies.filter { $0.count > keptCounts[$0.code, default: 0] }
      .sorted { $0.code.rawValue < $1.code.rawValue }
      .map { tally in
        let others = tally.count - keptCounts[tally.code, default: 0]
        return Diagnostic(
          .moreOfTheSame,
          message: "and \(others.grouped) more \(tally.code.rawValue)",
          location: lastPlaces[tally.code] ?? SourceLocation()
        )
      }
  }
}

extension Int {
  /// The number with commas between groups of three digits, as in 49,213.
  var grouped: String {
    var digits = Array(String(magnitude).utf8)
    var index = digits.count - 3
    while index > 0 {
      digits.insert(UInt8(ascii: ","), at: index)
      index -= 3
    }
    return (self < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
  }
}
