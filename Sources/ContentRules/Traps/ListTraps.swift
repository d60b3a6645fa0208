internal import ResourceLoads

/// Finds traps between rules, and rules that affect every page.
struct ListTraps {
  private struct Place {
    var range: Range<Int>
    var ruleIndex: Int

    init(_ rule: Rule) {
      range = rule.sourceRange
      ruleIndex = rule.index
    }
  }

  /// Blocking or hiding rules for every page, not yet followed by an exception.
  private var everyPage: [(place: Place, hides: Bool)] = []
  /// What rules other than exceptions may match so far.
  private var reach: PatternTraps.Coverage = []
  /// An `ignore-following-rules` for everything, until a rule follows it.
  private var ignoreFollowing: (place: Place, isForAll: Bool)?
  private var duplicates: [(rule: Int, original: Int, range: Range<Int>)] = []
  private var voided: [(place: Place, isFollowing: Bool, isForAll: Bool)] = []
  private var texts = RuleTexts()

  /// Adds a rule that is part of the list.
  mutating func add(_ rule: Rule, _ text: Span<UInt8>, _ scratch: inout [Term]) {
    if let exception = ignoreFollowing {
      voided.append((exception.place, true, exception.isForAll))
      ignoreFollowing = nil
    }
    switch rule.action {
    case .ignorePreviousRules:
      everyPage.removeAll()
      texts.forget()
      if !reach.isEmpty, let coverage = Self.coverageOfException(rule, &scratch),
        reach.subtracting(.other).isSubset(of: coverage)
      {
        voided.append((Place(rule), false, reach.isSubset(of: coverage)))
      }
      return
    case .ignoreFollowingRules:
      texts.forget()
      if let coverage = Self.coverageOfException(rule, &scratch), coverage.contains(.webSocket) {
        ignoreFollowing = (Place(rule), coverage.contains(.other))
      }
      return
    case .block:
      if everyPage.count < 100, Self.concernsPages(rule),
        Self.matchesAll(rule.trigger.urlFilter, &scratch)
      {
        everyPage.append((Place(rule), false))
      }
    case .cssDisplayNone(let selector):
      if everyPage.count < 100, Self.concernsPages(rule), Self.hidesPage(selector),
        Self.matchesAll(rule.trigger.urlFilter, &scratch)
      {
        everyPage.append((Place(rule), true))
      }
    default: break
    }
    reach.formUnion(Self.reach(of: rule))
    if let original = texts.insert(rule.sourceRange, rule.index, in: text) {
      duplicates.append((rule.index, original, rule.sourceRange))
    }
  }

  /// Reports the findings about the rule added last.
  mutating func tell(_ diagnostics: DiagnosticCollector) {
    for duplicate in duplicates {
      diagnostics.report(
        .duplicateRule,
        duplicate.range,
        "the same as rule \(duplicate.original), with no exception between them",
        hint: "take it out",
        relatedRule: duplicate.original
      )
    }
    duplicates.removeAll(keepingCapacity: true)
  }

  /// Reports the findings about the whole list.
  mutating func finish(into diagnostics: DiagnosticCollector) {
    for (place, isFollowing, isForAll) in voided {
      diagnostics.ruleIndex = place.ruleIndex
      let side = isFollowing ? "behind" : "in front of"
      diagnostics.report(
        .rulesVoided,
        place.range,
        isForAll
          ? "this exception is for every load: no rule \(side) it has any effect"
          : "this exception is for every load from the web: no rule \(side) it has any effect on"
            + " those",
        hint: "name what it is an exception for, by its url-filter or by if-domain"
      )
    }
    for (place, hides) in everyPage {
      diagnostics.ruleIndex = place.ruleIndex
      diagnostics.report(
        .everyPage,
        place.range,
        "this rule \(hides ? "hides" : "blocks") every page, and no exception follows it",
        hint: hides
          ? "name what is to be hidden, or the pages by if-domain"
          : "name the types by resource-type without document, or third-party as load-type"
      )
    }
    diagnostics.ruleIndex = nil
  }

  // MARK: Rules for everything

  /// Returns what an exception without conditions matches; `nil` unless that is the whole web,
  /// except perhaps web sockets.
  private static func coverageOfException(
    _ rule: Rule,
    _ scratch: inout [Term]
  ) -> PatternTraps.Coverage? {
    let flags = rule.trigger.flags
    guard rule.trigger.condition == nil, flags.requestMethod == nil, flags.loadTypes.isEmpty,
      flags.loadContexts.isEmpty, flags.resourceTypes.isEmpty
    else { return nil }
    let coverage = coverage(rule.trigger.urlFilter, &scratch)
    return coverage.contains(.http) ? coverage : nil
  }

