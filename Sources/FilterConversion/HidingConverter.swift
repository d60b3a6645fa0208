internal import ContentRules
internal import FilterLists

/// Converts filters about what a page shows.
///
/// Exceptions lift one selector, which no rule can say for itself: they go into the conditions of
/// the filters that have the selector, so all filters are read before the first is written.
struct HidingConverter {
  /// A filter that waits for the exceptions.
  private struct Waiting {
    var line: Int
    var source: Int
    var filter: HidingFilter
    /// The selector, if it is not as written.
    var selector: [UInt8]?
    var scope: PageScope
    /// Whether `*` stands in front of it and makes it specific.
    var isForEveryPage: Bool
  }

  /// How many more domains of exceptions are compared with those of filters.
  private var comparisons = 5_000_000
  private var exceptions: [[UInt8]: SelectorExceptions] = [:]
  private var waiting: [Waiting] = []
  private var exceptionOrder: [[UInt8]] = []
  /// Whether exceptions lift selectors that are only spelled otherwise: uBlock Origin writes all anew,
  /// where the others compare texts.
  private let ignoresSpelling: Bool

  /// Prepares for the filters of some lists.
  init(_ sources: [FilterSource]) {
    ignoresSpelling = sources.contains { $0.dialect == .ubo }
  }

  /// Reads a filter; accounts for it at once if it is impossible.
  mutating func add(
    _ filter: HidingFilter,
    _ source: FilterSource,
    number: Int,
    line: Int,
    _ list: inout ListBuilder
  ) {
    do throws(ConversionReason) {
      var scope = PageScope()
      scope.nearestDecides = source.dialect == .abp
      scope.starIsEveryPage = source.dialect == .adguard
      try Self.readModifiers(filter, source.text, &scope)
      scope.add(source.text, filter.domains, separator: UInt8(ascii: ","))
      if scope.namesIncluded, scope.included.isEmpty {
        throw ConversionReason(.domainPattern, scope.unusable.joined(separator: ", "))
      }
      let selector = try Self.selector(filter, source)
      func wait(_ scope: PageScope, isForEveryPage: Bool) {
        waiting.append(
          Waiting(
            line: line,
            source: number,
            filter: filter,
            selector: selector,
            scope: scope,
            isForEveryPage: isForEveryPage
          )
        )
      }
      let text = selector ?? Array(source.text[filter.body])
      guard filter.isException else {
        try Self.check(text, list.target)
        let isForEveryPage = Self.isForEveryPage(filter, source)
        if isForEveryPage { scope.includeEveryPage() }
        if source.dialect == .ubo, !scope.excluded.isEmpty {
          // There `~a.example##.ad` lifts other filters of the selector, too, and so says no more than
          // `##.ad` and `a.example#@#.ad`.
          let key = key(text, filter.kind)
          for domain in scope.excluded {
            exceptions[key, default: SelectorExceptions()].domains.append((domain, line))
          }
          scope.excluded = []
        }
        wait(scope, isForEveryPage: isForEveryPage)
        return
      }
      if Self.isForEveryPage(filter, source) { scope.includeEveryPage() }
      if source.dialect == .ubo, !scope.excluded.isEmpty {
        // There `~a.example#@#.ad` lifts the selector everywhere, and with other domains hides it on
        // `a.example`: what is excluded is the opposite on its own.
        if scope.namesIncluded {
          try Self.check(text, list.target)
          var hiding = PageScope()
          (hiding.included, hiding.namesIncluded) = (scope.excluded, true)
          wait(hiding, isForEveryPage: false)
        }
        scope.excluded = []
      }
      addException(key(text, filter.kind), scope, line: line)
    } catch {
      if filter.isException, Self.liftsOthers(error.code) {
        list.account(line, .converted, ConversionReason(.nothingToLift))
      } else {
        list.account(line, .impossible, error)
      }
    }
  }

  /// Whether an exception of what is impossible lifts nothing that is done.
  private static func liftsOthers(_ code: ConversionReason.Code) -> Bool {
    switch code {
    case .scriptlet, .htmlFilter, .styleFilter, .extendedSelector: true
    default: false
    }
  }

  /// Whether a filter is for every page by `*`, and specific: in lists of AdGuard beside other domains alone.
  private static func isForEveryPage(_ filter: HidingFilter, _ source: FilterSource) -> Bool {
    let domains = FilterText.split(source.text, filter.domains, at: UInt8(ascii: ","))
    guard domains.contains(where: { source.text[$0].elementsEqual("*".utf8) }) else { return false }
    return source.dialect == .ubo || (source.dialect == .adguard && domains.count > 1)
  }

  /// A selector as exceptions lift it: `#@#` lifts no filter with `#$#`, and `#@$#` none with `##`.
  private func key(_ selector: [UInt8], _ kind: HidingFilter.Kind) -> [UInt8] {
    let text = ignoresSpelling ? SelectorList.canonicalText(of: selector.span) : selector
    return kind == .style ? text + [0] : text
  }

