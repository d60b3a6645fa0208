internal import ResourceLoads

/// Reports what a valid rule does not do although its author may think so.
extension RuleReader {
  /// Checks an active rule.
  mutating func checkTraps(_ text: Span<UInt8>, _ members: Members, _ rule: Rule) {
    guard options.findsTraps, let filter = members[TriggerKey.urlFilter] else { return }
    checkURLFilterTraps(text, filter, rule)
    checkConditionTraps(text, members, rule)
    let flags = rule.trigger.flags
    if flags.resourceTypes == .topDocument, flags.loadTypes == .thirdParty,
      let value = members[TriggerKey.loadType]
    {
      report(
        text,
        .neverApplies,
        at: value,
        "a top-document is compared with itself and is never third-party: the rule never applies",
        hint: "leave out load-type, or write child-document for frames"
      )
    }
    checkFrameURL(text, members, rule)
    listTraps.add(rule, text, &termScratch)
    listTraps.tell(diagnostics)
    // Who names frames, or the frame of a window, means documents; who names no URL cannot mean a page.
    if rule.action == .ignorePreviousRules, rule.trigger.condition == nil,
      flags.resourceTypes.contains(.topDocument),
      flags.resourceTypes.isSubset(of: [.topDocument, .childDocument]),
      flags.loadContexts.isEmpty, flags.loadTypes != .thirdParty,
      rule.trigger.urlFilter.text != ".*", let value = members[TriggerKey.resourceType]
    {
      report(
        text,
        .documentException,
        at: value,
        "the exception is for documents alone, not for what a page loads",
        hint: "for a whole page write \"if-domain\" or \"if-top-url\" beside the url-filter .*"
      )
    }
  }

  private mutating func checkURLFilterTraps(_ text: Span<UInt8>, _ value: Int, _ rule: Rule) {
    let filter = rule.trigger.urlFilter
    let pattern = filter.text.utf8Span.span
    if pattern.count == 2, pattern.matches(".*", at: 0) { return }
    let types = rule.trigger.flags.resourceTypes
    var kind: URLLanguage.Kind = []
    if types != .webSocket { kind.insert(.http) }
    if types.isEmpty || types.contains(.webSocket) { kind.insert(.webSocket) }
    if !types.isDisjoint(with: .keepingFragments) { kind.insert(.fragments) }
    let unmet = PatternTraps.unmet(
      pattern,
      isCaseSensitive: filter.isCaseSensitive,
      kind,
      .load(hasTypes: !types.isEmpty),
      &termScratch
    )
    if let unmet { report(text, unmet, at: value, "url-filter: ") }
    if let trap = PatternTraps.openHostGroup(pattern) { report(text, trap, at: value, "") }
    if let trap = PatternTraps.questionMark(pattern) {
      report(text, trap, at: value, "url-filter: ")
    }
    guard rule.action == .makeHTTPS, unmet == nil else { return }
    kind.insert(.upgradable)
    let https = PatternTraps.unmet(
      pattern,
      isCaseSensitive: filter.isCaseSensitive,
      kind,
      .load(hasTypes: !types.isEmpty),
      &termScratch
    )
    if https != nil {
      report(
        text,
        .nothingToUpgrade,
        at: value,
        "make-https acts on http and ws URLs without a port, and none of those matches",
        hint: "write http: instead of https:, and no port"
      )
    }
  }

  /// Checks the patterns of a condition, which match URLs of pages and frames.
  private mutating func checkConditionTraps(
    _ text: Span<UInt8>,
    _ members: Members,
    _ rule: Rule
  ) {
    guard let condition = rule.trigger.condition, condition.subject != .domain,
      let key = TriggerKey.conditions.first(where: { members[$0] != nil }), let array = members[key]
    else { return }
    let isOfFrame = condition.subject == .frameURL
    // A page's fragment counts for its loads, but not when the page itself is loaded.
    let isForPages = rule.trigger.flags.resourceTypes == .topDocument
    let kind: URLLanguage.Kind = isForPages && !isOfFrame ? .http : [.http, .fragments]
    for element in elements(of: array) {
      let pattern = string(text, element)
      let bytes = pattern.utf8Span.span
      let unmet = PatternTraps.unmet(
        bytes,
        isCaseSensitive: condition.isCaseSensitive,
        kind,
        isOfFrame ? .frame : .page,
        &termScratch
      )
      let subject = "\(key.word): "
      if let unmet { report(text, unmet, at: element, subject) }
      if let trap = PatternTraps.openHostGroup(bytes) { report(text, trap, at: element, subject) }
      if let trap = PatternTraps.questionMark(bytes) { report(text, trap, at: element, subject) }
    }
  }

  /// Reports a trap in a pattern, with its correction if the text has no escapes there.
  private func report(
    _ text: Span<UInt8>,
    _ trap: PatternTrap,
    at value: Int,
    _ subject: String
  ) {
    let contents = node(value).contents
    report(
      text,
      trap.code,
      at: value,
      range: JSONText.sourceRange(of: trap.range, in: text, contents),
      subject + trap.message,
      hint: trap.hint,
      correction: trap.edit.map { edit in
        Correction(
          JSONText.sourceRange(of: edit.range, in: text, contents),
          edit.replacement.replacingBackslashes,
          keepsMeaning: false
        )
      }
    )
  }

  private func checkFrameURL(_ text: Span<UInt8>, _ members: Members, _ rule: Rule) {
    guard rule.trigger.flags.resourceTypes == .childDocument,
      let condition = rule.trigger.condition, condition.subject == .frameURL,
      let value = members[condition.isNegated ? TriggerKey.unlessFrameURL : .ifFrameURL]
    else { return }
    var terms: [Term] = []
    let takesBlank = condition.entries.contains {
      PatternTraps.matches(
        "about:blank",
        $0.utf8Span.span,
        isCaseSensitive: condition.isCaseSensitive,
        &terms
      )
    }
    guard !takesBlank else { return }
    report(
      text,
      .frameURLOfFrame,
      at: value - 1,
      condition.isNegated
        ? "a frame's first document is loaded while its URL is about:blank, so that the condition"
          + " excludes none of those"
        : "a frame's first document is loaded while its URL is about:blank, so that the rule does"
          + " not apply to it",
      hint: "for the page around the frame write \(condition.isNegated ? "unless" : "if")-top-url"
    )
  }
}

extension String {
  /// The text as written in a JSON string, as far as patterns need it.
  fileprivate var replacingBackslashes: String {
    reduce(into: "") { $0 += $1 == "\\" ? "\\\\" : String($1) }
  }
}

extension ResourceType {
  /// The types with loads that WebKit checks before it removes the fragment: audio and video,
  /// synchronous requests of scripts, pings and their redirects, reports.
  fileprivate static let keepingFragments: ResourceType = [
    .popup, .media, .fetch, .ping, .other, .cspReport,
  ]
}
