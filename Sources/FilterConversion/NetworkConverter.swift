internal import ContentRules
internal import FilterLists

/// Converts filters about loads.
struct NetworkConverter {
  /// The pages of earlier filters with `$denyallow`, as far as they are compared.
  var exclusive: [PageScope] = []
  /// Filters with `$denyallow` for some pages, which `$genericblock` lifts not.
  var specificExclusive: [ExclusiveFilter] = []
  /// Where filters without domains do not block.
  var genericBlockingExceptions = GenericBlockingExceptions()
  /// The pages of important filters that block.
  var importantPages = ImportantPages()
  /// Where important filters without domains do not block.
  var importantGenericExceptions = ImportantGenericExceptions()
  /// Hosts on whose pages no specific hiding filter acts, with the lines that say so.
  var specificHidingExceptions: [(domain: PageScope.Domain, line: Int)] = []

  /// Converts a filter, and accounts for its line.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - source: Its list.
  ///   - disabled: Domains on whose pages another filter disables it.
  ///   - line: Its line.
  ///   - list: Takes the rules and the account.
  mutating func convert(
    _ filter: NetworkFilter,
    _ source: FilterSource,
    disabledOn disabled: [PageScope.Domain] = [],
    line: Int,
    _ list: inout ListBuilder
  ) {
    do throws(ConversionReason) {
      var meaning = try FilterMeaning(filter, source.text, dialect: source.dialect)
      meaning.pages.excluded += disabled
      if isGenericAndImportant(filter, meaning), !importantGenericExceptions.everywhere.isEmpty {
        meaning.types.formIntersection(.pages)
        list.lifting.formUnion(importantGenericExceptions.everywhere)
        guard !meaning.types.isEmpty else {
          return list.account(line, .converted, ConversionReason(.cancelledByException))
        }
      }
      try convert(filter, meaning, source, line: line, &list)
    } catch {
      list.account(line, .impossible, error)
    }
  }

  /// The hosts of a hosts file's line, each exactly, for all loads.
  mutating func convert(
    hosts: [Range<Int>],
    _ source: FilterSource,
    line: Int,
    _ list: inout ListBuilder
  ) {
    // uBlock Origin reads them as `||host^`.
    let anchor =
      source.dialect == .ubo ? AddressFilter.hostAnchor : AddressFilter.exactAnchor
    var unusable: [String] = []
    var count = 0
    for range in hosts {
      guard let host = PageScope.domain(source.text[range]), !host.hasWildcard else {
        unusable.append(FilterText.string(source.text, range))
        continue
      }
      guard (try? list.reserve(host.name.count + 128)) != nil else {
        return list.account(line, .impossible, ConversionReason(.tooManyBytes))
      }
      list.blockWithPages(AddressFilter.hostPattern(host.name, anchor: anchor), line: line)
      count += 1
    }
    let names = unusable.prefix(8).joined(separator: ", ")
    if count == 0 {
      list.account(line, .impossible, ConversionReason(.domainPattern, names))
    } else {
      list.account(line, unusable.isEmpty ? [] : [ConversionReason(.unusableDomains, names)])
    }
  }

  private mutating func convert(
    _ filter: NetworkFilter,
    _ meaning: FilterMeaning,
    _ source: FilterSource,
    line: Int,
    _ list: inout ListBuilder
  ) throws(ConversionReason) {
    var reasons = meaning.reasons
    var address: AddressFilter?
    var patterns: [[UInt8]]
    var hostEnds: [RegexHost?] = []
    if filter.isRegex {
      let regex = try RegexFilter.read(source.text[filter.pattern])
      patterns = regex.patterns
      hostEnds = regex.hosts
      reasons += regex.reasons
      if regex.needsFragment, !AddressFault.keepFragments(meaning.types) {
        throw ConversionReason(.fragmentInPattern)
      }
    } else {
      guard
        let read = try AddressFilter.read(
          source.text,
          filter.pattern,
          isCaseSensitive: meaning.isCaseSensitive,
          anchorsHosts: source.dialect == .ubo && Self.anchorsHosts(filter, source.text),
          edges: source.dialect == .ubo ? WordEdges(source.text, filter.pattern) : .none
        )
      else {
        throw ConversionReason(
          .domainPattern,
          FilterText.string(source.text, filter.pattern)
        )
      }
      address = read
      patterns = [read.pattern]
      try AddressFault.check(source.text, filter.pattern, types: meaning.types)
      guard read.pattern.count + 256 <= AddressFilter.longestPattern else {
        throw ConversionReason(.patternTooLong)
      }
    }
    if !meaning.lifted.isEmpty {
      do throws(ConversionReason) {
        if meaning.party == .third, meaning.lifted != .others {
          throw ConversionReason(.pagesNotByParty)
        }
        try lift(meaning, patterns, address?.host, source.dialect, line: line, &reasons, &list)
      } catch {
        // What is excepted besides does not depend on it.
        guard error.code == .twoConditions || error.code == .pagesNotByParty, !meaning.liftsOnly
        else { throw error }
        reasons.append(ConversionReason(.loadsOnly))
      }
      if meaning.liftsOnly {
        if meaning.lifted == .others {
          list.account(line, .converted, ConversionReason(.nothingToLift))
        } else {
          list.account(line, reasons)
        }
        return
      }
    }
    var meaning = meaning
    if !meaning.to.isEmpty {
      if let narrowed = try address?.patterns(among: meaning.to, &reasons) {
        patterns = narrowed
        // Said by the patterns, which name hosts alone if the filter does.
        meaning.to = []
      } else {
        patterns = try Self.behind(meaning.to, patterns, hostEnds, &reasons)
      }
    }
    var condition: [UInt8] = []
    if case .json(let json, let isApproximate) = try meaning.pages.condition(
      for: list.target
    ) {
      condition = json
      if isApproximate { reasons.append(ConversionReason(.wildcardDomain)) }
    }
    try write(
      filter,
      meaning,
      patterns,
      condition,
      pages: pages(filter, meaning, patterns, condition, address, source.dialect, list),
      line: line,
      &reasons,
      &list
    )
    list.account(line, reasons)
  }

