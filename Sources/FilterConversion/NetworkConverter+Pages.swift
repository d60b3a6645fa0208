internal import ContentRules
internal import FilterLists

/// Exceptions for all of a page: `$document`, `$elemhide`, `$generichide` and the like.
extension NetworkConverter {
  /// The most hosts without specific hiding.
  private static let mostSpecificHidingExceptions = 100_000

  /// Lifts what an exception names, on the pages that it names.
  ///
  /// - Throws: The reason why WebKit has no condition for the pages.
  mutating func lift(
    _ meaning: FilterMeaning,
    _ patterns: [[UInt8]],
    _ host: [UInt8]?,
    _ dialect: FilterDialect,
    line: Int,
    _ reasons: inout [ConversionReason],
    _ list: inout ListBuilder
  ) throws(ConversionReason) {
    guard meaning.lifted != .others else { return }
    var lifted = meaning.lifted
    let sparesImportant = dialect == .adguard && mayMeetImportant(meaning, host)
    if sparesImportant, list.barrier != .previous { lifted = [.hiding, .blocking] }
    if list.barrier == .previous, !lifted.contains(.everything) {
      // Behind blocking, an exception from hiding would lift blocking, too.
      if lifted.contains(.hiding) { lifted.formUnion([.genericHiding, .specificHiding]) }
      if !lifted.isDisjoint(with: [.blocking, .genericBlocking]), !lifted.contains(.genericHiding) {
        reasons.append(ConversionReason(.genericHidingToo))
      }
    }
    if list.barrier == .none, !lifted.isDisjoint(with: [.blocking, .genericBlocking]),
      lifted.isDisjoint(with: [.hiding, .everything]),
      !lifted.isSuperset(of: [.genericHiding, .specificHiding])
    {
      // Hiding stands in front of blocking there, and is lifted with it.
      reasons.append(ConversionReason(.hidingToo))
    }
    let lifting = try LiftedPages(meaning, patterns, host)
    let (domains, urls, isEverywhere) = (lifting.domains, lifting.urls, lifting.isEverywhere)
    if let target = list.target, target.lacksTopURL,
      !urls.isEmpty || domains.contains(where: \.hasWildcard)
    {
      throw ConversionReason(.targetLacks, "\(target) has no patterns for pages")
    }
    if lifting.isApproximate { reasons.append(ConversionReason(.wildcardDomain)) }
    if lifted.contains(.specificHiding), lifted.contains(.hiding),
      !urls.isEmpty || isEverywhere || domains.contains(where: \.hasWildcard)
    {
      reasons.append(ConversionReason(.genericHidingAlone))
    } else if lifted.contains(.specificHiding) {
      guard urls.isEmpty, !isEverywhere, domains.allSatisfy({ !$0.hasWildcard }) else {
        throw ConversionReason(.twoConditions)
      }
      guard specificHidingExceptions.count + domains.count <= Self.mostSpecificHidingExceptions
      else { throw ConversionReason(.tooManyExclusions) }
      for domain in domains { specificHidingExceptions.append((domain, line)) }
    }
    if lifted.contains(.genericBlocking) {
      genericBlockingExceptions.add(domains, hasPatterns: !urls.isEmpty, isEverywhere: isEverywhere)
      if meaning.isImportant, importantPages.mayHave(nil),
        !importantGenericExceptions.cover(lifting, line: line)
      {
        reasons.append(ConversionReason(.importantStays))
      }
    }
    var parts = Self.parts(lifted: lifted, meaning.isImportant, list.barrier)
    if sparesImportant {
      switch list.barrier {
      case .following: parts.append(.pageExceptions)
      case .previous: reasons.append(ConversionReason(.importantToo))
      case .none: break
      }
    }
    for part in parts {
      var pages = list.pageExceptions.pages[part] ?? PageExceptions.Pages()
      list.pageExceptions.pages[part] = nil
      if isEverywhere { pages.everywhere.append(Int32(line)) }
      for domain in domains {
        if domain.hasWildcard {
          for pattern in PageScope.patterns(of: domain) {
            pages.patterns.append((pattern, Int32(line)))
          }
        } else {
          pages.domains.append((domain.name, Int32(line)))
        }
      }
      for url in urls { pages.patterns.append((url, Int32(line))) }
      list.pageExceptions.pages[part] = pages
    }
  }

