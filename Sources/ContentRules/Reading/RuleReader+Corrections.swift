/// Creates corrections of values and keys.
extension RuleReader {
  /// Replaces a value or a key.
  func replacing(
    _ index: Int,
    _ replacement: String,
    keepsMeaning: Bool
  ) -> Correction {
    Correction(node(index).range, replacement, keepsMeaning: keepsMeaning)
  }

  /// Wraps a string that should be an array in brackets; `nil` for other values.
  func wrapping(_ value: Int) -> Correction? {
    guard node(value).kind == .string else { return nil }
    let range = node(value).range
    return Correction(
      [
        Correction.Edit(range.lowerBound..<range.lowerBound, "["),
        Correction.Edit(range.upperBound..<range.upperBound, "]"),
      ],
      keepsMeaning: true
    )
  }

  /// Removes a key with its value from an object, if another key follows.
  private func removing(memberBeforeOthers key: Int, keepsMeaning: Bool) -> Correction {
    let next = Int(node(key + 1).next)
    return Correction(
      node(key).range.lowerBound..<node(next).range.lowerBound,
      "",
      keepsMeaning: keepsMeaning
    )
  }

  /// Removes an element of an array, with the comma before it.
  func removing(element: Int, behind previous: Int) -> Correction {
    Correction(
      node(previous).range.upperBound..<node(element).range.upperBound,
      "",
      keepsMeaning: true
    )
  }
}

// MARK: Keys that stand twice

/// One of several rules in one object, whose brackets between them were forgotten.
struct RulePair {
  /// The key that it begins with.
  var key: Int
  /// What is between it and the member before.
  var gap: Range<Int>
}

extension RuleReader {
  /// Reports a key whose value WebKit ignores because the key is repeated later.
  ///
  /// Removing the earlier member loses nothing only if the two are equal. Two triggers and two
  /// actions are two rules, and removing what WebKit ignores would make the author's mistake final.
  func reportDuplicate(
    _ text: Span<UInt8>,
    _ word: String,
    _ earlier: Int,
    _ later: Int,
    _ pairs: [RulePair]
  ) {
    let message = "\(word) stands twice here; WebKit takes the last one"
    guard pairs.isEmpty else {
      let isFirst = pairs.first?.key == earlier - 1
      return report(
        text,
        .duplicateKey,
        at: earlier - 1,
        message,
        hint: "these are \(pairs.count) rules in one object; write }, { between them",
        correction: isFirst ? splitting(text, pairs) : nil
      )
    }
    let isEqual = text.isEqual(node(earlier).range, node(later).range)
    report(
      text,
      .duplicateKey,
      at: earlier - 1,
      message,
      hint: isEqual ? nil : "the two differ; take out the one that is not meant",
      correction: removing(memberBeforeOthers: earlier - 1, keepsMeaning: isEqual)
    )
  }

  /// Returns the rules of an object with several, each a trigger and an action; empty if it is one
  /// rule.
  func rulePairs(_ text: Span<UInt8>) -> [RulePair] {
    var pairs: [RulePair] = []
    var first: Int?
    var key = 1
    var previousEnd = node(0).range.lowerBound + 1
    let end = Int(node(0).next)
    while key + 1 < end {
      let value = node(key + 1)
      if let place = withContents(text, key, { vocabulary.ruleKeys.index(of: $0) }),
        place == RuleKey.trigger.rawValue || place == RuleKey.action.rawValue
      {
        if let other = first {
          guard other != place else { return [] }
          first = nil
        } else {
          first = place
          pairs.append(RulePair(key: key, gap: previousEnd..<node(key).range.lowerBound))
        }
      }
      previousEnd = value.range.upperBound
      key = Int(value.next)
    }
    return first == nil && pairs.count > 1 ? pairs : []
  }

  /// Splits them into one object each; `nil` if there is more than white space and a comma between
  /// them.
  ///
  /// WebKit uses only the last rule, so this changes what the list does.
  private func splitting(_ text: Span<UInt8>, _ pairs: [RulePair]) -> Correction? {
    var edits: [Correction.Edit] = []
    for pair in pairs.dropFirst() {
      var comma: Int?
      for index in pair.gap {
        switch text[index] {
        case 0x20, 0x09, 0x0A, 0x0D: continue
        case UInt8(ascii: ",") where comma == nil: comma = index
        default: return nil
        }
      }
      let start = pair.gap.lowerBound
      edits.append(Correction.Edit(comma.map { $0..<$0 + 1 } ?? start..<start, "}, {"))
    }
    return Correction(edits, keepsMeaning: false)
  }
}

extension Correction {
  /// Replaces a key or value that is probably misspelled by a word as a JSON string.
  static func guess(_ word: String?, at node: JSONNode) -> Correction? {
    word.map { Correction(node.range, "\"\($0)\"", keepsMeaning: false) }
  }
}