  /// Whether a filter is one that `$genericblock,important` lifts.
  private func isGenericAndImportant(_ filter: NetworkFilter, _ meaning: FilterMeaning) -> Bool {
    !filter.isException && meaning.isImportant && meaning.pages.included.isEmpty
      && !meaning.pages.namesIncluded
  }

  /// Whether uBlock Origin reads `ads.example` or `||ads.example` as `||ads.example^`.
  ///
  /// It does so if the former has no modifiers but types without `~` and the party, and if the latter
  /// has any, or is an exception.
  static func anchorsHosts(_ filter: NetworkFilter, _ text: [UInt8]) -> Bool {
    if FilterText.starts(text, filter.pattern, "||") {
      return filter.isException || !filter.modifiers.isEmpty
    }
    return filter.modifiers.allSatisfy { modifier in
      switch modifier.kind {
      case .script, .image, .stylesheet, .font, .media, .object, .subdocument, .xmlhttprequest,
        .websocket, .ping, .other, .document, .popup:
        !modifier.isNegated
      case .all, .thirdParty, .firstParty, .redirect, .emptyAnswer, .badfilter, .noop, .elemhide,
        .generichide, .specifichide:
        true
      default: false
      }
    }
  }

  /// Whether a pattern says nothing but a scheme.
  private static func isForAll(_ pattern: [UInt8]) -> Bool {
    pattern == AddressFilter.everything
      || (pattern.first == UInt8(ascii: "^")
        && (Array("https://".utf8).starts(with: pattern.dropFirst())
          || Array("http://".utf8).starts(with: pattern.dropFirst())))
  }

  // MARK: Rules

