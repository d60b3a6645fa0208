/// Reads rule lists: bytes in, rules and all diagnostics out, in one pass.
///
///     let report = RuleListReader.read(bytes)
///     report.isAccepted            // what WebKit would say
///     report.webKitError?.message  // and why
///     report.diagnostics           // everything, each with its place
///
/// Scans the text from front to back, and reads each rule as soon as its end is known. A fault
/// never ends the reading: after broken syntax it continues with what looks like the next rule.
///
/// > Source: the rule language, sections 1 to 4. WebKit: `parseRuleList`.
public enum RuleListReader {
  /// The most elements that a list may have.
  ///
  /// > Source: the rule language, section 1. WebKit: `maxRuleCount`.
  public static let ruleLimit = 150_000

  /// The most bytes that a text may have: WebKit's strings are no longer.
  ///
  /// WebKit counts UTF-16 units, so a text between this limit and three times its length may be
  /// refused only here.
  public static let byteLimit = Int(Int32.max)

  /// Reads a list from UTF-8.
  ///
  /// Ill-formed UTF-8 makes the list invalid, because WebKit cannot turn it into a string.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes. Memory is the rules themselves,
  ///   16 bytes for each value of the largest rule, and the entries of conditions of up to 4 MiB of text, for
  ///   those that repeat them.
  public static func read(
    _ text: Span<UInt8>,
    options: ReadingOptions = ReadingOptions()
  ) -> RuleListReport {
    var rules: [Rule] = []
    var report = read(text, options: options) { rules.append($0) }
    if report.ruleList != nil { report.ruleList = RuleList(rules: rules) }
    return report
  }

  /// Reads a list from UTF-8 and passes each rule on instead of keeping it.
  ///
  /// Whether the list is accepted is known only at the end; if it is not, discard what was made of
  /// its rules. The report's ``RuleListReport/ruleList`` has no rules.
  ///
  /// - Parameters:
  ///   - text: The list's UTF-8 bytes.
  ///   - options: The options.
  ///   - body: Receives the rules in the list's order; not called after the first error.
  /// - Returns: The report.
  public static func read(
    _ text: Span<UInt8>,
    options: ReadingOptions = ReadingOptions(),
    forEachRule body: (Rule) -> Void
  ) -> RuleListReport {
    var reading = Reading(options: options)
    return reading.read(text, body)
  }

  /// Reads a list from UTF-8 and passes on every diagnostic, however many there are.
  ///
  /// The report has no ``RuleListReport/diagnostics``, and its ``RuleListReport/ruleList`` no
  /// rules. ``ReadingOptions/diagnosticsPerCode`` is ignored.
  ///
  /// - Parameters:
  ///   - text: The list's UTF-8 bytes.
  ///   - options: What is judged, and how.
  ///   - body: Receives the diagnostics, rule by rule in the order of the text and then those about
  ///     the list as a
  ///     whole; each with the bytes of the rule being read when it was found. None has
  ///     ``Diagnostic/isWebKitError`` set, which is known only at the end, from the report.
  /// - Returns: The report.
  /// - Complexity: O(*n*) for *n* bytes. Memory is that of the diagnostics of one rule, and of the entries of
  ///   conditions of up to 4 MiB of text, for those that repeat them.
  public static func read(
    _ text: Span<UInt8>,
    options: ReadingOptions = ReadingOptions(),
    forEachDiagnostic body: (Diagnostic, Range<Int>?) -> Void
  ) -> RuleListReport {
    var options = options
    options.diagnosticsPerCode = .max
    // The check of the closure has the length of this file's path in it. With a name in its place, the same
    // bytes come out of every folder (Scripts/compare-packages).
    #sourceLocation(file:"ContentRules/ToldDiagnostics.swift",line:1)
    return withoutActuallyEscaping(body) { body in
      var reading = Reading(options: options, tell: body)
      return reading.read(text) { _ in }
    }
    #sourceLocation()
  }

  /// Reads a list from UTF-8; otherwise like the call that takes a span.
  public static func read(
    _ text: [UInt8],
    options: ReadingOptions = ReadingOptions()
  ) -> RuleListReport {
    read(text.span, options: options)
  }

  /// Reads a list from a string; otherwise like the call that takes a span.
  public static func read(
    _ text: String,
    options: ReadingOptions = ReadingOptions()
  ) -> RuleListReport {
    read(Array(text.utf8), options: options)
  }
}

/// The reading of one list: the top-level array and what surrounds it.
///
/// `Reading+Pieces.swift` reads a list in pieces.
struct Reading {
  var reader: RuleReader
  /// The number of rules passed on.
  var givenCount = 0
  var skippedRules: [Int] = []
  var ruleCount = 0
  private var limitFault: LimitFault?
  /// Receives all diagnostics, if requested.
  private let tell: ((Diagnostic, Range<Int>?) -> Void)?

  init(options: ReadingOptions, tell: ((Diagnostic, Range<Int>?) -> Void)? = nil) {
    reader = RuleReader(options: options)
    self.tell = tell
  }

