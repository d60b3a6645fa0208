extension RuleReader {
  /// Reports something about a value or a key, at its own bytes unless a range is given.
  func report(
    _ text: Span<UInt8>,
    _ code: DiagnosticCode,
    at index: Int,
    range: Range<Int>? = nil,
    severity: Diagnostic.Severity? = nil,
    reason: String? = nil,
    _ message: @autoclosure () -> String,
    hint: @autoclosure () -> String? = nil,
    correction: @autoclosure () -> Correction? = nil
  ) {
    let nodes = scanner.nodes
    diagnostics.report(
      code,
      range ?? nodes[index].range,
      path: placeMemory.path(text, nodes, to: index),
      severity: severity,
      reason: reason,
      message(),
      hint: hint(),
      correction: correction()
    )
  }

  /// Reports a value of the wrong type that WebKit passes over.
  func reportIgnored(
    _ text: Span<UInt8>,
    _ value: Int,
    _ key: String,
    expected: String
  ) {
    report(
      text,
      .ignoredValue,
      at: value,
      "\(key) must be \(expected), not \(node(value).description); WebKit ignores it",
      hint: node(value).kind == .string && expected == "a boolean"
        ? "write true or false without quotation marks" : nil,
      correction: ["true", "false"].contains(text.excerpt(node(value).contents))
        && node(value).kind == .string && expected == "a boolean"
        ? replacing(value, text.excerpt(node(value).contents), keepsMeaning: false) : nil
    )
  }

  /// Reports a key that WebKit does not know, with the one that may be meant.
  func reportUnknownKey(_ text: Span<UInt8>, _ key: Int, _ table: WordTable) {
    let word = string(text, key)
    for (owner, other) in [
      ("the rule", vocabulary.ruleKeys), ("trigger", vocabulary.triggerKeys),
      ("action", vocabulary.actionKeys), ("redirect", vocabulary.redirectKeys),
      ("transform", vocabulary.transformKeys), ("query-transform", vocabulary.queryTransformKeys),
    ] where other.words.contains(word) {
      report(
        text,
        .misplacedKey,
        at: key,
        "WebKit does not look for \(word) here",
        hint: "\(word) belongs into \(owner)"
      )
      return
    }
    report(
      text,
      .unknownKey,
      at: key,
      "WebKit ignores the unknown key \(text.excerpt(node(key).range))",
      hint: Suggestion.key(for: word, among: table.words),
      correction: .guess(Suggestion.keyWord(for: word, among: table.words), at: node(key))
    )
  }
}

// MARK: The target release

extension RuleReader {
  /// What an engine does with something that it does not know.
  enum EffectOfIgnorance {
    case ignored, refused
  }

  /// Reports a feature that the target release does not have.
  func expect(
    _ text: Span<UInt8>,
    _ feature: EngineFeature,
    at index: Int,
    _ name: String,
    effect: EffectOfIgnorance
  ) {
    guard let target = options.target, target < feature.since else { return }
    let consequence =
      switch effect {
      case .ignored: "ignores it"
      case .refused: "refuses the list because of it"
      }
    report(
      text,
      .unknownToTarget,
      at: index,
      "\(name) appeared \(feature.appearance); \(target) \(consequence)",
      hint: feature.consequence
    )
  }
}