  /// Whether an exception for all of a page may be on one with an important filter.
  ///
  /// In AdGuard such a filter is above an exception that is not important itself.
  private func mayMeetImportant(_ meaning: FilterMeaning, _ host: [UInt8]?) -> Bool {
    guard meaning.lifted.contains(.everything), !meaning.isImportant else { return false }
    return importantPages.mayHave(host.flatMap { PageScope.domain($0[...]) })
  }

  /// The parts of the list in which an exception for a page stands: behind what it lifts.
  private static func parts(
    lifted: FilterMeaning.Lifted,
    _ isImportant: Bool,
    _ barrier: PageBarrier
  ) -> [RulePart] {
    if lifted.contains(.everything) {
      return barrier == .following
        ? [.documentExceptionsForPages, .unblockedPages, .documentExceptions]
        : [.documentExceptions]
    }
    var parts: [RulePart] = []
    if lifted.contains(.genericHiding) { parts.append(.genericHidingExceptions) }
    if lifted.contains(.hiding), barrier != .previous { parts.append(.hidingExceptions) }
    if lifted.contains(.genericBlocking) { parts.append(.genericBlockingExceptions) }
    if lifted.contains(.blocking) { parts.append(isImportant ? .importantExceptions : .exceptions) }
    return parts
  }
}

/// The pages on which an exception lifts something.
struct LiftedPages {
  /// Domains with all that is below them.
  var domains: [PageScope.Domain] = []
  /// Patterns of the page's URL.
  var urls: [[UInt8]] = []
  var isEverywhere = false
  /// Whether a wildcard stands for some names that WebKit cannot tell from others.
  var isApproximate = false

  /// Finds out the pages.
  ///
  /// - Parameters:
  ///   - meaning: What the exception's modifiers say.
  ///   - patterns: Its patterns.
  ///   - host: The host, if the pattern says nothing else.
  /// - Throws: The reason why WebKit has no condition for the pages.
  init(
    _ meaning: FilterMeaning,
    _ patterns: [[UInt8]],
    _ host: [UInt8]?
  ) throws(ConversionReason) {
    let host = host.flatMap { PageScope.domain($0[...]) }
    guard
      let scope = try Self.scope(meaning, host, isForAll: patterns == [AddressFilter.everything])
    else {
      if let host {
        domains = [host]
      } else if patterns == [AddressFilter.everything] {
        isEverywhere = true
      } else {
        // Conditions on pages have no case.
        guard !meaning.isCaseSensitive else { throw ConversionReason(.twoConditions) }
        urls = patterns
      }
      return
    }
    let pages = try scope.includedPages()
    (domains, urls, isApproximate) = (pages.whole, pages.patterns, pages.isApproximate)
  }

  /// Returns the domains that the modifiers name; `nil` if there are none.
  private static func scope(
    _ meaning: FilterMeaning,
    _ host: PageScope.Domain?,
    isForAll: Bool
  ) throws(ConversionReason) -> PageScope? {
    var scope = meaning.pages
    if meaning.to.isEmpty, meaning.denied.isEmpty {
      if scope.isEmpty, !scope.namesIncluded { return nil }
      guard isForAll else { throw ConversionReason(.twoConditions) }
    } else {
      // A page is itself the load that has one of the hosts.
      guard scope.isEmpty, !scope.namesIncluded else { throw ConversionReason(.twoConditions) }
      scope.included = meaning.to
      scope.excluded = meaning.denied
      if let host {
        guard !meaning.to.contains(where: \.hasWildcard) else {
          throw ConversionReason(.twoConditions)
        }
        scope.included = meaning.to.isEmpty ? [host] : below(host, meaning.to)
        guard !scope.included.isEmpty else { throw ConversionReason(.neverApplies) }
      } else if !isForAll {
        throw ConversionReason(.twoConditions)
      }
    }
    guard !scope.included.isEmpty else { throw ConversionReason(.twoConditions) }
    return scope
  }

  /// Returns what some domains have in common with one.
  private static func below(
    _ host: PageScope.Domain,
    _ domains: [PageScope.Domain]
  ) -> [PageScope.Domain] {
    domains.compactMap { domain in
      if domain == host || PageScope.isBelow(domain, host) { return domain }
      return PageScope.isBelow(host, domain) ? host : nil
    }
  }
}

/// What filters without types do to pages as well.
extension NetworkConverter {
  /// The rules by which a filter without types is about pages as well.
  struct PageRules {
    var part: RulePart
    var patterns: [[UInt8]]
    var condition: [UInt8]
    var types: TypeSet = .document
    /// Whether a pattern of the host says all.
    var isPlain: Bool
  }

