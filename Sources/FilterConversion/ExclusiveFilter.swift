internal import ContentRules
internal import FilterLists

/// A filter with `$denyallow`, ready to be written.
struct ExclusiveFilter {
  var patterns: [[UInt8]]
  var isCaseSensitive: Bool
  /// The fields of each rule.
  var flags: [[UInt8]]
  /// The patterns of the hosts that it leaves alone.
  var hosts: [[UInt8]]
  var action: RuleText.Action
  var pages: PageScope
  var line: Int32

  /// The most bytes of its rules.
  func size(condition: [UInt8]) -> Int {
    let longest = max(patterns.map(\.count).max() ?? 0, 512)
    return flags.count * (patterns.count + hosts.count) * (condition.count + longest + 128)
  }

  /// Writes the rules, and directly behind them the exceptions of the hosts.
  func write(condition: [UInt8], to part: RulePart, _ list: inout ListBuilder) {
    for flags in flags {
      for pattern in patterns {
        list.addInPlace(
          RuleText.rule(
            pattern: pattern,
            isCaseSensitive: isCaseSensitive,
            flags: flags,
            condition: condition,
            action: action
          ),
          to: part,
          lines: [line]
        )
      }
    }
    for host in hosts {
      for flags in flags {
        list.addInPlace(
          RuleText.rule(pattern: host, flags: flags, condition: condition, action: .ignorePrevious),
          to: part,
          lines: [line]
        )
      }
    }
  }
}

/// Filters with `$denyallow`.
extension NetworkConverter {
  /// With how many filters with `$denyallow` another one is compared.
  private static let comparedExclusive = 200

  /// Writes a filter with `$denyallow`: the rule, and directly behind it the exceptions of its
  /// hosts, at the head of all blocking, so that they lift little else.
  mutating func writeExclusive(
    _ filter: NetworkFilter,
    _ meaning: FilterMeaning,
    _ patterns: [[UInt8]],
    _ condition: [UInt8],
    _ fields: [[UInt8]],
    line: Int,
    _ reasons: inout [ConversionReason],
    _ list: inout ListBuilder
  ) throws(ConversionReason) {
    guard !filter.isException, !meaning.isImportant else {
      throw ConversionReason(.hostsNotExcepted, meaning.deniedBy)
    }
    if self.exclusive.count >= Self.comparedExclusive
      || self.exclusive.contains(where: { Self.mayShareAPage($0, meaning.pages) })
    {
      reasons.append(ConversionReason(.denyallowOrder))
    } else {
      self.exclusive.append(meaning.pages)
    }
    var flags = fields
    if let party = meaning.party {
      for index in flags.indices { RuleText.append(party, to: &flags[index]) }
    }
    let exclusive = ExclusiveFilter(
      patterns: patterns,
      isCaseSensitive: meaning.isCaseSensitive,
      flags: flags,
      hosts: PageScope.distinct(meaning.denied).flatMap { PageScope.patterns(of: $0) },
      action: meaning.blocksCookies ? .blockCookies : .block,
      pages: meaning.pages,
      line: Int32(line)
    )
    try list.reserve(exclusive.size(condition: condition))
    exclusive.write(condition: condition, to: .exclusiveBlocking, &list)
    if !meaning.pages.included.isEmpty { specificExclusive.append(exclusive) }
  }

  /// Writes the filters with `$denyallow` and domains once more for the pages on which
  /// `$genericblock` lifts them with all generic ones.
  mutating func writeSpecificExclusive(_ list: inout ListBuilder) {
    guard !genericBlockingExceptions.isEmpty else { return }
    var comparisons = PageScope.comparedDomains
    for filter in specificExclusive {
      let pages = genericBlockingExceptions.pages(of: filter.pages)
      comparisons -= filter.pages.included.count * genericBlockingExceptions.domains.count
      let isPartial =
        genericBlockingExceptions.hasPatterns
        || filter.pages.included.contains(where: \.hasWildcard)
      do throws(ConversionReason) {
        guard comparisons > 0 else { throw ConversionReason(.tooManyExclusions) }
        if !pages.included.isEmpty,
          case .json(let condition, _) = try pages.condition(for: list.target)
        {
          try list.reserve(filter.size(condition: condition))
          filter.write(condition: condition, to: .specificExclusiveBlocking, &list)
        }
        if isPartial { throw ConversionReason(.denyallowOrder) }
      } catch  where error.code == .neverApplies {
      } catch {
        list.approximate(Int(filter.line), ConversionReason(.denyallowOrder))
      }
    }
  }

  private static func mayShareAPage(_ first: PageScope, _ second: PageScope) -> Bool {
    guard !first.included.isEmpty, !second.included.isEmpty,
      first.included.count * second.included.count <= PageScope.comparedDomains
    else { return true }
    return first.included.contains { domain in
      second.included.contains { other in
        domain == other || PageScope.isBelow(domain, other) || PageScope.isBelow(other, domain)
          || (domain.hasWildcard && other.hasWildcard)
      }
    }
  }
}
