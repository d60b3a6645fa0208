/// A piece of a list's text that was read by itself, on whatever thread.
///
/// Nothing in it depends on what precedes the piece: rules are numbered from the piece's first.
package struct ListPiece {
  /// What was read, with its diagnostics' numbers and places of no account.
  fileprivate let reading: Reading
  /// The rules that something was reported about.
  fileprivate let findings: [Finding]

  /// The number of the piece's elements.
  package var ruleCount: Int { reading.ruleCount }

  fileprivate struct Finding {
    /// Where the rule begins.
    var start: Int
    /// Its number in the piece.
    var rule: Int
  }
}

/// Reading in pieces, for those who have several threads.
///
/// A text is cut where rules seem to begin. A piece counts only if reading the one before it has ended
/// exactly there, between two elements, which is where reading in one go would be as well. Whatever is
/// unusual, each error above all, makes the whole list be read in one go instead: what is reported, and
/// where, is decided there alone.
extension RuleListReader {
  /// The most bytes that are searched for the beginning of a rule.
  private static let longestSearch = 1 << 20

  /// Cuts a text into pieces of about the same size.
  ///
  /// - Parameters:
  ///   - text: The list's text.
  ///   - count: The most pieces.
  ///   - options: How the list is to be read.
  /// - Returns: The pieces' ranges in the text; one for a text that had better be read in one go.
  package static func pieces(
    of text: Span<UInt8>,
    _ count: Int,
    options: ReadingOptions
  ) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = 0
    let isDivisible = text.count <= byteLimit && !options.findsTraps && !options.findsRequirements
    for number in 1..<max(1, isDivisible ? count : 1) {
      let target = text.count / count * number
      guard target > start else { continue }
      let searched = text.extracting(first: min(text.count, target + longestSearch))
      guard let next = searched.nextRuleStart(from: target) else { continue }
      pieces.append(start..<next)
      start = next
    }
    return pieces + [start..<text.count]
  }

  /// Reads a piece of a list.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - piece: A range from ``pieces(of:_:options:)``.
  ///   - options: The options.
  ///   - extend: Called at the piece's end, unless the text ends there; returns where the next one ends, to
  ///     read that as well, or `nil`.
  ///   - body: Receives the piece's rules, numbered from 0.
  /// - Returns: What was read; `nil` if the list must be read in one go.
  package static func readPiece(
    _ text: Span<UInt8>,
    _ piece: Range<Int>,
    options: ReadingOptions,
    extend: () -> Int?,
    forEachRule body: (Rule) -> Void
  ) -> ListPiece? {
    var options = options
    // Findings are read again, where they are counted.
    options.diagnosticsPerCode = 1
    var reading = Reading(options: options)
    return reading.readPiece(text, piece, extend, body)
  }

  /// Makes the report of a list whose pieces have all been read.
  ///
  /// - Parameters:
  ///   - pieces: The pieces in their order.
  ///   - text: The whole text.
  ///   - options: The options.
  /// - Returns: What reading in one go would have reported, without rules; `nil` if that must be done.
  package static func report(
    of pieces: [ListPiece],
    _ text: Span<UInt8>,
    options: ReadingOptions
  ) -> RuleListReport? {
    var reading = Reading(options: options)
    // What was found is read once more with the collector of the whole list, in the list's order.
    var reader = RuleReader(options: options, diagnostics: reading.reader.diagnostics)
    for piece in pieces { reading.append(piece, text, &reader) }
    guard reading.ruleCount <= options.ruleLimit, reading.reader.diagnostics.errorCount == 0 else {
      return nil
    }
    reading.finish(text)
    return reading.report(text)
  }
}

extension Reading {
  fileprivate mutating func readPiece(
    _ text: Span<UInt8>,
    _ piece: Range<Int>,
    _ extend: () -> Int?,
    _ take: (Rule) -> Void
  ) -> ListPiece? {
    var findings: [ListPiece.Finding] = []
    var end = piece.upperBound
    reader.scanner.position = piece.lowerBound
    if piece.lowerBound == 0 {
      guard OtherFormat.recognize(text) == nil else { return nil }
      skip(text)
      // A byte-order mark, say, in front of it.
      guard at("[", text), reader.diagnostics.reportCount == 0 else { return nil }
      reader.scanner.position += 1
    }
    while true {
      let reports = reader.diagnostics.reportCount
      skip(text)
      let start = reader.scanner.position
      // What is reported between rules is not read again.
      guard reader.diagnostics.reportCount == reports else { return nil }
      // The next piece begins here. If this is behind it, that was no place to cut.
      if start == end, start < text.count {
        guard let next = extend() else { break }
        end = next
      }
      guard start < end, readElement(text, take),
        reader.diagnostics.errorCount == 0
      else { return nil }
      if reader.diagnostics.reportCount != reports {
        findings.append(ListPiece.Finding(start: start, rule: ruleCount - 1))
      }
      guard let isAtEnd = readSeparator(text) else { return nil }
      if isAtEnd {
        guard end == text.count else { return nil }
        break
      }
    }
    guard reader.diagnostics.errorCount == 0 else { return nil }
    // Not needed any more, and pieces are kept until all have been read.
    reader.knownConditions = KnownConditions()
    return ListPiece(reading: self, findings: findings)
  }

  /// Reads what follows an element: false after a comma, true at the text's end; `nil` for anything else, and
  /// if something was to be reported.
  private mutating func readSeparator(_ text: Span<UInt8>) -> Bool? {
    let reports = reader.diagnostics.reportCount
    skip(text)
    if at(",", text) {
      reader.scanner.position += 1
      return reader.diagnostics.reportCount == reports ? false : nil
    }
    guard at("]", text) else { return nil }
    reader.scanner.position += 1
    skip(text)
    let isAlone =
      reader.scanner.position == text.count && reader.diagnostics.reportCount == reports
    return isAlone ? true : nil
  }

  /// Adds what was read in the next piece.
  ///
  /// - Parameters:
  ///   - piece: The piece.
  ///   - text: The whole text.
  ///   - reader: A reader that shares this one's collector of diagnostics and nothing else.
  fileprivate mutating func append(
    _ piece: ListPiece,
    _ text: Span<UInt8>,
    _ reader: inout RuleReader
  ) {
    for finding in piece.findings {
      reader.scanner.position = finding.start
      reader.ruleIndex = ruleCount + finding.rule
      reader.diagnostics.ruleIndex = reader.ruleIndex
      if reader.scanner.scanValue(text, depth: 1, into: reader.diagnostics) == .complete {
        _ = reader.readRule(text)
      }
      reader.diagnostics.ruleIndex = nil
    }
    skippedRules += piece.reading.skippedRules.map { $0 + ruleCount }
    self.reader.shape.add(piece.reading.reader.shape, from: ruleCount)
    self.reader.matchingCost.add(piece.reading.reader.matchingCost)
    givenCount += piece.reading.givenCount
    ruleCount += piece.reading.ruleCount
  }
}