  private mutating func addException(_ selector: [UInt8], _ scope: PageScope, line: Int) {
    if exceptions[selector] == nil { exceptionOrder.append(selector) }
    // In place: a selector may have thousands.
    func change(_ known: inout SelectorExceptions) {
      known.lines.append(line)
      if scope.included.isEmpty, scope.excluded.isEmpty {
        known.everywhere.append(line)
      } else {
        for domain in scope.included { known.domains.append((domain, line)) }
        // `~a.example#@#.ad`: everywhere but there. No condition says it of some filters alone.
        if !scope.excluded.isEmpty { known.hasExcluded = true }
      }
    }
    change(&exceptions[selector, default: SelectorExceptions()])
  }

  // MARK: Selectors

  /// Returns the selector of a filter if it is not what stands there; throws if there is none.
  private static func selector(
    _ filter: HidingFilter,
    _ source: FilterSource
  ) throws(ConversionReason) -> [UInt8]? {
    let text = source.text
    switch filter.kind {
    case .script: throw ConversionReason(.scriptlet)
    case .html: throw ConversionReason(.htmlFilter)
    case .style:
      guard let selector = HidingStyle.selector(text, filter.body) else {
        throw ConversionReason(.styleFilter)
      }
      if let name = ExtendedSelectors.name(in: selector) {
        throw ConversionReason(.extendedSelector, name)
      }
      return selector
    case .elements, .extendedElements:
      if text[filter.body.upperBound - 1] == UInt8(ascii: "}"),
        text[filter.body].contains(UInt8(ascii: "{"))
      {
        guard let selector = HidingStyle.selector(text, filter.body) else {
          throw ConversionReason(.styleFilter)
        }
        return selector
      }
      guard
        text[filter.body].contains(UInt8(ascii: ":")) || filter.kind == .extendedElements
          || FilterText.contains(text, filter.body, "[-ext-")
      else { return nil }
      let (selector, isChanged) = ExtendedSelectors.asNative(Array(text[filter.body]))
      if let name = ExtendedSelectors.name(in: selector) {
        throw ConversionReason(.extendedSelector, name)
      }
      return isChanged ? selector : nil
    }
  }

  private static func check(
    _ selector: [UInt8],
    _ target: EngineRelease?
  ) throws(ConversionReason) {
    if let fault = SelectorList.firstFault(in: selector.span) {
      throw ConversionReason(.invalidSelector, fault.message)
    }
    guard SelectorList.isClosed(selector.span) else {
      throw ConversionReason(.openSelector)
    }
    if let target, let part = SelectorList.part(in: selector.span, lackedBy: target) {
      throw ConversionReason(.targetLacks, "\(target) does not know \(part)")
    }
  }

  /// Reads `[$domain=…]`; anything else in it is a condition that WebKit lacks.
  private static func readModifiers(
    _ filter: HidingFilter,
    _ text: [UInt8],
    _ scope: inout PageScope
  ) throws(ConversionReason) {
    guard let range = filter.modifiers else { return }
    for part in PrefixModifiers.parts(in: text, range) {
      guard FilterText.starts(text, part, "domain=") else {
        let name = FilterText.string(text, part).prefix { $0 != "=" }
        throw ConversionReason(.cosmeticModifier, String(name))
      }
      let value = part.lowerBound + 7..<part.upperBound
      if text[value].contains(UInt8(ascii: "/")) {
        throw ConversionReason(.domainPattern, FilterText.string(text, value))
      }
      scope.add(text, value, separator: UInt8(ascii: "|"))
    }
  }

  // MARK: Writing

  /// Filters with one condition, to be one rule.
  private struct Group {
    var part: RulePart
    var condition: [UInt8]
    var selectors: [UInt8] = []
    var count = 0
    var lines: [Int32] = []
  }

  /// The most selectors of one rule, and the bytes after which no more are added.
  private static let selectorsPerRule = 200
  private static let bytesPerRule = 16_384

