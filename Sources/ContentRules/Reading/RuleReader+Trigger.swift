internal import ResourceLoads

/// Reads the trigger of a rule.
///
/// > Source: the rule language, section 2.1. WebKit: `loadTrigger`.
extension RuleReader {
  /// Reads a trigger in WebKit's order; `nil` when an error was reported.
  mutating func readTrigger(
    _ text: Span<UInt8>,
    _ index: Int,
    _ members: Members
  ) -> Trigger? {
    let errors = diagnostics.errorCount
    let urlFilter = readURLFilter(text, index, members)
    let topIsCaseSensitive = readBoolean(text, members, .topURLFilterIsCaseSensitive)
    let frameIsCaseSensitive = readBoolean(text, members, .frameURLFilterIsCaseSensitive)
    var flags = TriggerFlags()
    let types = readFlags(text, members, .resourceType, vocabulary.resourceTypes)
    if types != 0 {
      for (place, set) in vocabulary.resourceTypeSets.enumerated() where types >> place & 1 != 0 {
        flags.resourceTypes.formUnion(set)
      }
    }
    let loadTypes = readFlags(text, members, .loadType, vocabulary.loadTypes)
    flags.loadTypes = LoadType(rawValue: UInt8(truncatingIfNeeded: loadTypes))
    let contexts = readFlags(text, members, .loadContext, vocabulary.loadContexts)
    flags.loadContexts = LoadContext(rawValue: UInt8(truncatingIfNeeded: contexts))
    flags.requestMethod = readRequestMethod(text, members)
    let condition = readCondition(
      text,
      members,
      topIsCaseSensitive: topIsCaseSensitive,
      frameIsCaseSensitive: frameIsCaseSensitive
    )
    guard errors == diagnostics.errorCount, let urlFilter else { return nil }
    return Trigger(
      urlFilter: urlFilter,
      flags: flags,
      condition: condition,
      topURLFilterIsCaseSensitive: topIsCaseSensitive,
      frameURLFilterIsCaseSensitive: frameIsCaseSensitive
    )
  }

  private mutating func readURLFilter(
    _ text: Span<UInt8>,
    _ index: Int,
    _ members: Members
  ) -> URLFilter? {
    urlFilter = nil
    let isCaseSensitive = readBoolean(text, members, .urlFilterIsCaseSensitive)
    guard let value = members[TriggerKey.urlFilter] else {
      report(
        text,
        .invalidURLFilter,
        at: index,
        range: opening(index),
        "the trigger has no url-filter",
        hint: "\"url-filter\": \".*\" applies to every URL"
      )
      return nil
    }
    guard node(value).kind == .string else {
      report(
        text,
        .invalidURLFilter,
        at: value,
        "url-filter must be a string, not \(node(value).description)"
      )
      return nil
    }
    guard !node(value).contents.isEmpty else {
      report(
        text,
        .invalidURLFilter,
        at: value,
        "url-filter must not be empty",
        hint: "\".*\" applies to every URL"
      )
      return nil
    }
    let filter = string(text, value)
    urlFilter = (filter, value)
    return URLFilter(filter, isCaseSensitive: isCaseSensitive)
  }

  /// Returns the value of a boolean key; false if it is missing or of another type.
  private mutating func readBoolean(
    _ text: Span<UInt8>,
    _ members: Members,
    _ key: TriggerKey
  ) -> Bool {
    guard let value = members[key] else { return false }
    switch node(value).kind {
    case .true: return true
    case .false: return false
    default:
      reportIgnored(text, value, key.word, expected: "a boolean")
      return false
    }
  }

  /// Returns a list of types or contexts as a set of indexes into their table.
  private mutating func readFlags(
    _ text: Span<UInt8>,
    _ members: Members,
    _ key: TriggerKey,
    _ table: WordTable
  ) -> UInt32 {
    guard let array = members[key] else { return 0 }
    guard node(array).kind == .array else {
      report(
        text,
        .invalidFlagsArray,
        at: array,
        "\(key.word) must be an array, not \(node(array).description)",
        hint: node(array).kind == .string
          ? "write [\(text.excerpt(node(array).range))]" : "leave the key out for no restriction",
        correction: wrapping(array)
      )
      return 0
    }
    var found: UInt32 = 0
    var previous = array
    for element in elements(of: array) {
      defer { previous = element }
      guard node(element).kind == .string,
        let place = withContents(text, element, { table.index(of: $0) })
      else {
        reportUnknownFlag(text, element, key, table)
        continue
      }
      if found >> place & 1 != 0 {
        report(
          text,
          .repeatedMember,
          at: element,
          "\(table.words[place]) stands twice in \(key.word)",
          correction: removing(element: element, behind: previous)
        )
      }
      found |= 1 << place
      expect(text, key, table.words[place], at: element)
    }
    if node(array).next == array + 1 {
      report(
        text,
        .emptyFlagsArray,
        at: array,
        "an empty \(key.word) restricts nothing",
        hint: "leave the key out, or name what the rule is for"
      )
    } else if isUnrestricting(found, key) {
      report(
        text,
        .unrestrictingFlags,
        at: array,
        "\(key.word) names all there are and so restricts nothing"
      )
    }
    return found
  }

