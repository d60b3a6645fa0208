/// Reads the action of a rule.
///
/// > Source: the rule language, section 3. WebKit: `loadAction`.
extension RuleReader {
  enum ActionOutcome {
    case action(Action)
    /// The selector is invalid, so WebKit skips the rule.
    case skipped
    case faulty
  }

  /// Reads an action in WebKit's order.
  mutating func readAction(_ text: Span<UInt8>, _ index: Int) -> ActionOutcome {
    let members = members(text, of: index, vocabulary.actionKeys)
    guard let typeValue = members[ActionKey.type], node(typeValue).kind == .string else {
      let value = members[ActionKey.type]
      report(
        text,
        .invalidActionType,
        at: value ?? index,
        range: value == nil ? opening(index) : nil,
        value == nil
          ? "the action has no type" : "type must be a string, not \(node(value ?? 0).description)",
        hint: "for example \"type\": \"block\""
      )
      return .faulty
    }
    let types = vocabulary.actionTypes
    let place = withContents(text, typeValue) { types.index(of: $0) }
    guard let type = place.flatMap(ActionType.init(rawValue:)) else {
      let word = string(text, typeValue)
      report(
        text,
        .invalidActionType,
        at: typeValue,
        "\(text.excerpt(node(typeValue).range)) is no type of action",
        hint: Suggestion.value(for: word, among: vocabulary.actionTypes.words),
        correction: .guess(
          Suggestion.valueWord(for: word, among: vocabulary.actionTypes.words),
          at: node(typeValue)
        )
      )
      return .faulty
    }
    // Nearly all actions have a type and nothing else.
    if Int(node(index).next) > typeValue + 1 || typeValue > index + 2 {
      checkUnusedKeys(text, members, type)
    }
    shape.note(type, at: node(typeValue).range, ruleIndex)
    return readAction(text, index, type, typeValue, members)
  }

  private mutating func readAction(
    _ text: Span<UInt8>,
    _ index: Int,
    _ type: ActionType,
    _ typeValue: Int,
    _ members: Members
  ) -> ActionOutcome {
    switch type {
    case .block: return .action(.block)
    case .blockCookies: return .action(.blockCookies)
    case .ignorePreviousRules: return .action(.ignorePreviousRules)
    case .ignoreFollowingRules:
      expect(text, .ignoreFollowingRules, at: typeValue, type.word, effect: .refused)
      return .action(.ignoreFollowingRules)
    case .makeHTTPS: return .action(.makeHTTPS)
    case .cssDisplayNone:
      return readSelector(text, index, members[ActionKey.selector])
    case .notify:
      guard let value = members[ActionKey.notification], node(value).kind == .string else {
        reportMissing(
          text,
          .invalidNotification,
          members[ActionKey.notification],
          of: index,
          "a notify action needs a string notification"
        )
        return .faulty
      }
      return .action(.notify(string(text, value)))
    case .redirect:
      expect(text, .redirect, at: typeValue, type.word, effect: .refused)
      guard let redirect = readRedirect(text, index, members) else { return .faulty }
      return .action(.redirect(redirect))
    case .modifyHeaders:
      expect(text, .modifyHeaders, at: typeValue, type.word, effect: .refused)
      guard let change = readModifyHeaders(text, index, members) else { return .faulty }
      return .action(.modifyHeaders(change))
    }
  }

  private mutating func readSelector(
    _ text: Span<UInt8>,
    _ index: Int,
    _ value: Int?
  ) -> ActionOutcome {
    guard let value, node(value).kind == .string else {
      reportMissing(
        text,
        .missingSelector,
        value,
        of: index,
        "a css-display-none action needs a string selector"
      )
      return .faulty
    }
    guard options.allowsSelectors else { return .skipped }
    let isUsual = withContents(text, value) { SelectorGlance.isUsual($0) }
    if !isUsual, !readFaults(ofSelector: value, text) { return .skipped }
    if looksAtAge { checkAge(text, selector: value) }
    return .action(.cssDisplayNone(selector: string(text, value)))
  }

  /// Reports what is wrong with a selector list; false for one that is invalid, whose rule WebKit skips.
  private mutating func readFaults(ofSelector value: Int, _ text: Span<UInt8>) -> Bool {
    if let fault = withContents(text, value, { SelectorList.firstFault(in: $0) }) {
      let contents = node(value).contents
      let range = JSONText.sourceRange(
        of: fault.position..<fault.position + 1,
        in: text,
        contents
      )
      report(
        text,
        .skippedRule,
        at: value,
        range: range,
        "WebKit skips this rule, because its selector is invalid: \(fault.message)"
      )
      return false
    }
    if !withContents(text, value, { SelectorList.isClosed($0) }) {
      report(
        text,
        .openSelector,
        at: value,
        "the selector is not closed at its end, so the rule hides nothing; where no condition or type "
          + "restricts it, neither do the other rules that hide on every page",
        hint: "write the missing bracket, quotation mark or */"
      )
    }
    return true
  }

  /// Checks which engines support the parts of a valid selector list.
  private func checkAge(_ text: Span<UInt8>, selector value: Int) {
    var parts: [(name: String, feature: EngineFeature, range: Range<Int>)] = []
    withContents(text, value) { selector in
      SelectorAge.forEach(in: selector) { parts.append(($0, $1, $2)) }
    }
    // All places at once: a long selector may have tens of thousands of such parts.
    let places = JSONText.sourceRanges(of: parts.map { $0.range }, in: text, node(value).contents)
    for (part, place) in zip(parts, places) {
      expect(text, part.feature, at: value, range: place, part.name, effect: .skipped)
    }
  }

  /// Reports a value that is missing, at its object's opening bracket, or of the wrong type.
  mutating func reportMissing(
    _ text: Span<UInt8>,
    _ code: DiagnosticCode,
    _ value: Int?,
    of parent: Int,
    _ message: @autoclosure () -> String
  ) {
    report(
      text,
      code,
      at: value ?? parent,
      range: value == nil ? opening(parent) : nil,
      value.map { "\(message()), not \(node($0).description)" } ?? message()
    )
  }

  private mutating func checkUnusedKeys(
    _ text: Span<UInt8>,
    _ members: Members,
    _ type: ActionType
  ) {
    for key in ActionKey.allCases {
      guard let value = members[key], key != .type, !type.keys.contains(key) else { continue }
      let owners = ActionType.allCases.filter { $0.keys.contains(key) }.map { $0.word }
      report(
        text,
        .misplacedKey,
        at: value - 1,
        "\(type.word) does not use \(key.word)",
        hint: "\(key.word) belongs to \(owners.joined(separator: " and "))"
      )
    }
  }
}
