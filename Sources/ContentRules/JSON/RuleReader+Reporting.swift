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
    hint: @autoclosure () -> String? = nil
  ) {
    let nodes = scanner.nodes
    diagnostics.report(
      code,
      range ?? nodes[index].range,
      path: Self.path(text, nodes, to: index),
      severity: severity,
      reason: reason,
      message(),
      hint: hint()
    )
  }

  /// The place of a value below the rule, such as `.trigger.if-domain[2]`.
  private static func path(_ text: Span<UInt8>, _ nodes: [JSONNode], to target: Int) -> String {
    var path = ""
    var container = 0
    while container < target {
      let isObject = nodes[container].kind == .object
      var child = container + 1
      var element = 0
      while child < target {
        let value = isObject ? child + 1 : child
        guard value < nodes.count, nodes[value].next <= target else { break }
        child = Int(nodes[value].next)
        element += 1
      }
      if isObject {
        path += "." + text.excerpt(nodes[child].contents)
        guard child < target else { return path }
        container = child + 1
      } else {
        path += "[\(element)]"
        container = child
      }
    }
    return path
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
        ? "write true or false without quotation marks" : nil
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
      hint: Suggestion.key(for: word, among: table.words)
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