  /// Passes on the diagnostics since the last call.
  ///
  /// Mutating, because otherwise the whole state would be copied.
  private mutating func tellAll(_ text: Span<UInt8>, rule: Range<Int>? = nil) {
    guard let tell else { return }
    for diagnostic in reader.diagnostics.takeAll(text) { tell(diagnostic, rule) }
  }

  mutating func read(_ text: Span<UInt8>, _ take: (Rule) -> Void) -> RuleListReport {
    if text.count > RuleListReader.byteLimit {
      reader.diagnostics.report(
        .jsonTextTooLong,
        0..<0,
        "the text has \(text.count.grouped) bytes, and WebKit reads at most"
          + " \(RuleListReader.byteLimit.grouped)"
      )
    } else {
      readText(text, take)
      finish(text)
    }
    return report(text)
  }

  /// Concludes the reading of a list whose elements have been read.
  mutating func report(_ text: Span<UInt8>) -> RuleListReport {
    reportLimitFault(text)
    tellAll(text)
    let (diagnostics, webKitError) = reader.diagnostics.finish(text)
    var report = RuleListReport(
      ruleList: webKitError == nil && limitFault == nil ? RuleList(rules: []) : nil,
      ruleCount: ruleCount,
      skippedRules: skippedRules,
      diagnostics: diagnostics,
      webKitError: webKitError,
      requirements: reader.requirements.finish(text)
    )
    report.matchingCost = reader.matchingCost
    if let limitFault {
      report.limitError = Diagnostic(
        .exceedsLimits,
        message: limitFault.message,
        location: SourceLocation(
          ruleIndex: limitFault.rule,
          jsonPath: limitFault.rule.map { "[\($0)]" } ?? ""
        )
      )
    }
    return report
  }

  /// Asks whether a list without errors can be compiled.
  private mutating func reportLimitFault(_ text: Span<UInt8>) {
    guard reader.diagnostics.errorCount == 0 else { return }
    limitFault = reader.options.limitFault?(text, reader.matchingCost)
    guard let limitFault else { return }
    reader.diagnostics.ruleIndex = limitFault.rule
    reader.diagnostics.report(.exceedsLimits, 0..<0, limitFault.message)
    reader.diagnostics.ruleIndex = nil
  }

  private mutating func readText(_ text: Span<UInt8>, _ take: (Rule) -> Void) {
    if let format = OtherFormat.recognize(text) {
      let words = format.words
      return reader.diagnostics.report(.otherFormat, 0..<0, words.message, hint: words.hint)
    }
    skip(text)
    guard reader.scanner.position < text.count else {
      reader.diagnostics.report(
        .jsonEmptyText,
        0..<0,
        "the text is empty",
        hint: "a list is an array of rules: [{\"trigger\": {…}, \"action\": {…}}]"
      )
      return
    }
    guard text[reader.scanner.position] == UInt8(ascii: "[") else {
      readOtherValue(text)
      return
    }
    let opening = reader.scanner.position
    reader.scanner.position += 1
    readElements(text, opening: opening, take)
  }

  /// Reads a text that is not an array.
  private mutating func readOtherValue(_ text: Span<UInt8>) {
    let start = reader.scanner.position
    let outcome = reader.scanner.scanValue(text, depth: 0, into: reader.diagnostics)
    guard outcome == .complete, let root = reader.scanner.nodes.first else { return }
    let isLog = isNetworkLog(text)
    let hint: String? =
      if text.isRuleStart(at: start) {
        "put the rules into brackets: […]"
      } else if isLog {
        "give the list here, and the log to a command that reads loads, such as tickbird explain"
      } else if root.kind == .object {
        "the array itself must be the text, without an object around it"
      } else {
        nil
      }
    reader.diagnostics.report(
      .listNotAnArray,
      root.kind == .object ? start..<start + 1 : root.range,
      isLog
        ? "this is a network log (HAR), and a list is an array of rules"
        : "a list must be an array, not \(root.description)",
      hint: hint
    )
    skip(text)
    guard reader.scanner.position < text.count else { return }
    reader.reportTextAfterList(text)
  }

  /// Whether the value that was read is an HTTP archive, by its first key.
  private func isNetworkLog(_ text: Span<UInt8>) -> Bool {
    let nodes = reader.scanner.nodes
    return nodes.count > 2 && nodes[0].kind == .object && nodes[2].kind == .object
      && text.extracting(nodes[1].contents).matches("log", at: 0) && nodes[1].contents.count == 3
  }

  /// Reads the rules of the array, from after its bracket.
  private mutating func readElements(
    _ text: Span<UInt8>,
    opening: Int,
    _ take: (Rule) -> Void
  ) {
    skip(text)
    if at("]", text) {
      reader.scanner.position += 1
      readEnd(text)
      return
    }
    while true {
      skip(text)
      let start = reader.scanner.position
      guard start < text.count else { return reader.reportListEnd(opening) }
      guard readElement(text, take) || resynchronize(text, after: start, take) else { return }
      guard let comma = readSeparator(text, opening: opening, take) else { return }
      if comma {
        let place = reader.scanner.position - 1
        skip(text)
        if at("]", text) {
          reader.scanner.reportTrailingComma(
            at: place,
            before: UInt8(ascii: "]"),
            reader.diagnostics
          )
          reader.scanner.position += 1
          readEnd(text)
          return
        }
      }
    }
  }

