/// Reads the condition of a trigger.
///
/// > Source: the rule language, sections 2.1 and 6.4. WebKit: `getStringList`, `getDomainList`.
extension RuleReader {
  /// Reads the one condition that a trigger may have; `nil` if there is none or it is faulty.
  mutating func readCondition(
    _ text: Span<UInt8>,
    _ members: Members,
    topIsCaseSensitive: Bool,
    frameIsCaseSensitive: Bool
  ) -> Condition? {
    domains = nil
    var condition: Condition?
    var first: TriggerKey?
    for key in TriggerKey.conditions {
      guard let value = members[key] else { continue }
      if let first {
        report(
          text,
          .multipleConditions,
          at: value - 1,
          "a trigger has at most one condition, and this one has \(first.word) already",
          hint: "write two rules"
        )
        continue
      }
      first = key
      if key.subject == .frameURL {
        let feature: EngineFeature =
          key == .unlessFrameURL ? .unlessFrameURL : .ifFrameURL
        expect(text, feature, at: value - 1, key.word, effect: .ignored)
      }
      if key.subject == .topURL {
        expect(text, .topURL, at: value - 1, key.word, effect: .ignored)
      }
      let entries =
        key.subject == .domain ? readDomains(text, value, key) : readEntries(text, value, key)
      guard let entries else { continue }
      condition = Condition(
        subject: key.subject,
        isNegated: key.isNegated,
        entries: entries,
        isCaseSensitive: key.subject == .frameURL ? frameIsCaseSensitive : topIsCaseSensitive
      )
    }
    return condition
  }

  /// The entries of a condition; `nil` after reporting that the value is not a list.
  private mutating func readEntries(
    _ text: Span<UInt8>,
    _ array: Int,
    _ key: TriggerKey
  ) -> [String]? {
    guard node(array).kind == .array else {
      report(
        text,
        .invalidConditionList,
        at: array,
        "\(key.word) must be an array, not \(node(array).description)",
        hint: node(array).kind == .string
          ? "write [\(text.excerpt(node(array).range))]" : nil,
        correction: wrapping(array)
      )
      return nil
    }
    guard node(array).next > array + 1 else {
      report(
        text,
        .invalidConditionList,
        at: array,
        "\(key.word) must not be empty",
        hint: "leave the key out for no condition"
      )
      return nil
    }
    var entries: [String] = []
    let count = Int(node(array).next) - array - 1
    if count > 1 { repetitions.begin(capacity: count) }
    var previous = array
    for element in elements(of: array) {
      defer { previous = element }
      guard node(element).kind == .string, !node(element).contents.isEmpty else {
        report(
          text,
          .invalidConditionList,
          at: element,
          node(element).kind == .string
            ? "an entry of \(key.word) must not be empty"
            : "\(key.word) holds strings, not \(node(element).description)"
        )
        continue
      }
      if count > 1 { checkRepetition(text, element, behind: previous, key) }
      entries.append(string(text, element))
    }
    return entries
  }

  /// A domain condition that was read.
  struct DomainsAtHand {
    /// The digest of the array's text.
    var digest: UInt64
    var entries: [String]
    /// Whether all entries are ordinary; see ``DomainEntry``.
    var areOrdinary = true
    /// The number of reports before the condition.
    var reports: Int
    /// What the entries' patterns cost, if the text is that of a known condition.
    var cost: MatchingCost?
  }

  /// The entries of a domain condition; `nil` after reporting that the value is not a list.
  private mutating func readDomains(
    _ text: Span<UInt8>,
    _ array: Int,
    _ key: TriggerKey
  ) -> [String]? {
    let digest = text.digest(node(array).range)
    let reports = diagnostics.reportCount
    if !options.rereadsRepetitions,
      let known = knownConditions.find(text, node(array).range, digest: digest)
    {
      domains = DomainsAtHand(
        digest: digest,
        entries: known.entries,
        reports: reports,
        cost: known.cost
      )
      return known.entries
    }
    guard let entries = readEntries(text, array, key) else { return nil }
    var read = DomainsAtHand(digest: digest, entries: entries, reports: reports)
    // WebKit checks spelling only if the whole list has the right form.
    for element in elements(of: array)
    where node(element).kind == .string && !node(element).contents.isEmpty {
      if withContents(text, element, { DomainEntry.isOrdinary($0) }) { continue }
      read.areOrdinary = false
      checkDomain(text, element, key)
    }
    domains = read
    return entries
  }

  private mutating func checkRepetition(
    _ text: Span<UInt8>,
    _ element: Int,
    behind previous: Int,
    _ key: TriggerKey
  ) {
    // Moved out meanwhile, because the strings are read through the same memory.
    var finder = RepetitionFinder()
    swap(&finder, &repetitions)
    let earlier = withContents(text, element) { bytes in
      finder.insert(bytes, element) { other in
        withContents(text, other) { $0.isEqual($0.indices, bytes, bytes.indices) }
      }
    }
    swap(&finder, &repetitions)
    guard earlier != nil else { return }
    report(
      text,
      .repeatedMember,
      at: element,
      "\(text.excerpt(node(element).contents)) stands twice in \(key.word)",
      correction: removing(element: element, behind: previous)
    )
  }

  /// Checks one entry of a domain condition that is not ordinary.
  private mutating func checkDomain(_ text: Span<UInt8>, _ element: Int, _ key: TriggerKey) {
    let finding = withContents(text, element) { DomainEntry.finding($0, isExcluded: key.isNegated) }
    guard let finding else { return }
    let node = node(element)
    let range = JSONText.sourceRange(of: finding.range, in: text, node.contents)
    let domain = string(text, element)
    switch finding.kind {
    case .upperCase:
      report(
        text,
        .domainNotLowerCaseASCII,
        at: element,
        range: range,
        "a domain must be in lower case",
        hint: "write \"\(domain.lowercased())\"",
        correction: domain.utf8.allSatisfy { $0 < 0x80 }
          ? Correction(node.contents, JSONString.escaped(domain.lowercased()), keepsMeaning: true)
          : nil
      )
    case .nonASCII:
      report(
        text,
        .domainNotLowerCaseASCII,
        at: element,
        range: range,
        "a domain must be ASCII",
        hint: "write it in punycode, with labels that begin with xn--"
      )
    case .port:
      report(
        text,
        .domainWithPort,
        at: element,
        range: range,
        "this entry matches only pages on that port",
        hint: nil
      )
    case .unmatchable(let message, let hint):
      report(text, .unmatchableDomain, at: element, range: range, message, hint: hint)
    case .suspicious(let message, let hint):
      report(text, .suspiciousDomain, at: element, range: range, message, hint: hint)
    }
  }
}
