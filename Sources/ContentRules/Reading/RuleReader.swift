/// Turns the text of a list into rules and diagnostics, one rule at a time.
///
/// The scanner lists the values of a rule. The methods here and in the files beside this one check
/// them in WebKit's order, so that the first error they report is the one WebKit reports. After an
/// error they continue with whatever does not depend on it.
///
/// > Source: WebKit `ContentExtensionParser.cpp`.
struct RuleReader {
  let options: ReadingOptions
  let vocabulary = Vocabulary()
  var scanner = JSONScanner()
  let diagnostics: DiagnosticCollector
  var shape = ListShape()
  var repetitions = RepetitionFinder()
  /// Working memory for patterns.
  var termScratch: [Term] = []
  var patternJudge = PatternJudge()
  var matchingCost = MatchingCost()
  /// What the entries of the last rule's condition cost.
  var conditionCost = MatchingCost()
  var frames = RuleFrames()
  var knownConditions = KnownConditions()
  /// The domain condition of the trigger that was read last.
  var domains: DomainsAtHand?
  var listTraps = ListTraps()
  /// Working memory for strings with escapes.
  private let decoded = DecodedBytes()
  /// The last url filter, and the index of its value.
  var urlFilter: (text: String, index: Int)?
  /// Whether a declarativeNetRequest rule was reported.
  private var sawDeclarative = false
  /// The element of the top-level array that is being read.
  var ruleIndex = 0
  let placeMemory = PlaceMemory()
  let suggestions = SuggestionMemory()
  let requirements = RequirementCollector()

  /// Creates a reader; without a collector to share, it has one of its own.
  init(options: ReadingOptions, diagnostics: DiagnosticCollector? = nil) {
    self.options = options
    self.diagnostics =
      diagnostics ?? DiagnosticCollector(limitPerCode: options.diagnosticsPerCode)
  }

  /// The outcome of reading an element of the list.
  enum Outcome {
    case rule(Rule)
    /// WebKit skips the rule without an error.
    case skipped
    case faulty
  }

  /// Reads the rule whose values the scanner has listed.
  mutating func readRule(_ text: Span<UInt8>) -> Outcome {
    let root = node(0)
    placeMemory.forget()
    guard root.kind == .object else {
      report(
        text,
        .invalidRule,
        at: 0,
        "a rule must be an object, not \(root.description)",
        hint: root.kind == .array ? "the list may be wrapped in a second pair of brackets" : nil
      )
      return .faulty
    }
    if isDeclarative(text) {
      reportDeclarative(text)
      return .faulty
    }
    let errors = diagnostics.errorCount
    let members = members(text, of: 0, vocabulary.ruleKeys)
    var triggerMembers: Members?
    var trigger: Trigger?
    if let value = object(text, members[RuleKey.trigger], of: 0, .invalidTrigger, "trigger") {
      let found = self.members(text, of: value, vocabulary.triggerKeys)
      trigger = readTrigger(text, value, found)
      triggerMembers = found
    }
    var action: Action?
    var isSkipped = false
    if let value = object(text, members[RuleKey.action], of: 0, .invalidAction, "action") {
      switch readAction(text, value) {
      case .action(let found): action = found
      case .skipped: isSkipped = true
      case .faulty: break
      }
    }
    let identifier = isSkipped ? nil : readIdentifier(text, members)
    if let triggerMembers {
      checkPatterns(text, triggerMembers, isSkipped: isSkipped)
      checkCombinations(text, triggerMembers, trigger)
    }
    guard errors == diagnostics.errorCount, let trigger else { return .faulty }
    guard !isSkipped else { return .skipped }
    guard let action else { return .faulty }
    let rule = Rule(
      index: ruleIndex,
      trigger: trigger,
      action: action,
      identifier: identifier,
      sourceRange: root.range
    )
    if let triggerMembers { checkTraps(text, triggerMembers, rule) }
    return .rule(rule)
  }

  /// Whether the values are a declarativeNetRequest rule, whose keys mean nothing here.
  private func isDeclarative(_ text: Span<UInt8>) -> Bool {
    // Nearly all rules begin with one of these two keys and need no closer look.
    var key = 1
    let end = Int(node(0).next)
    var hasCondition = false
    var keyCount = 0
    while key + 1 < end, keyCount < 16 {
      let contents = node(key).contents
      if contents.count == 7, text.matches("trigger", at: contents.lowerBound) { return false }
      if contents.count == 9, text.matches("condition", at: contents.lowerBound) {
        hasCondition = node(key + 1).kind == .object
      }
      key = Int(node(key + 1).next)
      keyCount += 1
    }
    return hasCondition
  }

  /// Reports once what such a list is.
  private mutating func reportDeclarative(_ text: Span<UInt8>) {
    defer { sawDeclarative = true }
    guard !sawDeclarative else { return }
    report(
      text,
      .invalidTrigger,
      at: 0,
      range: opening(0),
      "this is a rule for declarativeNetRequest, and a content blocker has other rules",
      hint:
        "convert it: tickbird convert --from dnr FILE -o rules.json; a content blocker's rule is"
        + " {\"trigger\": {\"url-filter\": …}, \"action\": {\"type\": …}}"
    )
  }

