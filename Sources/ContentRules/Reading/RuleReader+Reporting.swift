extension RuleReader {
  /// Reports a finding about a value or a key, at its own bytes unless a range is given.
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

  /// Reports a value of the wrong type that WebKit ignores.
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

  /// Reports an unknown key, with the one that is probably meant.
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
      hint: suggestions.key(word, table).hint,
      correction: .guess(suggestions.key(word, table).word, at: node(key))
    )
  }
}

// MARK: The target release

extension RuleReader {
  /// What an engine does with something that it does not know.
  enum EffectOfIgnorance {
    case ignored, refused, skipped

    func words(isCertain: Bool) -> String {
      switch self {
      case .ignored: isCertain ? "ignores it" : "may ignore it"
      case .refused: (isCertain ? "refuses" : "may refuse") + " the list because of it"
      case .skipped: (isCertain ? "skips" : "may skip") + " the rule because of it"
      }
    }
  }

  /// Whether the age of engines matters.
  var looksAtAge: Bool { options.target != nil || options.findsRequirements }

  /// Notes that a list needs a feature, and reports it if the target release does not have it.
  func expect(
    _ text: Span<UInt8>,
    _ feature: EngineFeature,
    at index: Int,
    range: Range<Int>? = nil,
    _ name: String,
    effect: EffectOfIgnorance
  ) {
    if options.findsRequirements, !requirements.contains(name) {
      let location = SourceLocation(
        ruleIndex: ruleIndex,
        jsonPath: "[\(ruleIndex)]" + placeMemory.path(text, scanner.nodes, to: index),
        byteRange: range ?? node(index).range
      )
      requirements.add(Requirement(name: name, feature: feature, location: location))
    }
    guard let target = options.target, target.lacks(feature) else { return }
    report(
      text,
      .unknownToTarget,
      at: index,
      range: range,
      "\(name) appeared \(feature.appearance(for: target)); \(target) "
        + effect.words(isCertain: !feature.isLatestDate),
      hint: feature.consequence
    )
  }
}

/// Collects what a list needs of an engine, deduplicated.
final class RequirementCollector {
  private var names: Set<String> = []
  private(set) var all: [Requirement] = []

  func contains(_ name: String) -> Bool { names.contains(name) }

  func add(_ requirement: Requirement) {
    guard names.insert(requirement.name).inserted else { return }
    all.append(requirement)
  }

  /// Returns all requirements, newest first, each with its line and column.
  func finish(_ text: Span<UInt8>) -> [Requirement] {
    var places = LineCounter()
    for index in all.indices {
      (all[index].location.line, all[index].location.column) =
        places.advance(to: all[index].location.byteRange.lowerBound, in: text)
    }
    return all.sorted { ($1.feature.order, $0.name) < ($0.feature.order, $1.name) }
  }
}

extension EngineFeature {
  /// Returns when it appeared, in terms of the target.
  fileprivate func appearance(for target: EngineRelease) -> String {
    guard target.safari != nil, let safari else { return appearance }
    let iOS = safari.iOS == safari ? "" : " (iOS \(safari.iOS))"
    return "in Safari \(safari)\(iOS)" + (isLatestDate ? " or before" : "")
  }

  /// The sort key: newer is greater; Safari's version first.
  fileprivate var order: Int {
    let version = safari ?? SafariVersion(999)
    return (version.major * 1_000 + version.minor) * 100_000 + since.year * 12 + since.month
  }
}
