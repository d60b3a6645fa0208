/// Rules that were read, each apart from its url filter.
///
/// Lists that programs write repeat nine of ten rules word for word, but for the url filter. What stands around
/// the filter's string says the same whatever the string is, so a rule whose text around it is that of a known one
/// differs from that one in its url filter alone.
struct RuleFrames {
  /// A rule without findings, apart from its url filter.
  struct Frame {
    /// The rule, with an empty url filter.
    var rule: Rule
    /// The type of its action.
    var action: ActionType
    /// What its condition's entries cost.
    var conditionCost: MatchingCost
    /// The text from the quotation mark behind the filter to the rule's last bracket.
    fileprivate var tail: [UInt8]
    /// Where its last string ends, from the beginning of ``tail``.
    fileprivate var lastStringEnd: Int
    /// The head in front of the filter.
    fileprivate var head: Int
  }

  /// A rule of the text that has a known frame.
  struct Match {
    /// The bytes between the quotation marks of the url filter.
    var filter: Range<Int>
    var filterHasEscapes: Bool
    /// The end of the rule, and that of its last string.
    var end: Int
    var lastStringEnd: Int
  }

  /// More heads or frames are not kept, and none that is longer.
  static let mostHeads = 4
  static let mostFrames = 16
  static let longestText = 4_096

  /// The texts in front of url filters, each up to the quotation mark and with it.
  private var heads: [[UInt8]] = []
  /// The one found last is the first; it changes places with the one before it.
  private var frames: [Frame] = []

  /// The digests of the last tails that were met, each in the place that it chooses.
  private var metOnce = [UInt64](repeating: 0, count: 64)

  /// The frame that was matched last.
  var matched: Frame { frames[0] }

  /// Finds the frame of the rule that begins at a position.
  ///
  /// - Returns: `nil` if it has none, or if its url filter has a fault of syntax or is empty.
  /// - Complexity: O(*n*), where *n* is the number of the rule's bytes, of which all but the filter's count
  ///   ``mostFrames`` times at worst, and those in front of it ``mostHeads`` times.
  mutating func match(_ text: Span<UInt8>, at start: Int) -> Match? {
    // No head begins with another: that would have two url filters, which is a finding.
    guard let head = head(text, at: start) else { return nil }
    let filterStart = start + heads[head].count
    var hasEscapes = false
    let filterEnd = JSONScanner.endOfSoundText(text, from: filterStart, &hasEscapes)
    guard filterEnd > filterStart, filterEnd < text.count, text[filterEnd] == UInt8(ascii: "\""),
      let found = frame(behind: head, text, at: filterEnd)
    else { return nil }
    if found > 0 { frames.swapAt(0, found) }
    return Match(
      filter: filterStart..<filterEnd,
      filterHasEscapes: hasEscapes,
      end: filterEnd + frames[0].tail.count,
      lastStringEnd: filterEnd + frames[0].lastStringEnd
    )
  }

  private func head(_ text: Span<UInt8>, at start: Int) -> Int? {
    for (number, head) in heads.enumerated() where text.hasBytes(head.span, at: start) {
      return number
    }
    return nil
  }

  private func frame(behind head: Int, _ text: Span<UInt8>, at start: Int) -> Int? {
    for number in frames.indices where frames[number].head == head {
      let tail = frames[number].tail
      if text.hasBytes(tail.span, at: start) { return number }
    }
    return nil
  }

  /// Keeps the frame of a rule that nothing was reported about, if its tail was met before.
  ///
  /// Otherwise rules with a condition of their own would drive out those that others repeat.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - conditionCost: What its condition's entries cost.
  ///   - text: The list.
  ///   - filter: The bytes between the quotation marks of its url filter.
  ///   - lastStringEnd: Where its last string ends.
  mutating func note(
    _ rule: Rule,
    _ conditionCost: MatchingCost,
    _ text: Span<UInt8>,
    filter: Range<Int>,
    lastStringEnd: Int
  ) {
    let range = rule.sourceRange
    guard range.count - filter.count <= Self.longestText,
      wasMet(text.digest(filter.upperBound..<range.upperBound))
    else { return }
    let headText = text.extracting(range.lowerBound..<filter.lowerBound)
    let head: Int
    if let known = self.head(text, at: range.lowerBound), heads[known].count == headText.count {
      head = known
    } else {
      if heads.count == Self.mostHeads {
        heads.removeAll()
        frames.removeAll()
      }
      head = heads.count
      heads.append(headText.array)
    }
    var rule = rule
    rule.trigger.urlFilter.text = ""
    if frames.count == Self.mostFrames { frames.removeLast() }
    frames.insert(
      Frame(
        rule: rule,
        action: ActionType(rule.action),
        conditionCost: conditionCost,
        tail: text.extracting(filter.upperBound..<range.upperBound).array,
        lastStringEnd: lastStringEnd - filter.upperBound,
        head: head
      ),
      at: 0
    )
  }

  /// Whether a tail of this digest was met before, unless others were since; notes that it was.
  private mutating func wasMet(_ digest: UInt64) -> Bool {
    let place = Int(truncatingIfNeeded: digest) & (metOnce.count - 1)
    defer { metOnce[place] = digest }
    return metOnce[place] == digest
  }
}