  /// Returns what a rule may match, judged by its beginning and types.
  private static func reach(of rule: Rule) -> PatternTraps.Coverage {
    let pattern = rule.trigger.urlFilter.text.utf8Span.span
    for scheme in ["^https?:", "^http:", "^https:"] where pattern.matches(scheme, at: 0) {
      return .http
    }
    for scheme in ["^wss?:", "^ws:", "^wss:"] where pattern.matches(scheme, at: 0) {
      return .webSocket
    }
    let types = rule.trigger.flags.resourceTypes
    return types.isEmpty || types.contains(.webSocket)
      ? [.http, .webSocket, .other]
      : [.http, .other]
  }

  /// Whether a rule applies to the documents of all pages with matching URLs.
  private static func concernsPages(_ rule: Rule) -> Bool {
    let flags = rule.trigger.flags
    return rule.trigger.condition == nil
      && (flags.requestMethod == nil || flags.requestMethod == .get)
      && flags.loadTypes != .thirdParty && flags.loadContexts != .childFrame
      && (flags.resourceTypes.isEmpty || flags.resourceTypes.contains(.topDocument))
  }

  private static func matchesAll(_ filter: URLFilter, _ scratch: inout [Term]) -> Bool {
    coverage(filter, &scratch).contains(.http)
  }

  private static func coverage(
    _ filter: URLFilter,
    _ scratch: inout [Term]
  ) -> PatternTraps.Coverage {
    // Longer patterns are specific.
    guard filter.text.utf8.count <= 32 else { return [] }
    let pattern = filter.text.utf8Span.span
    if pattern.count > 2 {
      for index in 0..<min(8, pattern.count) where isForeignToSchemes(pattern[index]) {
        return []
      }
    }
    return PatternTraps.coverage(
      pattern,
      isCaseSensitive: filter.isCaseSensitive,
      &scratch
    )
  }

  /// Whether a byte is a lower-case letter that no web scheme contains.
  private static func isForeignToSchemes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "h"), UInt8(ascii: "p"), UInt8(ascii: "s"), UInt8(ascii: "t"),
      UInt8(ascii: "w"):
      false
    default: UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    }
  }

  private static func hidesPage(_ selector: String) -> Bool {
    // Most end in another name or a bracket: a selector for every page ends in one of `*lyt`,
    // possibly with a space or a comma and more behind it.
    let bytes = selector.utf8
    return bytes.count <= 64
      && (bytes.last.map { "*lyt ".utf8.contains($0) } ?? false
        || bytes.contains(UInt8(ascii: ",")))
      && selector.split(separator: ",").contains { part in
        let name = part.drop { $0 == " " }
        let end = name.lastIndex { $0 != " " } ?? name.startIndex
        return ["*", "html", "body", ":root", "html body", "html > body"].contains(
          name.isEmpty ? "" : String(name[...end])
        )
      }
  }
}

/// The texts of rules since the last exception, to find duplicates.
private struct RuleTexts {
  private var slots: [(hash: UInt64, rule: Int32, start: Int)] = []
  private var count = 0
  private var generation: UInt64 = 1

  /// Forgets all texts.
  mutating func forget() {
    guard count > 0 else { return }
    count = 0
    generation &+= 0x9E37_79B9_7F4A_7C15
  }

  /// Adds a rule, or returns an earlier one with the same bytes.
  mutating func insert(_ range: Range<Int>, _ rule: Int, in text: Span<UInt8>) -> Int? {
    if slots.isEmpty { slots = Array(repeating: (0, -1, 0), count: 1_024) }
    let hash = text.digest(range, seed: generation)
    var place = Int(truncatingIfNeeded: hash >> 20) & (slots.count - 1)
    // Gives up if hashes collide on purpose.
    for _ in 0..<64 {
      let slot = slots[place]
      if slot.rule < 0 {
        slots[place] = (hash, Int32(truncatingIfNeeded: rule), range.lowerBound)
        count += 1
        if count * 2 > slots.count { grow() }
        return nil
      }
      if slot.hash == hash, isEqual(slot.start, range, text) { return Int(slot.rule) }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Grows the table, dropping entries of earlier generations, which are never found again.
  private mutating func grow() {
    let old = slots
    slots = Array(repeating: (0, -1, 0), count: old.count * 4)
    for slot in old where slot.rule >= 0 {
      var place = Int(truncatingIfNeeded: slot.hash >> 20) & (slots.count - 1)
      while slots[place].rule >= 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = slot
    }
  }

  private func isEqual(_ start: Int, _ range: Range<Int>, _ text: Span<UInt8>) -> Bool {
    guard start + range.count <= text.count else { return false }
    for offset in 0..<range.count where text[start + offset] != text[range.lowerBound + offset] {
      return false
    }
    return true
  }
}