  private func isUnrestricting(_ found: UInt32, _ key: TriggerKey) -> Bool {
    guard key == .resourceType else { return found == 3 }
    var types = ResourceType()
    for (place, set) in vocabulary.resourceTypeSets.enumerated() where found >> place & 1 != 0 {
      types.formUnion(set)
    }
    return types == .all
  }

  private mutating func reportUnknownFlag(
    _ text: Span<UInt8>,
    _ element: Int,
    _ key: TriggerKey,
    _ table: WordTable
  ) {
    guard node(element).kind == .string else {
      report(
        text,
        .invalidFlag,
        at: element,
        "\(key.word) holds strings, not \(node(element).description)"
      )
      return
    }
    let word = string(text, element)
    report(
      text,
      .invalidFlag,
      at: element,
      "\(text.excerpt(node(element).range)) is no \(key.word)",
      hint: Suggestion.value(for: word, among: table.words),
      correction: .guess(Suggestion.valueWord(for: word, among: table.words), at: node(element))
    )
  }

  private mutating func expect(
    _ text: Span<UInt8>,
    _ key: TriggerKey,
    _ word: String,
    at element: Int
  ) {
    guard looksAtAge else { return }
    if key == .loadContext {
      // The key itself is unknown and reported; once is enough.
      expect(text, .loadContext, at: element, "load-context", effect: .ignored)
    } else if key == .resourceType, let feature = EngineFeature.resourceTypes[word] {
      expect(text, feature, at: element, word, effect: .refused)
    }
  }

  private mutating func readRequestMethod(
    _ text: Span<UInt8>,
    _ members: Members
  ) -> RequestMethod? {
    guard let value = members[TriggerKey.requestMethod] else { return nil }
    expect(text, .requestMethod, at: value - 1, "request-method", effect: .ignored)
    guard node(value).kind == .string else {
      report(
        text,
        .invalidRequestMethod,
        at: value,
        "request-method must be one string, not \(node(value).description)",
        hint: node(value).kind == .array ? "write a rule for every method" : nil
      )
      return nil
    }
    let place = withContents(text, value) {
      vocabulary.requestMethods.index(of: $0, caseMask: 0x20)
    }
    guard let place else {
      let word = string(text, value)
      report(
        text,
        .invalidRequestMethod,
        at: value,
        "\(text.excerpt(node(value).range)) is no request-method",
        hint: Suggestion.value(for: word, among: vocabulary.requestMethods.words)
      )
      return nil
    }
    return RequestMethod(rawValue: UInt8(place + 1))
  }

  /// Reports findings about combinations of a trigger's keys, apart from errors.
  mutating func checkCombinations(
    _ text: Span<UInt8>,
    _ members: Members,
    _ trigger: Trigger?
  ) {
    if let value = members[TriggerKey.topURLFilterIsCaseSensitive],
      members[TriggerKey.ifDomain] == nil, members[TriggerKey.unlessDomain] == nil,
      members[TriggerKey.ifTopURL] == nil, members[TriggerKey.unlessTopURL] == nil
    {
      report(
        text,
        .flagWithoutCondition,
        at: value - 1,
        "\(TriggerKey.topURLFilterIsCaseSensitive.word) does nothing without a domain or"
          + " top-URL condition"
      )
    }
    if let value = members[TriggerKey.frameURLFilterIsCaseSensitive],
      members[TriggerKey.ifFrameURL] == nil, members[TriggerKey.unlessFrameURL] == nil
    {
      report(
        text,
        .flagWithoutCondition,
        at: value - 1,
        "\(TriggerKey.frameURLFilterIsCaseSensitive.word) does nothing without a frame-URL"
          + " condition"
      )
    }
    guard let trigger else { return }
    if let condition = trigger.condition, let method = members[TriggerKey.requestMethod] {
      report(
        text,
        .requestMethodWithCondition,
        at: method - 1,
        condition.isNegated
          ? "beside request-method WebKit never sees the condition match:"
            + " the rule applies on every page"
          : "beside request-method WebKit never sees the condition match:"
            + " the rule never applies",
        hint: "leave out one of the two"
      )
    }
    let flags = trigger.flags
    let excludesItself =
      flags.resourceTypes == .topDocument && flags.loadContexts == .childFrame
      || flags.resourceTypes == .childDocument && flags.loadContexts == .topFrame
    if excludesItself, let value = members[TriggerKey.loadContext] {
      report(
        text,
        .neverApplies,
        at: value,
        flags.resourceTypes == .topDocument
          ? "a top-document never has the load-context child-frame: the rule never applies"
          : "a child-document never has the load-context top-frame: the rule never applies",
        hint: "leave out load-context"
      )
    }
  }
}