  /// Reads one element of the list; returns false if its syntax cannot be understood.
  mutating func readElement(_ text: Span<UInt8>, _ take: (Rule) -> Void) -> Bool {
    reader.ruleIndex = ruleCount
    reader.diagnostics.ruleIndex = ruleCount
    defer { reader.diagnostics.ruleIndex = nil }
    if let rule = reader.readRuleOfKnownFrame(text) {
      ruleCount += 1
      give(rule, take)
      return true
    }
    let reports = reader.diagnostics.reportCount
    let outcome = reader.scanner.scanValue(text, depth: 1, into: reader.diagnostics)
    ruleCount += 1
    guard outcome == .complete else { return false }
    tellAll(text)
    defer { tellAll(text, rule: reader.node(0).range) }
    switch reader.readRule(text) {
    case .rule(let rule):
      give(rule, take)
      reader.noteFrame(of: rule, text, reportsBefore: reports)
    case .skipped: skippedRules.append(ruleCount - 1)
    case .faulty: break
    }
    return true
  }

  /// Passes a rule on, if the list may still be accepted.
  private mutating func give(_ rule: Rule, _ take: (Rule) -> Void) {
    // A refused list has no rules, so they are not kept after an error.
    if ruleCount <= reader.options.ruleLimit, reader.diagnostics.errorCount == 0 {
      givenCount += 1
      take(rule)
    }
    reader.shape.add(rule)
  }

  /// Reads what follows an element; `nil` at the end of the list, true after a comma.
  private mutating func readSeparator(
    _ text: Span<UInt8>,
    opening: Int,
    _ take: (Rule) -> Void
  ) -> Bool? {
    while true {
      skip(text)
      let position = reader.scanner.position
      guard position < text.count else {
        reader.reportListEnd(opening)
        return nil
      }
      switch text[position] {
      case UInt8(ascii: ","):
        reader.scanner.position += 1
        return true
      case UInt8(ascii: "]"):
        reader.scanner.position += 1
        return readEnd(text) ? false : nil
      case UInt8(ascii: "}"):
        reader.diagnostics.report(
          .jsonMismatchedBracket,
          position..<position + 1,
          "expected ',' or ']', found '}'",
          hint: "the rule before it has one '}' too many"
        )
        reader.scanner.position += 1
      case let byte where byte.beginsValue:
        reader.scanner.open = []
        reader.scanner.reportMissingComma(text, isObject: false, reader.diagnostics)
        return false
      default:
        reader.scanner.open = []
        _ = reader.scanner.reportUnexpected(text, expected: "',' or ']'", reader.diagnostics)
        return resynchronize(text, after: position, take) ? false : nil
      }
    }
  }

  /// Checks that nothing follows the list; true if more rules do, which are then read as well.
  @discardableResult
  private mutating func readEnd(_ text: Span<UInt8>) -> Bool {
    skip(text)
    guard reader.scanner.position < text.count else { return false }
    reader.reportTextAfterList(text)
    guard let start = text.nextRuleStart(from: reader.scanner.position) else { return false }
    reader.scanner.position = start
    return true
  }

  /// Continues at the next rule after a position, if there is one.
  private mutating func resynchronize(
    _ text: Span<UInt8>,
    after start: Int,
    _ take: (Rule) -> Void
  ) -> Bool {
    let from = max(reader.scanner.position, start + 1)
    guard let next = text.nextRuleStart(from: from) else { return false }
    // The comma before it is part of what was lost.
    reader.scanner.position = next
    return readElement(text, take) || resynchronizeAgain(text, after: next, take)
  }

  private mutating func resynchronizeAgain(
    _ text: Span<UInt8>,
    after start: Int,
    _ take: (Rule) -> Void
  ) -> Bool {
    var start = start
    while let next = text.nextRuleStart(from: max(reader.scanner.position, start + 1)) {
      reader.scanner.position = next
      if readElement(text, take) { return true }
      start = next
    }
    return false
  }

  /// Skips white space, and reports characters that only look like it.
  mutating func skip(_ text: Span<UInt8>) {
    reader.scanner.open.removeAll(keepingCapacity: true)
    reader.scanner.skipWhiteSpace(text)
    if reader.scanner.position < text.count {
      switch text[reader.scanner.position] {
      case UInt8(ascii: "{"), UInt8(ascii: ","): return
      default: break
      }
    }
    repeat {
      reader.scanner.skipWhiteSpace(text)
    } while reader.scanner.skipOddities(text, reader.diagnostics)
  }

  func at(_ bracket: String, _ text: Span<UInt8>) -> Bool {
    text.matches(bracket, at: reader.scanner.position)
  }
}