  /// Reads the two private keys beside trigger and action.
  private mutating func readIdentifier(
    _ text: Span<UInt8>,
    _ members: Members
  ) -> RuleIdentifier? {
    guard let value = members[RuleKey.identifier] else { return nil }
    expect(text, .ruleIdentifiers, at: value - 1, "_identifier", effect: .ignored)
    guard node(value).kind == .number else {
      report(
        text,
        .invalidRuleIdentifier,
        at: value,
        "_identifier must be a number, not \(node(value).description)"
      )
      return nil
    }
    var ruleset = ""
    if let value = members[RuleKey.rulesetIdentifier] {
      if node(value).kind == .string {
        ruleset = string(text, value)
      } else {
        reportIgnored(text, value, "_rulesetIdentifier", expected: "a string")
      }
    }
    return RuleIdentifier(number: JSONText.number(text, node(value).range), ruleset: ruleset)
  }

  /// Returns the value of a key that must be an object; `nil` after reporting another type.
  private mutating func object(
    _ text: Span<UInt8>,
    _ value: Int?,
    of parent: Int,
    _ code: DiagnosticCode,
    _ key: String
  ) -> Int? {
    guard let value else {
      report(
        text,
        code,
        at: parent,
        range: opening(parent),
        "the rule has no \(key)",
        hint: "a rule is {\"trigger\": {…}, \"action\": {…}}"
      )
      return nil
    }
    guard node(value).kind == .object else {
      report(text, code, at: value, "\(key) must be an object, not \(node(value).description)")
      return nil
    }
    return value
  }
}

// MARK: Values

extension RuleReader {
  func node(_ index: Int) -> JSONNode { scanner.nodes[index] }

  /// Returns the opening bracket of a container, to report something missing in it.
  func opening(_ index: Int) -> Range<Int> {
    let start = node(index).range.lowerBound
    return start..<start + 1
  }

  /// Calls `body` with the text of a string value as UTF-8, escapes resolved.
  @inline(__always)
  func withContents<Result>(
    _ text: Span<UInt8>,
    _ index: Int,
    _ body: (Span<UInt8>) -> Result
  ) -> Result {
    let node = node(index)
    guard node.hasEscapes else { return body(text.extracting(node.contents)) }
    var bytes = decoded.take(text, node.contents)
    let result = body(bytes.span)
    swap(&bytes, &decoded.bytes)
    return result
  }

  /// Memory that is reused for one string after the other.
  private final class DecodedBytes {
    var bytes: [UInt8] = []

    /// Decodes a string into the memory and returns it; to be given back.
    func take(_ text: Span<UInt8>, _ contents: Range<Int>) -> [UInt8] {
      // Moved out meanwhile, so that a nested call uses memory of its own.
      var taken: [UInt8] = []
      swap(&taken, &bytes)
      taken.removeAll(keepingCapacity: true)
      JSONText.decode(text, contents, into: &taken)
      return taken
    }
  }

  /// The text of a string value.
  func string(_ text: Span<UInt8>, _ index: Int) -> String {
    let node = node(index)
    return node.hasEscapes
      ? JSONText.decoded(text, node.contents) : JSONText.string(text.extracting(node.contents))
  }

  /// The elements of an array value, as a sequence of indexes.
  func elements(of array: Int) -> ElementIndexes {
    ElementIndexes(nodes: scanner.nodes, index: array + 1, end: Int(node(array).next))
  }

  /// The values of the known keys of an object.
  struct Members {
    private var values = InlineArray<16, Int32>(repeating: -1)

    /// The value of the key at an index of its table; its key is the entry before it.
    subscript(place: Int) -> Int? {
      @inline(__always)
      get { values[place] < 0 ? nil : Int(values[place]) }
      set { values[place] = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
    }

    /// The value of a key of an enumeration in its table's order.
    @inline(__always)
    subscript<Key: RawRepresentable<Int>>(key: Key) -> Int? { self[key.rawValue] }
  }

  /// Finds the known keys of an object, the last of each name, and reports others.
  mutating func members(
    _ text: Span<UInt8>,
    of object: Int,
    _ table: WordTable
  ) -> Members {
    var members = Members()
    var pairs: [RulePair]?
    var key = object + 1
    let end = Int(node(object).next)
    while key + 1 < end {
      let value = key + 1
      if let place = withContents(text, key, { table.index(of: $0) }) {
        if let earlier = members[place] {
          let known = pairs ?? (object == 0 ? rulePairs(text) : [])
          reportDuplicate(text, table.words[place], earlier, value, known)
          pairs = known
        }
        members[place] = value
      } else {
        reportUnknownKey(text, key, table)
      }
      key = Int(node(value).next)
    }
    return members
  }
}

/// Walks over the elements of an array among the scanner's entries.
struct ElementIndexes: Sequence, IteratorProtocol {
  let nodes: [JSONNode]
  var index: Int
  let end: Int

  mutating func next() -> Int? {
    guard index < end else { return nil }
    defer { index = Int(nodes[index].next) }
    return index
  }
}
