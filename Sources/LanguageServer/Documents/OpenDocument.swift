internal import ContentRules
internal import WebURL

/// A document that is open in the editor, with what is known about it.
struct OpenDocument {
  /// The file's path; `nil` for a document that has no file.
  let path: String?
  private(set) var text: DocumentText
  /// The editor's number for the text.
  var version: Int?
  /// The findings of the last check; places follow the text as it changes.
  private(set) var findings = DocumentFindings(diagnostics: [])
  /// When to check the text; `nil` if that is done.
  private(set) var checkTime: ContinuousClock.Instant?
  /// The latest time to begin a check, however often the text changes before.
  private var latestCheckTime: ContinuousClock.Instant?
  /// Whether a check is under way.
  private(set) var isBeingChecked = false
  /// The changes since the check that is under way began; `nil` if there are too many to follow.
  private var changes: [TextChange]? = []
  /// How long the last check took.
  private var checkDuration = Duration.zero
  /// Whether a change could not be applied, so that the text is not the editor's.
  var isOutOfStep = false

  /// Whether a check of the text may begin: its text is the editor's, and no other check is under way.
  var mayBeChecked: Bool { !isBeingChecked && !isOutOfStep }

  private var knownOutline: RuleOutline?

  private static let changeLimit = 10_000
  /// How long the text must stay as it is before it is checked.
  private static let pause = Duration.milliseconds(150)
  private static let longestPause = Duration.milliseconds(1_000)
  private static let longestWait = Duration.milliseconds(2_000)

  init(uri: String, text: [UInt8], version: Int?, now: ContinuousClock.Instant) {
    path = Self.path(of: uri)
    self.text = DocumentText(text)
    self.version = version
    checkTime = now
  }

  /// Returns the path that a `file:` URI names.
  private static func path(of uri: String) -> String? {
    guard uri.hasPrefix("file://") else { return nil }
    let rest = uri.dropFirst(7)
    guard let slash = rest.firstIndex(of: "/"),
      let path = PercentEncoding.decodeStrictly(rest[slash...].prefix { $0 != "#" && $0 != "?" }),
      !path.utf8.contains(0)
    else { return nil }
    return path
  }

  /// The rules' places.
  ///
  /// - Complexity: O(*n*) for *n* bytes after each change.
  var outline: RuleOutline {
    mutating get {
      if let knownOutline { return knownOutline }
      let outline = RuleOutline(text.bytes.span)
      knownOutline = outline
      return outline
    }
  }

  // MARK: Changing

  /// Replaces the whole text.
  mutating func replaceAll(with bytes: [UInt8], now: ContinuousClock.Instant) {
    let old = text.bytes
    // Editors that send whole texts mostly change a few letters.
    let start = zip(old, bytes).prefix { $0 == $1 }.count
    let most = min(old.count, bytes.count) - start
    let end = zip(old.reversed(), bytes.reversed()).prefix(most).prefix { $0 == $1 }.count
    replace(start..<old.count - end, with: Array(bytes[start..<bytes.count - end]), now: now)
    isOutOfStep = false
  }

  /// Replaces what is between two positions, and plans a check.
  mutating func replace(
    from start: TextPosition,
    to end: TextPosition,
    _ encoding: PositionEncoding,
    with replacement: [UInt8],
    now: ContinuousClock.Instant
  ) {
    replace(text.range(start, end, encoding), with: replacement, now: now)
  }

  /// Replaces bytes, and plans a check.
  mutating func replace(
    _ range: Range<Int>,
    with replacement: [UInt8],
    now: ContinuousClock.Instant
  ) {
    text.replace(range, with: replacement)
    knownOutline = nil
    let change = TextChange(range: range, length: replacement.count)
    findings.diagnostics = findings.diagnostics.compactMap { change.applied(to: $0) }
    if isBeingChecked {
      changes?.append(change)
      if let count = changes?.count, count > Self.changeLimit { changes = nil }
    }
    let pause = max(Self.pause, min(checkDuration, Self.longestPause))
    latestCheckTime = latestCheckTime ?? now + Self.longestWait
    checkTime = min(now + pause, latestCheckTime ?? now + pause)
  }

  /// Plans a check, because the settings may have changed.
  mutating func planCheck(now: ContinuousClock.Instant) { checkTime = checkTime ?? now }

  // MARK: Checking

  /// Marks the begin of a check.
  mutating func beginCheck() {
    checkTime = nil
    latestCheckTime = nil
    isBeingChecked = true
    changes = []
  }

  /// Takes the findings of the check that was under way.
  ///
  /// - Returns: Whether they can be shown: their places are known in the text as it is now.
  mutating func endCheck(_ findings: DocumentFindings, duration: Duration) -> Bool {
    isBeingChecked = false
    checkDuration = duration
    guard let changes else { return false }
    self.changes = []
    var findings = findings
    for change in changes {
      findings.diagnostics = findings.diagnostics.compactMap { change.applied(to: $0) }
    }
    self.findings = findings
    return true
  }
}

/// A change of a text as far as places in it are concerned.
struct TextChange {
  /// The bytes that were replaced.
  var range: Range<Int>
  /// The number of bytes that replaced them.
  var length: Int

  /// Returns where bytes are after the change; `nil` if it touched them.
  func applied(to other: Range<Int>) -> Range<Int>? {
    if other.upperBound < range.lowerBound { return other }
    guard
      other.lowerBound > range.upperBound || other.lowerBound == range.upperBound && !range.isEmpty
    else {
      return other.upperBound == range.lowerBound && !other.isEmpty && !range.isEmpty ? other : nil
    }
    let shift = length - range.count
    return other.lowerBound + shift..<other.upperBound + shift
  }

  /// Returns a diagnostic at its place after the change; `nil` if its text was changed.
  func applied(to diagnostic: Diagnostic) -> Diagnostic? {
    let old = diagnostic.location.byteRange
    // A finding about much, such as a whole rule, grows with it; a change at a small one's text
    // makes it doubtful.
    guard let place = applied(to: old) ?? enclosing(old) else { return nil }
    var diagnostic = diagnostic
    diagnostic.location.byteRange = place
    if let correction = diagnostic.correction {
      var edits: [Correction.Edit] = []
      for edit in correction.edits {
        guard let range = applied(to: edit.byteRange) else { break }
        edits.append(Correction.Edit(range, edit.replacement))
      }
      diagnostic.correction =
        edits.count == correction.edits.count
        ? Correction(edits, keepsMeaning: correction.keepsMeaning) : nil
    }
    return diagnostic
  }

  private func enclosing(_ other: Range<Int>) -> Range<Int>? {
    guard other.lowerBound < range.lowerBound, range.upperBound < other.upperBound else {
      return nil
    }
    return other.lowerBound..<other.upperBound + length - range.count
  }
}