  private mutating func write(
    _ filter: NetworkFilter,
    _ meaning: FilterMeaning,
    _ patterns: [[UInt8]],
    _ condition: [UInt8],
    pages: PageRules?,
    line: Int,
    _ reasons: inout [ConversionReason],
    _ list: inout ListBuilder
  ) throws(ConversionReason) {
    let blocking: RuleText.Action = meaning.blocksCookies ? .blockCookies : .block
    // Types may need two rules for each pattern, and pages further ones.
    let size = (patterns.map(\.count).max() ?? 0) + condition.count + 256
    try list.reserve(4 * size * patterns.count)
    func add(
      _ part: RulePart,
      _ fields: [[UInt8]],
      _ patterns: [[UInt8]],
      _ condition: [UInt8],
      _ list: inout ListBuilder
    ) {
      let action = filter.isException ? list.barrier.action(ofExceptionsIn: part) : blocking
      for fields in fields {
        var flags = fields
        if let party = meaning.party { RuleText.append(party, to: &flags) }
        if let method = meaning.method {
          flags.append(contentsOf: #","request-method":"\#(method)""#.utf8)
        }
        for pattern in patterns {
          list.add(
            RuleText.rule(
              pattern: pattern,
              isCaseSensitive: meaning.isCaseSensitive,
              flags: flags,
              condition: condition,
              action: action
            ),
            to: part,
            line: line
          )
        }
      }
    }
    if meaning.method != nil, let target = list.target, target.lacksRequestMethod {
      throw ConversionReason(.targetLacks, "\(target) has no request-method")
    }
    if filter.isException, list.barrier == .previous, patterns.contains(where: Self.isForAll) {
      reasons.append(ConversionReason(.genericHidingToo))
    }
    var pageTypes = meaning.types.intersection(.pages)
    if !meaning.denied.isEmpty, !pageTypes.isEmpty || meaning.isImportant || filter.isException {
      // Nothing that was blocked before may be lifted with the hosts.
      throw ConversionReason(.hostsNotExcepted, meaning.deniedBy)
    }
    if let pages {
      if pages.isPlain {
        if pages.patterns == patterns { return list.blockWithPages(patterns[0], line: line) }
        list.blockPages(pages.patterns[0], line: line)
      } else {
        let fields = TypeFields.fields(pages.types, isComplement: false, target: list.target)
        add(pages.part, fields.variants, pages.patterns, pages.condition, &list)
      }
    }
    if pageTypes.contains(.document), meaning.party == .third {
      // A page is never third-party to itself.
      pageTypes.remove(.document)
      reasons.append(ConversionReason(.pagesNotByParty))
      if meaning.types == .document { throw ConversionReason(.pagesNotByParty) }
    }
    if !pageTypes.isEmpty {
      let fields = TypeFields.fields(pageTypes, isComplement: false, target: list.target)
      reasons += fields.reasons
      let part = RulePart.pages(isException: filter.isException, meaning.isImportant)
      add(part, fields.variants, patterns, condition, &list)
    }
    let types = meaning.types.subtracting(.pages)
    guard !types.isEmpty else { return }
    let fields = TypeFields.fields(
      types,
      isComplement: meaning.isComplement,
      isForAllURLs: patterns == [AddressFilter.everything],
      target: list.target
    )
    reasons += fields.reasons
    if fields.variants.contains([]), !filter.isException {
      list.matchesWindows = true
      // A page is never third-party to itself.
      if meaning.party != .third { list.matchesPages = true }
    }
    if !meaning.denied.isEmpty {
      try writeExclusive(
        filter,
        meaning,
        patterns,
        condition,
        fields.variants,
        line: line,
        &reasons,
        &list
      )
      return
    }
    let part: RulePart =
      switch (filter.isException, meaning.isImportant) {
      case (false, false): meaning.pages.included.isEmpty ? .genericBlocking : .blocking
      case (true, false): .exceptions
      case (false, true): .importantBlocking
      case (true, true): .importantExceptions
      }
    let lifted = importantGenericExceptions.domains
    guard isGenericAndImportant(filter, meaning), !lifted.isEmpty else {
      return add(part, fields.variants, patterns, condition, &list)
    }
    var pages = meaning.pages
    pages.excluded += lifted.map(\.domain)
    guard case .json(let json, let isApproximate) = try pages.condition(for: list.target) else {
      return
    }
    try list.reserve(4 * json.count * patterns.count)
    if isApproximate { reasons.append(ConversionReason(.wildcardDomain)) }
    let first = list.sections[part.rawValue].count
    add(part, fields.variants, patterns, json, &list)
    list.sections[part.rawValue].link(rulesFrom: first, to: lifted.map(\.line))
  }

  /// Returns those of some patterns whose URLs have one of some hosts by what the patterns say.
  ///
  /// - Throws: The reason if a pattern's URLs may have one of the hosts or not.
  private static func among(
    _ hosts: [PageScope.Domain],
    _ patterns: [[UInt8]],
    _ hostEnds: [RegexHost?]
  ) throws(ConversionReason) -> [[UInt8]] {
    guard hosts.count * patterns.count <= PageScope.comparedDomains else {
      throw ConversionReason(.tooManyBytes)
    }
    var result: [[UInt8]] = []
    for (number, pattern) in patterns.enumerated() {
      guard hostEnds.indices.contains(number), let end = hostEnds[number],
        hosts.allSatisfy({ !$0.hasWildcard })
      else { throw ConversionReason(.twoPatterns) }
      let answers = hosts.map { end.isAlways(below: $0.name) }
      if answers.contains(true) {
        result.append(pattern)
      } else if answers.contains(nil) {
        throw ConversionReason(.twoPatterns)
      }
    }
    guard !result.isEmpty else { throw ConversionReason(.neverApplies) }
    return result
  }

  /// The most patterns of one filter with `$to`.
  private static let mostHostPatterns = 1_000

  /// Returns patterns that also require one of some hosts.
  private static func behind(
    _ hosts: [PageScope.Domain],
    _ patterns: [[UInt8]],
    _ hostEnds: [RegexHost?],
    _ reasons: inout [ConversionReason]
  ) throws(ConversionReason) -> [[UInt8]] {
    if patterns.contains(where: { $0.first == UInt8(ascii: "^") }) {
      return try among(hosts, patterns, hostEnds)
    }
    guard hosts.count * patterns.count <= mostHostPatterns else {
      throw ConversionReason(.tooManyBytes)
    }
    var result: [[UInt8]] = []
    for host in PageScope.distinct(hosts) {
      for start in PageScope.patterns(of: host) {
        for pattern in patterns {
          if pattern == AddressFilter.everything {
            result.append(start)
          } else {
            result.append(start + AddressFilter.everything + pattern)
          }
        }
      }
      if host.hasWildcard { reasons.append(ConversionReason(.wildcardDomain)) }
    }
    if patterns != [AddressFilter.everything] {
      reasons.append(ConversionReason(.toAnywhereBehind))
    }
    return result
  }
}