  /// Writes the rules of all filters.
  ///
  /// - Parameters:
  ///   - sources: The lists' texts.
  ///   - lifted: Hosts on whose pages no specific filter acts, with their lines.
  ///   - list: Takes the rules and accounts.
  mutating func finish(
    _ sources: [FilterSource],
    lifted: LiftedDomains,
    _ list: inout ListBuilder
  ) {
    var groups: [Group] = []
    var numbers: [[UInt8]: Int] = [:]
    // The groups of selectors without domains, which several lines may have.
    var known: [[UInt8]: (number: Int, reasons: [ConversionReason])] = [:]
    for filter in waiting {
      let text = sources[filter.source].text
      let selector = filter.selector ?? Array(text[filter.filter.body])
      let isForAll =
        filter.scope.isEmpty && filter.scope.unusable.isEmpty && !filter.isForEveryPage
      if isForAll, let (number, reasons) = known[selector] {
        groups[number].lines.append(Int32(filter.line))
        list.account(filter.line, reasons)
        continue
      }
      do throws(ConversionReason) {
        let (condition, reasons, ruleLines) = try condition(
          of: filter,
          selector,
          lifted,
          list.target
        )
        guard let condition else {
          if !filter.filter.isException {
            list.account(filter.line, .converted, ConversionReason(.cancelledByException))
          }
          continue
        }
        try list.reserve(condition.count + 2 * selector.count + 128)
        list.account(filter.line, reasons)
        let isGeneric = filter.scope.included.isEmpty && !filter.isForEveryPage
        // Selectors that an older engine refuses would take the others of their rule along.
        let age = SelectorList.youngestPart(in: selector.span)?.since
        var key = condition
        key.append(isGeneric ? 1 : 0)
        if let age { key += Array("\(age)".utf8) }
        var number = numbers[key] ?? groups.count
        if number < groups.count,
          groups[number].count >= Self.selectorsPerRule
            || groups[number].selectors.count >= Self.bytesPerRule
        {
          number = groups.count
        }
        if number == groups.count {
          numbers[key] = number
          groups.append(
            Group(part: isGeneric ? .genericHiding : .specificHiding, condition: condition)
          )
        }
        if isForAll { known[selector] = (number, reasons) }
        if groups[number].count > 0 { groups[number].selectors += Array(", ".utf8) }
        JSONString.append(selector, to: &groups[number].selectors)
        groups[number].count += 1
        groups[number].lines.append(Int32(filter.line))
        groups[number].lines += ruleLines
      } catch {
        list.account(filter.line, .impossible, error)
      }
    }
    waiting = []
    var linked: Set<Int32> = []
    // What has no condition first: it becomes one style sheet for all pages.
    for hasCondition in [false, true] {
      for group in groups where group.condition.isEmpty != hasCondition {
        var seen: Set<Int32> = []
        linked.formUnion(group.lines)
        list.addInPlace(
          RuleText.hiding(condition: group.condition, selectors: group.selectors),
          to: group.part,
          lines: group.lines.filter { seen.insert($0).inserted }
        )
      }
    }
    accountForExceptions(linked, &list)
  }

  /// Returns the condition of a filter under the exceptions of its selector; `nil` if they lift it
  /// everywhere.
  private mutating func condition(
    of filter: Waiting,
    _ selector: [UInt8],
    _ lifted: LiftedDomains,
    _ target: EngineRelease?
  ) throws(ConversionReason) -> ([UInt8]?, [ConversionReason], [Int32]) {
    var scope = filter.scope
    var reasons: [ConversionReason] = []
    var lines: [Int32] = []
    if !scope.unusable.isEmpty {
      reasons.append(
        ConversionReason(.unusableDomains, scope.unusable.joined(separator: ", "))
      )
    }
    let own = scope.excluded.count
    let selector = key(selector, filter.filter.kind)
    exceptions[selector]?.isUsed = true
    if let known = exceptions[selector] {
      if !known.everywhere.isEmpty { return (nil, [], []) }
      guard !known.hasExcluded else { throw ConversionReason(.twoConditions) }
      let entries = try exceptions[selector, default: known].touching(filter.scope, &comparisons)
      for entry in entries {
        scope.excluded.append(entry.domain)
        lines.append(Int32(entry.line))
      }
    }
    if !scope.included.isEmpty || filter.isForEveryPage {
      if filter.isForEveryPage {
        guard lifted.entries.count <= comparisons else {
          throw ConversionReason(.tooManyExclusions)
        }
        comparisons -= lifted.entries.count
      }
      for entry in filter.isForEveryPage ? lifted.entries : lifted.touching(filter.scope) {
        scope.excluded.append(entry.domain)
        lines.append(Int32(entry.line))
      }
      if scope.excluded.count > own, !scope.included.isEmpty {
        // An exception lifts the filter below its domain, too, whatever the filter's own say.
        scope.nearestDecides = false
        let others = scope.excluded[own...]
        if scope.included.allSatisfy({ included in
          others.contains { $0 == included || PageScope.isBelow(included, $0) }
        }) {
          return (nil, [], [])
        }
      }
    }
    switch try scope.condition(for: target) {
    case .none: return ([], reasons, lines)
    case .json(let json, let isApproximate):
      if isApproximate { reasons.append(ConversionReason(.wildcardDomain)) }
      return (json, reasons, lines)
    }
  }

  /// Accounts for exceptions, which have the rules of what they lift in part.
  ///
  /// - Parameters:
  ///   - linked: The lines that rules come from.
  ///   - list: Takes the accounts.
  private func accountForExceptions(_ linked: Set<Int32>, _ list: inout ListBuilder) {
    for selector in exceptionOrder {
      guard let known = exceptions[selector] else { continue }
      for line in known.lines where list.outcomes[line] != .impossible {
        if !known.isUsed {
          list.account(line, .converted, ConversionReason(.cancelsNothing))
        } else if linked.contains(Int32(line)) {
          list.account(line, list.outcomes[line] == .approximated ? list.reasons[line] ?? [] : [])
        } else {
          list.account(line, .converted, ConversionReason(.leavesNoRule))
        }
      }
    }
  }
}