  /// Returns the rules by which a filter without types is about pages as well, if it is.
  ///
  /// In uBlock Origin such a filter blocks the pages of a host if it names nothing else of the URL,
  /// and such an exception passes every page that it matches. In AdGuard an exception passes every
  /// page and window, unless it names types other than with `~`. In other lists an exception passes
  /// the pages that are blocked by lines of hosts files.
  ///
  /// > Source: uBlock Origin 1.67, `shouldStrictBlock` in `traffic.js`, and its answers.
  func pages(
    _ filter: NetworkFilter,
    _ meaning: FilterMeaning,
    _ patterns: [[UInt8]],
    _ condition: [UInt8],
    _ address: AddressFilter?,
    _ dialect: FilterDialect,
    _ list: ListBuilder
  ) -> PageRules? {
    guard list.barrier != .none, meaning.method == nil, !meaning.blocksCookies else { return nil }
    if filter.isException {
      var types: TypeSet = dialect == .adguard ? .pages : .document
      if meaning.party == .third || !Self.mayConcernPages(address?.host, of: meaning.pages) {
        types.remove(.document)
      }
      let excludesTypes = dialect == .adguard && meaning.isComplement && !meaning.excludesPages
      guard !types.isEmpty, meaning.denied.isEmpty, !meaning.namesTypes || excludesTypes else {
        return nil
      }
      let part: RulePart =
        dialect == .ubo || dialect == .adguard
        ? .pages(isException: true, meaning.isImportant) : .hostPageExceptions
      return PageRules(
        part: part,
        patterns: patterns,
        condition: condition,
        types: types,
        isPlain: false
      )
    }
    guard dialect == .ubo, !meaning.namesTypes, meaning.party != .third, meaning.to.isEmpty,
      let host = address?.hostInFront,
      Self.mayConcernPages(host, of: meaning.pages)
    else { return nil }
    var condition = condition
    if !meaning.denied.isEmpty {
      // A page has the host that is compared with those that are excepted.
      var scope = meaning.pages
      scope.excluded += meaning.denied
      do throws(ConversionReason) {
        guard case .json(let json, _) = try scope.condition(for: list.target) else { return nil }
        condition = json
      } catch {
        return nil
      }
    }
    return PageRules(
      part: .pages(isException: false, meaning.isImportant),
      patterns: address?.host == nil ? [AddressFilter.hostPattern(host)] : patterns,
      condition: condition,
      isPlain: condition.isEmpty && meaning.party == nil && !meaning.isCaseSensitive
        && !meaning.isImportant && patterns.count == 1
    )
  }

  /// Whether a page of a host, or of one below it, may be among the pages of a filter.
  private static func mayConcernPages(_ host: [UInt8]?, of pages: PageScope) -> Bool {
    guard let host, let domain = PageScope.domain(host[...]), pages.namesIncluded else {
      return true
    }
    return pages.included.contains { other in
      other == domain || PageScope.isBelow(domain, other) || PageScope.isBelow(other, domain)
    }
  }
}

/// The pages on which filters without domains do not block.
struct GenericBlockingExceptions {
  var domains: [PageScope.Domain] = []
  /// Whether some of them are named by patterns, which no condition on domains meets.
  var hasPatterns = false
  var isEverywhere = false

  mutating func add(_ domains: [PageScope.Domain], hasPatterns: Bool, isEverywhere: Bool) {
    self.domains += domains.filter { !$0.hasWildcard }
    if hasPatterns || domains.contains(where: \.hasWildcard) { self.hasPatterns = true }
    if isEverywhere { self.isEverywhere = true }
  }

  var isEmpty: Bool { domains.isEmpty && !hasPatterns && !isEverywhere }

  /// Returns the pages of a scope among these, as far as domains name them.
  func pages(of scope: PageScope) -> PageScope {
    if isEverywhere { return scope }
    var both = scope
    both.included = []
    for domain in scope.included where !domain.hasWildcard && !scope.isExcluded(domain) {
      for other in domains {
        if other == domain || PageScope.isBelow(domain, other) {
          both.included.append(domain)
        } else if PageScope.isBelow(other, domain), !scope.excludes(other, within: domain) {
          both.included.append(other)
        }
      }
    }
    both.included = PageScope.distinct(both.included)
    return both
  }
}
